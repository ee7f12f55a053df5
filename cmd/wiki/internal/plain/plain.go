// Package plain renders the markdown of the program's documentation as plain text for a
// terminal.
package plain

import (
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// indent is what code and what lies in it is shifted by.
const indent = "    "

// Text returns markdown without its markup: headings in capitals, code
// indented, emphasis and links as the words that are seen. Lines stay as they
// were broken.
func Text(markdown string) string {
	var b strings.Builder
	fence := ""
	blank := true // no two blank lines in a row, and none at the beginning
	put := func(line string) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		if line == "" && blank {
			return
		}
		blank = line == ""
		b.WriteString(line + "\n")
	}
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		mark := fenceMark(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimLeft(strings.TrimSpace(line), fence[:1]) == "":
			fence = ""
		case fence != "":
			put(indent + line)
		default:
			put(block(line))
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// fenceMark returns the run of ` or ~ that a line of code fence begins with.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// block writes a line outside code.
func block(line string) string {
	text := strings.TrimLeft(line, "#")
	if level := len(line) - len(text); level > 0 && strings.HasPrefix(text, " ") {
		text = inline(strings.TrimSpace(text))
		if level <= 2 {
			return strings.ToUpper(text)
		}
		return text
	}
	return inline(line)
}

var (
	link   = schema.Expression(`\[([^\[\]]*)\]\([^()\s]*\)`)
	strong = schema.Expression(`\*\*(\S(?:[^*]*\S)?)\*\*`)
	em     = schema.Expression(`\*(\S(?:[^*]*\S)?)\*`)
)

// inline takes the markup out of running text, but not out of code spans.
func inline(line string) string {
	var b strings.Builder
	for line != "" {
		open := strings.IndexByte(line, '`')
		if open < 0 {
			break
		}
		run := line[open : open+len(line[open:])-len(strings.TrimLeft(line[open:], "`"))]
		after := line[open+len(run):]
		end := strings.Index(after, run)
		if end < 0 {
			break
		}
		b.WriteString(words(line[:open]))
		b.WriteString(code(after[:end]))
		line = after[end+len(run):]
	}
	return b.String() + words(line)
}

// code returns the content of a code span: a space on either side is markup.
func code(s string) string {
	if len(s) > 2 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.TrimSpace(s) != "" {
		return s[1 : len(s)-1]
	}
	return s
}

func words(s string) string {
	return em().ReplaceAllString(strong().ReplaceAllString(link().ReplaceAllString(s, "$1"), "$1"), "$1")
}
