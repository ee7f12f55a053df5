package claim

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// itemMark begins the name that an item of a list has among the keys that a line lies below.
const itemMark = "\x00"

// item reads what stands behind the dash of an item of YAML. It returns where its first key begins and how far that is
// indented; a negative indentation where it is no key, but a text, which is kept with the others of its list.
func (r *configReader) item(line schema.Span, indent int) (start, below int) {
	for n := len(r.open); n > 0; n = len(r.open) {
		if o := r.open[n-1]; o.indent < indent || o.indent == indent && !o.item {
			break
		}
		r.open = r.open[:n-1]
	}
	rest := trimmed(r.src, schema.Span{Start: line.Start + indent + 1, End: line.End}, " ")
	if key, _, ok := r.pair(rest, ':'); ok && key != "" {
		r.parts++
		r.open = append(slices.Clip(r.open), openKey{indent: indent, name: itemMark + strconv.Itoa(r.parts), item: true})
		return rest.Start, rest.Start - line.Start
	}
	if n := len(r.open); n > 0 && rest.Len() > 0 && !strings.ContainsRune("{[&*|>", rune(r.first(rest))) {
		r.append(rest)
	}
	return 0, -1
}

// append adds a text to the list of the innermost key.
func (r *configReader) append(text schema.Span) {
	if c := comment(text.In(r.src)); c >= 0 {
		text.End = text.Start + c
	}
	text = trimmed(r.src, text, " \"'")
	n := len(r.open)
	if last := len(r.out) - 1; last >= 0 && len(r.out[last].items) > 0 && r.out[last].key == r.open[n-1].name && len(r.out[last].path) == n-1 && !bytes.Contains(r.src[r.out[last].value.End:text.Start], []byte("\n\n")) {
		r.out[last].items = append(r.out[last].items, text)
		r.out[last].value.End = text.End
		return
	}
	line := setLine{key: r.open[n-1].name, value: text, items: []schema.Span{text}}
	for _, o := range r.open[:n-1] {
		line.path = append(line.path, o.name)
	}
	r.out = append(r.out, line)
}

// object reads an item of a list of JSON that stands in braces on its line.
func (r *configReader) object(line schema.Span) {
	whole := trimmed(r.src, line, " \t\r,")
	if r.first(whole) != '{' || len(r.open) > mostOpen {
		return
	}
	before := r.open
	r.parts++
	r.open = append(slices.Clip(r.open), openKey{name: itemMark + strconv.Itoa(r.parts), item: true})
	r.inline("", whole, ':')
	r.open = before
}

// listed keeps a list that stands in brackets on one line, and reports whether it is that.
func (r *configReader) listed(key string, value schema.Span) bool {
	text := value.In(r.src)
	if len(text) < 2 || text[len(text)-1] != ']' || bytes.ContainsAny(text[1:len(text)-1], "[]{}") {
		return false
	}
	line := setLine{key: key, value: value, note: r.above}
	for _, o := range r.open {
		line.path = append(line.path, o.name)
	}
	for start := value.Start + 1; start < value.End-1; {
		end := value.End - 1
		if i := bytes.IndexByte(r.src[start:end], ','); i >= 0 {
			end = start + i
		}
		if item := trimmed(r.src, schema.Span{Start: start, End: end}, " \t\"'"); item.Len() > 0 {
			line.items = append(line.items, item)
		}
		start = end + 1
	}
	if len(line.items) > 0 {
		r.out = append(r.out, line)
	}
	return true
}

// braced reads a line of a language with blocks in braces, whose settings end with a semicolon or have a = before the value.
func (r *configReader) braced(line schema.Span) {
	line = trimmed(r.src, line, " \t\r")
	text := line.In(r.src)
	switch {
	case text[0] == '}':
		r.open = r.open[:max(0, len(r.open)-1)]
	case text[len(text)-1] == '{':
		name := strings.Join(strings.Fields(strings.NewReplacer(`"`, " ", "{", " ", "=", " ").Replace(string(text))), " ")
		r.open = append(slices.Clip(r.open), openKey{name: name})
	case bytes.Contains(text, []byte("=")) && text[len(text)-1] != ';':
		if key, value, ok := r.pair(line, '='); ok && r.first(value) == '[' {
			r.listed(key, value)
		} else if ok && r.first(value) != '{' {
			r.keep(key, value)
		}
	case text[len(text)-1] == ';':
		if key, rest, ok := bytes.Cut(text[:len(text)-1], []byte(" ")); ok && !bytes.ContainsAny(key, "{}()$") {
			end := line.End - 1
			r.keep(string(key), trimmed(r.src, schema.Span{Start: end - len(rest), End: end}, " "))
		}
	}
}
