// Package claim reads what a page states: the value of one attribute of one
// thing, from frontmatter, Dataview fields, tables, lists and sentences. It looks at one
// page alone, so that an edit extracts the claims of that page again and no
// others; who is meant among the pages of a wiki, and whether two claims can both
// hold, is settled in linter/conflict.
//
// What is not understood for certain is left out: a claim that is missing costs
// a contradiction nobody knew of, one that is wrong costs the reader's trust in
// all others.
package claim

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Of returns the claims of a page, in the order of the file. Pages that tell of
// another time claim nothing; see [Mute].
func Of(page *schema.Page) []schema.Claim { return English().Claims(page) }

// Claims is [Of] with the words of a lexicon.
func (l *Lexicon) Claims(page *schema.Page) []schema.Claim {
	s := scratches.Get().(*scratch)
	defer s.put()
	x := &extraction{page: page, words: l, muted: Mute(page), claims: s.claims[:0], kept: s.kept[:0], scratch: s}
	x.scope = titled(page.Title)
	if e := edition(page.Path); e != "" {
		x.scope = append(x.scope, "in "+e)
	}
	x.sections = sections(page)
	var all []block
	if !x.muted {
		all = blocks(page, s.blocks[:0])
		s.blocks = all
		x.languages(all)
	}
	x.frontmatter()
	if x.muted && strings.EqualFold(page.Meta.Type, "changelog") {
		for i := range page.Tables { // when something was released stays true
			x.releases(&page.Tables[i], true)
		}
	}
	if !x.muted {
		x.about = aboutOther(page)
		x.fields()
		x.tables()
		x.text(all)
	}
	s.claims, s.kept = x.claims, x.kept
	out := append([]schema.Claim(nil), s.unambiguous(x.claims)...) // nil when nothing is claimed, new buffer or old
	own(out)
	return out
}

// own gives the claims of a page terms of their own, in one array, in place of those in
// buffers.
func own(claims []schema.Claim) {
	n := 0
	for i := range claims {
		n += len(claims[i].Terms) + len(claims[i].Label)
	}
	array := make([]schema.Term, 0, n)
	for i := range claims {
		c := &claims[i]
		same := len(c.Terms) > 0 && len(c.Terms) == len(c.Label) && &c.Terms[0] == &c.Label[0]
		if c.Terms != nil {
			array = append(array, c.Terms...)
			c.Terms = array[len(array)-len(c.Terms) : len(array) : len(array)]
		}
		switch {
		case same:
			c.Label = c.Terms
		case c.Label != nil:
			array = append(array, c.Label...)
			c.Label = array[len(array)-len(c.Label) : len(array) : len(array)]
		}
	}
}

// scratch are buffers that one extraction after another uses.
type scratch struct {
	claims []schema.Claim
	tokens []token
	plain  []token       // see plainer
	terms  []schema.Term // of the statement being read
	kept   []schema.Term // of all claims
	blocks []block
	first  map[uint64]int // see unambiguous
	keys   []uint64
	buffer []byte
}

var scratches = sync.Pool{New: func() any { return &scratch{first: map[uint64]int{}, terms: make([]schema.Term, 0, 2*mostTerms)} }}

// put gives the buffers back; what they point to is let go.
func (s *scratch) put() {
	clear(s.claims)
	clear(s.tokens[:cap(s.tokens)])
	clear(s.plain[:cap(s.plain)])
	clear(s.terms[:cap(s.terms)])
	clear(s.kept)
	if cap(s.claims) <= mostClaims {
		scratches.Put(s)
	}
}

// extraction reads one page.
type extraction struct {
	page     *schema.Page
	words    *Lexicon
	scope    []string       // of the page as a whole
	about    schema.Entity  // what the page says it is about, when that is not itself
	dates    bool           // the section tells of the past: only the dates in it are claims
	definite bool           // the subject of the sentence being read is the one of a kind
	muted    bool           // only its own status is a claim
	claims   []schema.Claim // read so far
	kept     []schema.Term  // by the claims
	scratch  *scratch
	parts    [][]token // of the sentence being read
	asides   [][]token // what is said of its subject between commas
	reading  statement // the clause being read

	sections []section
	abroad   bool         // the page is not in English
	foreign  map[int]bool // sections that are not

	scoped     *string // of the section whose conditions are known
	depth      int
	conditions []string
	buffer     []byte
}

// section is what stands under one heading.
type section struct {
	start int
	path  []string // the headings, outermost first, without the page's own
}

// subjects are the frontmatter keys that name what a page is about.
var subjects = []string{"component", "service", "entity", "subject", "about", "device", "product", "system", "machine", "module", "equipment",
	"instrument", "vehicle", "package", "site"}

// aboutOther returns what a page says that it is about; an entity without names
// when it says nothing.
func aboutOther(page *schema.Page) schema.Entity {
	for _, key := range subjects {
		if n := page.Front.Get(key); n.IsScalar() && n.Kind == schema.KindString {
			return schema.Entity{Names: []string{plainText(n.Text)}, Link: -1, Sure: true}
		}
	}
	return schema.Entity{Link: -1}
}

// bookkeeping are the frontmatter keys that speak of the page as a file and not
// of what it is about, beside those of the vocabulary.
var bookkeeping = wordSet(`author authors aliases cssclass cssclasses publish layout lang language order weight nav_order sidebar_position sidebar_label
	slug permalink word_count words reading_time version_of parent up next prev previous edges related see_also priority rating rank id uid
	confidence importance difficulty created modified date year source_count backlinks page number chapter part hash size_bytes record_count`)

// frontmatter reads the single values of the frontmatter.
func (x *extraction) frontmatter() {
	if x.page.Front == nil || x.page.Front.Root == nil {
		return
	}
	about := aboutOther(x.page)
	for i := range x.page.Front.Root.Pairs {
		pair := &x.page.Front.Root.Pairs[i]
		key := strings.ReplaceAll(strings.ToLower(pair.Key), "-", "_")
		field := schema.FieldOf(pair.Key)
		if x.muted && (field != schema.FieldStatus || x.page.Layer == schema.LayerSource) {
			continue
		}
		date := key == "date" && decided(x.page)
		if !pair.Value.IsScalar() || field != "" && field != schema.FieldStatus && !date || bookkeeping[key] && !date || slices.Contains(subjects, key) {
			continue
		}
		subject := schema.Entity{Link: -1} // the frontmatter is the page's own
		x.add(schema.OriginFrontmatter, pair.Value.Span, subject, pair.Key, pair.Value.Text, nil, nil)
		if x.about = about; len(x.about.Names) > 0 && len(x.claims) > 0 && field == "" {
			// A number, a version or a date may also be that of what the page is about.
			if c := x.claims[len(x.claims)-1]; c.Span == pair.Value.Span && c.Value.Kind <= schema.ValueDate {
				x.add(schema.OriginFrontmatter, pair.Value.Span, x.about, pair.Key, pair.Value.Text, nil, nil)
			}
		}
	}
}

// decided reports whether the date of a page is that of what it tells of, and not
// of the file.
func decided(page *schema.Page) bool {
	switch strings.ToLower(page.Meta.Type) {
	case "decision", "adr", "release", "event":
		return true
	}
	return false
}

// fields reads key:: value.
func (x *extraction) fields() {
	for i := range x.page.Fields {
		f := &x.page.Fields[i]
		field := schema.FieldOf(f.Key)
		if field != "" && (field != schema.FieldStatus || len(x.about.Names) > 0) {
			continue // a page about something else has a state of its own
		}
		var context []string
		if len(x.about.Names) > 0 {
			context = without(Words(x.page.Title), Words(x.about.Names[0]))
		}
		x.add(schema.OriginField, f.Val, x.about, f.Key, f.Value, context, nil)
	}
}

// without returns the words that are not among others.
func without(words, others []string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains(others, w) })
}

// add adds a claim, if the value is one.
func (x *extraction) add(from schema.Origin, span schema.Span, subject schema.Entity, attr, text string, context, scope []string) {
	section := x.section(span.Start)
	if x.untold(section) {
		return
	}
	name, unit := x.words.attributeUnit(attr)
	value := x.valueOf(from, text, unit)
	words := x.words.Words(name)
	if value.Kind == schema.ValueNone || len(words) == 0 {
		return
	}
	if q := &value.Quantity; value.Kind == schema.ValueQuantity && q.Dimension == "" && (slices.Contains(words, "vers") || slices.Contains(words, "version") || slices.Contains(words, "firmwar")) {
		if lo, hi, ok := versionInterval(plainText(text)); ok {
			value = schema.Value{Kind: schema.ValueVersion, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}
		}
	}
	if value.Kind == schema.ValueQuantity {
		x.words.counted(&value.Quantity, attr)
		if from == schema.OriginTable && len(subject.Names) > 0 {
			x.words.counted(&value.Quantity, subject.Names[0])
		}
	}
	scope = slices.Concat(x.scope, scope, x.sectionScope(section))
	slices.Sort(scope)
	c := schema.Claim{
		Page: x.page.ID, Path: x.page.Path, Section: section, Span: span, Text: strings.TrimSpace(text), From: from,
		Subject: subject, Attr: schema.Attribute{Name: attr, Words: words, Context: context}, Value: value, Scope: slices.Compact(scope),
	}
	x.buffer = x.buffer[:0]
	for _, part := range section {
		x.buffer = append(append(x.buffer, part...), 0)
	}
	x.buffer = append(joined(x.buffer, subject.Names, 1), 0)
	x.buffer = append(joined(x.buffer, words, ' '), 0)
	x.buffer = appendLower(x.buffer, c.Text)
	c.ID = xxh3.Hash(x.buffer)
	x.claims = append(x.claims, c)
}

// keep returns a copy of terms, which take no room of their own for each claim.
func (x *extraction) keep(terms []schema.Term) []schema.Term {
	n := len(x.kept)
	if n+len(terms) > cap(x.kept) {
		x.kept = slices.Grow(x.kept, max(n, len(terms))) // by less, those of large tables are copied often
	}
	x.kept = append(x.kept, terms...)
	return x.kept[n:len(x.kept):len(x.kept)]
}

// joined appends the parts to b with a byte between them.
func joined(b []byte, parts []string, between byte) []byte {
	for i, part := range parts {
		if i > 0 {
			b = append(b, between)
		}
		b = append(b, part...)
	}
	return b
}

// sections returns the sections of a page in order.
func sections(page *schema.Page) []section {
	var open []schema.Heading
	out := make([]section, 0, len(page.Headings))
	for _, h := range page.Headings {
		for len(open) > 0 && open[len(open)-1].Level >= h.Level {
			open = open[:len(open)-1]
		}
		open = append(open, h)
		sec := section{start: h.Span.Start}
		for _, o := range open {
			if o.Level > 1 {
				sec.path = append(sec.path, o.Text)
			}
		}
		out = append(out, sec)
	}
	return out
}

// section returns the headings that an offset stands under.
func (x *extraction) section(offset int) []string {
	if i := x.sectionIndex(offset); i > 0 {
		return x.sections[i-1].path
	}
	return nil
}

// sectionIndex returns how many headings stand before an offset.
func (x *extraction) sectionIndex(offset int) int {
	i, _ := slices.BinarySearchFunc(x.sections, offset, func(s section, at int) int {
		if s.start <= at {
			return -1
		}
		return 1
	})
	return i
}

// sameness returns a number that is the same for claims of a page that differ in
// their values only.
func sameness(c *schema.Claim, b []byte) (uint64, []byte) {
	b = append(b[:0], byte(c.Value.Kind))
	if len(c.Attr.Words) > 0 {
		for _, list := range [][]string{c.Subject.Names, c.Attr.Words, c.Scope} {
			for _, word := range list {
				b = append(append(b, strings.ToLower(word)...), 1)
			}
			b = append(b, 0)
		}
		b[0] = 0
		return xxh3.Hash(b), b
	}
	for _, word := range [...]string{string(c.Value.Quantity.Dimension), c.Slot, c.Role} {
		b = append(append(b, word...), 0)
	}
	for _, word := range c.Scope {
		b = append(append(b, word...), 1)
	}
	for i := range c.Terms {
		if t := &c.Terms[i]; t.Part != schema.PartWeak {
			b = append(append(b, 2), t.Word...)
		}
	}
	return xxh3.Hash(b), b
}

// unambiguous drops what a page says in two ways itself: the attribute then has
// more than one value, or depends on what was not understood.
func (s *scratch) unambiguous(claims []schema.Claim) []schema.Claim {
	first := s.first
	clear(first)
	s.keys = s.keys[:0]
	var torn map[uint64]bool
	for i := range claims {
		var key uint64
		key, s.buffer = sameness(&claims[i], s.buffer)
		s.keys = append(s.keys, key)
		if j, ok := first[key]; !ok {
			first[key] = i
		} else if !strings.EqualFold(claims[j].Text, claims[i].Text) {
			if torn == nil {
				torn = map[uint64]bool{}
			}
			torn[key] = true
		}
	}
	if len(torn) == 0 {
		return claims
	}
	kept := claims[:0]
	for i := range claims {
		if !torn[s.keys[i]] {
			kept = append(kept, claims[i])
		}
	}
	return kept
}
