package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// angle reads what begins with <: an autolink or raw HTML.
func (s *state) angle(c cursor, r text.Reader) ast.Node {
	if n := s.autolink(c, r); n != nil {
		return n
	}
	return s.rawHTML(c, r)
}

// autolink reads <scheme:…> and <name@host> (CommonMark 0.31, 6.5).
func (s *state) autolink(c cursor, r text.Reader) ast.Node {
	b := c.rest()
	end, at, colon := 0, false, false
	for i := 1; i < len(b) && end == 0; i++ {
		switch ch := b[i]; {
		case ch == '>':
			end = i
		case ch <= ' ' || ch == '<':
			return nil
		case ch == '@':
			at = true
		case ch == ':':
			colon = true
		case !colon && !isAlnum(ch) && i < 2:
			return nil
		}
	}
	if end == 0 {
		return nil
	}
	dest := b[1:end]
	mail := !hasScheme(string(dest[:min(len(dest), 40)]))
	if mail && (!at || bytes.ContainsAny(dest, "/\\:") || bytes.IndexByte(dest, '@') == 0) {
		return nil
	}
	from := c.pos
	c.pos += end + 1
	n := take(formAutolink, from, &c, r)
	n.inner = schema.Span{Start: from + 1, End: from + end}
	prefix := ""
	if mail {
		prefix = "mailto:"
	}
	n.link = s.bare(n, prefix)
	return n
}

// bare makes the link of an autolink or a bare URL.
func (s *state) bare(n *inline, prefix string) *link {
	l := &link{}
	l.Syntax, l.Span, l.Dest, l.External = schema.SyntaxAutolink, n.span, n.inner, true
	l.Raw = prefix + string(n.inner.In(s.src))
	target, fragment, hash := bytes.Cut([]byte(l.Raw), []byte("#"))
	l.Target, l.Fragment, l.Hash = string(target), string(fragment), hash
	return l
}

// bareURL reads http://, https:// and ftp:// in running text, from the colon:
// the letters before it are taken back from the text.
func (s *state) bareURL(parent ast.Node, c cursor, r text.Reader) ast.Node {
	if b := c.rest(); len(b) < 5 || b[1] != '/' || b[2] != '/' || b[3] <= ' ' {
		return nil
	}
	before := s.src[c.lines.At(c.line).Start:c.pos]
	for _, scheme := range []string{"https", "http", "ftp"} {
		if !bytes.HasSuffix(before, []byte(scheme)) {
			continue
		}
		if k := len(before) - len(scheme); k > 0 && (isAlnum(before[k-1]) || bytes.IndexByte([]byte("/.-+=<"), before[k-1]) >= 0) {
			return nil
		}
		return s.bareLink(parent, c, len(scheme), "", r)
	}
	return nil
}

// bareWWW reads www.… from its first dot.
func (s *state) bareWWW(parent ast.Node, c cursor, r text.Reader) ast.Node {
	if b := c.rest(); len(b) < 4 || !isAlnum(b[1]) {
		return nil
	}
	before := s.src[c.lines.At(c.line).Start:c.pos]
	if !bytes.HasSuffix(before, []byte("www")) {
		return nil
	}
	if k := len(before) - 3; k > 0 && (isAlnum(before[k-1]) || bytes.IndexByte([]byte("/.-@:=<"), before[k-1]) >= 0) {
		return nil
	}
	host := c.rest()[1:]
	for i, b := range host {
		if !isAlnum(b) && b != '-' && b != '.' {
			host = host[:i]
			break
		}
	}
	if bytes.IndexByte(host, '.') < 0 {
		return nil
	}
	return s.bareLink(parent, c, 3, "http://", r)
}

// bareLink makes a link of the URL that began back bytes ago, without the
// punctuation that ends the sentence (GFM, 6.9).
func (s *state) bareLink(parent ast.Node, c cursor, back int, prefix string, r text.Reader) ast.Node {
	b := c.rest()
	end := urlEnd(b[:s.urlLength(b)])
	if end < 2 || !s.takeBack(parent, c.pos, back) {
		return nil
	}
	from := c.pos - back
	c.pos += end
	n := take(formAutolink, from, &c, r)
	n.inner = n.span
	n.link = s.bare(n, prefix)
	return n
}

// urlLength is the length of a bare URL: up to a space, a character that URLs can't
// contain, or the end of its label.
func (s *state) urlLength(b []byte) int {
	square := 0
	for i := 0; i < len(b); i++ {
		switch ch := b[i]; {
		case ch <= ' ' || ch == '<' || ch == '|' || ch == '`' || ch == '"':
			return i
		case ch == '[':
			square++
		case ch == ']':
			if square--; square < 0 && len(s.brackets) > 0 {
				return i
			}
		case ch >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(b[i:])
			if unicode.IsPunct(r) || unicode.IsSpace(r) {
				return i // such as a closing bracket of full width
			}
			i += n - 1
		}
	}
	return len(b)
}

// urlEnd takes trailing punctuation off a URL. A closing bracket stays when it
// was opened in the URL.
func urlEnd(b []byte) int {
	round := bytes.Count(b, []byte(")")) - bytes.Count(b, []byte("("))
	square := bytes.Count(b, []byte("]")) - bytes.Count(b, []byte("["))
	end := len(b)
	for end > 0 {
		switch b[end-1] {
		case ')':
			if round <= 0 {
				return end
			}
			round--
		case ']':
			if square <= 0 {
				return end
			}
			square--
		case ';':
			// What looks like a character reference is none of the URL.
			i := end - 1
			for i > 0 && isAlnum(b[i-1]) {
				i--
			}
			if i > 0 && i < end-1 && b[i-1] == '&' {
				end = i
			}
		case '?', '!', '.', ',', ':', '*', '_', '~', '\'', '}':
		default:
			return end
		}
		end--
	}
	return end
}

// bareMail reads name@host in running text, from the @.
func (s *state) bareMail(parent ast.Node, c cursor, r text.Reader) ast.Node {
	const longest = 64 // of the local part (RFC 5321, 4.5.3.1.1)
	start := c.lines.At(c.line).Start
	back := 0
	for back < longest && c.pos-back > start && isMailByte(s.src[c.pos-back-1]) {
		back++
	}
	if back == 0 || s.src[c.pos-back] == '.' || c.pos-back > start && bytes.IndexByte([]byte("/:=@<\\"), s.src[c.pos-back-1]) >= 0 {
		return nil
	}
	b, end, dot := c.rest(), 1, 0
	for end < len(b) && end < 256 && (isAlnum(b[end]) || b[end] == '-' || b[end] == '.') {
		if b[end] == '.' {
			dot = end
		}
		end++
	}
	if dot == end-1 {
		end--
		dot = bytes.LastIndexByte(b[:end], '.')
	}
	if dot <= 1 || end-dot < 2 || b[end-1] == '-' || end < len(b) && b[end] == '_' || !isLetter(b[end-1]) || !s.takeBack(parent, c.pos, back) {
		return nil
	}
	from := c.pos - back
	c.pos += end
	n := take(formAutolink, from, &c, r)
	n.inner = n.span
	n.link = s.bare(n, "mailto:")
	return n
}

func isMailByte(b byte) bool {
	return isAlnum(b) || b == '.' || b == '+' || b == '-' || b == '_'
}

// takeBack removes the last n bytes before pos from the text already read. It
// reports false when they are not text.
func (s *state) takeBack(parent ast.Node, pos, n int) bool {
	t, ok := parent.LastChild().(*ast.Text)
	if !ok || t.Segment.Stop != pos || t.Segment.Len() < n {
		return false
	}
	if t.Segment.Len() == n {
		parent.RemoveChild(parent, t)
		return true
	}
	t.Segment.Stop -= n
	return true
}
