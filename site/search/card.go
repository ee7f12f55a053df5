package search

import (
	"path"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/text"
)

// summaryLength bounds the text kept for a result, in bytes.
const summaryLength = 110

// headingLine is a heading's text, followed by a tab and its id when the
// script can't tell it from the text.
func headingLine(s compiler.Section) string {
	text := text.Collapse(s.Heading)
	if isSlug(s.ID, text) {
		return text
	}
	return text + "\t" + s.ID
}

// isSlug reports whether the script makes s of a text.
func isSlug(s, text string) bool {
	return Slug(text) == s && !strings.ContainsAny(text, "Σİ") // scripts lower these two in their own way
}

// Slug is the usual id of a heading. The script has the same function; a
// heading whose id differs is stored with it.
func Slug(text string) string {
	var sb strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r == ' ':
			sb.WriteByte('-')
		case r == '-' || isWord(r) && !unicode.Is(unicode.No, r) && !unicode.Is(unicode.Nl, r):
			sb.WriteRune(r)
		}
	}
	return sb.String()
}

// summary is the text below a result: the page's summary, or the beginning of its text.
func summary(d Document) string {
	out := strings.TrimSpace(d.Summary)
	for _, s := range d.Sections {
		if len(out) >= summaryLength/2 {
			break
		}
		// Many pages say their summary again in their first sentence.
		if t := strings.TrimPrefix(strings.TrimSpace(s.Text), out); t != "" {
			out = strings.TrimSpace(out + " " + strings.TrimSpace(t[:min(len(t), 2*summaryLength)]))
		}
	}
	out = strings.ToValidUTF8(text.Collapse(out), "")
	if len(out) <= summaryLength {
		return out
	}
	cut := strings.LastIndexByte(out[:summaryLength], ' ')
	if cut < summaryLength/2 {
		cut = summaryLength
	}
	return strings.TrimRight(strings.ToValidUTF8(out[:cut], ""), " ,.;:") + "…"
}

// card is what a result shows of a document: address, title, folder, why it is not to be
// relied on and summary, one a line, and the heading of every section on the others. A tab
// in the address stands for the slug of the title.
func card(d *Analyzed) string {
	href, title := d.href, text.Collapse(d.title)
	dir, file := path.Split(href)
	if name, ok := strings.CutSuffix(file, ".html"); ok && isSlug(name, title) {
		href = dir + "\t"
	}
	return strings.Join([]string{href, title, text.Collapse(d.folder), d.past, d.summary, d.headings}, "\n")
}
