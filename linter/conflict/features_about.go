package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// subjects measures whether both are about one thing.
func (m *matcher) subjects(s, t *told, x *features) {
	same := sameEntity(s, t)
	topic := m.topic(s, t) || m.topic(t, s)
	x.flag(featSameEntity, same)
	x.flag(featTopic, topic)
	x.flag(featBothName, slices.ContainsFunc(s.named, func(e string) bool { return slices.Contains(t.named, e) }))
	x.set(featOtherEntity, float64(strangers(s, t)+strangers(t, s)))
	if !same && !topic {
		own := s.own != "" && t.own != "" && (describes(s.page) && describes(t.page) || len(s.words) < fewWords && len(t.words) < fewWords)
		x.flag(featOtherOwn, own && s.own != t.own)
		x.flag(featSiblings, own && twins(s, t))
		x.set(featSharedApart, math.Log2(1+float64(m.sharedTelling(s, t))))
		names := sharedNames(s, t)
		x.set(featSharedNames, math.Log2(1+float64(names)))
		x.flag(featNothingNamed, names == 0 && own && s.own != t.own)
	}
	x.flag(featSameFolder, folder(s.Path) == folder(t.Path))
	x.flag(featLinked, m.linksTo(s.page, t.page) || m.linksTo(t.page, s.page))
	x.set(featSubject, math.Min(subjectShare(s, t), subjectShare(t, s)))
	x.flag(featTables, s.From == schema.OriginTable && t.From == schema.OriginTable)
}

// rarest returns on how many pages the rarest word is that both say and that may name a thing.
func (m *matcher) rarest(s, t *told) (pages int) {
	for i := range s.words {
		w := &s.words[i]
		if !m.tells(w) || !t.knows(w.Concept) {
			continue
		}
		if n := m.pages[w.Concept]; n > 0 && (pages == 0 || n < pages) {
			pages = n
		}
	}
	return pages
}

// twins reports whether the pages of two sayings are of one kind.
func twins(s, t *told) bool {
	return folder(s.Path) == folder(t.Path) || s.page.Meta.Type == t.page.Meta.Type && s.page.Meta.Type != ""
}

// sharedNames counts the names that both say.
func sharedNames(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; w.Name {
			if k, ok := t.at[w.Concept]; ok && t.words[k].Name {
				n++
			}
		}
	}
	return n
}

// strangeNames counts the names of s that t does not know.
func strangeNames(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; w.Name && !t.knows(w.Concept) {
			n++
		}
	}
	return n
}

// doers measures whether what stands before the verb of one does so in the other.
func (m *matcher) doers(s, t *told, x *features) {
	swapped, apart := 0.0, 0.0
	for _, pair := range [][2]*told{{s, t}, {t, s}} {
		if !slices.ContainsFunc(pair[1].words, func(w toldWord) bool { return w.Subject && m.tells(&w) }) {
			continue
		}
		for i := range pair[0].words {
			w := &pair[0].words[i]
			if !w.Subject || !m.tells(w) {
				continue
			}
			if k, ok := pair[1].at[w.Concept]; !ok {
				apart += w.weight
			} else if o := &pair[1].words[k]; !o.Subject && !o.Label {
				swapped += w.weight
			}
		}
	}
	x.set(featSwapped, swapped)
	x.set(featParallel, math.Log2(1+float64(m.parallels(s, t))))
	rarest := m.rarest(s, t)
	x.set(featMass, m.tellingMass(s, t))
	x.flag(featNoneRare, rarest == 0)
	x.set(featRarest, math.Log2(float64(max(1, rarest)))/2)
	x.set(featDoer, apart)
}

// tells reports whether a word may name what a saying is about.
func (m *matcher) tells(w *toldWord) bool {
	return !w.Verb && !m.vague(w.Concept) && !m.lexicon.Generic(w.Concept)
}

// sameEntity reports whether both are about one entity, named or not.
func sameEntity(s, t *told) bool {
	for _, e := range s.named {
		if slices.Contains(t.named, e) || t.own == e {
			return true
		}
	}
	return s.own != "" && (s.own == t.own || slices.Contains(t.named, s.own))
}

// topic reports whether t says all words of the title of the page of s that tell which page it is.
func (m *matcher) topic(s, t *told) bool {
	if s.own == "" {
		return false
	}
	n := 0
	for _, w := range m.titleWords(s.page.Title) {
		switch {
		case m.lexicon.Generic(w) || m.lexicon.Light(w):
		case !t.has(w):
			return false
		default:
			n++
		}
	}
	return n > 0
}

// strangers counts the entities that s names and t does not know of.
func strangers(s, t *told) (n int) {
	for _, e := range s.named {
		if e != s.own && e != t.own && !slices.Contains(t.named, e) {
			n++
		}
	}
	if s.OfPage && s.own != "" && s.own != t.own && !slices.Contains(t.named, s.own) {
		n++
	}
	return n
}

// linksTo reports whether a page links to another.
func (m *matcher) linksTo(p, other *schema.Page) bool {
	for i := range p.Links {
		if res := m.wiki.Resolution(p, i); res.Kind == schema.TargetPage && res.Page == other.ID {
			return true
		}
	}
	return false
}

// subjectShare returns which part of what stands before the verb of s, or labels it, t says or
// takes for granted.
func subjectShare(s, t *told) float64 {
	total, said := 0.0, 0.0
	for i := range s.words {
		if w := &s.words[i]; w.Subject || w.Label {
			total += w.weight
			if t.knows(w.Concept) {
				said += w.weight
			}
		}
	}
	if total == 0 {
		return 1
	}
	return said / total
}

// fewWords is how many words a saying has that says what it is of: with fewer, its page says it.
const fewWords = 3

// describes reports whether a page is about the thing that its title names, and not about many or what to do with it: a table
// of limits, a guide, a runbook.
func describes(p *schema.Page) bool {
	first, _, _ := strings.Cut(p.Path, "/")
	return !tabular(p) && !telling[strings.ToLower(p.Meta.Type)] && !telling[strings.ToLower(first)]
}

// telling are the types and folders of pages that tell what to do, or what was decided.
var telling = map[string]bool{"guide": true, "guides": true, "runbook": true, "runbooks": true, "faq": true, "tutorial": true, "tutorials": true, "howto": true, "how-to": true, "playbook": true,
	"playbooks": true, "decision": true, "decisions": true, "adr": true, "adrs": true, "note": true, "notes": true, "meeting": true, "meetings": true, "team": true, "teams": true, "checklist": true,
	"checklists": true, "onboarding": true, "operations": true, "ops": true, "release": true, "releases": true}
