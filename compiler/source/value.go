package source

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// staleValues returns what the section of a verdict states of the values that
// the code had when it was locked and has no more, in whatever unit and spelling.
// Nothing is returned for a section that also states what the code has instead:
// it tells of both. Nor is a value stale that is one of those still there, or that
// something else has which the page is about, unless it stands beside the symbol's own name.
func staleValues(v *Verdict, all []Bound, still []Value) []StaleValue {
	became, fresh := replaced(v.Old, v.Symbol)
	if len(became) == 0 {
		return nil
	}
	words := statements(v.Page, v.Section.Span)
	for _, f := range fresh {
		if slices.ContainsFunc(words, func(w statement) bool { return w.states(f) != unstated }) {
			return nil
		}
	}
	name := lastPart(nameKey(v.Anchor.Symbol))
	large := v.Section.Heading == "" && slices.ContainsFunc(v.Page.Headings, func(h schema.Heading) bool { return h.Level > 1 })
	var out []StaleValue
	for _, c := range became {
		for _, w := range words {
			how := w.states(c.old)
			if how == unstated || how == vaguely || slices.ContainsFunc(still, func(l Value) bool { return w.states(&l) >= converted }) {
				continue
			}
			telling := how != barely && w.informative(c.old, how, v.Section.Heading == "", large) && !elsewhere(v, all, &w)
			if telling || beside(v.Page.Source, w, words, c.old, name) {
				out = append(out, w.stale(v, c))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b StaleValue) int { return cmp.Or(a.At.Start-b.At.Start, strings.Compare(a.New, b.New)) })
	return slices.CompactFunc(out, func(a, b StaleValue) bool { return a.At.Start == b.At.Start })
}

// stale says of a statement that what it states went.
func (s *statement) stale(v *Verdict, c change) StaleValue {
	at := s.at
	if s.amount != nil && !s.spoken && s.states(c.old) == plainly && c.plain() {
		at = s.figure // what is counted stays
	}
	out := StaleValue{At: at, Old: string(at.In(v.Page.Source)), value: c.old}
	if c.now != nil {
		out.New, out.Text = plain(c.now.Text), s.restyled(v.Page.Source, at, c)
	}
	return out
}

// change is a value that code had, and what took its place where that is certain.
type change struct {
	old *Value
	now *Value
}

// plain reports whether both are numbers that say nothing of what they count.
func (c change) plain() bool {
	a, ok := c.old.amount()
	if !ok || a.dim != "" || c.now == nil {
		return ok && a.dim == ""
	}
	b, ok := c.now.amount()
	return ok && b.dim == ""
}

// replaced returns the values of old that now has no more, each with the one
// that took its place as far as that is certain, and those that now has more of
// than old. It is certain where the code is the same but for its values, and
// where one value went and one came.
func replaced(old, now *Symbol) (became []change, fresh []*Value) {
	same := old.shape == now.shape && len(old.Values) == len(now.Values)
	several := map[int]bool{} // changes of which it is not certain
	for i := range old.Values {
		l := &old.Values[i]
		if slices.ContainsFunc(now.Values, func(n Value) bool { return l.same(&n) }) || now.writes(l.Text) {
			continue
		}
		var to *Value
		if same {
			to = &now.Values[i]
		}
		k := slices.IndexFunc(became, func(c change) bool { return c.old.same(l) })
		switch {
		case k < 0:
			became = append(became, change{l, to})
		case to != nil && !became[k].now.same(to):
			several[k] = true
		}
	}
	for k := range several {
		became[k].now = nil
	}
	for i := range now.Values {
		n := &now.Values[i]
		equal := func(v Value) bool { return n.same(&v) }
		if count(now.Values[:i+1], equal) > count(old.Values, equal) && !slices.ContainsFunc(fresh, func(f *Value) bool { return f.same(n) }) {
			fresh = append(fresh, n)
		}
	}
	if len(became) == 1 && len(fresh) == 1 && !several[0] {
		became[0].now = fresh[0]
	}
	return became, fresh
}

// writes reports whether a literal stands in a symbol as it is, be it as a part of a value that is computed: 40<<4 | 7.
func (s *Symbol) writes(text string) bool {
	return slices.ContainsFunc(s.Literals, func(l Literal) bool { return l.Text == text })
}

func count(values []Value, of func(Value) bool) (n int) {
	for i := range values {
		if of(values[i]) {
			n++
		}
	}
	return n
}

// written returns the texts of values of a that b has not, or has fewer times;
// each once.
func written(a, b []Value) []string {
	n := map[string]int{}
	for i := range b {
		n[b[i].Text]++
	}
	var out []string
	for i := range a {
		text := a[i].Text
		if n[text]--; n[text] < 0 && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// elsewhere reports whether something else that the page is about has the value
// that a statement states.
func elsewhere(v *Verdict, all []Bound, s *statement) bool {
	return slices.ContainsFunc(all, func(b Bound) bool {
		return b.Symbol != nil && b.Target != v.Target &&
			slices.ContainsFunc(b.Symbol.Values, func(l Value) bool { return s.states(&l) != unstated })
	})
}

// match says how a page states a value.
type match int

const (
	unstated  match = iota
	vaguely         // it may be meant, as by a five for 5; never the ground of a finding
	barely          // by its figure alone, where the code has a unit
	converted       // in a unit that the code does not name: 5 minutes for 300000
	plainly
)

// states says how the statement states a value, numbers compared by what they
// come to.
func (s *statement) states(v *Value) match {
	code, number := v.amount()
	if !number {
		if p := plain(v.Text); p != "" && s.text == p {
			return plainly
		}
		return unstated
	}
	if s.amount == nil {
		return unstated
	}
	page := *s.amount
	switch {
	case code.dim == page.dim:
		if !page.meets(code) {
			return unstated
		}
		if code.dim == "" && s.spoken && code.lo < 1000 {
			return vaguely
		}
		return plainly
	case code.dim == "":
		if how := s.converts(code); how != unstated {
			return how
		}
		if exactly(page.figure, code.lo) && code.lo == code.hi { // whatever it counts
			if s.spoken {
				return vaguely
			}
			return plainly
		}
	case page.dim == "" && (exactly(page.lo, code.figure) || page.meets(amount{lo: code.lo, hi: code.hi}) || page.meets(amount{lo: code.lo * 1000, hi: code.hi * 1000})):
		if s.bare && !s.spoken {
			return barely
		}
		return vaguely
	}
	return unstated
}

// leastConverted is the least number of code that by itself can be told to be
// another unit of what the page states.
const leastConverted = 1000

// converts says whether a plain number of code is what the statement counts in
// another unit: seconds and what they are divided into, bytes, parts of one.
func (s *statement) converts(code amount) match {
	if exactly(s.amount.figure, code.lo) {
		return unstated // it is the figure itself
	}
	for _, scale := range scales[s.amount.dim] {
		if s.amount.meets(amount{lo: code.lo * scale, hi: code.hi * scale, dim: s.amount.dim}) {
			return converted
		}
	}
	return unstated
}

// scales are what numbers of code mostly count, in base units.
var scales = map[schema.Dimension][]float64{schema.Duration: {1, 1e-3, 1e-6, 1e-9}, schema.Information: {1}, schema.Ratio: {1}}

// informative reports whether a statement is seldom met by chance. Of plain
// numbers that are those of two digits, on a whole page of three, that are no
// power of ten; of amounts with a unit all but one of it, on a page of several
// sections from ten of it; of words those of four letters.
func (s *statement) informative(v *Value, how match, page, large bool) bool {
	code, number := v.amount()
	switch {
	case !number:
		return utf8.RuneCountInString(plain(v.Text)) >= 4
	case s.amount.dim == "" || code.dim == "" && how == plainly:
		n, least := s.amount.lo, 10.0
		if code.dim == "" {
			n = code.lo
		}
		if page {
			least = 100
		}
		return n >= least && !powerOfTen(n)
	case how == converted && !code.made && s.amount.dim != schema.Ratio:
		return code.lo >= leastConverted && !powerOfTen(code.lo)
	}
	figure := s.amount.figure
	if math.IsNaN(figure) {
		return true
	}
	return figure != 1 && (!large || figure >= 10)
}

func powerOfTen(n float64) bool {
	for power := 10.0; power <= n; power *= 10 {
		if n == power {
			return true
		}
	}
	return false
}

// restyled writes the value that took the place of another as the page wrote
// that one: with the same sign between thousands and the same unit. It is empty
// where that can not be told, or is no single word.
func (s *statement) restyled(src []byte, at schema.Span, c change) string {
	now := plain(c.now.Text)
	was, wasNumber := c.old.amount()
	is, isNumber := c.now.amount()
	if !wasNumber || s.amount == nil {
		if isNumber || now == "" || strings.ContainsFunc(now, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`[]<>|\\#", r) }) {
			return ""
		}
		return now
	}
	if !isNumber || was.dim != is.dim || was.lo <= 0 || !exactly(is.lo/was.lo, is.hi/was.hi) {
		return ""
	}
	if s.spoken || math.IsNaN(s.amount.figure) {
		return s.amount.times(is.lo / was.lo).spelled()
	}
	figure := decimal(s.amount.figure / was.lo * is.lo)
	if figure == "" {
		return ""
	}
	text := string(s.figure.In(src))
	behind := string(src[s.figure.End:max(at.End, s.figure.End)])
	return grouped(figure, text) + inNumber(behind, figure == "1", s.amount.figure == 1)
}

// decimal writes a number of at most three decimals; others are empty.
func decimal(n float64) string {
	r := math.Round(n*1000) / 1000
	if !exactly(r, n) || math.Abs(r) >= 1e15 || r == 0 {
		return ""
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// grouped writes a number with the sign between thousands that another has.
func grouped(figure, like string) string {
	whole, rest, _ := strings.Cut(figure, ".")
	for _, sign := range []string{",", "_"} {
		if strings.Contains(like, sign) {
			for i := len(whole) - 3; i > 0; i -= 3 {
				whole = whole[:i] + sign + whole[i:]
			}
			break
		}
	}
	if rest != "" {
		whole += "." + rest
	}
	return whole
}

// inNumber writes the unit behind a number in singular or plural.
func inNumber(unit string, one, wasOne bool) string {
	word := strings.TrimLeft(unit, " ")
	switch {
	case len(word) < 4 || word == unit || one == wasOne: // a symbol, or right behind the number
	case one:
		return strings.TrimSuffix(unit, "s")
	default:
		return unit + "s"
	}
	return unit
}

// plain returns a literal without its quotes.
func plain(literal string) string {
	if s, err := strconv.Unquote(literal); err == nil {
		return s
	}
	return strings.Trim(literal, "\"'`")
}

// beside reports whether a statement of a value is about a name: it is the only
// one in a sentence with the name or, among several, the only one in its clause.
func beside(src []byte, w statement, all []statement, value *Value, name string) bool {
	if name == "" {
		return false
	}
	alone := func(in schema.Span) bool {
		return mentions(in.In(src), name) && !slices.ContainsFunc(all, func(s statement) bool {
			return s.at.Start != w.at.Start && in.Contains(s.at.Start) && s.states(value) > vaguely
		})
	}
	in := sentence(src, w.at)
	return alone(in) || alone(clause(src, in, w.at))
}
