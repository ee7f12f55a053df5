package source

import (
	"math"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// amounts finds the numbers that the words of a page say, with their units: 4,096,
// 10 MB, 30s, 5-minute, half a minute, one million.
type amounts struct {
	src   []byte
	words []statement // of the page, in order
}

func (r *amounts) read() {
	for i := 0; i < len(r.words); {
		to := r.amount(i)
		for more := to; to > i && more > 0; to = max(to, more) {
			more = r.andMore(i, to)
		}
		i = max(to, i+1)
	}
}

// amount reads the amount that begins with a word, and returns the word behind
// it; i when none begins.
func (r *amounts) amount(i int) int {
	s := &r.words[i]
	if a, ok := amountIn(s.text); ok {
		s.amount, s.figure = &a, schema.Span{Start: s.at.Start, End: s.at.Start + figureLength(s.text)}
		if a.dim != "" || s.figure.Len() < s.at.Len() { // its unit stands right behind it
			return i + 1
		}
		by, n := claim.Power(r.following(i+1, 2))
		if n > 0 {
			*s.amount = plainNumber(a.lo * by)
			s.spoken = true
		}
		return r.unit(i, i+1+n)
	}
	if number, unit, ok := strings.Cut(s.text, "-"); ok { // 5-minute
		a, isNumber := amountIn(number)
		u, isUnit := unitNamed(strings.ToLower(unit))
		if isNumber && isUnit && a.dim == "" {
			a = a.of(u)
			s.amount, s.figure = &a, schema.Span{Start: s.at.Start, End: s.at.Start + len(number)}
			return i + 1
		}
	}
	return r.spoken(i)
}

// spoken reads a number in words.
func (r *amounts) spoken(i int) int {
	s := &r.words[i]
	words := append([]string{strings.ToLower(s.text)}, r.following(i+1, 4)...)
	n := 0
	var value float64
	switch {
	case words[0] == "half" && len(words) > 2 && (words[1] == "a" || words[1] == "an"):
		if _, ok := unitNamed(words[2]); !ok {
			return i
		}
		value, n = 0.5, 2
	default:
		if value, n = claim.NumberInWords(words); n == 0 {
			return i
		}
	}
	a := plainNumber(value)
	s.amount, s.spoken = &a, true
	s.figure = schema.Span{Start: s.at.Start, End: r.words[i+n-1].at.End}
	return r.unit(i, i+n)
}

// following returns words that stand behind one another from a word on, in
// lower case.
func (r *amounts) following(from, most int) []string {
	var out []string
	for i := from; i < len(r.words) && len(out) < most && r.joined(i); i++ {
		out = append(out, strings.ToLower(r.words[i].text))
	}
	return out
}

// joined reports whether nothing but white space and emphasis stands before a
// word and behind the one before it.
func (r *amounts) joined(i int) bool {
	return i > 0 && r.gap(i) == ""
}

func (r *amounts) gap(i int) string {
	between := string(r.src[r.words[i-1].at.End:r.words[i].at.Start])
	if strings.Contains(between, "\n\n") {
		return "\n\n"
	}
	return strings.Trim(between, " \t\r\n*_`\u00a0\u202f")
}

// unit reads the unit behind a number and notes where the amount ends.
func (r *amounts) unit(i, to int) int {
	s := &r.words[i]
	s.at.End = r.words[to-1].at.End
	if s.figure.End < s.at.End && !s.spoken {
		s.figure.End = s.at.End
	}
	rest := r.src[s.at.End:]
	if after := strings.TrimLeft(string(rest[:min(len(rest), 4)]), " \u00a0"); strings.HasPrefix(after, "%") {
		a := s.amount.of(schema.Unit{Dimension: schema.Ratio, Lo: 0.01, Hi: 0.01})
		s.amount = &a
		s.at.End += strings.IndexByte(string(rest), '%') + 1
		return to
	}
	if to >= len(r.words) || !r.joined(to) {
		s.bare = true
		return to
	}
	w := &r.words[to]
	u, ok := unitNamed(w.text)
	if !ok {
		u, ok = unitNamed(strings.ToLower(w.text))
	}
	if !ok {
		s.bare = functionWords[strings.ToLower(w.text)]
		return to
	}
	a := s.amount.of(u)
	s.amount, s.at.End = &a, w.at.End
	return to + 1
}

// functionWords may follow a number without being what it counts.
var functionWords = set("and", "as", "at", "but", "by", "for", "from", "if", "in", "is", "of", "on", "or", "per", "so", "than", "that", "then",
	"to", "unless", "until", "when", "where", "while", "which", "with", "was", "are", "before", "after", "again")

// andMore adds the smaller unit behind an amount to it: 1 hour 30 minutes, 2 min
// and 5 s. It returns the word behind it, 0 when there is none.
func (r *amounts) andMore(i, to int) int {
	s := &r.words[i]
	if s.amount.dim != schema.Duration || to >= len(r.words) {
		return 0
	}
	at := to
	if strings.EqualFold(r.words[at].text, "and") && r.joined(at) {
		at++
	}
	if at >= len(r.words) || !r.joined(at) {
		return 0
	}
	end := r.amount(at)
	more := &r.words[at]
	if end == at || more.amount.dim != schema.Duration || !(more.amount.hi < s.amount.lo/s.amount.figure) {
		return 0
	}
	a := *s.amount
	a.lo, a.hi, a.figure = a.lo+more.amount.lo, a.hi+more.amount.hi, math.NaN()
	s.amount, s.at.End, s.spoken = &a, more.at.End, true
	more.amount = nil
	return end
}

// figureLength returns how many bytes of an amount are its number.
func figureLength(text string) int {
	if _, ok := codeNumber(text); ok {
		return len(text)
	}
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || strings.IndexByte(".,_", text[n]) >= 0) {
		n++
	}
	return n
}
