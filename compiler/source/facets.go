package source

import (
	"encoding/hex"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/zeebo/xxh3"
)

// Facet is a hash (xxh3, 64 bits) of one side of a symbol; zero when unknown.
type Facet uint64

// String writes the facet as 16 hexadecimal digits, as it stands in wiki.lock.
func (f Facet) String() string {
	var b [8]byte
	for i := range b {
		b[i] = byte(f >> (56 - 8*i))
	}
	return hex.EncodeToString(b[:])
}

// ParseFacet reads what [Facet.String] writes.
func ParseFacet(s string) (Facet, bool) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 8 {
		return 0, false
	}
	var f Facet
	for _, c := range b {
		f = f<<8 | Facet(c)
	}
	return f, true
}

// Facets are the sides of a symbol that are compared. Measured on the commits
// of real repositories, a change of a file is rarely one of a given symbol's
// tokens, and that is rarely one of its signature: which facet moved decides
// whether a page about the symbol has to be looked at. A symbol's own name is in
// none of them: that is how one that was renamed is found again.
type Facets struct {
	Tokens    Facet // everything but white space and comments
	Signature Facet // the tokens of the declaration without its body
	Literals  Facet // the literals, sorted
}

// namedFacet is one of the facets under its name in wiki.lock.
type namedFacet struct {
	name string
	at   *Facet
}

// named lists the facets in the order of wiki.lock.
func (f *Facets) named() []namedFacet {
	return []namedFacet{{"tok", &f.Tokens}, {"sig", &f.Signature}, {"lit", &f.Literals}}
}

func newSymbol(src []byte, tokens []lexeme, made []constant, d declaration) Symbol {
	s := Symbol{Name: d.name, Kind: d.kind, Span: d.span}
	own := d.name[strings.LastIndexByte(d.name, '.')+1:]
	from := sort.Search(len(tokens), func(i int) bool { return tokens[i].span.Start >= d.span.Start })
	to := from + sort.Search(len(tokens)-from, func(i int) bool { return tokens[from+i].span.Start >= d.span.End })
	var all, head, shape facetHash
	var literals []string
	made = made[sort.Search(len(made), func(i int) bool { return made[i].from >= from }):]
	folded := 0 // where the value ends that is being read
	for i := from; i < to; i++ {
		t := &tokens[i]
		text := t.text
		if text == "" {
			text = string(t.span.In(src))
		}
		if text == "," && i+1 < len(tokens) && closes(tokens[i+1].span.In(src)) {
			continue // one that formatting puts there when a list is broken into lines
		}
		if own != "" && strings.Trim(text, "\"'`#") == own {
			text = "\x00own"
		}
		s.tokens++
		all.add(text)
		if !within(t.span, d.body) {
			head.add(text)
		}
		if t.literal {
			s.Literals = append(s.Literals, Literal{string(t.span.In(src)), t.span})
			literals = append(literals, text)
			text = "\x00literal"
		}
		switch {
		case i < folded:
			continue // of the value that began before
		case len(made) > 0 && made[0].from == i && made[0].to <= to:
			c := &made[0]
			at := schema.Span{Start: t.span.Start, End: tokens[c.to-1].span.End}
			s.Values = append(s.Values, Value{Text: string(at.In(src)), Span: at, worth: &c.worth})
			s.made = s.made || c.worth.made || c.to-c.from > 1
			folded, made, text = c.to, made[1:], "\x00literal"
		case t.literal:
			s.Values = append(s.Values, Value{Text: string(t.span.In(src)), Span: t.span})
		}
		if len(made) > 0 && made[0].from <= i {
			made = made[1:] // it ends outside of the symbol
		}
		shape.add(text)
	}
	slices.Sort(literals)
	var values facetHash
	for _, l := range literals {
		values.add(l)
	}
	s.Facets = Facets{all.sum(), head.sum(), values.sum()}
	s.shape = shape.sum()
	s.Signature = signature(src, d)
	return s
}

func closes(text []byte) bool {
	return len(text) == 1 && (text[0] == ')' || text[0] == ']' || text[0] == '}')
}

func within(inner, outer schema.Span) bool {
	return outer.Len() > 0 && outer.Start <= inner.Start && inner.End <= outer.End
}

// facetHash hashes a list of texts.
type facetHash struct{ xxh3.Hasher }

func (h *facetHash) add(text string) {
	h.WriteString(text)
	h.Write([]byte{0})
}

// sum returns the hash, which is never zero.
func (h *facetHash) sum() Facet { return Facet(max(h.Sum64(), 1)) }

// longestSignature is how many bytes of a signature are kept, to be shown.
const longestSignature = 400

// signature returns the declaration without its body, on one line.
func signature(src []byte, d declaration) string {
	if d.kind == KindFile {
		return ""
	}
	text := string(d.span.In(src))
	if within(d.body, d.span) && d.body.Len() > 0 {
		text = string(src[d.span.Start:d.body.Start]) + " " + string(src[d.body.End:d.span.End])
	}
	return strings.TrimRight(oneLine([]byte(text)), " =:{;,")
}

// oneLine writes code on one line, as much of it as a signature has.
func oneLine(code []byte) string {
	line := text.Collapse(string(code))
	if len(line) > longestSignature {
		line = strings.ToValidUTF8(line[:longestSignature], "") + "…"
	}
	return line
}
