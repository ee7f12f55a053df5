package report

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema/text"
	"golang.org/x/text/width"

	"github.com/loopwiki/wiki/schema"
)

// frameWidth is the width of the source below a finding, in columns; longer lines are
// cut around the finding. tabWidth is the width of a tab.
const (
	frameWidth = 96
	tabWidth   = 4
)

// frame prints the line of a finding, with secrets masked and the finding underlined.
func frame(p *text.Writer, page *schema.Page, d *schema.Diagnostic, secret []schema.Span, paint painter) {
	if page == nil || page.Lines == nil || len(page.Source) == 0 {
		return
	}
	line := page.Lines.Line(d.From.Line)
	from := min(max(d.Span.Start, line.Start), line.End)
	to := min(max(d.Span.End, from), line.End)
	shown, carets := cut(mask(page.Source, line, secret), from-line.Start, to-line.Start)
	if strings.TrimSpace(shown) == "" {
		return
	}
	number := strconv.Itoa(d.From.Line)
	pad := strings.Repeat(" ", len(number))
	p.Printf(" %s %s\n", paint.dim(number+" |"), shown)
	p.Printf(" %s %s%s\n", paint.dim(pad+" |"), carets.before, paint.marks(d.Severity, carets.marks))
}

// mask returns a line of src with secrets replaced by asterisks.
func mask(src []byte, line schema.Span, secret []schema.Span) []byte {
	text := line.In(src)
	cloned := false
	for _, s := range secret {
		if !s.Overlaps(line) {
			continue
		}
		if !cloned {
			text, cloned = bytes.Clone(text), true
		}
		for i := max(s.Start, line.Start); i < min(s.End, line.End); i++ {
			text[i-line.Start] = '*'
		}
	}
	return text
}

// secrets returns the secret places of each page: no frame shows them, whatever the
// finding is about.
func secrets(findings []schema.Diagnostic) map[string][]schema.Span {
	var m map[string][]schema.Span
	for i := range findings {
		if d := &findings[i]; d.Secret {
			if m == nil {
				m = map[string][]schema.Span{}
			}
			m[d.Path] = append(m[d.Path], d.Span)
		}
	}
	return m
}

type caretLine struct{ before, marks string }

// glyph is one displayed character.
type glyph struct {
	text string
	wide int // columns
}

// show returns how a character is shown: a tab as spaces, what acts on a
// terminal as an escape, what can't be shown as a replacement.
func show(r rune) glyph {
	switch {
	case r == '\t':
		return glyph{strings.Repeat(" ", tabWidth), tabWidth}
	case text.Hidden(r):
		escaped := text.Clean(string(r))
		return glyph{escaped, len(escaped)}
	case unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200b || r == 0x200d || r == 0xfe0f:
		return glyph{string(r), 0}
	case r == utf8.RuneError || !unicode.IsPrint(r) && r != 0xa0 && r != 0x3000:
		return glyph{"�", 1}
	case emoji(r):
		return glyph{string(r), 2}
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return glyph{string(r), 2}
	}
	return glyph{string(r), 1}
}

// emoji reports whether terminals display r two columns wide, although Unicode's East
// Asian width says otherwise.
func emoji(r rune) bool { return 0x1f300 <= r && r <= 0x1faff }

// cut returns a line for display, and the carets under bytes from to to. Only the text
// around the place is read, so long lines cost no more.
func cut(line []byte, from, to int) (string, caretLine) {
	head, lead := window(line, from)
	var b, before, marks strings.Builder
	cols := 0
	if lead {
		b.WriteString("…")
		before.WriteByte(' ')
		cols = 1
	}
	i := head
	for i < len(line) {
		r, size := utf8.DecodeRune(line[i:])
		g := show(r)
		if cols+g.wide > frameWidth-1 && i+size < len(line) {
			b.WriteString("…")
			break
		}
		b.WriteString(g.text)
		cols += g.wide
		switch {
		case i < from:
			before.WriteString(strings.Repeat(" ", g.wide))
		case i < to:
			marks.WriteString(strings.Repeat("^", g.wide))
		}
		i += size
	}
	if marks.Len() == 0 {
		marks.WriteByte('^')
	}
	return b.String(), caretLine{before.String(), marks.String()}
}

// window returns where to begin showing a line so that offset from is seen
// with a third of the width before it; lead is whether anything is left out.
func window(line []byte, from int) (head int, lead bool) {
	const third = frameWidth / 3
	cols, i := 0, from
	for i > 0 {
		r, size := utf8.DecodeLastRune(line[:i])
		if cols += show(r).wide; cols > frameWidth*2/3 {
			break
		}
		i -= size
	}
	if i == 0 {
		return 0, false
	}
	for cols, i = 0, from; i > 0 && cols < third; {
		r, size := utf8.DecodeLastRune(line[:i])
		cols += show(r).wide
		i -= size
	}
	return i, true
}
