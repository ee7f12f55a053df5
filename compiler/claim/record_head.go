package claim

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// mostHead and mostSectionHead are how many lines that hold anything tell what a page and a
// section are.
const (
	mostHead        = 12
	mostSectionHead = 5
)

// headLine is one of the first lines of a part of a page.
type headLine struct {
	text    string // in lower case, without marks of emphasis, headings and quotations
	item    bool   // of a list or a table
	columns bool   // the names of a table's columns
}

// dated reports whether a line is a field with a day.
func (l headLine) dated() bool { return datedField().MatchString(l.text) && day().MatchString(l.text) }

// headLines returns the first lines of a part of a page that hold anything, without blocks of
// code.
func headLines(page *schema.Page, of schema.Span, most int) []headLine {
	var out []headLine
	code := false
	for raw := range bytes.Lines(of.In(page.Source)) {
		line := bytes.TrimLeft(raw, " \t>")
		fence := bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
		if code = code != fence; code || fence {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].item && delimits(line) {
			out[last].columns = true
			continue
		}
		text := strings.Trim(emphasis.Replace(string(raw)), " \t\r\n\ufeff-|")
		if text == "" {
			continue
		}
		if len(out) == most {
			break
		}
		item := line[0] == '|' || len(line) > 1 && bytes.IndexByte([]byte("-*+"), line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t')
		out = append(out, headLine{text: strings.ToLower(text), item: item})
	}
	return out
}

// delimits reports whether a line stands between the names of columns and the rows.
func delimits(line []byte) bool {
	return bytes.ContainsRune(line, '|') && bytes.ContainsRune(line, '-') && len(bytes.Trim(line, "|-: \t\r\n")) == 0
}

func anyLine(lines []headLine, of expression) bool {
	return slices.ContainsFunc(lines, func(l headLine) bool { return of().MatchString(l.text) })
}

// holdsDay reports whether a text holds a day as 2026-07-01, 2026_07_01, 2026/07/01 or
// 20260701.
func holdsDay(text string) bool {
	for i := 0; i+8 <= len(text); i++ {
		if text[i] != '1' && text[i] != '2' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		digits := make([]byte, 0, 9)
		for k := i; k < len(text) && len(digits) < 9; k++ {
			c := text[k]
			separates := (len(digits) == 4 || len(digits) == 6) && strings.IndexByte("-_./", c) >= 0
			if c < '0' || c > '9' {
				if separates && k+1 < len(text) && text[k+1] >= '0' && text[k+1] <= '9' && text[k-1] >= '0' && text[k-1] <= '9' {
					continue
				}
				break
			}
			digits = append(digits, c)
		}
		if len(digits) == 8 {
			if _, err := time.Parse("20060102", string(digits)); err == nil {
				return true
			}
		}
	}
	return false
}
