package andon

import "strings"

// word reads one word.
func (l *lexer) word(depth int) (word, error) {
	var w word
	var b strings.Builder
	start, glob := l.at, false
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case strings.IndexByte(" \t\r\n;&|()<>", c) >= 0:
			return w.end(b.String(), l.src[start:l.at], glob), nil
		case c == '\\':
			if l.peek(1) != '\n' && l.at+1 < len(l.src) {
				b.WriteByte(l.src[l.at+1])
			}
			l.at = min(l.at+2, len(l.src))
		case c == '\'':
			end := strings.IndexByte(l.src[l.at+1:], '\'')
			if end < 0 {
				return w, ErrQuotes
			}
			b.WriteString(l.src[l.at+1 : l.at+1+end])
			l.at += end + 2
		case c == '"':
			dynamic, err := l.double(&b, depth)
			if err != nil {
				return w, err
			}
			w.dynamic = w.dynamic || dynamic
		case c == '$' && l.peek(1) == '\'':
			if err := l.ansi(&b); err != nil {
				return w, err
			}
		case c == '$' && l.peek(1) == '"':
			l.at++
		case c == '$' || c == '`':
			from := l.at
			dynamic, err := l.expansion(depth, false)
			if err != nil {
				return w, err
			}
			w.dynamic = w.dynamic || dynamic
			b.WriteString(l.src[from:l.at])
		default:
			glob = glob || strings.IndexByte("*?[{", c) >= 0
			b.WriteByte(c)
			l.at++
		}
	}
	return w.end(b.String(), l.src[start:l.at], glob), nil
}

// end is the word that was read. [ and [[ are commands, and no globs.
func (w word) end(text, raw string, glob bool) word {
	w.text, w.raw = text, raw
	w.dynamic = w.dynamic || glob && raw != "[" && raw != "[["
	return w
}

// double reads text in double quotes.
func (l *lexer) double(b *strings.Builder, depth int) (dynamic bool, err error) {
	for l.at++; l.at < len(l.src); {
		switch c := l.src[l.at]; c {
		case '"':
			l.at++
			return dynamic, nil
		case '\\':
			if n := l.peek(1); n != 0 && n != '\n' {
				if strings.IndexByte("$`\"\\", n) < 0 {
					b.WriteByte('\\')
				}
				b.WriteByte(n)
			}
			l.at = min(l.at+2, len(l.src))
		case '$', '`':
			from := l.at
			d, err := l.expansion(depth, true)
			if err != nil {
				return dynamic, err
			}
			dynamic = dynamic || d
			b.WriteString(l.src[from:l.at])
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	return dynamic, ErrQuotes
}

// ansi reads $'…'.
func (l *lexer) ansi(b *strings.Builder) error {
	for l.at += 2; l.at < len(l.src); {
		switch c := l.src[l.at]; c {
		case '\'':
			l.at++
			return nil
		case '\\':
			l.escape(b)
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	return ErrQuotes
}

// escape reads one escape of $'…'.
func (l *lexer) escape(b *strings.Builder) {
	const digits = "0123456789abcdefABCDEF"
	base, most, from := 0, 0, l.at+1
	switch c := l.peek(1); {
	case c == 'x':
		base, most, from = 16, 2, l.at+2
	case c == 'u':
		base, most, from = 16, 4, l.at+2
	case c >= '0' && c <= '7':
		base, most = 8, 3
	default:
		if i := strings.IndexByte("abefnrtv", c); c != 0 && i >= 0 {
			c = "\a\b\x1b\f\n\r\t\v"[i]
		}
		if l.at+1 < len(l.src) {
			b.WriteByte(c)
		}
		l.at = min(l.at+2, len(l.src))
		return
	}
	value, n := 0, 0
	for n < most && from+n < len(l.src) {
		d := strings.IndexByte(digits, l.src[from+n])
		if d >= 16 {
			d -= 6
		}
		if d < 0 || d >= base {
			break
		}
		value, n = value*base+d, n+1
	}
	if base == 16 && most == 4 {
		b.WriteRune(rune(value))
	} else {
		b.WriteByte(byte(value))
	}
	l.at = from + n
}

// expansion reads what begins with $ or a backquote. Commands in it are read,
// too. It is false for a $ that stands for itself. In double quotes a single
// quote is one letter.
func (l *lexer) expansion(depth int, quoted bool) (bool, error) {
	if depth > maxNesting {
		return true, ErrDeep
	}
	if l.src[l.at] == '`' {
		return true, l.backquoted(depth)
	}
	switch n := l.peek(1); {
	case n == '(':
		due := l.due
		l.due = nil
		l.at++
		err := l.group(depth)
		l.due = due
		return true, err
	case n == '{':
		l.at += 2
		return true, l.parameter(depth, quoted)
	case n == '_' || n >= 'a' && n <= 'z' || n >= 'A' && n <= 'Z':
		for l.at++; l.at < len(l.src) && isName(l.src[l.at]); l.at++ {
		}
		return true, nil
	case n != 0 && strings.IndexByte("0123456789@*#?$!-", n) >= 0:
		l.at += 2
		return true, nil
	}
	l.at++
	return false, nil
}

func isName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// parameter reads ${…} from behind its brace.
func (l *lexer) parameter(depth int, quoted bool) error {
	var b strings.Builder
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '}':
			l.at++
			return nil
		case c == '\\':
			l.at = min(l.at+2, len(l.src))
		case c == '\'' && !quoted:
			end := strings.IndexByte(l.src[l.at+1:], '\'')
			if end < 0 {
				return ErrQuotes
			}
			l.at += end + 2
		case c == '"':
			if _, err := l.double(&b, depth+1); err != nil {
				return err
			}
		case c == '$' || c == '`':
			if _, err := l.expansion(depth+1, quoted); err != nil {
				return err
			}
		default:
			l.at++
		}
	}
	return ErrOpen
}

// backquoted reads `…`: the text within is read again, without the backslashes
// that it needs there.
func (l *lexer) backquoted(depth int) error {
	var b strings.Builder
	for l.at++; l.at < len(l.src); l.at++ {
		switch c := l.src[l.at]; c {
		case '`':
			l.at++
			in := &lexer{src: b.String()}
			err := in.list(0, depth+1)
			l.out = append(l.out, in.out...)
			return err
		case '\\':
			if n := l.peek(1); n == '`' || n == '\\' || n == '$' {
				l.at++
				b.WriteByte(n)
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return ErrQuotes
}
