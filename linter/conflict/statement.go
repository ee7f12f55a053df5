package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// said is a claim of which it is known whom it is about, and by which words.
type said struct {
	*schema.Claim
	origin   *schema.Claim // as the page says it
	explicit []string      // the entities that it names
	own      string        // the entity of its page or section
	implicit bool          // nothing that it names stands where its subject does
	names    []entityName
	words    []string // what it says, without the names of entities, sorted
	verbs    []string // words that every statement has
	cond     []string // in its conditions
	figures  []string // numbers among its words
	weak     bool     // it adds a circumstance
	attr     bool     // a field, a row: its words are a name and no sentence
	key      bool     // about a key of a table of settings

	hard   []string // all words that tell what is said, with those of names, sorted
	soft   []string // what may be left unsaid where it is said; see soften
	topic  []string // those of the hard words that stand before the verb
	verbal []string // verbs, which are not among the hard words
	modal  bool     // it says what may or can be
	named  bool     // its subject is an entity that it names
	row    string   // what people call the page that the row of a table is about

	spelt, softened bool // its words are known, and the soft ones
}

// call notes what people call an entity.
func (s *said) call(entity, name string) {
	for i := range s.names {
		if s.names[i].key == entity {
			s.names[i].name = name
			return
		}
	}
	s.names = append(s.names, entityName{entity, name})
}

// nameOf returns what people call an entity; empty when it is not among those named.
func (s *said) nameOf(entity string) string {
	for i := range s.names {
		if s.names[i].key == entity {
			return s.names[i].name
		}
	}
	return ""
}

// longestName is the most words that the name of a page is looked for by.
const longestName = 5

// describe settles whom a claim is about and what it says.
func (f *finder) describe(c *schema.Claim) *said {
	page := f.entities.pageOf(c)
	if page == nil {
		return nil
	}
	s, lists := f.said.next(), &f.scratch
	*s = said{Claim: c, origin: c, explicit: lists.explicit[:0], names: lists.names[:0], words: lists.words[:0], verbs: lists.verbs[:0], cond: lists.cond[:0], figures: lists.figures[:0]}
	defer f.settled(s)
	s.key = c.Slot == claim.SlotKey
	s.own = f.home(page, c)
	if len(c.Attr.Words) > 0 && !s.key {
		entity, name := f.entities.of(c)
		if entity == "" && c.Label == nil {
			return nil
		} else if entity == "" {
			return s
		}
		s.attr, s.explicit = true, append(s.explicit, entity)
		s.call(entity, name)
		if len(c.Subject.Kind) > 0 {
			s.row = name
		}
		s.words = append(s.words, c.Attr.Words...)
		if noun, ok := strings.CutPrefix(string(c.Value.Quantity.Dimension), "count:"); ok && !slices.Contains(s.words, noun) {
			s.words = append(s.words, noun)
		}
		s.words = slices.DeleteFunc(s.words, f.lexicon.Light)
		s.limited()
		return s
	}
	subject := f.terms(s, page)
	if c.Slot == claim.SlotRow && len(c.Subject.Names) > 0 {
		if entity, name := f.entities.of(c); entity != "" && !slices.Contains(s.explicit, entity) {
			s.explicit, subject, s.row = append(s.explicit, entity), true, name
			s.call(entity, name)
		}
	}
	if s.key {
		f.keyed(s)
	}
	if !subject && !s.key && s.own != "" {
		s.implicit = true
		if !slices.Contains(s.explicit, s.own) {
			s.call(s.own, page.Title)
		}
	}
	for _, list := range []*[]string{&s.words, &s.cond, &s.figures} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

// settled takes the lists of a claim out of those that serve one after another.
func (f *finder) settled(s *said) {
	for _, list := range [...]struct{ of, buffer *[]string }{{&s.explicit, &f.scratch.explicit}, {&s.words, &f.scratch.words}, {&s.verbs, &f.scratch.verbs}, {&s.cond, &f.scratch.cond}, {&s.figures, &f.scratch.figures}} {
		*list.buffer, *list.of = *list.of, f.strings.keep(*list.of)
	}
	f.scratch.names, s.names = s.names, f.names.keep(s.names)
}

// limited takes the words that say that a value is a limit for what they say.
func (s *said) limited() {
	for i, word := range s.words {
		bound := schema.AtMost
		switch word {
		case "min":
			bound = schema.AtLeast
			fallthrough
		case "max":
			if s.Value.Kind == schema.ValueQuantity || s.Value.Kind == schema.ValueVersion {
				limited := *s.Claim
				limited.Value.Quantity.Bound = bound
				s.Claim = &limited
				s.words = slices.Delete(s.words, i, i+1)
			}
			return
		}
	}
}

// home returns the entity that a statement without a subject is about: what its
// section is headed by, what its page is about.
func (f *finder) home(page *schema.Page, c *schema.Claim) string {
	if f.entities.reserved {
		return ""
	}
	if n := len(c.Section); n > 0 {
		if _, p := f.entities.heading(&c.Section[n-1]); p != nil {
			if key, _ := f.entities.page(p); key != "" {
				return key
			}
		}
	}
	key, _ := f.entities.page(page)
	return key
}

// keyed notes the key that a claim is about, and the page that the first part of
// it names.
func (f *finder) keyed(s *said) {
	key := keyOf(s.Subject)
	s.call(key, s.Subject.Names[0])
	if s.explicit = append(s.explicit, key); len(s.explicit) > 1 {
		return
	}
	parts := strings.FieldsFunc(s.Subject.Names[0], func(r rune) bool { return r == '.' || r == '/' })
	if len(parts) > 1 {
		if p := f.entities.called(f.lexicon.Words(parts[0])); p != nil {
			f.name(s, p)
		}
	}
}

func (f *finder) name(s *said, p *schema.Page) {
	if key, name := f.entities.page(p); key != "" && !slices.Contains(s.explicit, key) {
		s.explicit = append(s.explicit, key)
		s.call(key, name)
	}
}

// terms reads the words of a statement: the names of entities among them, and what
// is left. subject reports whether an entity stands where the subject does.
func (f *finder) terms(s *said, page *schema.Page) (subject bool) {
	terms := s.Terms
	left := 0 // words of the subject that name nothing
	for i := 0; i < len(terms); {
		t := &terms[i]
		if t.Part == schema.PartOwn {
			subject = subject || i == 0
			if s.own != "" && !slices.Contains(s.explicit, s.own) {
				s.explicit = append(s.explicit, s.own)
				s.call(s.own, page.Title)
			}
			i++
			continue
		}
		if n, found := f.entity(s, page, i); n > 0 {
			if found && t.Part == schema.PartSubject {
				subject = true
			}
			i += n
			continue
		}
		if t.Part == schema.PartSubject && !f.lexicon.Light(t.Word) {
			left++
		}
		f.word(s, t)
		i++
	}
	return subject
}

func (f *finder) word(s *said, t *schema.Term) {
	switch {
	case t.Word == "":
	case t.Word[0] >= '0' && t.Word[0] <= '9':
		s.figures = append(s.figures, t.Word)
		if t.Part == schema.PartSubject && len(s.words) > 0 && strings.ContainsAny(t.Word, ".x") { // a version of a thing is known everywhere
			key := "key:" + s.words[len(s.words)-1] + " " + t.Word
			s.explicit = append(s.explicit, key)
			s.call(key, strings.TrimPrefix(key, "key:"))
		}
	case t.Part == schema.PartWeak:
		s.weak = true
	case f.lexicon.Light(t.Word):
		s.verbs = append(s.verbs, t.Word)
	case t.Part == schema.PartCondition:
		s.cond = append(s.cond, t.Word)
	default:
		s.words = append(s.words, t.Word)
	}
}

// entity returns how many terms at i name an entity, which is noted.
func (f *finder) entity(s *said, page *schema.Page, i int) (n int, found bool) {
	terms := s.Terms
	if link := terms[i].Link; link >= 0 {
		for i+n < len(terms) && terms[i+n].Link == link {
			n++
		}
		if res := f.wiki.Resolution(page, link); res.Kind == schema.TargetPage && res.Fragment == "" {
			if p := f.wiki.Page(res.Page); p != nil && !p.Reserved() {
				f.name(s, p)
				return n, true
			}
		}
		return 0, false
	}
	if w := terms[i].Word; strings.IndexByte(w, '_') >= 0 || strings.IndexByte(w, '-') >= 0 { // a name written as one word
		if p := f.entities.called(f.lexicon.Words(w)); p != nil {
			f.name(s, p)
			return 1, true
		}
	}
	if terms[i].Part != schema.PartCondition && f.entities.known[terms[i].Word] {
		key := "key:" + terms[i].Word
		s.explicit = append(s.explicit, key)
		s.call(key, terms[i].Word)
		return 1, true
	}
	var name [longestName]string
	for n = f.entities.nameable(terms[i:], longestName); n > 0; n-- {
		if terms[i+n-1].Part != terms[i].Part || terms[i+n-1].Link >= 0 {
			continue
		}
		words := name[:n]
		for j := range words {
			words[j] = terms[i+j].Word
		}
		slices.Sort(words)
		if p := f.entities.called(words); p != nil && (n > 1 || terms[i].Part != schema.PartVerb || !f.lexicon.Lifetime(terms[i].Word)) && (n > 1 || !terms[i].Joined && (i+1 == len(terms) || !terms[i+1].Joined)) {
			f.name(s, p)
			return n, true
		}
		if n == 1 || terms[i].Part != schema.PartSubject {
			continue
		}
		if key := f.entities.keyNames[strings.Join(words, " ")]; key != "" {
			s.explicit = append(s.explicit, key)
			s.call(key, strings.TrimPrefix(key, "key:"))
			return n, true
		}
	}
	if terms[i].Part == schema.PartSubject && (i+1 == len(terms) || terms[i+1].Part != schema.PartSubject) && (i == 0 || terms[i-1].Part != schema.PartSubject) &&
		s.own != "" && s.Definite && (f.lexicon.Generic(terms[i].Word) || terms[i].Word == f.lastWord(page.Title) || terms[i].Word == page.Meta.Type) {
		if len(s.explicit) == 0 { // unless another was named before: in X the controller
			s.explicit = append(s.explicit, s.own)
			s.call(s.own, page.Title)
		}
		return 1, true // the controller, on the page of the climate controller
	}
	return 0, false
}

// lastWord returns what the last word of a title says.
func (f *finder) lastWord(title string) string {
	e := f.entities
	if e.title == title { // claims come page by page
		return e.titleName
	}
	e.title, e.titleName = title, ""
	if words := strings.Fields(title); len(words) > 1 {
		if w := f.lexicon.Words(words[len(words)-1]); len(w) == 1 {
			e.titleName = w[0]
		}
	}
	return e.titleName
}

// entitiesOf returns all entities that a claim may be about.
func (s *said) entitiesOf() []string {
	if s.implicit && !slices.Contains(s.explicit, s.own) {
		return append(slices.Clone(s.explicit), s.own)
	}
	return s.explicit
}

// mayBeAbout reports whether an entity is among those that a claim may be about.
func (s *said) mayBeAbout(entity string) bool {
	return s.implicit && s.own == entity || slices.Contains(s.explicit, entity)
}

// about reports whether two claims are about the entity that both name, and
// neither about another thing that the other does not know of.
func about(a, b *said, entity string) bool {
	other := func(a, b *said) bool {
		for _, e := range a.explicit {
			if e != entity && e != b.own && (e != a.own || a.Value.Kind != schema.ValueSet) && !slices.Contains(b.explicit, e) && !strings.HasPrefix(e, "key:") {
				return true
			}
		}
		return false
	}
	return !other(a, b) && !other(b, a)
}

// weights are what words tell, in bits: rare words tell more.
type weights struct {
	lexicon *claim.Lexicon
	seen    map[string]int
	total   int
}

func (w *weights) of(word string) float64 {
	return math.Log2(2 + float64(w.total+40)/float64(1+w.seen[word]))
}

func (w *weights) sum(words []string) (sum float64) {
	for _, word := range words {
		sum += w.of(word)
	}
	return sum
}

// common returns what two lists of words share, and how much it is.
func (w *weights) common(a, b []string) (n int, sum float64) {
	for _, word := range a {
		if slices.Contains(b, word) {
			n++
			sum += w.of(word)
		}
	}
	return n, sum
}
