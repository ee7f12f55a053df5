package rules

import (
	"bytes"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// quotes decides, hit by hit in the order of a page, whether a hit is quoted: words of
// others, or about a word.
type quotes struct {
	src      []byte
	at       int // src was read up to here
	line     int // where the line at at begins
	straight bool
	curly    string // the mark that closes the open one, "" when none is open
}

// curlyQuotes are quotation marks and what closes them.
var curlyQuotes = [][2]string{{"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}}

// farQuote is how far, in bytes, the end of a quotation is looked for.
const farQuote = 400

// hold reports whether a place, behind those asked for before, is in a block
// quote or between quotation marks of its line.
func (q *quotes) hold(at schema.Span) bool {
	for q.at < at.Start {
		q.at += q.step()
	}
	begin := q.src[q.line:min(len(q.src), q.line+64)]
	if bytes.HasPrefix(bytes.TrimLeft(begin, " \t-*+0123456789.)"), []byte(">")) {
		return true
	}
	rest := q.src[at.End:min(len(q.src), at.End+farQuote)]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	switch {
	case q.straight && bytes.IndexByte(rest, '"') >= 0, q.curly != "" && bytes.Contains(rest, []byte(q.curly)):
		return true
	}
	return at.Start > 0 && q.src[at.Start-1] == '\'' && bytes.HasPrefix(rest, []byte("'"))
}

// step reads one token at q.at and returns its length in bytes.
func (q *quotes) step() int {
	switch c := q.src[q.at]; {
	case c == '\n':
		q.line, q.straight, q.curly = q.at+1, false, ""
	case c == '"':
		q.straight = !q.straight
	case c < utf8.RuneSelf:
	case q.curly != "" && bytes.HasPrefix(q.src[q.at:], []byte(q.curly)):
		n := len(q.curly)
		q.curly = ""
		return n
	default:
		for _, pair := range curlyQuotes {
			if q.curly == "" && bytes.HasPrefix(q.src[q.at:], []byte(pair[0])) {
				q.curly = pair[1]
				return len(pair[0])
			}
		}
	}
	return 1
}
