package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// versioned adds a cell that is a version: 12 and later, below Android; Python 3.9. A product is
// also a name of its kind.
func (x *sayer) versioned(s *Saying, head string, cell schema.Cell) bool {
	said := SaidValue{Span: cell.Span, Text: plainText(cell.Text), Class: "version"}
	product := ""
	for w := range strings.FieldsSeq(strings.ToLower(head)) {
		switch x.words.classes[w] {
		case "system", "language", "database":
			product = w
		}
	}
	if product != "" {
		v, ok := x.versionOf(product, cell)
		if said.Value = v; ok {
			s.Values = append(s.Values, said)
		}
		return ok
	}
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(cell.Span.Start)}
	st := &statement{x: &x.extraction, tokens: tk.read(cell.Span), verb: -1, alone: true}
	if len(st.tokens) < 2 || len(st.tokens) > 5 || x.words.classes[st.tokens[0].text] == "" {
		return false
	}
	v, ok := st.version(0)
	if said.Value = v.value; !ok || v.to < len(st.tokens) {
		return false
	}
	s.Values = append(s.Values, said, x.productOf(&said))
	return true
}

// productOf returns the product of a version as a name of its kind.
func (x *sayer) productOf(v *SaidValue) SaidValue {
	name := *v
	name.Class, name.Value = x.kindOf(v.Value.Words), schema.Value{Kind: schema.ValueName, Words: v.Value.Words[:1]}
	return name
}

// products makes versions of the numbers that a sentence says are those of a product, the
// minimum Android version: 10, and adds products as names of their kind.
func (x *sayer) products(s *Saying, st *statement, first int) {
	for i := first; i < len(s.Values); i++ {
		v := &s.Values[i]
		if before := v.From - 2; v.Class == "" && v.Counted == "" && before > 0 && wordIn(st.word(before+1), ":", "is") && st.word(before) == "version" && st.tokens[v.From].kind == 'n' {
			lo, hi, ok := versionInterval(st.tokens[v.From].text)
			if product := &st.tokens[before-1]; ok && product.kind == 'w' && product.capital {
				v.Class, v.Value = "version", schema.Value{Kind: schema.ValueVersion, Words: []string{product.text}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}
			}
		}
		st.oldest(v)
		if v.Value.Kind == schema.ValueVersion && len(v.Value.Words) > 0 && x.kindOf(v.Value.Words[:1]) != "" {
			name := x.productOf(v)
			if !slices.ContainsFunc(s.Values, func(o SaidValue) bool { return o.Class == name.Class }) {
				s.Values = append(s.Values, name)
			}
		}
	}
}

// stated adds what a status says: that something is in use, or is no more.
func (x *sayer) stated(s *Saying, span schema.Span, text string) {
	concept := x.words.concept(plainText(text))
	if o, ok := x.words.opposite[concept]; ok && o.concept == x.words.concept("active") {
		s.Values = append(s.Values, SaidValue{Span: span, Text: text, Class: "pole:" + o.concept, Value: schema.Value{Kind: schema.ValueBool, Bool: !o.negative}})
	}
}

// whichOf returns as what the name of one of several things of a kind is compared, the C of
// freezer C; empty for other words.
func (s *statement) whichOf(i int) string {
	if i == 0 || s.tokens[i].link >= 0 || !lettering(&s.tokens[i]) || !s.x.words.numbering[s.tokens[i-1].text] || s.tokens[i-1].kind != 'w' {
		return ""
	}
	return "class:" + whichSlot(s.tokens[i-1].word)
}

// oldest makes a version of the number behind "is" where the subject is the first or the last of
// the versions of a product: the oldest Python that we support is 3.9.
func (s *statement) oldest(v *SaidValue) {
	is := v.From - 1
	if v.Class != "" || v.Counted != "" || is < 2 || !wordIn(s.word(is), "is", "remains", "stays") || s.tokens[v.From].kind != 'n' || !strings.Contains(s.tokens[v.From].text, ".") {
		return
	}
	for i := is - 1; i > 0; i-- {
		t := &s.tokens[i]
		if class := s.x.words.classes[t.text]; !t.capital || class != "language" && class != "system" && class != "database" {
			continue
		}
		bound, ends := versionEnds[s.word(i-1)]
		lo, hi, ok := versionInterval(s.tokens[v.From].text)
		if !ends || !ok {
			return
		}
		v.Class, v.Value = "version", schema.Value{Kind: schema.ValueVersion, Words: []string{t.text}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi, Bound: bound}}
		return
	}
}

// versionEnds are what the first and the last of the versions that will do are called.
var versionEnds = map[string]schema.Bound{"oldest": schema.AtLeast, "earliest": schema.AtLeast, "lowest": schema.AtLeast, "minimum": schema.AtLeast,
	"newest": schema.AtMost, "latest": schema.AtMost, "highest": schema.AtMost}
