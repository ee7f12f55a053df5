package source

import (
	"math"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Value is a value written in code: a literal, or what several make together,
// such as 10 << 20 and 30 * time.Second.
type Value struct {
	Text  string // as written
	Span  schema.Span
	worth *amount // of one that needs more than its text to be read
}

// amount returns what the value is as a number; ok is false of other text.
func (v *Value) amount() (a amount, ok bool) {
	if v.worth != nil {
		return *v.worth, true
	}
	return amountIn(plain(v.Text))
}

// same reports whether two values are one, however they are written.
func (v *Value) same(w *Value) bool {
	a, number := v.amount()
	b, other := w.amount()
	if number && other {
		return a.same(b)
	}
	return number == other && plain(v.Text) == plain(w.Text)
}

// constant is a run of tokens that make one value.
type constant struct {
	from, to int // tokens
	worth    amount
}

// constants finds, in order, the values of a file that are more than a literal:
// products, shifts and sums of numbers and units, and numbers that the name
// before them gives a unit. What is part of a larger expression that is not
// constant makes no value.
func constants(src []byte, tokens []lexeme) []constant {
	f := &folder{src: src, tokens: tokens}
	var out []constant
	for i := 0; i < len(tokens); i++ {
		c, ok := f.at(i)
		if !ok {
			continue
		}
		out = append(out, c)
		i = max(i, c.to-1)
	}
	return out
}

// folder reckons what constant expressions come to.
type folder struct {
	src    []byte
	tokens []lexeme
	depth  int
}

// text returns a token as written, empty outside of the file.
func (f *folder) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return string(f.tokens[i].span.In(f.src))
}

// at returns the value that begins with a token, or with a bracket right before it.
func (f *folder) at(i int) (constant, bool) {
	t := &f.tokens[i]
	if !t.literal && !f.packaged(i) {
		return constant{}, false
	}
	text := f.text(i)
	if t.literal {
		if text == "" || strings.IndexByte("0123456789.(", text[0]) < 0 {
			return constant{}, false
		}
		if text[0] == '(' || strings.ContainsAny(text, "*<") { // what a macro stands for is one token
			return folded(i, text)
		}
	}
	start := i
	for f.text(start-1) == "(" && !nameLike(f.text(start-2)) {
		start--
	}
	for ; start <= i; start++ {
		if binds(f.text(start - 1)) {
			continue
		}
		a, end, ok := f.sum(start)
		if !ok || binds(f.text(end)) {
			continue
		}
		if a.dim == "" {
			if u, known := f.unitBefore(start); known {
				return constant{start, end, a.of(u)}, true
			}
		}
		if end-start > 1 && (a.made || !t.literal) {
			return constant{start, end, a}, true
		}
	}
	return constant{}, false
}

// folded reads a text that is one token for its language.
func folded(i int, text string) (constant, bool) {
	var c code
	if len(text) > 200 {
		return constant{}, false
	}
	for at := 0; at < len(text); {
		end := at + 1
		switch b := text[at]; {
		case space(b):
			at++
			continue
		case b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_':
			for end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] >= '0' && text[end] <= '9' || text[end] == '_' || text[end] == '.') {
				end++
			}
		case strings.HasPrefix(text[at:], "<<") || strings.HasPrefix(text[at:], "**"):
			end++
		}
		c.tokens = append(c.tokens, lexeme{span: schema.Span{Start: at, End: end}, literal: text[at] >= '0' && text[at] <= '9'})
		at = end
	}
	f := &folder{src: []byte(text), tokens: c.tokens}
	a, end, ok := f.sum(0)
	return constant{i, i + 1, a}, ok && end == len(c.tokens)
}

// binds reports whether an operator takes what stands beside it before a sum does.
func binds(op string) bool {
	switch op {
	case "*", "/", "%", "<<", ">>", "**", ">>>":
		return true
	}
	return false
}

func nameLike(s string) bool {
	return s != "" && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' || s[0] == '_' || s[0] == ')' || s[0] == ']')
}

// deepestBrackets bounds brackets in brackets.
const deepestBrackets = 20

// sum reads terms with + and - between them, and returns where they end.
func (f *folder) sum(i int) (a amount, end int, ok bool) {
	if a, end, ok = f.product(i); !ok {
		return a, end, false
	}
	shifted := f.shifts(i, end)
	for op := f.text(end); op == "+" || op == "-"; op = f.text(end) {
		b, next, ok := f.product(end + 1)
		if !ok || b.dim != a.dim || binds(f.text(next)) {
			return a, end, true
		}
		if shifted = shifted || f.shifts(end+1, next); shifted {
			return a, end, false // languages do not agree on which comes first
		}
		if op == "-" {
			b.lo, b.hi = -b.hi, -b.lo
		}
		a.lo, a.hi, a.made, end = a.lo+b.lo, a.hi+b.hi, true, next
	}
	return a, end, true
}

// shifts reports whether one of some tokens is a shift outside of brackets.
func (f *folder) shifts(from, to int) bool {
	depth := 0
	for i := from; i < to; i++ {
		switch f.text(i) {
		case "(":
			depth++
		case ")":
			depth--
		case "<<", ">>":
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// product reads factors with operators between them that bind as one does.
func (f *folder) product(i int) (a amount, end int, ok bool) {
	if a, end, ok = f.factor(i); !ok {
		return a, end, false
	}
	for op := f.text(end); binds(op); op = f.text(end) {
		b, next, ok := f.factor(end + 1)
		if ok && (op == "*" || op == "/" || op == "<<") && f.text(next) == "**" {
			var power amount
			if power, next, ok = f.factor(next + 1); ok {
				b, ok = operate(b, "**", power)
			}
		}
		if ok {
			b, ok = operate(a, op, b)
		}
		if !ok {
			return a, end, true // which the caller sees by what follows
		}
		a, end = b, next
	}
	return a, end, true
}

// operate reckons a op b.
func operate(a amount, op string, b amount) (amount, bool) {
	out := amount{dim: a.dim, figure: a.figure, made: true}
	switch {
	case op == "*" && (a.dim == "" || b.dim == ""):
		if a.dim == "" {
			out.dim = b.dim
		} else if !a.made && a.figure == 1 {
			out.figure = b.figure // time.Second * 30
		}
		out.lo, out.hi = a.lo*b.lo, a.hi*b.hi
	case b.dim != "" || b.lo != b.hi:
		return a, false
	case op == "/" && b.lo != 0:
		out.lo, out.hi = a.lo/b.lo, a.hi/b.lo
	case op == "<<" && a.dim == "" && b.lo >= 0 && b.lo < 63:
		out.lo, out.hi = math.Ldexp(a.lo, int(b.lo)), math.Ldexp(a.hi, int(b.lo))
	case op == "**" && a.dim == "" && b.lo >= 0 && b.lo < 64:
		out.lo, out.hi = math.Pow(a.lo, b.lo), math.Pow(a.hi, b.lo)
	default:
		return a, false
	}
	return out, !math.IsInf(out.lo, 0) && !math.IsInf(out.hi, 0) && !math.IsNaN(out.lo)
}

// factor reads a number, a unit or a sum in brackets.
func (f *folder) factor(i int) (a amount, end int, ok bool) {
	text := f.text(i)
	switch {
	case text == "":
		return a, i, false
	case text == "(":
		if f.depth++; f.depth > deepestBrackets {
			f.depth--
			return a, i, false
		}
		a, end, ok = f.sum(i + 1)
		f.depth--
		return a, end + 1, ok && f.text(end) == ")"
	case f.tokens[i].literal:
		if text[0] == '"' || text[0] == '\'' || text[0] == '`' {
			return a, i, false
		}
		a, ok = amountIn(text)
		return a, i + 1, ok
	}
	end = i + 1
	for (f.text(end) == "." || f.text(end) == "::") && nameLike(f.text(end+1)) {
		end += 2
	}
	u, ok := codeUnit(f.text(end - 1))
	return amount{lo: u.Lo, hi: u.Hi, dim: u.Dimension, figure: 1}, end, ok
}

// packaged reports whether a name is that of a unit in Go's time package, which is
// a value by itself.
func (f *folder) packaged(i int) bool {
	if f.text(i) != "time" || f.text(i+1) != "." {
		return false
	}
	_, ok := codeUnit(f.text(i + 2))
	return ok
}

// codeUnit returns the unit that a constant of code is called after: time.Second,
// units.MiB, MINUTE.
func codeUnit(name string) (schema.Unit, bool) {
	if len(name) > 12 || !nameLike(name) {
		return schema.Unit{}, false
	}
	u, ok := claim.UnitOf(name)
	if !ok || u.Dimension != schema.Duration && u.Dimension != schema.Information {
		return schema.Unit{}, false
	}
	return u, len(name) >= 4 || u.Dimension == schema.Information && len(name) > 1
}

// furthestName is how many tokens a type between a name and its value may have.
const furthestName = 8

// unitBefore returns the unit that the name before a value says: timeoutMs = 500,
// TIMEOUT_MS: u64 = 500, { seconds: 30 }, Duration.ofSeconds(30).
func (f *folder) unitBefore(i int) (schema.Unit, bool) {
	switch f.text(i - 1) {
	case "=", ":=":
		for j := i - 2; j >= 0 && j > i-2-furthestName; j-- {
			switch text := f.text(j); {
			case nameLike(text):
				if u, ok := unitOfName(text); ok {
					return u, true
				}
			case text != ":" && text != "." && text != "::" && text != "<" && text != ">" && text != "*" && text != "&":
				return schema.Unit{}, false
			}
		}
		return schema.Unit{}, false
	case ":":
		return unitOfName(strings.Trim(f.text(i-2), `"'`))
	case "(", "{":
		name := f.text(i - 2)
		if words := parts(name); len(words) > 1 && words[0].word == "to" { // TimeUnit.MINUTES.toMillis(5)
			name = f.text(i - 4)
		}
		return unitOfName(name)
	}
	return unitOfName(strings.Trim(f.text(i-1), `"'`)) // a key, or a macro
}
