package claim

import "strings"

// entry takes an entry about who does something or where names stand; false for others.
func (d *doing) entry(l *Lexicon, section, name string, items []string) bool {
	if section != "act" && section != "column" && section != "way" && (section != "class" || name != "actor" && name != "rank") {
		return false
	}
	for _, item := range items {
		item = strings.ToLower(strings.TrimSpace(item))
		word, behind, _ := strings.Cut(item, " ")
		concept := l.concept(word)
		switch {
		case item == "":
		case name == "rank":
			d.ranks[item], d.actors[item], d.actors[item+"s"] = true, true, true
		case section == "class":
			d.actors[item], d.actors[item+"s"] = true, true
		case section == "act":
			d.acts[strings.TrimSpace(concept+" "+behind)] = l.concept(name)
		case section == "column":
			d.columns[concept] = d.columnClass(l, name)
		default:
			d.way(concept, behind, name)
			if more := l.concept(word + "s"); more != concept {
				d.way(more, behind, name) // lives is the plural of life too
			}
		}
	}
	return true
}

// way notes the class of names behind a verb and a preposition.
func (d *doing) way(verb, behind, class string) {
	if d.ways[verb] == nil {
		d.ways[verb] = map[string][]string{}
	}
	d.ways[verb][behind] = append(d.ways[verb][behind], class)
}

// columnClass is the class of what stands below a label: of who does something, by what is done.
func (d *doing) columnClass(l *Lexicon, name string) string {
	if act, who := strings.CutPrefix(name, "who:"); who {
		return "who:" + l.concept(act)
	}
	return name
}

// Actor reports whether a word is what a role or a team is, and whether it is one of many people.
func (l *Lexicon) Actor(word string) (actor, many bool) {
	return l.actors[word], collectives[word]
}

// collectives are those of which several people act as one.
var collectives = wordSet(`team group board council committee desk office department crew squad guild tribe staff helpdesk`)
