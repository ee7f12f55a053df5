package source

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// expression evaluates what a constant or a default is set to: literals, + - * /
// and <<, brackets, conversions, units of time such as time.Second and
// Duration::from_secs(30), and names that the same file gives a value. Whatever
// else it holds, it is not known.
type expression struct {
	tokens []string
	at     int
	// lookup returns what a name is set to.
	lookup func(name string, depth int) (result, bool)
	depth  int // of names looked up and brackets opened
}

// The bounds of what is evaluated.
const (
	longestExpression = 40 // tokens
	deepestExpression = 8
)

// result is what an expression says.
type result struct {
	number float64
	unit   schema.Dimension // that the expression itself gives; of a duration the number is in seconds
	text   string           // of a string, without its quotes
	kind   byte             // 'n' number, 's' string, 'b' boolean
	yes    bool
	binary bool // a multiple of 1024, written so: of bytes, when a page says so
}

// evaluate returns what the tokens say.
func evaluate(tokens []string, lookup func(string, int) (result, bool), depth int) (r result, ok bool) {
	if len(tokens) == 0 || len(tokens) > longestExpression || depth > deepestExpression {
		return r, false
	}
	if slices.Contains(tokens, "<<") && (slices.Contains(tokens, "+") || slices.Contains(tokens, "-")) {
		return r, false // which of them binds more is a matter of the language
	}
	e := &expression{tokens: tokens, lookup: lookup, depth: depth}
	r, ok = e.sum()
	return r, ok && e.at == len(tokens) && (r.kind != 'n' || !math.IsInf(r.number, 0) && !math.IsNaN(r.number))
}

func (e *expression) peek() string {
	if e.at < len(e.tokens) {
		return e.tokens[e.at]
	}
	return ""
}

func (e *expression) take(text string) bool {
	if e.peek() != text {
		return false
	}
	e.at++
	return true
}

// sum reads terms joined by + and -.
func (e *expression) sum() (result, bool) {
	left, ok := e.product()
	for ok && (e.peek() == "+" || e.peek() == "-") {
		minus := e.peek() == "-"
		e.at++
		right, more := e.product()
		if !more || left.kind != 'n' || right.kind != 'n' || left.unit != right.unit {
			return left, false
		}
		if minus {
			right.number = -right.number
		}
		left.binary = left.binary && right.binary
		left.number += right.number
	}
	return left, ok
}

// product reads factors joined by * / and <<. In Go a shift binds as they do;
// where it binds less, 2 * 1 << 20 says the same.
func (e *expression) product() (result, bool) {
	left, ok := e.factor()
	for ok {
		operator := e.peek()
		switch operator {
		case "*", "/", "<<", "**":
		default:
			return left, true
		}
		e.at++
		right, more := e.factor()
		if !more || left.kind != 'n' || right.kind != 'n' || left.unit != "" && right.unit != "" {
			return left, false
		}
		left.binary = left.binary || right.binary || operator == "<<" && right.number > 0 && math.Mod(right.number, 10) == 0
		switch operator {
		case "*":
			left.number *= right.number
			left.unit = cmp.Or(left.unit, right.unit)
		case "/":
			if right.unit != "" || right.number == 0 {
				return left, false
			}
			if left.number /= right.number; left.number != math.Trunc(left.number) {
				return left, false // cut off in some languages
			}
		default:
			base := 2.0
			if operator == "**" {
				base, left.number = left.number, 1
			}
			if right.number < 0 || right.number > 62 || right.unit != "" {
				return left, false
			}
			left.number *= math.Pow(base, right.number)
		}
	}
	return left, ok
}

// conversions are calls that give their argument another type and no other value.
var conversions = set("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "Number",
	"parseInt", "parseFloat", "BigInt", "float", "str", "String", "Duration", "Integer.valueOf", "Long.valueOf", "Integer.parseInt", "Long.parseLong",
	"time.Duration", "bool", "byte", "rune", "string", "Decimal", "Path", "size_t", "Some", "to_string", "usize", "u16", "u32", "u64", "i32", "i64")

// durations are calls that say in which unit of time their argument is, in
// seconds: of java.time, of Rust's and Python's standard libraries.
var durations = map[string]float64{
	"Duration.ofNanos": 1e-9, "Duration.ofMillis": 1e-3, "Duration.ofSeconds": 1, "Duration.ofMinutes": 60, "Duration.ofHours": 3600, "Duration.ofDays": 86400,
	"Duration.from_nanos": 1e-9, "Duration.from_micros": 1e-6, "Duration.from_millis": 1e-3, "Duration.from_secs": 1, "Duration.from_mins": 60,
	"Duration.from_hours": 3600, "Duration.from_secs_f64": 1, "Duration.from_secs_f32": 1,
	"TimeUnit.MILLISECONDS.toMillis": 1e-3, "timedelta.milliseconds": 1e-3, "timedelta.seconds": 1, "timedelta.minutes": 60, "timedelta.hours": 3600,
	"timedelta.days": 86400, "timedelta.weeks": 604800,
}

// units are names for a length of time, in seconds, of Go's standard library.
var units = map[string]float64{"time.Nanosecond": 1e-9, "time.Microsecond": 1e-6, "time.Millisecond": 1e-3, "time.Second": 1, "time.Minute": 60, "time.Hour": 3600}

func (e *expression) factor() (r result, ok bool) {
	token := e.peek()
	switch {
	case token == "":
		return r, false
	case token == "(":
		if e.depth++; e.depth > deepestExpression {
			return r, false
		}
		e.at++
		r, ok = e.sum()
		return r, ok && e.take(")")
	case token == "-" || token == "+":
		if e.depth++; e.depth > deepestExpression {
			return r, false
		}
		e.at++
		if r, ok = e.factor(); token == "-" {
			r.number = -r.number
		}
		return r, ok && r.kind == 'n'
	case token[0] >= '0' && token[0] <= '9' || token[0] == '.' && len(token) > 1:
		e.at++
		n, ok := numeral(token)
		return result{kind: 'n', number: n, binary: n == 1<<10 || n == 1<<20 || n == 1<<30}, ok
	case token[0] == '"' || token[0] == '\'' || token[0] == '`':
		e.at++
		s, ok := unquoted(token)
		return result{kind: 's', text: s}, ok
	}
	return e.name()
}

// name reads a dotted name, which is a literal, a unit, a call or another constant.
func (e *expression) name() (r result, ok bool) {
	name := ""
	for {
		part := e.peek()
		if part == "" || !identifier(part) {
			return r, false
		}
		name += part
		e.at++
		if !e.take(".") && !e.take("::") {
			break
		}
		name += "."
	}
	switch name {
	case "true", "True", "false", "False":
		return result{kind: 'b', yes: name[0]|0x20 == 't'}, true
	}
	if e.take("(") {
		return e.call(name)
	}
	if seconds, known := units[name]; known {
		return result{kind: 'n', number: seconds, unit: schema.Duration}, true
	}
	return e.lookup(name, e.depth+1)
}

// call reads the one argument of a conversion or of a duration.
func (e *expression) call(name string) (r result, ok bool) {
	if e.depth++; e.depth > deepestExpression {
		return r, false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "timedelta" && e.at+1 < len(e.tokens) && e.tokens[e.at+1] == "=" {
		name, last = "timedelta."+e.peek(), ""
		e.at += 2
	}
	if r, ok = e.sum(); !ok {
		return r, false
	}
	if last == "parseInt" && e.take(",") && !e.take("10") {
		return r, false
	}
	if !e.take(")") {
		return r, false
	}
	for suffix := range durations { // std::time::Duration and the like
		if (name == suffix || strings.HasSuffix(name, "."+suffix)) && r.kind == 'n' && r.unit == "" {
			return result{kind: 'n', number: r.number * durations[suffix], unit: schema.Duration}, true
		}
	}
	return r, conversions[name] || conversions[last] && last != "Duration"
}

func identifier(s string) bool {
	c := s[0]
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// numeral reads a number as languages write them: 10_000, 0x1F, 1e6, 100L, 5u64, 2.5f.
func numeral(s string) (float64, bool) {
	s = strings.ToLower(strings.NewReplacer("_", "", "'", "").Replace(s))
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && (len(s) < 2 || s[0] != '0' || s[1] < '0' || s[1] > '9') {
		return float64(n), true
	}
	if strings.HasPrefix(s, "0x") {
		n, err := strconv.ParseInt(strings.TrimRight(s, "lun"), 0, 64)
		return float64(n), err == nil
	}
	for _, suffix := range []string{"usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "ull", "ul", "ll", "l", "u", "n", "f", "d"} {
		if rest, ok := strings.CutSuffix(s, suffix); ok && rest != "" {
			s = rest
			break
		}
	}
	if len(s) > 1 && s[0] == '0' && strings.Trim(s, "0123456789") == "" {
		return 0, false // octal to some
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// unquoted returns the text of a string literal that holds nothing to be put in.
func unquoted(s string) (string, bool) {
	if len(s) < 2 || s[len(s)-1] != s[0] || strings.HasPrefix(s, `"""`) || s[0] == '`' && strings.Contains(s, "${") {
		return "", false
	}
	inner := s[1 : len(s)-1]
	return inner, !strings.ContainsAny(inner, "\\\n"+s[:1])
}

// value turns a result into what pages can be compared with. name is the
// name it is given; fromName reports that its unit comes from there.
func (r result) value(name string) (v schema.Value, fromName bool) {
	switch r.kind {
	case 'b':
		return schema.Value{Kind: schema.ValueBool, Bool: r.yes}, false
	case 's':
		return textValue(r.text, name)
	case 'n':
		u := schema.Unit{Dimension: r.unit, Lo: 1, Hi: 1}
		if own := claim.NameUnit(name); own != nil && r.unit == "" {
			u, fromName = *own, true
		}
		q := schema.Quantity{Lo: r.number * u.Lo, Hi: r.number * u.Hi, Dimension: u.Dimension, Step: u.Lo * lastDigit(r.number)}
		if q.Lo > q.Hi {
			q.Lo, q.Hi = q.Hi, q.Lo
		}
		return schema.Value{Kind: schema.ValueQuantity, Quantity: q}, fromName
	}
	return v, false
}

// lastDigit returns what the last digit of a number is worth.
func lastDigit(n float64) float64 {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return math.Pow10(i + 1 - len(text))
	}
	return 1
}

// textValue reads the text of a string or of a key of a configuration file.
func textValue(text, name string) (v schema.Value, fromName bool) {
	if d, err := time.ParseDuration(text); err == nil && text != "0" {
		if strings.HasSuffix(text, "m") && !timed(name) {
			return v, false // minutes or metres
		}
		s := d.Seconds()
		return schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Lo: s, Hi: s, Dimension: schema.Duration, Step: 1e-9}}, false
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		n, ok := numeral(text)
		if !ok {
			return v, false
		}
		return result{kind: 'n', number: n}.value(name)
	}
	return claim.ParseValue(text, nil), false
}

// timed reports whether a name is that of a length of time.
func timed(name string) bool {
	for _, p := range parts(name) {
		switch p.word {
		case "timeout", "interval", "ttl", "duration", "period", "delay", "age", "expiry", "deadline", "wait", "lifetime", "time", "grace", "backoff", "every", "after":
			return true
		}
	}
	return false
}
