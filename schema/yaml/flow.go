package yaml

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"github.com/loopwiki/wiki/schema"
)

// The general parser takes a plain scalar between brackets for ended at the end of its
// line (goccy/go-yaml up to 1.19). Where that makes it fail, such lines are joined by a
// character of the private use area, and read again.

// lineBreak is that character.
const lineBreak = maskBase + '\n'

var foldedBreak = schema.Expression(`[ \t]*\x{F78A}[ \t]*`)

// parse reads the lines of the tree.
func (t *tree) parse() (*ast.File, error) {
	file, err := parser.Parse(lexer.Tokenize(t.text()), 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file, nil
	}
	text, ok := t.joinedText()
	if !ok {
		return nil, err
	}
	if file, again := parser.Parse(lexer.Tokenize(text), 0, parser.AllowDuplicateMapKey()); again == nil {
		t.masked = true
		return file, nil
	}
	t.rows, t.joined = nil, nil
	return nil, err
}

// joinedText returns the lines with every plain scalar between brackets on one line; ok is
// false if there is none that is folded.
func (t *tree) joinedText() (text string, ok bool) {
	var b strings.Builder
	var f flow
	t.joined = make(map[int]bool)
	for i := t.from; i < t.to; i++ {
		ln := t.lines[i]
		if i == t.from || !t.joined[i-1] {
			t.rows = append(t.rows, i)
		}
		_, at := t.valueAt(ln)
		if f.ended(t.src[ln.start:ln.end], at-ln.start) || i+1 == t.to || !t.goesOn(t.lines[i+1]) {
			b.Write(t.src[ln.start:ln.end])
			b.WriteByte('\n')
			continue
		}
		t.joined[i] = true
		b.Write(t.src[ln.start:ln.end])
		b.WriteRune(lineBreak)
	}
	return b.String(), len(t.joined) > 0
}

// goesOn reports whether a line begins with what can be the rest of a plain scalar.
func (t *tree) goesOn(ln line) bool {
	at := skipBlank(t.src, ln.start, ln.end)
	if at == ln.end || strings.IndexByte(`,[]{}#"'`, t.src[at]) >= 0 {
		return false
	}
	return t.src[at] != ':' || at+1 < ln.end && !isBlank(t.src[at+1])
}

// flow scans lines for brackets that enclose lists and maps.
type flow struct {
	depth int
	quote byte // of the quoted text that is open
	plain bool // a plain scalar has begun
}

// ended scans a line, and reports whether no plain scalar between brackets is open at its
// end. value is where the value of the line begins.
func (f *flow) ended(line []byte, value int) bool {
	i := 0
	if f.depth == 0 && f.quote == 0 {
		if value >= len(line) || line[value] != '[' && line[value] != '{' {
			return true
		}
		i = value
	}
	for ; i < len(line); i++ {
		if f.quote != 0 {
			i = f.quoted(line, i)
			continue
		}
		next := byte(' ')
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch c := line[i]; {
		case isBlank(c):
		case c == '#' && (i == 0 || isBlank(line[i-1])):
			return true
		case c == '[', c == '{':
			f.depth, f.plain = f.depth+1, false
		case c == ']', c == '}':
			if f.depth, f.plain = f.depth-1, false; f.depth == 0 {
				return true
			}
		case c == ',', c == ':' && (isBlank(next) || strings.IndexByte(",[]{}", next) >= 0):
			f.plain = false
		case (c == '"' || c == '\'') && !f.plain:
			f.quote = c
		default:
			f.plain = true
		}
	}
	return !f.plain || f.quote != 0
}

// quoted takes one character of quoted text, or an escape, and returns its last offset.
func (f *flow) quoted(line []byte, i int) int {
	switch c := line[i]; {
	case c == '\\' && f.quote == '"', c == f.quote && c == '\'' && i+1 < len(line) && line[i+1] == c:
		return i + 1
	case c == f.quote:
		f.quote = 0
	}
	return i
}
