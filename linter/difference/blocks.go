package difference

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// blocks cuts a text into sentences, items of lists, rows of tables and lines of code,
// each as plain text in one line.
func blocks(p *schema.Page, at schema.Span) []string {
	c := &cutter{}
	fences := p.Fences
	for begin := at.Start; begin < at.End; {
		end := at.End
		if n := bytes.IndexByte(p.Source[begin:at.End], '\n'); n >= 0 {
			end = begin + n + 1
		}
		for len(fences) > 0 && fences[0].Span.End <= begin {
			fences = fences[1:]
		}
		line := strings.TrimSpace(string(p.Source[begin:end]))
		switch inCode := len(fences) > 0 && fences[0].Span.Start < end; {
		case inCode && begin >= fences[0].Content.Start && begin < fences[0].Content.End:
			c.code(line)
		case inCode:
			c.flush() // the marks around it
		default:
			c.text(line)
		}
		begin = end
	}
	c.flush()
	return c.out
}

// cutter collects the lines of a paragraph.
type cutter struct {
	out   []string
	lines []string
}

func (c *cutter) code(line string) {
	if line != "" {
		c.out = append(c.out, strings.Join(strings.Fields(line), " "))
	}
}

func (c *cutter) text(line string) {
	rest, starts := item(line)
	if line == "" || starts {
		c.flush()
	}
	if line != "" && !delimiter(line) {
		c.lines = append(c.lines, rest)
	}
}

// flush ends a paragraph, item or row.
func (c *cutter) flush() {
	s := strings.Join(strings.Fields(claim.PlainText([]byte(strings.Join(c.lines, " ")))), " ")
	c.lines = c.lines[:0]
	for s != "" {
		n := sentence(s)
		c.out = append(c.out, strings.TrimSpace(s[:n]))
		s = strings.TrimSpace(s[n:])
	}
}

// sentence returns the length of the first sentence of a text: up to a mark that ends one
// and is followed by space and no small letter, or up to such a mark of scripts that
// write no space.
func sentence(s string) int {
	if strings.HasPrefix(s, "|") {
		return len(s)
	}
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return end
		case '.', '!', '?':
			rest := strings.TrimLeft(s[end:], " ")
			next, _ := utf8.DecodeRuneInString(rest)
			if rest != "" && len(rest) < len(s[end:]) && !unicode.IsLower(next) && !unicode.IsPunct(next) {
				return end
			}
		}
	}
	return len(s)
}

// item returns what follows the mark of a list's item, and whether a line begins an item,
// a row or a quoted line.
func item(line string) (rest string, starts bool) {
	if line == "" || line[0] == '|' || line[0] == '>' {
		return line, line != ""
	}
	mark, text, ok := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	digits := number != "" && strings.Trim(number, "0123456789") == ""
	if ok && (mark == "-" || mark == "*" || mark == "+" || digits && len(mark) == len(number)+1) {
		return text, true
	}
	return line, false
}

// delimiter reports whether a line holds nothing but marks: the delimiter row of a table,
// or a line across the page.
func delimiter(line string) bool { return strings.Trim(line, "|-:*_= ") == "" }
