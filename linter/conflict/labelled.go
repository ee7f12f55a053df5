package conflict

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// longestLabel is how many characters of a label are quoted: what is quoted is cut where it is shown, and the value stands behind it.
const longestLabel = 48

// longestLine is how many bytes a line of settings has at most that is quoted as it stands.
const longestLine = 80

// withLabel returns a value with what stands for its name, of a cell, a field or a setting: moray, Features: 240; owner: Ruben Kastner.
func withLabel(p *schema.Page, a *mention) string {
	if a.said.From == schema.OriginTable {
		if label := []rune(cellLabel(p, a.Span)); len(label) > longestLabel {
			return string(label[:longestLabel-1]) + "…: " + a.Text
		} else if len(label) > 0 {
			return string(label) + ": " + a.Text
		}
		return a.Text
	}
	src := p.Source
	from := bytes.LastIndexByte(src[:a.Span.Start], '\n') + 1
	to := len(src)
	if n := bytes.IndexByte(src[a.Span.Start:], '\n'); n >= 0 {
		to = a.Span.Start + n
	}
	if line := strings.TrimRight(strings.TrimLeft(string(src[from:to]), "-*+> \t"), " \t\r"); a.Span.End <= to && len(line) <= longestLine && strings.Contains(line, a.Text) && line != a.Text {
		return line
	}
	return a.Text
}

// valueHeads are the heads of columns that say no more than that a value stands there.
var valueHeads = []string{"value", "default", "default value", "setting", "is", ""}

// cellLabel returns the label of the row and the head of the column of the cell that a value stands in; empty where it is in none.
func cellLabel(p *schema.Page, value schema.Span) string {
	for i := range p.Tables {
		t := &p.Tables[i]
		if value.Start < t.Span.Start || value.End > t.Span.End {
			continue
		}
		for _, row := range t.Rows {
			k := slices.IndexFunc(row, func(c schema.Cell) bool { return c.Span.Start <= value.Start && value.End <= c.Span.End })
			if k <= 0 || k >= len(t.Head) {
				continue
			}
			label, head := strings.Trim(row[0].Text, "*_` "), strings.Trim(t.Head[k].Text, "*_` ")
			if slices.Contains(valueHeads, strings.ToLower(head)) {
				return label
			}
			return strings.TrimPrefix(label+", "+head, ", ")
		}
	}
	return ""
}

// fewBytes is how long a value is at most of which a sentence is quoted around it: 4 seconds.
const fewBytes = 24

// withWords returns a value of a sentence with the words around it, as far as the line and the sentence go; longer ones as they are.
func withWords(p *schema.Page, c *schema.Claim) string {
	if len(c.Text) > fewBytes || c.From != schema.OriginSentence && c.From != schema.OriginList || c.From == schema.OriginList && c.Value.Kind == schema.ValueSet {
		return c.Text
	}
	src := p.Source
	from, to := c.Span.Start, c.Span.End
	for from > 0 && c.Span.Start-from < 3*excerpt && !ends(src, from-1) {
		from--
	}
	for to < len(src) && to-c.Span.End < 3*excerpt && !ends(src, to) {
		to++
	}
	return strings.TrimLeft(quoted(src, schema.Span{Start: from, End: to}, c.Span), "-*+#>| ")
}

// ends reports whether a sentence, an item or a paragraph ends at a byte.
func ends(src []byte, at int) bool {
	switch src[at] {
	case '.', '!', '?':
		return at+1 == len(src) || src[at+1] == ' ' || src[at+1] == '\n' || src[at+1] == '\r'
	case '\n':
		rest := bytes.TrimLeft(src[at+1:], " \t")
		return len(rest) == 0 || bytes.IndexByte([]byte("\r\n-*+#|>"), rest[0]) >= 0
	}
	return false
}
