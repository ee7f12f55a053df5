package claim

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// longestValue is the longest value, in bytes; longer text is a sentence.
const longestValue = 80

// mostWords is the most words of a name.
const mostWords = 5

// ParseValue reads the value of a field or of a cell: a quantity, a version, a
// date, a yes or no, or a name. unit, when not nil, is the unit of a number
// that brings none, as a column head gives it. Prose is not a value.
func ParseValue(text string, unit *schema.Unit) schema.Value { return builtin().ParseValue(text, unit) }

// ParseValue is [ParseValue] with the units of a lexicon.
func (l *Lexicon) ParseValue(text string, unit *schema.Unit) schema.Value {
	text = unquoted(plainText(text))
	if text == "" || len(text) > longestValue {
		return schema.Value{}
	}
	if v, ok := parseDate(text); ok {
		return v
	}
	if q, ok := l.ParseQuantity(text, unit); ok {
		return schema.Value{Kind: schema.ValueQuantity, Quantity: q}
	}
	if isVersion(text) {
		v := schema.Value{Kind: schema.ValueVersion, Words: []string{strings.TrimPrefix(strings.ToLower(text), "v")}}
		if lo, hi, ok := versionInterval(v.Words[0]); ok {
			v.Quantity = schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}
		}
		return v
	}
	if v, ok := constants[strings.ToLower(text)]; ok {
		return v
	}
	if strings.ContainsAny(text, ";:=<>{}") || strings.ContainsFunc(text, unicode.IsControl) {
		return schema.Value{}
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if len(words) == 0 || len(words) > mostWords || words[0][0] >= '0' && words[0][0] <= '9' {
		return schema.Value{}
	}
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	return schema.Value{Kind: schema.ValueName, Words: words}
}

// constants are the texts for yes, for no and for nothing.
var constants = func() map[string]schema.Value {
	m := map[string]schema.Value{}
	for yes, list := range map[bool]string{true: "yes true on enabled ✓ ✔ ✅", false: "no false off disabled ✗ ✘ ❌"} {
		for word := range strings.FieldsSeq(list) {
			m[word] = schema.Value{Kind: schema.ValueBool, Bool: yes}
		}
	}
	for word := range strings.FieldsSeq("- – — n/a none null ? tbd unknown various") {
		m[word] = schema.Value{}
	}
	return m
}()

// unquoted takes the quotation marks off a text that is in them as a whole, as settings do.
func unquoted(text string) string {
	if n := len(text); n > 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// parseDate reads a text that is a date and nothing else.
func parseDate(text string) (v schema.Value, ok bool) {
	if at, _, ok := schema.ParseTime(text); ok {
		day := float64(at.Unix() / 86400)
		return schema.Value{Kind: schema.ValueDate, Words: []string{text}, Quantity: schema.Quantity{Dimension: schema.Day, Lo: day, Hi: day}}, true
	}
	if strings.Count(text, ".") == 2 { // few do, and a layout that does not fit is dear
		if at, err := time.Parse("2.1.2006", text); err == nil {
			day := float64(at.Unix() / 86400)
			return schema.Value{Kind: schema.ValueDate, Words: []string{text}, Quantity: schema.Quantity{Dimension: schema.Day, Lo: day, Hi: day}}, true
		}
	}
	return wordedDate(text)
}

// wordedDate reads a date with the name of a month: 12 May 2026, May 12, 2026, May 2026.
func wordedDate(text string) (v schema.Value, ok bool) {
	if len(text) < 8 || len(text) > 20 {
		return v, false
	}
	var month time.Month
	var day, year int
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' || r == '.' }) {
		n, err := strconv.Atoi(part)
		switch m := months[strings.ToLower(part)]; {
		case m > 0 && month == 0:
			month = m
		case err == nil && len(part) == 4 && year == 0:
			year = n
		case err == nil && n >= 1 && n <= 31 && day == 0:
			day = n
		default:
			return v, false
		}
	}
	if month == 0 || year == 0 {
		return v, false
	}
	first := time.Date(year, month, max(day, 1), 0, 0, 0, 0, time.UTC)
	last := first
	if day == 0 {
		last = first.AddDate(0, 1, -1)
	}
	q := schema.Quantity{Dimension: schema.Day, Lo: float64(first.Unix() / 86400), Hi: float64(last.Unix() / 86400)}
	return schema.Value{Kind: schema.ValueDate, Words: []string{text}, Quantity: q}, first.Day() == max(day, 1)
}

// PlainText returns a text of one line as a reader sees it: without the marks of emphasis and code, links as
// their labels.
func PlainText(src []byte) string { return plainText(string(src)) }

func plainText(text string) string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "[") {
		text = labels(text)
	}
	return strings.TrimSpace(strings.Trim(text, "*_`"))
}

// labels replaces the links of a text by their labels.
func labels(text string) string {
	var b strings.Builder
	for text != "" {
		open := strings.IndexByte(text, '[')
		if open < 0 {
			break
		}
		b.WriteString(text[:open])
		text = text[open:]
		if inner, ok := strings.CutPrefix(text, "[["); ok {
			if end := strings.Index(inner, "]]"); end >= 0 {
				label := inner[:end]
				label = label[strings.LastIndexByte(label, '|')+1:]
				b.WriteString(strings.TrimSuffix(label, "\\"))
				text = inner[end+2:]
				continue
			}
		}
		mid := strings.Index(text, "](")
		end := -1
		if mid > 0 {
			end = strings.IndexByte(text[mid:], ')')
		}
		if end < 0 {
			b.WriteByte('[')
			text = text[1:]
			continue
		}
		b.WriteString(text[1:mid])
		text = text[mid+end+1:]
	}
	b.WriteString(text)
	return b.String()
}

// months are the names of the months and their abbreviations.
var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		m[name], m[name[:3]] = i, i
	}
	return m
}()

// isVersion reports whether a text is a version: 1.2.3, v2, 3.x, 1.0-rc.1.
func isVersion(s string) bool {
	v := strings.TrimPrefix(strings.ToLower(s), "v")
	marked := len(v) < len(s)
	if v == "" || v[0] < '0' || v[0] > '9' || strings.ContainsAny(v, " /,") {
		return false
	}
	return marked || strings.Count(v, ".") >= 2 || strings.HasSuffix(v, ".x")
}

// ParseQuantity reads 16, 1,500, 2.5 GB, 30–60 s, ~5 min, ≤ 10 %, up to 16
// steps and the like, and nothing else: text around it makes it prose.
func (l *Lexicon) ParseQuantity(text string, unit *schema.Unit) (q schema.Quantity, ok bool) {
	s := strings.TrimSpace(text)
	if rest, minus := strings.CutPrefix(s, "−"); minus {
		s = "-" + rest
	}
	s, q.Approx, q.Bound = qualifier(s)
	if word, more, _ := strings.Cut(s, " "); numberWord(strings.ToLower(word)) != "" {
		s = strings.TrimSpace(numberWord(strings.ToLower(word)) + " " + more)
	}
	if at := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' }); at > 0 && at < 5 {
		if u, ok := l.money(strings.TrimSpace(s[:at])); ok {
			s, unit = s[at:], &u
		}
	}
	lo, step, rest, ok := leadingNumber(s)
	if !ok {
		return q, false
	}
	q.Decimals = int(math.Round(-math.Log10(step)))
	hi := lo
	if upper, more, isRange := rangeEnd(rest); isRange {
		hi, step, rest, q.Decimals = upper, 0, more, 0
		if hi < lo {
			return q, false
		}
	}
	u, ok := l.unitAfter(rest, unit)
	if !ok {
		return q, false
	}
	lo, hi = lo-u.Zero, hi-u.Zero
	q.Dimension = u.Dimension
	q.Lo, q.Hi, q.Step = lo*u.Lo, hi*u.Hi, step*u.Hi
	if lo < 0 {
		q.Lo = lo * u.Hi
	}
	if hi < 0 {
		q.Hi = hi * u.Lo
	}
	return q, !math.IsInf(q.Lo, 0) && !math.IsInf(q.Hi, 0)
}

// qualifiers are what may stand before a number, the longest first.
var qualifiers = []struct {
	words  string
	approx bool
	bound  schema.Bound
}{
	{"no more than ", false, schema.AtMost}, {"not more than ", false, schema.AtMost}, {"at most ", false, schema.AtMost},
	{"up to ", false, schema.AtMost}, {"max. ", false, schema.AtMost}, {"max ", false, schema.AtMost}, {"≤", false, schema.AtMost},
	{"<=", false, schema.AtMost}, {"<", false, schema.AtMost}, {"at least ", false, schema.AtLeast}, {"min. ", false, schema.AtLeast},
	{"≥", false, schema.AtLeast}, {">=", false, schema.AtLeast}, {">", false, schema.AtLeast}, {"about ", true, schema.Exactly},
	{"around ", true, schema.Exactly}, {"approx. ", true, schema.Exactly}, {"approximately ", true, schema.Exactly},
	{"circa ", true, schema.Exactly}, {"ca. ", true, schema.Exactly}, {"~", true, schema.Exactly}, {"≈", true, schema.Exactly}, {"约", true, schema.Exactly},
}

func qualifier(s string) (rest string, approx bool, bound schema.Bound) {
	for _, q := range qualifiers {
		if len(s) > len(q.words) && strings.EqualFold(s[:len(q.words)], q.words) {
			return strings.TrimSpace(s[len(q.words):]), q.approx, q.bound
		}
	}
	return s, false, schema.Exactly
}

// leadingNumber reads the number that s begins with, its thousands grouped
// by commas, spaces or _ or not at all. step is the worth of its last digit.
func leadingNumber(s string) (v, step float64, rest string, ok bool) {
	i, digits := 0, 0
	var number [24]byte
	b := number[:0]
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		b = append(b, s[i])
		i++
	}
	point := -1
	for i < len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			b = append(b, c)
			digits++
		case c == '.' && point < 0 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			b = append(b, c)
			point = digits
		case (c == ',' || c == '_' || c == ' ') && point < 0 && digits > 0 && threeDigits(s[i+1:]):
		default:
			return finishNumber(string(b), s[i:], digits, point)
		}
		i++
	}
	return finishNumber(string(b), "", digits, point)
}

// threeDigits reports whether s goes on with a group of exactly three digits.
func threeDigits(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n == 3
}

func finishNumber(number, rest string, digits, point int) (v, step float64, left string, ok bool) {
	if digits == 0 || digits > 15 {
		return 0, 0, "", false
	}
	v, err := strconv.ParseFloat(number, 64)
	step = 1
	if point >= 0 {
		step = math.Pow10(point - digits)
	}
	if power, after := exponent(rest); after > 0 {
		v, step, rest = v*math.Pow10(power), step*math.Pow10(power), rest[after:]
	}
	return v, step, rest, err == nil
}

// exponent reads the power of ten behind a number, e-6 or E+3, and where it ends; 0 for none.
func exponent(s string) (power, end int) {
	if len(s) < 2 || s[0] != 'e' && s[0] != 'E' {
		return 0, 0
	}
	end = 1
	if s[end] == '-' || s[end] == '+' {
		end++
	}
	first := end
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	power, err := strconv.Atoi(s[1:end])
	if err != nil || end-first > 2 || end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		return 0, 0
	}
	return power, end
}

// rangeEnd reads –60, - 60, to 60 or ..60.
func rangeEnd(s string) (hi float64, rest string, ok bool) {
	t := strings.TrimLeft(s, " ")
	for _, dash := range []string{"–", "—", "..", "-", "to "} {
		if after, found := strings.CutPrefix(t, dash); found {
			hi, _, rest, ok = leadingNumber(strings.TrimLeft(after, " "))
			return hi, rest, ok && hi >= 0
		}
	}
	return 0, s, false
}

// unitAfter reads the unit behind a number: a unit of measurement, what is
// counted, or nothing, for which the given unit counts.
func (l *Lexicon) unitAfter(s string, unit *schema.Unit) (u schema.Unit, ok bool) {
	s = strings.TrimSpace(strings.TrimSuffix(s, "."))
	if s == "" {
		if unit != nil {
			return *unit, true
		}
		return schema.Unit{Lo: 1, Hi: 1}, true
	}
	if u, ok = l.UnitOf(s); ok {
		return u, true
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '-' && r != ' ' {
			return u, false
		}
	}
	if words := Words(s); len(words) == 1 && len(s) > 2 && !strings.Contains(s, " ") {
		return schema.Unit{Dimension: schema.Dimension("count:" + words[0]), Lo: 1, Hi: 1}, true
	}
	return u, false
}

// versionInterval returns the numbers that a version may stand for: 16 is any
// 16.x, 3.11 any 3.11.x.
func versionInterval(number string) (lo, hi float64, ok bool) {
	scale := 1e6
	for part := range strings.SplitSeq(strings.TrimSuffix(number, ".x"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n > 999 || scale < 1 {
			return 0, 0, false
		}
		lo += float64(n) * scale
		scale /= 1000
	}
	return lo, lo + scale*1000 - 1, true
}
