package claim

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
)

//go:embed english.txt
var english string

// Lexicon is what is known about the words of a language: which of them say one
// thing, which the opposite, which are frames around a value. It is data; see english.txt
// for the format.
type Lexicon struct {
	forms         map[string]string // inflection to word
	same          map[string]string // stem to concept
	light         map[string]bool
	verbs         map[string]bool
	phrases       map[string][]phrase // by first word: bounds, roles, words about another time
	circumstances map[string][]phrase // by first word: what restricts no statement
	purposes      map[string]bool     // verbs that say what for
	weak          map[string]bool
	condition     map[string]bool
	numbered      map[string]bool
	generic       map[string]bool
	distinct      map[string]bool
	scales        map[string]bool // dimension, a blank and a concept
	measured      map[string]bool // the concepts among them
	numbering     map[string]bool
	empty         map[string]bool
	hollow        map[string]bool
	sites         map[string]string
	lifetime      map[string]bool
	event         map[string]bool
	capacity      map[string]bool
	nouns         map[string]bool // that say what a verb does, in the singular
	stative       map[string]bool
	origin        map[string]bool
	which         map[string]bool
	anyone        map[string]bool
	having        map[string]bool
	done          map[string]bool

	attributes map[string]string // concept of an attribute to the slot that it names
	slots      map[string]string // verb stem, or verb stem and preposition, to slot
	filled     map[string]bool   // verb stems that have a slot
	single     map[string]bool   // words of an attribute, joined by blanks
	classes    map[string]string // folded name to class
	units      map[string]schema.Unit
	memo       *memo
	extended   bool                // a wiki adds words of its own
	opposite   map[string]opposite // stem to what it denies
	contrast   map[string]opposite // stem to what it can not be at once
	doing
}

// doing is what is known of who does something, and of where names of things stand.
type doing struct {
	actors  map[string]bool                // nouns of roles and teams
	ranks   map[string]bool                // those of them that do not tell which
	acts    map[string]string              // concept, or concept and the word behind it, to what one role alone does
	columns map[string]string              // concept of a label to the class of what stands below
	ways    map[string]map[string][]string // concept of a verb, and preposition, to the classes of names behind it
}

// opposite is what one of two words that deny each other says.
type opposite struct {
	concept  string
	negative bool
}

// phrase is a sequence of words that means something before a number or
// anywhere in a clause.
type phrase struct {
	words []string
	kind  string // bound, role or past
	name  string // max, min, about; the role
}

// English returns the built-in lexicon, which is read when it is first asked for.
var English = sync.OnceValue(func() *Lexicon { return must(NewLexicon(unitTable + english)) })

func must(l *Lexicon, problem string) *Lexicon {
	if problem != "" {
		panic("claim: " + problem)
	}
	return l
}

// NewLexicon reads a lexicon. problem names the first line that can not be read.
func NewLexicon(text string) (l *Lexicon, problem string) {
	l = &Lexicon{forms: map[string]string{}, same: map[string]string{}, light: map[string]bool{}, verbs: map[string]bool{}, phrases: map[string][]phrase{},
		circumstances: map[string][]phrase{}, purposes: map[string]bool{}, weak: map[string]bool{}, condition: map[string]bool{}, numbered: map[string]bool{}, generic: map[string]bool{}, distinct: map[string]bool{}, scales: map[string]bool{}, measured: map[string]bool{}, empty: map[string]bool{}, hollow: map[string]bool{}, sites: map[string]string{}, lifetime: map[string]bool{}, event: map[string]bool{}, capacity: map[string]bool{}, nouns: map[string]bool{}, stative: map[string]bool{}, origin: map[string]bool{}, which: map[string]bool{}, anyone: map[string]bool{}, having: map[string]bool{}, done: map[string]bool{}, numbering: map[string]bool{}, attributes: map[string]string{}, slots: map[string]string{}, filled: map[string]bool{},
		single: map[string]bool{}, classes: map[string]string{}, opposite: map[string]opposite{}, contrast: map[string]opposite{}, units: map[string]schema.Unit{}}
	l.doing = doing{map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]string{}, map[string]map[string][]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, items, ok := strings.Cut(line, ": ")
		section, name, _ := strings.Cut(head, " ")
		if !ok || !l.entry(section, strings.TrimSpace(name), strings.Split(items, ",")) {
			return l, line + ": is no entry of a lexicon"
		}
	}
	for verb, concept := range l.same {
		if l.verbs[verb] {
			l.verbs[concept] = true
		}
	}
	l.memo = &memo{}
	return l, ""
}

// Extended returns the lexicon with the entries that a wiki's configuration adds.
func (l *Lexicon) Extended(c *schema.ClaimsConfig) *Lexicon {
	if len(c.Same)+len(c.Opposite)+len(c.Slots)+len(c.Classes)+len(c.Units) == 0 {
		return l
	}
	next := *l
	next.memo, next.extended = nil, true
	next.same, next.verbs, next.slots, next.filled = maps.Clone(l.same), maps.Clone(l.verbs), maps.Clone(l.slots), maps.Clone(l.filled)
	next.classes, next.opposite = maps.Clone(l.classes), maps.Clone(l.opposite)
	next.units = maps.Clone(l.units)
	next.actors, next.ranks = maps.Clone(l.actors), maps.Clone(l.ranks)
	for _, amount := range slices.Sorted(maps.Keys(c.Units)) {
		next.amount(amount, c.Units[amount])
	}
	for _, section := range []struct {
		name    string
		entries map[string][]string
	}{{"same", c.Same}, {"opposite", c.Opposite}, {"slot", c.Slots}, {"class", c.Classes}} {
		for _, name := range slices.Sorted(maps.Keys(section.entries)) {
			next.entry(section.name, strings.ToLower(name), section.entries[name])
		}
	}
	next.memo = &memo{}
	return &next
}

func (l *Lexicon) entry(section, name string, items []string) bool {
	if section == "unit" {
		return l.unit(name, items)
	}
	if l.doing.entry(l, section, name, items) {
		return true
	}
	for _, item := range items {
		item = strings.ToLower(strings.TrimSpace(item))
		if item == "" {
			continue
		}
		switch section {
		case "form":
			l.forms[item] = name
		case "same":
			l.same[stem(item)] = stem(name)
		case "noun":
			if name == "" {
				return false
			}
			l.same[stem(item)], l.nouns[item] = stem(name), true
		case "light":
			l.light[stem(item)] = true
			l.verbs[stem(item)] = true
		case "verb":
			l.verbs[stem(item)] = true
		case "weak":
			l.weak[item] = true
		case "condition":
			l.condition[item] = true
		case "numbered":
			l.numbered[item] = true
		case "generic":
			l.generic[stem(item)] = true
		case "distinct":
			l.distinct[stem(item)] = true
		case "scale":
			l.scales[name+" "+l.concept(item)] = true
			if !strings.HasPrefix(name, "of-") {
				l.measured[l.concept(item)] = true
			}
		case "empty":
			l.empty[stem(item)] = true
		case "site":
			l.sites[item] = name
		case "hollow":
			l.hollow[stem(item)] = true
		case "attribute":
			l.attributes[l.concept(item)] = name
		case "lifetime":
			l.lifetime[l.concept(item)] = true
		case "event":
			l.event[l.concept(item)] = true
		case "state":
			l.stative[l.concept(item)] = true
		case "origin":
			l.origin[l.concept(item)] = true
		case "anyone":
			l.anyone[l.concept(item)] = true
		case "done":
			l.done[l.concept(item)] = true
		case "having":
			l.having[l.concept(item)] = true
		case "capacity":
			l.capacity[l.concept(item)] = true
		case "numbering":
			l.numbering[item] = true
			l.which[l.concept(item)] = true
		case "bound", "role", "past":
			words := strings.Fields(item)
			l.phrases[words[0]] = append(l.phrases[words[0]], phrase{words, section, name})
		case "circumstance":
			words := strings.Fields(item)
			l.circumstances[words[0]] = append(l.circumstances[words[0]], phrase{words, section, name})
		case "purpose":
			l.purposes[item] = true
		case "slot":
			verb, preposition, _ := strings.Cut(item, " ")
			verb = stem(l.form(verb))
			l.verbs[verb] = true
			l.slots[strings.TrimSpace(verb+" "+preposition)], l.filled[verb] = name, true
		case "single":
			l.single[strings.Join(l.Words(item), " ")] = true
		case "class":
			l.classes[item] = name
		case "opposite":
			l.opposite[stem(item)] = opposite{stem(name), true}
			l.opposite[stem(name)] = opposite{stem(name), false}
		case "contrast":
			l.contrast[stem(item)] = opposite{stem(name), true}
			l.contrast[stem(name)] = opposite{stem(name), false}
		default:
			return false
		}
	}
	return true
}

func (l *Lexicon) form(w string) string {
	if f, ok := l.forms[w]; ok {
		return f
	}
	return w
}

// concept returns what a word says, the same for all words that say it.
func (l *Lexicon) concept(w string) string {
	s := stem(l.form(w))
	if c, ok := l.same[s]; ok {
		return c
	}
	return s
}

// Class returns what kind of thing a well-known name is: database, broker; empty
// for others.
func (l *Lexicon) Class(name string) string { return l.classes[strings.ToLower(name)] }

// Light reports whether a concept tells no statement from another.
func (l *Lexicon) Light(concept string) bool { return l.light[concept] }

// Generic reports whether a word says what a thing is and not which: service.
func (l *Lexicon) Generic(concept string) bool { return l.generic[concept] }

// Verb reports whether a concept is one of a verb.
func (l *Lexicon) Verb(concept string) bool { return l.verbs[concept] }

// Distinct reports whether a concept tells one of several things of a kind from the
// others: before and after.
func (l *Lexicon) Distinct(concept string) bool { return l.distinct[concept] }

// Single reports whether a thing has one value of the attribute that the words, as
// Words gives them, name.
func (l *Lexicon) Single(words []string) bool { return l.single[strings.Join(words, " ")] }

// Lifetime reports whether a concept says how long a thing is there, from either end: is
// kept for, is deleted after.
func (l *Lexicon) Lifetime(concept string) bool { return l.lifetime[concept] }

// Event reports whether a concept says of a thing with a time only that it happens.
func (l *Lexicon) Event(concept string) bool { return l.event[concept] }

// Needs reports whether a concept says that a thing does not work without something.
func (l *Lexicon) Needs(concept string) bool { return concept == "requir" || concept == "need" }

// Capacity reports whether a concept says of a limit only that there is room for so much.
func (l *Lexicon) Capacity(concept string) bool { return l.capacity[concept] }

// Anyone reports whether a concept names people of whom no more is said than that they do
// something: visitors may.
func (l *Lexicon) Anyone(concept string) bool { return l.anyone[concept] }

// Done reports whether a concept says of something only that it is done: takes place, is due.
func (l *Lexicon) Done(concept string) bool { return l.done[concept] }

// Having reports whether a concept says of a thing that something is there for it: has, wears.
func (l *Lexicon) Having(concept string) bool { return l.having[concept] }

// Stative reports whether a concept says of a thing no more than that its value stays.
func (l *Lexicon) Stative(concept string) bool { return l.stative[concept] }

// SlotOf returns the slot that an attribute has the name of, empty for none.
func (l *Lexicon) SlotOf(concept string) string {
	if slot := l.attributes[concept]; slot != "" || !l.which[concept] {
		return slot
	}
	return whichSlot(concept)
}

// whichSlot is the slot of which of several things of a kind is meant.
func whichSlot(concept string) string { return "which " + concept }

// Scale reports whether a concept says of a value of a dimension only what its unit says:
// the temperature of 4 °C.
func (l *Lexicon) Scale(d schema.Dimension, concept string) bool {
	kind, of, _ := strings.Cut(string(d), ":")
	if kind == "" {
		kind = "count"
	}
	if kind == "rate" && of != "" && l.Scale(schema.Dimension(of), concept) {
		return true // so much money an hour
	}
	return l.scales["any "+concept] || l.scales[kind+" "+concept]
}

// Scales returns the concepts of which [Lexicon.Scale] is true for a kind of dimensions, sorted, and of those for classes of
// names, of-database. Those of what a thing with a limit does, and of how long one is there, are told by kinds of their own:
// capacity, lifetime.
func (l *Lexicon) Scales(kind string) (out []string) {
	for group, concepts := range map[string]map[string]bool{"capacity": l.capacity, "lifetime": l.lifetime} {
		for concept := range concepts {
			if group == kind && !l.light[concept] && !l.empty[concept] {
				out = append(out, concept)
			}
		}
	}
	for key := range l.scales {
		if of, concept, _ := strings.Cut(key, " "); of == kind {
			out = append(out, concept)
		}
	}
	slices.Sort(out)
	return out
}

// Empty reports whether a light word is never what a statement is about.
func (l *Lexicon) Empty(concept string) bool { return l.empty[concept] }

// Hollow reports whether a word binds a sentence together and tells nothing of what it is about, however
// rare it is.
func (l *Lexicon) Hollow(concept string) bool { return l.hollow[concept] }

// RoleOf returns the role that a word gives to a value, empty for others.
func (l *Lexicon) RoleOf(word string) string {
	for _, p := range l.phrases[word] {
		if p.kind == "role" && len(p.words) == 1 {
			return p.name
		}
	}
	return ""
}
