package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "page-size",
	Group:    linter.Structure,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A page is too long to read at once.",
	Doc: `6,000 words take half an hour to read, and 64 KiB are about 16,000 tokens: an agent that reads three such
pages has little room left for the answer, and tools truncate them. Two pages on two topics are easier to
find, link and keep correct than one page on both.

Move the largest section to its own page and leave a summary and a link. Set the limits with ` + "`lint.page_words`" + `
and ` + "`lint.page_bytes`" + ` in wiki.yaml. Raw sources, logs and changelogs are not checked.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages are too long (first: %q): %s", n, first.Path, first.Message)
	},
	CheckPage: pageSize,
})

// How long a page may be when wiki.yaml does not say. Reading takes about 200
// words a minute, and a token is about four bytes.
const (
	mostWordsOfPage = 6000
	mostBytesOfPage = 64 << 10
)

func pageSize(p *linter.Pass, page *schema.Page) {
	words, size := p.Wiki.Config().Lint.PageWords, p.Wiki.Config().Lint.PageBytes
	if words <= 0 {
		words = mostWordsOfPage
	}
	if size <= 0 {
		size = mostBytesOfPage
	}
	if page.Words <= words && len(page.Source) <= size || page.Layer == schema.LayerSource || grows(page) {
		return
	}
	what := fmt.Sprintf("%s words, about %s of reading", text.Thousands(page.Words), text.Count(max(1, page.Words/200), "minute"))
	if page.Words <= words {
		what = fmt.Sprintf("%s bytes, about %s tokens", text.Thousands(len(page.Source)), text.Thousands(roundedTokens(len(page.Source))))
	}
	at := page.Lines.Line(page.Lines.Position(page.Body).Line)
	h, share := largestSection(page)
	if h == nil {
		p.ReportCause("size", page.Path, at, "the page has %s; split it into pages by topic", what)
		return
	}
	d := p.ReportCause("size", page.Path, at, "the page has %s; move a section to its own page, such as %q (%d %% of the page)", what, shown(h), share)
	d.Related = []schema.Related{{Path: page.Path, Span: h.Span, Message: "the largest section"}}
}

// roundedTokens estimates the tokens of a text of size bytes, to two digits.
func roundedTokens(size int) int {
	n, unit := size/4, 1
	for n >= 100*unit {
		unit *= 10
	}
	return n / unit * unit
}

// grows reports whether a page is there to get longer.
func grows(page *schema.Page) bool {
	name := strings.ToLower(stem(page.Path))
	switch name {
	case "log", "_log", "changes", "history", "news", "releases":
		return true
	}
	return strings.HasPrefix(name, "changelog") || strings.HasPrefix(name, "release-notes") || strings.HasPrefix(name, "release_notes")
}

// largestSection returns the largest of the sections that a page is divided
// into, and its share of the page in percent; nil when it is not divided.
func largestSection(page *schema.Page) (largest *schema.Heading, share int) {
	headings := outline(page)
	counts := [7]int{}
	for _, h := range headings {
		counts[h.Level]++
	}
	level := 1
	for level < 6 && counts[level] < 2 {
		level++
	}
	size := 0
	for i, h := range headings {
		if h.Level != level {
			continue
		}
		end := len(page.Source)
		for _, next := range headings[i+1:] {
			if next.Level <= level {
				end = next.Span.Start
				break
			}
		}
		if n := end - h.Span.Start; n > size {
			largest, size = h, n
		}
	}
	return largest, size * 100 / max(1, len(page.Source))
}
