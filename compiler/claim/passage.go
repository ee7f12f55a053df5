package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Passages returns what a page says, a sentence, a row, a field or an item at a
// time, whether its value is understood or not: claims whose span is the whole of
// what is said, whose terms are its words and of whose value only is known whether
// the words deny something. The attribute of a row is named by the heads of its
// columns. They are for
// a reader that understands more than frames; pages and sections that claim
// nothing have none.
func (l *Lexicon) Passages(page *schema.Page) []schema.Claim {
	if Mute(page) || page.Reserved() {
		return nil
	}
	x := &extraction{page: page, words: l, sections: sections(page), scope: titled(page.Title)}
	if e := edition(page.Path); e != "" {
		x.scope = append(x.scope, "in "+e)
	}
	x.frontPassages()
	x.fieldPassages()
	x.tablePassages()
	t := &tokenizer{page: page, words: l}
	for _, b := range blocks(page, nil) {
		x.textPassages(t, b)
	}
	slices.SortStableFunc(x.claims, func(a, b schema.Claim) int { return a.Span.Start - b.Span.Start })
	return x.claims
}

// mostPassages bounds what is kept of one page.
const mostPassages = 500

// longestPassage is how many bytes of text are taken for one statement.
const longestPassage = 600

// passage adds what stands at a span; denied is set when its words deny something.
func (x *extraction) passage(from schema.Origin, span schema.Span, terms []schema.Term, denied bool) {
	section := x.section(span.Start)
	if len(terms) == 0 || span.Len() > longestPassage || len(x.claims) >= mostPassages || pastSection(section) {
		return
	}
	scope := slices.Concat(x.scope, x.sectionScope(section))
	slices.Sort(scope)
	text := strings.Join(strings.Fields(string(span.In(x.page.Source))), " ")
	x.claims = append(x.claims, schema.Claim{
		ID:   xxh3.HashString(strings.Join(append(slices.Clone(section), strings.ToLower(text)), "\x00")),
		Page: x.page.ID, Path: x.page.Path, Section: section, Span: span, Text: text, From: from,
		Subject: schema.Entity{Link: -1}, Attr: schema.Attribute{Name: "statement"}, Value: schema.Value{Kind: schema.ValueFact, Bool: !denied},
		Terms: terms, Scope: slices.Compact(scope),
	})
}

// textPassages reads the sentences of one block.
func (x *extraction) textPassages(t *tokenizer, b block) {
	if !x.english(b.span) {
		return
	}
	var last []schema.Term
	tokens := t.read(b.span)
	if b.item {
		tokens = x.entry(tokens)
	}
	sentencesAt(".!?", tokens, x.page.Source, func(s []token) {
		if len(s) < 3 {
			return
		}
		n := len(s)
		span := schema.Span{Start: s[0].span.Start, End: s[n-1].span.End}
		for span.End < b.span.End && strings.IndexByte("`*_.)]\"", x.page.Source[span.End]) >= 0 {
			span.End++
		}
		for span.Start > b.span.Start && strings.IndexByte("`*_([\"", x.page.Source[span.Start-1]) >= 0 {
			span.Start--
		}
		st := x.parse(s, last)
		last = st.subject()
		x.passage(originOf(b), span, st.words(), st.denies())
	})
}

// originOf says what a block is read as.
func originOf(b block) schema.Origin {
	if b.item {
		return schema.OriginList
	}
	return schema.OriginSentence
}

// shortSubject is how many tokens a subject has, with its article, where it is not
// known where it ends.
const shortSubject = 3

// words returns all terms of the statement, its subject's first.
func (s *statement) words() []schema.Term {
	if s.verb < 0 { // a verb that is not known
		n := min(shortSubject, len(s.tokens))
		return s.append(s.append(nil, 0, n, schema.PartSubject), n, len(s.tokens), schema.PartVerb)
	}
	out := s.append(nil, s.lead, s.verb, schema.PartSubject)
	out = s.append(out, s.verb, len(s.tokens), schema.PartVerb)
	return s.append(out, 0, s.lead, schema.PartVerb)
}

// denies reports whether the statement says no: by a negation, or by a word that
// denies another, such as off.
func (s *statement) denies() bool {
	denied := s.negative
	for i := range s.tokens {
		if o, ok := s.x.words.opposite[s.tokens[i].word]; ok && o.negative && s.tokens[i].kind == 'w' && !s.nearTo(i) {
			denied = !denied
		}
	}
	return denied
}

// nearTo reports whether a word that may say the opposite of open says that something is near.
func (s *statement) nearTo(i int) bool {
	return s.word(i) == "close" && wordIn(s.word(i+1), "to", "by")
}

// frontPassages reads the single values of the frontmatter, as claims are.
func (x *extraction) frontPassages() {
	if x.page.Front == nil || x.page.Front.Root == nil {
		return
	}
	for i := range x.page.Front.Root.Pairs {
		p := &x.page.Front.Root.Pairs[i]
		key := strings.ReplaceAll(strings.ToLower(p.Key), "-", "_")
		if field := schema.FieldOf(p.Key); !p.Value.IsScalar() || field != "" && field != schema.FieldStatus || bookkeeping[key] || slices.Contains(subjects, key) {
			continue
		}
		x.passage(schema.OriginFrontmatter, schema.Span{Start: p.KeySpan.Start, End: p.Value.Span.End}, x.plain(p.Key+" "+p.Value.Text), false)
	}
}

// fieldPassages reads key:: value.
func (x *extraction) fieldPassages() {
	for i := range x.page.Fields {
		if f := &x.page.Fields[i]; schema.FieldOf(f.Key) == "" {
			x.passage(schema.OriginField, f.Span, x.plain(f.Key+" "+f.Value), false)
		}
	}
}

// plain returns the words of a text as terms that name no subject.
func (x *extraction) plain(text string) []schema.Term {
	var out []schema.Term
	for _, w := range x.words.Words(text) {
		out = append(out, schema.Term{Word: w, Link: -1, Part: schema.PartVerb})
	}
	return out
}

// tablePassages reads every row: its first cell is what it is about, the heads
// of its columns are among its words.
func (x *extraction) tablePassages() {
	for i := range x.page.Tables {
		t := &x.page.Tables[i]
		var heads []schema.Term
		var names []string
		for _, h := range t.Head {
			heads = append(heads, x.plain(h.Text)...)
			names = append(names, plainText(h.Text))
		}
		for _, row := range t.Rows {
			if n := len(row); n >= 2 {
				terms := x.cell(row[0], schema.PartSubject)
				for _, c := range row[1:] {
					terms = append(terms, x.cell(c, schema.PartVerb)...)
				}
				x.passage(schema.OriginTable, schema.Span{Start: row[0].Span.Start, End: row[n-1].Span.End}, append(terms, heads...), false)
				if c := len(x.claims) - 1; c >= 0 && x.claims[c].Span.Start == row[0].Span.Start {
					x.claims[c].Attr.Name = strings.Join(names, " | ")
				}
			}
		}
	}
}

func (x *extraction) cell(c schema.Cell, part schema.Part) []schema.Term {
	s := &statement{x: x, tokens: (&tokenizer{page: x.page, words: x.words, link: x.linkFrom(c.Span.Start)}).read(c.Span), verb: -1}
	return s.append(nil, 0, len(s.tokens), part)
}
