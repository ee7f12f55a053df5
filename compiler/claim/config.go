package claim

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// setLine is a line of configuration that gives a key a value.
type setLine struct {
	path  []string // the keys that it lies below, the outermost first
	key   string
	value schema.Span   // without quotes
	note  schema.Span   // the comment behind it, or the line above it
	items []schema.Span // of a list, without quotes
}

// configReaders are the languages of configuration, by the name that a fence gives.
var configReaders = map[string]func(*configReader, schema.Span){
	"yaml": (*configReader).nested, "yml": (*configReader).nested, "json": (*configReader).nested, "jsonc": (*configReader).nested, "json5": (*configReader).nested,
	"toml": (*configReader).sectioned, "ini": (*configReader).sectioned, "conf": (*configReader).sectioned, "cfg": (*configReader).sectioned, "properties": (*configReader).sectioned,
	"dockerfile": (*configReader).based, "docker": (*configReader).based,
	"c": (*configReader).constants, "h": (*configReader).constants, "cpp": (*configReader).constants, "go": (*configReader).constants, "python": (*configReader).constants, "py": (*configReader).constants,
	"js": (*configReader).constants, "javascript": (*configReader).constants, "ts": (*configReader).constants, "typescript": (*configReader).constants, "rust": (*configReader).constants, "java": (*configReader).constants,
	"nginx": (*configReader).braced, "hcl": (*configReader).braced, "terraform": (*configReader).braced, "tf": (*configReader).braced,
	"systemd": (*configReader).sectioned, "service": (*configReader).sectioned, "editorconfig": (*configReader).sectioned,
	"env": (*configReader).assigned, "dotenv": (*configReader).assigned, "sh": (*configReader).assigned, "bash": (*configReader).assigned, "shell": (*configReader).assigned,
}

const (
	// mostSettings bounds how many lines are kept of one block.
	mostSettings = 60
	// mostOpen bounds how deep braces stand in each other on one line.
	mostOpen = 8
	// longestSetting is how many bytes a line has at most that is read.
	longestSetting = 200
)

// configReader reads the lines of a block of configuration. It knows as much of each language
// as it takes to tell which key has which value; what it does not know, it leaves out.
type configReader struct {
	src      []byte
	open     []openKey
	skip     int         // lines that are indented further are part of a list or a text; -1 for none
	repeated bool        // a section of which there are several
	above    schema.Span // the comment above the line
	commands bool        // some line is a command
	head     schema.Span // the comment that the block begins with
	parts    int         // items of lists that have keys
	out      []setLine
}

// openKey is a key that has keys below it.
type openKey struct {
	indent int
	name   string
	item   bool // none is written: it is an item of a list
}

// settings returns the lines of a block that give a key a value, and the comment that it begins
// with.
func settings(src []byte, block schema.Span, language string) (lines []setLine, head schema.Span) {
	read := configReaders[language]
	if read == nil {
		return nil, head
	}
	r := &configReader{src: src, skip: -1}
	begun := false
	for at := block.Start; at < block.End && len(r.out) < mostSettings; {
		end := block.End
		if i := bytes.IndexByte(src[at:block.End], '\n'); i >= 0 {
			end = at + i
		}
		line := schema.Span{Start: at, End: end}
		at = end + 1
		text := bytes.TrimSpace(line.In(src))
		switch {
		case len(text) == 0:
			r.above = schema.Span{}
			continue
		case len(text) > longestSetting:
			continue
		}
		if n := commentMark(text); n > 0 {
			start := line.Start + bytes.Index(line.In(src), text)
			r.above = schema.Span{Start: start + n, End: start + len(text)}
			if !begun {
				r.head = r.above
			}
			begun = true
			continue
		}
		begun = true
		read(r, line)
		r.above = schema.Span{}
	}
	if r.commands {
		return nil, r.head
	}
	return r.out, r.head
}

// commentMark returns how long the mark is that makes a line a comment, 0 for none.
func commentMark(text []byte) int {
	switch {
	case text[0] == ';', text[0] == '#' && !bytes.HasPrefix(text, []byte("#define ")):
		return 1
	case bytes.HasPrefix(text, []byte("//")):
		return 2
	}
	return 0
}

// based reads the line of a Dockerfile that says on which image it is based, or on which port something listens.
func (r *configReader) based(line schema.Span) {
	text := line.In(r.src)
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return
	}
	key := map[string]string{"from": "image", "expose": "port"}[strings.ToLower(string(fields[0]))]
	if key == "" || key == "port" && len(fields) > 2 {
		return
	}
	start := line.Start + bytes.Index(text, fields[1])
	r.out = append(r.out, setLine{key: key, value: schema.Span{Start: start, End: start + len(fields[1])}, note: r.above})
}

// constant is a line of a program that gives a constant a number or a text, by the name in capitals that it has.
var constant = schema.Expression(`^(?:#define|[a-z][a-z ]*(?: [A-Za-z0-9_]+)??)?\s*\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?:\s*:\s*[A-Za-z0-9_&' ]+?)?\s*=?\s*("[^"]*"|'[^']*'|-?[0-9][0-9_.]*)(?:[uUlLfF]{0,3});?\s*(?:(?://|/\*|#).*)?$`)

// constants reads the line of a program that defines a constant: #define MAX_RETRIES 5, MAX_RETRIES = 5.
func (r *configReader) constants(line schema.Span) {
	m := constant().FindSubmatchIndex(line.In(r.src))
	if m == nil {
		return
	}
	text := line.In(r.src)
	r.keep(string(text[m[2]:m[3]]), schema.Span{Start: line.Start + m[4], End: line.Start + m[5]})
}

// formatOf returns the language of a block of which the fence gives none: env where each line gives a variable of the
// environment a value; empty for others.
func formatOf(src []byte, f *schema.Fence) string {
	if f.Language != "" && f.Language != "text" && f.Language != "txt" {
		return strings.ToLower(f.Language)
	}
	lines := 0
	for line := range bytes.Lines(f.Content.In(src)) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if name, _, found := bytes.Cut(line, []byte("=")); !found || !variable(name) {
			return f.Language
		}
		lines++
	}
	if lines == 0 {
		return f.Language
	}
	return "env"
}

// nested reads a line of YAML or JSON, of which the indentation says what a key lies below.
func (r *configReader) nested(line schema.Span) {
	text := line.In(r.src)
	content := bytes.TrimLeft(text, " ")
	indent := len(text) - len(content)
	if r.skip >= 0 && indent > r.skip {
		r.object(schema.Span{Start: line.Start + indent, End: line.End})
		return
	}
	r.skip = -1
	switch {
	case bytes.HasPrefix(content, []byte("---")):
		r.open = r.open[:0]
		return
	case content[0] == '[':
		r.skip = indent
		return
	case bytes.HasPrefix(content, []byte("- ")):
		start, below := r.item(line, indent)
		if below < 0 {
			return
		}
		line.Start, indent = start-below, below // as if it stood below its item
		content = r.src[start:line.End]
	case content[0] == '-':
		return
	}
	if whole := (schema.Span{Start: line.Start + indent, End: line.End}); len(content) > 1 && content[0] == '{' && r.inline("", trimmed(r.src, whole, " \t\r,"), ':') {
		return
	}
	for len(r.open) > 0 && r.open[len(r.open)-1].indent >= indent {
		r.open = r.open[:len(r.open)-1]
	}
	key, value, ok := r.pair(schema.Span{Start: line.Start + indent, End: line.End}, ':')
	if !ok {
		return
	}
	switch c := r.first(value); {
	case c == 0 || c == '{' && value.Len() == 1:
		r.open = append(r.open, openKey{indent: indent, name: key})
	case c == '{' && r.inline(key, value, ':'):
	case c == '[' && r.listed(key, value):
	case c == '|' || c == '>' || c == '[' || c == '{':
		r.skip = indent
	default:
		r.keep(key, value)
	}
}

// inline reads what stands in braces on one line, and reports whether it is that.
func (r *configReader) inline(key string, value schema.Span, mark byte) bool {
	text := value.In(r.src)
	if len(text) < 2 || text[len(text)-1] != '}' || len(r.open) > mostOpen {
		return false
	}
	before := r.open
	defer func() { r.open = before }()
	if key != "" {
		r.open = append(slices.Clip(r.open), openKey{indent: math.MaxInt, name: key})
	}
	quoted, from, depth := false, 1, 0
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case depth == 0 && (c == ',' || i == len(text)-1):
			part := trimmed(r.src, schema.Span{Start: value.Start + from, End: value.Start + i}, " \t")
			from = i + 1
			name, v, ok := r.pair(part, mark)
			switch {
			case ok && r.first(v) == '[' && r.listed(name, v):
			case !ok || v.Len() == 0 || r.first(v) == '[':
			case r.first(v) == '{':
				r.inline(name, v, mark)
			default:
				r.keep(name, v)
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return true
}

// sectioned reads a line of TOML, of an INI file or of properties.
func (r *configReader) sectioned(line schema.Span) {
	text := bytes.TrimSpace(line.In(r.src))
	if r.skip >= 0 { // a text or a list of several lines
		if bytes.Contains(text, []byte(`"""`)) || bytes.HasPrefix(text, []byte("]")) {
			r.skip = -1
		}
		return
	}
	if text[0] == '[' {
		name, _, ok := strings.Cut(strings.TrimLeft(string(text), "["), "]")
		r.open, r.repeated = r.open[:0], bytes.HasPrefix(text, []byte("[[")) || !ok
		for part := range strings.SplitSeq(name, ".") {
			r.open = append(r.open, openKey{name: strings.Trim(part, `"' `)})
		}
		return
	}
	key, value, ok := r.pair(schema.Span{Start: line.Start + bytes.Index(line.In(r.src), text), End: line.End}, '=')
	if !ok {
		return
	}
	rest := value.In(r.src)
	switch c := r.first(value); {
	case c == '[' && bytes.IndexByte(rest, ']') < 0, bytes.HasPrefix(rest, []byte(`"""`)) && bytes.Count(rest, []byte(`"""`)) == 1:
		r.skip = 0
	case r.repeated:
	case c == '{' && r.inline(key, value, '='):
	case c == '[' && r.listed(key, value):
	case c == '[' || c == '{' || c == 0:
	default:
		r.keep(key, value)
	}
}

// assigned reads KEY=value. A block of the shell that has any other line is one of commands.
func (r *configReader) assigned(line schema.Span) {
	text := bytes.TrimSpace(line.In(r.src))
	start := line.Start + bytes.Index(line.In(r.src), text)
	if bytes.HasPrefix(text, []byte("export ")) {
		start += len("export ")
	}
	key, value, ok := r.pair(schema.Span{Start: start, End: line.End}, '=')
	if !ok || !variableName(key) || bytes.ContainsAny(bytes.TrimSpace(value.In(r.src)), " ") && r.first(value) != '"' && r.first(value) != '\'' {
		r.commands = true
		return
	}
	r.keep(key, value)
}

// variableName reports whether a key is written as variables of the environment are.
func variableName(key string) bool {
	return strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && key[0] > '9'
}

// pair splits a line at the mark between key and value; the comment behind the value is noted.
func (r *configReader) pair(line schema.Span, mark byte) (key string, value schema.Span, ok bool) {
	text := line.In(r.src)
	at := bytes.IndexByte(text, mark)
	if at <= 0 || mark == ':' && at+1 < len(text) && text[at+1] != ' ' {
		return "", value, false
	}
	key = strings.Trim(strings.TrimSpace(string(text[:at])), `"'`)
	if key == "" || len(key) > longestKey || strings.ContainsAny(key, "{}[]()<>$\"'`,; \t") {
		return "", value, false
	}
	value = schema.Span{Start: line.Start + at + 1, End: line.End}
	if c := comment(value.In(r.src)); c >= 0 {
		if note := bytes.TrimLeft(value.In(r.src)[c:], "#;/ \t"); len(note) > 0 {
			end := value.End
			r.above = schema.Span{Start: end - len(note), End: end}
		}
		value.End = value.Start + c
	}
	return key, trimmed(r.src, value, " \t\r,"), true
}

// comment returns where the comment behind a value begins, -1 for none: what stands in quotes is
// none.
func comment(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case (c == '#' || c == ';' || c == '/' && i+1 < len(text) && text[i+1] == '/') && i > 0 && (text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == ','):
			return i
		}
	}
	return -1
}

// trimmed returns a span without some marks around it.
func trimmed(src []byte, s schema.Span, marks string) schema.Span {
	for s.Start < s.End && strings.IndexByte(marks, src[s.Start]) >= 0 {
		s.Start++
	}
	for s.End > s.Start && strings.IndexByte(marks, src[s.End-1]) >= 0 {
		s.End--
	}
	return s
}

// first returns the first byte of a span, 0 for none.
func (r *configReader) first(s schema.Span) byte {
	if s.Len() == 0 {
		return 0
	}
	return r.src[s.Start]
}

// keep adds a line, unless what stands for the value is to be filled in.
func (r *configReader) keep(key string, value schema.Span) {
	if c := r.first(value); c == '"' || c == '\'' {
		value = trimmed(r.src, value, string(c))
	}
	text := string(value.In(r.src))
	if text == "" || strings.ContainsAny(text, "<>{}$…*&") && strings.Count(text, " ") != 4 || strings.Contains(text, "...") || strings.HasPrefix(strings.ToLower(text), "your") {
		return
	}
	line := setLine{key: key, value: value, note: r.above}
	for _, o := range r.open {
		line.path = append(line.path, o.name)
	}
	r.out = append(r.out, line)
}
