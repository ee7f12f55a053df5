package gate

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// mask returns a text of the same length in which what is in strings and
// comments is blank, so that brackets and words of it are code. It is linear and
// never fails: what does not end is blank to the end.
func mask(l language, src string) string {
	m := masker{l: l, src: src, out: []byte(src)}
	for m.at < len(src) {
		m.step()
	}
	return string(m.out)
}

type masker struct {
	l    language
	src  string
	out  []byte
	at   int
	last byte // the last byte of code that is not a space
}

func (m *masker) has(prefix string) bool { return strings.HasPrefix(m.src[m.at:], prefix) }

// blank blanks n bytes.
func (m *masker) blank(n int) {
	for i := m.at; i < min(m.at+n, len(m.src)); i++ {
		if m.src[i] != '\n' {
			m.out[i] = ' '
		}
	}
	m.at = min(m.at+n, len(m.src))
}

// until blanks up to and with the end, from an offset on.
func (m *masker) until(end string, from int) {
	i := strings.Index(m.src[min(m.at+from, len(m.src)):], end)
	if i < 0 {
		m.blank(len(m.src) - m.at)
		return
	}
	m.blank(from + i + len(end))
}

func (m *masker) step() {
	b := m.src[m.at]
	switch {
	case m.l == pyLanguage && b == '#', m.l != pyLanguage && m.has("//"):
		end := strings.IndexByte(m.src[m.at:], '\n')
		if end < 0 {
			end = len(m.src) - m.at
		}
		m.blank(end)
	case m.l != pyLanguage && m.has("/*"):
		m.until("*/", 2)
	case m.has(`"""`) && (m.l == pyLanguage || m.l == javaLanguage):
		m.until(`"""`, 3)
		m.last = '"'
	case m.has(`'''`) && m.l == pyLanguage:
		m.until(`'''`, 3)
		m.last = '"'
	case b == '\'' && m.l == rustLanguage && !m.rustChar():
		m.code(b)
	case b == '"' || b == '\'' || b == '`' && m.l == jsLanguage:
		m.quoted(b, b == '`' || m.l == rustLanguage)
	case b == '/' && m.l == jsLanguage && m.regexp():
		m.quoted('/', false)
	default:
		m.code(b)
	}
}

func (m *masker) code(b byte) {
	if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
		m.last = b
	}
	m.at++
}

// quoted blanks a string, which ends with its line if it can't have several.
func (m *masker) quoted(q byte, lines bool) {
	i := m.at + 1
	for i < len(m.src) && m.src[i] != q && (lines || m.src[i] != '\n') {
		if m.src[i] == '\\' {
			i++
		}
		i++
	}
	m.blank(i + 1 - m.at)
	if !lines && i < len(m.src) && m.src[i] == '\n' {
		m.out[i] = '\n'
	}
	m.last = '"'
}

// rustChar reports a character and no lifetime.
func (m *masker) rustChar() bool {
	end := strings.IndexByte(m.src[m.at+1:min(len(m.src), m.at+14)], '\'')
	return end == 1 || end > 0 && m.src[m.at+1] == '\\' || end > 1 && m.src[m.at+1] >= 0x80
}

// beforeValue are words that a value follows.
var beforeValue = schema.Expression(`\b(?:return|typeof|case|in|of|do|else|yield|await|void|delete)\s*$`)

// regexp reports whether a slash begins a regular expression: a value would not
// stand where it does.
func (m *masker) regexp() bool {
	return m.last == 0 || beforeValue().MatchString(m.src[max(0, m.at-12):m.at]) || strings.IndexByte("(,=:[!&|?{};+-*%<>~^", m.last) >= 0
}

// brackets are where every opening bracket of a masked text is closed: the
// offset behind the closing one, or the end of the text.
type brackets map[int]int

func pair(masked string) brackets {
	b := brackets{}
	var open []int
	for i := range len(masked) {
		switch masked[i] {
		case '(', '[', '{':
			open = append(open, i)
			b[i] = len(masked)
		case ')', ']', '}':
			if len(open) > 0 {
				b[open[len(open)-1]] = i + 1
				open = open[:len(open)-1]
			}
		}
	}
	return b
}
