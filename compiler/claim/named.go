package claim

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// RoleDefault is the role of a value that holds unless another is set.
const RoleDefault = "default"

// Named returns the values that a page gives to what code calls by a name: a
// constant, a key, a flag, an environment variable. The name is in a code
// span next to the value, or as the key of a row or of a field:
//
//	| `MAX_BODY` | 10 MB |     in a table of keys
//	MAX_BODY:: 10 MB
//	`MAX_BODY` is 10 MB; `MAX_BODY` (10 MB); - `MAX_BODY`: 10 MB
//	Bodies have at most 10 MB (`MAX_BODY`).
//
// The first name of a claim's subject is that name. It is read apart from [Of]:
// what a name in code means is known from the code and never from other
// pages. A statement under a condition, such as an environment or a version, is
// left out, and so is whatever [Mute] and the headings of accounts silence.
func Named(page *schema.Page) []schema.Claim {
	if Mute(page) || schema.TemplatePath(page.Path) || edition(page.Path) != "" || len(conditions(page.Title)) > 0 {
		return nil
	}
	n := &namer{page: page}
	for i := range page.Fields {
		f := &page.Fields[i]
		n.give(f.Key, f.Val, f.Value, nil, "", schema.OriginField)
	}
	for i := range page.Tables {
		n.keys(&page.Tables[i])
	}
	for _, b := range blocks(page) {
		n.prose(&b)
	}
	slices.SortStableFunc(n.claims, func(a, b schema.Claim) int { return a.Span.Start - b.Span.Start })
	return undisputed(n.claims)
}

// namer reads the values of names on one page.
type namer struct {
	page   *schema.Page
	claims []schema.Claim
}

// mostNamed is the most names that are read per page.
const mostNamed = 5000

// recommended are words of headings under which values are wishes, or those of
// one installation.
var recommended = wordSet(`recommended recommendation recommendations tuning override overrides overriding custom customize customizing
	suggested typical quickstart tutorial walkthrough troubleshooting checklist deploy deployment`)

// notAboutCode reports whether the text at an offset is not about the current code.
func (n *namer) notAboutCode(at int) bool {
	section := Section(n.page, at)
	if past(section) {
		return true
	}
	return slices.ContainsFunc(section, func(heading string) bool {
		return len(conditions(heading)) > 0 || anyWord(heading, recommended)
	})
}

// give adds the value of a name, if it is one.
func (n *namer) give(name string, span schema.Span, text string, unit *schema.Unit, role string, from schema.Origin) {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), "`*"))
	if !codeName(name) || n.notAboutCode(span.Start) || len(n.claims) >= mostNamed {
		return
	}
	raw := span.In(n.page.Source)
	span.Start += len(raw) - len(bytes.TrimLeft(raw, " \t"))
	span.End -= len(raw) - len(bytes.TrimRight(raw, " \t"))
	text = strings.TrimSpace(text)
	value := ParseValue(text, unit)
	if value.Kind == schema.ValueNone || value.Kind == schema.ValueName && !oneWord(plainText(text)) {
		return
	}
	section := Section(n.page, span.Start)
	if role == "" && slices.ContainsFunc(section, func(h string) bool { return anyWord(h, defaultWords) }) {
		role = RoleDefault
	}
	n.claims = append(n.claims, schema.Claim{
		ID:   xxh3.HashString(strings.Join(append(slices.Clone(section), name, strings.ToLower(text)), "\x00")),
		Page: n.page.ID, Path: n.page.Path, Section: section, Span: span, Text: text, From: from, Role: role,
		Subject: schema.Entity{Names: []string{name}, Link: -1, Sure: true},
		Attr:    schema.Attribute{Name: name, Words: Words(name)}, Value: value,
	})
}

// codeName reports whether a text can be what code calls something.
func codeName(s string) bool {
	s = strings.TrimLeft(s, "-$")
	if len(s) < 2 || len(s) > longestValue || s[0] >= '0' && s[0] <= '9' || s[len(s)-1] == '.' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (s[i] < '0' || s[i] > '9') && strings.IndexByte("_.-:", s[i]) < 0 {
			return false
		}
	}
	return true
}

// oneWord reports whether a text is a single word, as names of levels, modes and
// drivers are.
func oneWord(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

var defaultWords = wordSet(`default defaults`)

// keys reads the rows of a table of keys. Of a column with defaults and one
// with values the defaults are read, which are what the code says.
func (n *namer) keys(t *schema.Table) {
	if len(t.Head) < 2 || !anyWord(t.Head[0].Text, keyHeads) {
		return
	}
	column, role := defaultColumn(t), RoleDefault
	if column < 0 {
		column, role = valueColumn(t), ""
	}
	if column < 1 || slices.ContainsFunc(t.Head, func(c schema.Cell) bool { return anyWord(c.Text, conditionHeads) }) {
		return
	}
	_, unit := builtin().attributeUnit(t.Head[column].Text)
	for _, row := range t.Rows {
		if column >= len(row) {
			continue
		}
		own := unit
		for j := 1; j < len(row) && j < len(t.Head); j++ {
			if words := split(t.Head[j].Text); len(words) == 1 && (words[0] == "unit" || words[0] == "units") {
				u, ok := UnitOf(plainText(row[j].Text))
				if own = &u; !ok {
					own = nil
				}
			}
		}
		n.give(row[0].Text, row[column].Span, row[column].Text, own, role, schema.OriginTable)
	}
}

// defaultColumn returns the only column that says by its head that it holds
// defaults, -1 when there is none, or several.
func defaultColumn(t *schema.Table) int {
	found := -1
	for j := 1; j < len(t.Head); j++ {
		if anyWord(t.Head[j].Text, defaultWords) {
			if found >= 0 {
				return -1
			}
			found = j
		}
	}
	return found
}

// prose reads the names of a paragraph or item that stand beside a value.
func (n *namer) prose(b *block) {
	src := n.page.Source
	for at := b.span.Start; at < b.span.End; {
		i := bytes.IndexByte(src[at:b.span.End], '`')
		if i < 0 {
			return
		}
		open := at + i
		content, end, ok := codeSpan(src, open, b.span.End)
		if !ok {
			at = end
			continue
		}
		at = end
		if name := strings.TrimSuffix(string(content.In(src)), "()"); codeName(name) && !hypothetical(sentenceBefore(src, b.span.Start, open)) {
			n.valueAfter(b, name, end, open == b.span.Start)
			n.before(b, name, open, end)
		}
	}
}

// codeSpan returns the text between the backticks at an offset, and the offset after
// them.
func codeSpan(src []byte, at, limit int) (content schema.Span, end int, ok bool) {
	k := at
	for k < limit && src[k] == '`' {
		k++
	}
	marks := src[at:k]
	stop := min(limit, k+longestValue+len(marks))
	i := bytes.Index(src[k:stop], marks)
	if i < 0 {
		return schema.Span{}, k, false
	}
	return schema.Span{Start: k, End: k + i}, k + i + len(marks), true
}

// sentenceBefore returns the part of a block before a place that belongs to the
// same sentence.
func sentenceBefore(src []byte, from, at int) []byte {
	for i := at - 2; i > from; i-- {
		if (src[i] == '.' || src[i] == '!' || src[i] == '?' || src[i] == ';') && (src[i+1] == ' ' || src[i+1] == '\n') {
			return src[i+1 : at]
		}
	}
	return src[from:at]
}

// supposed are words after which a sentence says what may be, what was, or what
// is not.
var supposed = wordSet(`if when whenever unless whether while where suppose say assume assuming once until example instance was were previously
	formerly earlier old older instead not never than should could would might may set setting raise lower change increase decrease
	reduce override use pass try with without like recommended temporarily`)

// hypothetical reports whether what follows is no statement about the code as it is.
func hypothetical(before []byte) bool {
	for _, w := range split(string(before)) {
		if supposed[w] || conditionWords[w] {
			return true
		}
	}
	return bytes.Contains(before, []byte("n't")) || bytes.Contains(before, []byte("e.g"))
}

// joins are what may stand between a name and its value, the longest first.
var joins = []struct {
	text, role string
	item       bool // only right behind the name that an item begins with
}{
	{"has a default value of ", RoleDefault, false}, {"has a default of ", RoleDefault, false}, {"is by default ", RoleDefault, false},
	{"is set to ", "", false}, {"is limited to ", "", false}, {"is fixed at ", "", false}, {"is currently ", "", false}, {"has the value ", "", false},
	{"defaults to ", RoleDefault, false}, {"equals ", "", false}, {"is ", "", false},
	{"(default: ", RoleDefault, false}, {"(default is ", RoleDefault, false}, {"(default ", RoleDefault, false}, {"(defaults to ", RoleDefault, false},
	{", default ", RoleDefault, false}, {"(", "", false}, {"= ", "", false}, {": default ", RoleDefault, true}, {": ", "", true}, {"— ", "", true}, {"– ", "", true}, {"- ", "", true},
}

// valueAfter reads the value that follows a name.
func (n *namer) valueAfter(b *block, name string, at int, first bool) {
	src := n.page.Source
	rest := src[at:b.span.End]
	rest = bytes.TrimLeft(rest, " *_\n")
	for _, j := range joins {
		if len(rest) < len(j.text) || !strings.EqualFold(string(rest[:len(j.text)]), j.text) || j.item && (!first || !b.item) {
			continue
		}
		start := b.span.End - len(rest) + len(j.text)
		text := src[start:b.span.End]
		value := stated(text)
		from := start + len(text) - len(bytes.TrimLeft(text, " *_"))
		role := j.role
		if role == "" && bytes.HasPrefix(bytes.TrimLeft(src[min(from+len(value), b.span.End):b.span.End], " *`,"), []byte("by default")) {
			role = RoleDefault
		}
		n.value(name, schema.Span{Start: from, End: from + len(value)}, role)
		return
	}
}

// value adds a value of running text. A word counts only when it is written as code.
func (n *namer) value(name string, span schema.Span, role string) {
	text := string(span.In(n.page.Source))
	v := ParseValue(text, nil)
	if v.Kind == schema.ValueName && text[0] != '`' {
		return
	}
	n.give(name, span, text, nil, role, schema.OriginSentence)
}

// ends are what a value in running text may be followed by.
var ends = []string{" by default", " unless ", " and ", " but ", " (", ", ", "; ", ") ", "),", ").", "): ", ");"}

// stated returns the beginning of a text that can be a value: up to where the
// clause ends, of which the marks of emphasis are no part.
func stated(text []byte) string {
	text = bytes.TrimLeft(text, " *_")
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if i := bytes.Index(text, []byte(". ")); i >= 0 {
		text = text[:i]
	}
	if len(text) > 0 && text[0] == '`' {
		content, end, ok := codeSpan(text, 0, len(text))
		if !ok || content.Len() == 0 || !bounded(text[end:]) {
			return ""
		}
		return string(text[:end])
	}
	for _, e := range ends {
		i := bytes.Index(text, []byte(e))
		if i < 0 {
			continue
		}
		if next := text[i+len(e):]; e == " and " && len(next) > 0 && next[0] >= '0' && next[0] <= '9' {
			return "" // two values
		}
		text = text[:i]
	}
	return strings.TrimRight(string(text), " .,;:)*_")
}

// bounded reports whether the text after a value in a code span leaves the value
// unchanged.
func bounded(rest []byte) bool {
	rest = bytes.TrimLeft(rest, "*_")
	if len(bytes.TrimSpace(rest)) == 0 || bytes.IndexByte([]byte(".,;)"), rest[0]) >= 0 {
		return true
	}
	return slices.ContainsFunc(ends, func(e string) bool { return bytes.HasPrefix(rest, []byte(e)) })
}

// before reads the value that a name in brackets follows: 10 MB (`MAX_BODY`).
func (n *namer) before(b *block, name string, open, end int) {
	src := n.page.Source
	if open <= b.span.Start || src[open-1] != '(' || end >= b.span.End || src[end] != ')' {
		return
	}
	text := bytes.TrimRight(src[b.span.Start:open-1], " ")
	to := b.span.Start + len(text)
	number := len(text)
	for number > 0 && len(text)-number < 24 && (text[number-1] < '0' || text[number-1] > '9') && text[number-1] != '\n' {
		number--
	}
	from := number
	for from > 0 && (text[from-1] >= '0' && text[from-1] <= '9' || (text[from-1] == '.' || text[from-1] == ',' || text[from-1] == '_') && from < number) {
		from--
	}
	if from == number || from > 0 && text[from-1] != ' ' && text[from-1] != '~' {
		return
	}
	lead := strings.ToLower(string(text[max(0, from-24):from]))
	for _, word := range []string{"to ", "and ", "or ", "– ", "- ", "— ", "/ ", "× ", "x ", "* ", "+ ", "than "} {
		if strings.HasSuffix(lead, " "+word) && !strings.HasSuffix(lead, "up to ") && !strings.HasSuffix(lead, "limited to ") && !strings.HasSuffix(lead, "defaults to ") && !strings.HasSuffix(lead, "set to ") {
			return
		}
	}
	for _, q := range qualifiers {
		if strings.HasSuffix(lead, strings.TrimRight(q.words, " ")+" ") || strings.HasSuffix(lead, q.words) {
			from -= len(lead) - strings.LastIndex(lead, q.words)
			break
		}
	}
	n.value(name, schema.Span{Start: b.span.Start + from, End: to}, "")
}

// undisputed drops the names to which a page gives two values itself.
func undisputed(claims []schema.Claim) []schema.Claim {
	first := map[string]string{}
	torn := map[string]bool{}
	for i := range claims {
		name, text := claims[i].Subject.Names[0], strings.ToLower(plainText(claims[i].Text))
		if was, ok := first[name]; ok && was != text {
			torn[name] = true
		}
		first[name] = text
	}
	return slices.DeleteFunc(claims, func(c schema.Claim) bool { return torn[c.Subject.Names[0]] })
}

// NameUnit returns the unit that the last word of a name in code implies, as in
// TIMEOUT_MS, maxBytes and cacheSizeMB; nil if it implies none.
func NameUnit(name string) *schema.Unit {
	words := split(name)
	if n := len(words); n < 2 || words[n-1] != "mins" && words[n-1] != "millis" && !keyUnits[words[n-1]] {
		return nil
	} else if u, ok := UnitOf(words[n-1]); ok {
		return &u
	}
	return nil
}

// Conditions returns the words of a name that restrict where or when a claim applies:
// staging, linux, trial; see [schema.Claim]. Versions don't count.
func Conditions(name string) []string {
	return slices.DeleteFunc(split(name), func(w string) bool { return !conditionWords[w] })
}

// keyHeads are the heads of a first column that names attributes or keys, and
// valueHeads those of the column with their values.
var (
	keyHeads   = wordSet(`key property setting parameter option field variable flag config configuration constant limit attribute env name`)
	valueHeads = wordSet(`value default setting`)
)

// conditionHeads are the heads of columns that say when a row holds.
var conditionHeads = wordSet(`version release env environment region plan tier client platform os model year month day since until mode edition
	branch stage hardware gpu dataset profile scenario case locale market`)

// valueColumn returns the column that holds the values of a table of keys, -1
// in any other table.
func valueColumn(t *schema.Table) int {
	if !anyWord(t.Head[0].Text, keyHeads) {
		return -1
	}
	found := -1
	for j := 1; j < len(t.Head); j++ {
		if words := split(t.Head[j].Text); len(words) == 1 && valueHeads[words[0]] {
			if found >= 0 {
				return -1
			}
			found = j
		}
	}
	return found
}

// edition returns the folder of a page down to the last part that is a version, a commit
// or a year, "" without one. Pages of one edition are compared with that edition only.
func edition(file string) string {
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		base := strings.ToLower(path.Base(dir))
		hex := strings.TrimPrefix(base, "v")
		if isVersion(base) || len(conditions(base)) > 0 || len(hex) >= 7 && strings.Trim(hex, "0123456789abcdef") == "" {
			return dir
		}
	}
	return ""
}

// conditionWords are words that say under which conditions something holds:
// environments, plans, platforms and the like.
var conditionWords = wordSet(`dev development staging stage prod production test testing local ci canary preview
	free basic pro premium enterprise trial demo linux windows macos darwin android ios web mobile desktop arm64 amd64 x86
	eu us asia europe america emea apac summer winter night weekend beta alpha nightly lts`)

// conditions returns the conditions that a heading or a title sets: versions, days,
// years, environments.
func conditions(text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t()[],;:/|`*—–", r) }) {
		_, _, date := schema.ParseTime(w)
		year := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")) && strings.Trim(w, "0123456789") == ""
		if conditionWords[w] || isVersion(w) || date || year {
			out = append(out, w)
		}
	}
	return out
}

// keyUnits are the last words of a key that give the unit of its number.
var keyUnits = wordSet(`ns us ms sec secs seconds minutes hours days weeks months years bytes kb mb gb tb kib mib gib percent pct hz khz mhz ghz
	mm cm km kg`)

// attributeUnit splits the unit off an attribute's name: Timeout (s), Size [MB]
// and timeout_ms. unit is nil when it gives none.
func (l *Lexicon) attributeUnit(name string) (attr string, unit *schema.Unit) {
	name = plainText(name)
	for _, brackets := range []string{"()", "[]"} {
		open := strings.LastIndexByte(name, brackets[0])
		if open > 0 && strings.HasSuffix(name, brackets[1:]) {
			if u, ok := l.UnitOf(strings.TrimSpace(name[open+1 : len(name)-1])); ok {
				return strings.TrimSpace(name[:open]), &u
			}
		}
	}
	last, n := "", 0
	for w := range wordsOf(name) {
		last, n = w, n+1
	}
	if n > 1 && oneOf(last, keyUnits) {
		words := split(name)
		if u, ok := l.UnitOf(words[len(words)-1]); ok {
			return strings.Join(words[:len(words)-1], " "), &u
		}
	}
	return name, nil
}
