package source

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// amount is a number with what it counts, in the base unit of its dimension:
// seconds, bytes, parts of one. Both ends are one, but for units that mean more
// than one thing: 10 MB are 10,000,000 bytes to some, 10,485,760 to others.
type amount struct {
	lo, hi float64
	dim    schema.Dimension // empty for a plain number
	figure float64          // the number as written, before its unit
	// made is set where several numbers and units make the amount, which
	// nobody writes but to say what it counts: 5 * 60 * 1000, 10 << 20.
	made bool
}

func plainNumber(n float64) amount { return amount{lo: n, hi: n, figure: n} }

// of returns so many of a unit.
func (a amount) of(u schema.Unit) amount {
	return amount{lo: a.lo * u.Lo, hi: a.hi * u.Hi, dim: u.Dimension, figure: a.figure, made: a.made}
}

// exactly reports whether two numbers are one, but for the error of reckoning.
func exactly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// same reports whether two amounts are one and the same.
func (a amount) same(b amount) bool {
	return a.dim == b.dim && exactly(a.lo, b.lo) && exactly(a.hi, b.hi)
}

// meets reports whether two amounts of one dimension may be one.
func (a amount) meets(b amount) bool {
	return a.dim == b.dim && (a.lo <= b.hi || exactly(a.lo, b.hi)) && (b.lo <= a.hi || exactly(b.lo, a.hi))
}

// times returns the amount so many times.
func (a amount) times(n float64) amount {
	a.lo, a.hi = a.lo*n, a.hi*n
	return a
}

// spellings are the units that amounts are spelled in, the largest first.
var spellings = map[schema.Dimension][]struct {
	worth float64
	name  string
}{
	schema.Duration:    {{86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}, {1e-3, "ms"}},
	schema.Information: {{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "bytes"}},
	"":                 {{1, ""}},
}

// spelled writes an amount for people, in the largest unit of which it is a whole
// number; empty when it is that of none.
func (a amount) spelled() string {
	if a.lo != a.hi {
		return ""
	}
	for _, u := range spellings[a.dim] {
		n := math.Round(a.lo / u.worth)
		if n < 1 || !exactly(n*u.worth, a.lo) || n >= 1e15 {
			continue
		}
		figure := grouped(strconv.FormatFloat(n, 'f', -1, 64), ",")
		if u.name == "" {
			return figure
		}
		return figure + inNumber(" "+u.name, n == 1, false)
	}
	return ""
}

// measured are the dimensions that numbers of code are converted between. A
// number of code mostly says by its name alone what it counts.
var measured = map[schema.Dimension]bool{schema.Duration: true, schema.Information: true, schema.Ratio: true}

// unitNamed returns a unit of measured dimensions by its name on a page.
func unitNamed(name string) (schema.Unit, bool) {
	if name == "m" { // of time, in what is written about code
		name = "min"
	}
	u, ok := claim.UnitOf(name)
	return u, ok && measured[u.Dimension]
}

// prefixes multiply a number that they stand right behind: 16k, 64Mi. What they
// stand for depends on what is counted.
var prefixes = map[string]amount{
	"k": {lo: 1e3, hi: 1 << 10}, "K": {lo: 1e3, hi: 1 << 10}, "M": {lo: 1e6, hi: 1 << 20}, "G": {lo: 1e9, hi: 1 << 30},
	"Ki": {lo: 1 << 10, hi: 1 << 10, dim: schema.Information}, "Mi": {lo: 1 << 20, hi: 1 << 20, dim: schema.Information},
	"Gi": {lo: 1 << 30, hi: 1 << 30, dim: schema.Information}, "Ti": {lo: 1 << 40, hi: 1 << 40, dim: schema.Information},
}

// longestAmount bounds, in bytes, what is read as an amount.
const longestAmount = 40

// amountIn reads a text that is an amount and nothing else, as a string of code
// or of a configuration holds it, or a word of a page: 4_096, 30s, 1h30m, 10MB,
// 512Mi, 15 %.
func amountIn(text string) (amount, bool) {
	if text == "" || len(text) > longestAmount || (text[0] < '0' || text[0] > '9') && text[0] != '.' {
		return amount{}, false
	}
	if n, ok := codeNumber(text); ok {
		return plainNumber(n), true
	}
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || strings.IndexByte(".,_", text[end]) >= 0) {
		end++
	}
	figure, ok := codeNumber(text[:end])
	unit := strings.TrimLeft(text[end:], " -")
	if !ok || unit == "" {
		return amount{}, false
	}
	a := plainNumber(figure)
	if p, ok := prefixes[unit]; ok {
		return amount{lo: figure * p.lo, hi: figure * p.hi, dim: p.dim, figure: figure}, true
	}
	if u, ok := unitNamed(unit); ok {
		return a.of(u), true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return amount{lo: d.Seconds(), hi: d.Seconds(), dim: schema.Duration, figure: math.NaN()}, true
	}
	return amount{}, false
}

// codeNumber reads a number as languages write it: with _ ' or , between its
// digits, in other bases, with a type behind it.
func codeNumber(text string) (float64, bool) {
	if text == "" || len(text) > longestAmount {
		return 0, false
	}
	s := strings.ToLower(text)
	if strings.ContainsAny(s, "_',") {
		s = strings.NewReplacer("_", "", "'", "", ",", "").Replace(s)
	}
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xbo01234567", s[1]) >= 0 {
		n, err := strconv.ParseUint(withoutType(s, s[1] == 'x'), 0, 64)
		return float64(n), err == nil
	}
	if s = withoutType(s, false); s == "" || strings.Trim(s, "0123456789.e+-") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// numberTypes stand behind numbers, in C and its kin, Rust and JavaScript.
var numberTypes = []string{"usize", "isize", "u8", "i8", "u16", "i16", "u32", "i32", "f32", "u64", "i64", "f64", "u128", "i128",
	"ull", "llu", "ul", "lu", "ll", "u", "l", "f", "n"}

func withoutType(s string, hex bool) string {
	for _, t := range numberTypes {
		if rest, ok := strings.CutSuffix(s, t); ok && rest != "" && !(hex && strings.HasPrefix(t, "f")) {
			return rest
		}
	}
	return s
}

// unitOfName returns the unit that a name of code says its value is in, by its
// last word: TimeoutMs, max_bytes, from_secs.
func unitOfName(name string) (schema.Unit, bool) {
	words := parts(name)
	n := len(words)
	if n == 0 {
		return schema.Unit{}, false
	}
	last, before := words[n-1].word, ""
	if n > 1 {
		before = words[n-2].word
	}
	if before == "per" || before == "to" || before == "as" || !namedUnits[last] {
		return schema.Unit{}, false
	}
	return unitNamed(last)
}

// namedUnits are the units by which names of code end. Shorter ones are mostly
// parts of other words: min is the least.
var namedUnits = set("ms", "millis", "millisecond", "milliseconds", "msec", "secs", "seconds", "mins", "minutes", "hours", "days", "weeks",
	"microseconds", "nanoseconds", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "kilobytes", "megabytes", "gigabytes", "percent", "pct")
