package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "heading-jump",
	Group:    linter.Structure,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A heading is more than one level below the heading before it.",
	Doc: `Tables of contents, screen readers and agents that read a page by section assume that a part is missing.
Usually the heading was copied from a page where it was nested deeper.

Make it one level below its parent heading. The first heading of a page may have any level.

Switch it off if heading levels are chosen for their look.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d headings skip a level (first: %q): %s", n, first.Path, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if page.Layer == schema.LayerSource || !jumps(page.Headings) {
			return
		}
		headings := outline(page)
		for i := 1; i < len(headings); i++ {
			h, last := headings[i], headings[i-1]
			if h.Level > last.Level+1 {
				d := p.ReportCause("jump", page.Path, h.Span, "the heading %q has level %d but follows one of level %d; use %s",
					shown(h), h.Level, last.Level, strings.Repeat("#", last.Level+1))
				d.Related = []schema.Related{{Path: page.Path, Span: last.Span, Message: "the heading before it"}}
			}
		}
	},
})

// jumps reports whether any heading is deeper by two levels than the one
// before it, those of quotes and lists counted.
func jumps(headings []schema.Heading) bool {
	for i := 1; i < len(headings); i++ {
		if headings[i].Level > headings[i-1].Level+1 {
			return true
		}
	}
	return false
}
