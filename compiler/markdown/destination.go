package markdown

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// maxParens is how deep parentheses nest in a destination (CommonMark asks for
// at least three; a bound keeps reading linear).
const maxParens = 32

// inlineTarget is the part of an inline link in parentheses.
type inlineTarget struct {
	dest  schema.Span // without angle brackets
	title string
}

// target reads (destination "title") and moves the cursor behind it.
func (s *state) target(c *cursor) (t inlineTarget, ok bool) {
	c.pos++ // the parenthesis
	c.skipSpace()
	if c.peek() == ')' {
		t.dest = schema.Span{Start: c.pos, End: c.pos}
		c.pos++
		return t, true
	}
	if t.dest, ok = destination(c); !ok {
		return t, false
	}
	spaced := c.skipSpace()
	if c.peek() == ')' {
		c.pos++
		return t, true
	}
	if !spaced {
		return t, false
	}
	if t.title, ok = s.title(c); !ok {
		return t, false
	}
	c.skipSpace()
	if c.peek() != ')' {
		return t, false
	}
	c.pos++
	return t, true
}

// destination reads a link destination (CommonMark 0.31, 6.3).
func destination(c *cursor) (schema.Span, bool) {
	if c.peek() == '<' {
		for i := c.pos + 1; i < c.stop; i++ {
			switch c.src[i] {
			case '\\':
				i++
			case '<', '\n':
				return schema.Span{}, false
			case '>':
				span := schema.Span{Start: c.pos + 1, End: i}
				c.pos = i + 1
				return span, true
			}
		}
		return schema.Span{}, false
	}
	depth, i := 0, c.pos
scan:
	for ; i < c.stop; i++ {
		switch b := c.src[i]; {
		case b == '\\' && i+1 < c.stop && isPunct(c.src[i+1]):
			i++
		case b == '(':
			if depth++; depth > maxParens {
				return schema.Span{}, false
			}
		case b == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case b <= ' ' || b == 0x7f:
			break scan
		}
	}
	span := schema.Span{Start: c.pos, End: i}
	if span.Len() == 0 || depth != 0 {
		return span, false
	}
	c.pos = i
	return span, true
}

// title reads "…", '…' or (…). It remembers the kinds that are not closed before the end
// of the block.
func (s *state) title(c *cursor) (string, bool) {
	open := c.peek()
	kind := bytes.IndexByte([]byte(`"'(`), open)
	if open == 0 || kind < 0 || s.noTitle[kind] {
		return "", false
	}
	closer := open
	if open == '(' {
		closer = ')'
	}
	c.pos++
	var out []byte
	for c.more() {
		for c.pos < c.stop {
			b := c.src[c.pos]
			switch {
			case b == closer:
				c.pos++
				return string(unescape(nil, out)), true
			case b == '(' && open == '(':
				return "", false
			case b == '\\' && c.pos+1 < c.stop:
				out = append(out, b)
				c.pos++
				b = c.src[c.pos]
			}
			out = append(out, b)
			c.pos++
		}
	}
	s.noTitle[kind] = true
	return "", false
}

// setTarget fills in the fields that follow from an unescaped destination.
func setTarget(l *schema.Link, plain string) {
	l.External = hasScheme(plain) || strings.HasPrefix(plain, "//")
	target, fragment, hash := strings.Cut(plain, "#")
	if !l.External {
		target, fragment = percentDecoded(target), percentDecoded(fragment)
		plain = target
		if hash {
			plain += "#" + fragment
		}
	}
	l.Raw, l.Target, l.Fragment, l.Hash = plain, strings.TrimSpace(target), fragment, hash
}

// plainDest is a destination as written in markdown without its escapes.
func plainDest(written []byte) string { return string(unescape(nil, written)) }

// percentDecoded decodes %XX; it returns s unchanged if an escape is invalid.
func percentDecoded(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

// hasScheme reports whether s begins with a URL scheme (RFC 3986, 3.1) of at
// least two characters: one letter is a drive.
func hasScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == ':':
			return i >= 2
		case isLetter(b):
		case i > 0 && (isDigit(b) || b == '+' || b == '-' || b == '.'):
		default:
			return false
		}
	}
	return false
}

func isPunct(b byte) bool {
	return b > ' ' && b < 0x7f && !isAlnum(b)
}
