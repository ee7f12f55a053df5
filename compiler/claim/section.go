package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Section returns the headings above an offset of a page, outermost first, without the
// title.
func Section(page *schema.Page, offset int) []string {
	var open []*schema.Heading
	for i := range page.Headings {
		h := &page.Headings[i]
		if h.Span.Start > offset {
			break
		}
		for len(open) > 0 && open[len(open)-1].Level >= h.Level {
			open = open[:len(open)-1]
		}
		open = append(open, h)
	}
	var path []string
	for _, h := range open {
		if h.Level > 1 {
			path = append(path, h.Text)
		}
	}
	return path
}

// pastHeadings are words of headings for sections about the past, the future or
// possibilities, exampleHeadings those for sections that show one case of many.
var (
	pastHeadings = wordSet(`history changelog changes timeline alternatives alternative proposal proposals roadmap
	migration deprecated legacy previous former planned future background retrospective postmortem`)
	exampleHeadings = wordSet(`example examples sample`)
)

// PastHeading reports whether the text below a heading is not about the present.
func PastHeading(heading string) bool { return anyWord(heading, pastHeadings) }

// past reports whether a section is under a heading that says that it doesn't describe the present.
func past(section []string) bool {
	return slices.ContainsFunc(section, func(heading string) bool {
		return PastHeading(heading) || anyWord(heading, exampleHeadings)
	})
}

func anyWord(text string, among map[string]bool) bool {
	for w := range wordsOf(text) {
		if oneOf(w, among) {
			return true
		}
	}
	return false
}

// PastComment reports whether the first line of a block of code is a comment that says that the block is
// how things were, or that it shows a change.
func PastComment(line string) bool {
	bare := strings.Trim(line, "#/-*;<!> ")
	return bare != strings.TrimSpace(line) && pastComment().MatchString(strings.ToLower(bare))
}
