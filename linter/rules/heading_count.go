package rules

import (
	"bytes"
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "heading-count",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page has no title, or several, although the wiki's pages have exactly one.",
	Doc: `The level 1 heading is the page title. If there are two, the page is really two pages, or a line such as
` + "`# install`" + ` in an unclosed code block was read as a heading. Without a title, lists and search results show
the file name.

A ` + "`title`" + ` in front matter counts. The rule follows the wiki's own convention: it reports nothing in wikis with
fewer than five pages, or where fewer than four in five pages have one level 1 heading or title. In Obsidian,
which shows the file name as the title, pages without a title are not reported.

Make the second title a level 2 heading or a separate page, or add the missing title.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: headingCount,
})

// fewestPages is how many pages show a habit.
const fewestPages = 5

func headingCount(p *linter.Pass) {
	titled, single, all := 0, 0, 0
	var none, several []*schema.Page
	for _, page := range kept(p) {
		if page.Reserved() || template(page) || p.Wiki.Included(page) || board(page) || grows(page) || page.Words == 0 && len(page.Headings) == 0 || len(page.Faults) > 0 && unread(page) {
			continue
		}
		all++
		switch n := titles(page); {
		case n > 1:
			titled++
			several = append(several, page)
		case n == 1 || given(page, "title"):
			titled++
			single++
		default:
			single++
			none = append(none, page)
		}
	}
	if all < fewestPages {
		return
	}
	if titled*5 >= all*4 && p.Wiki.Workspace().Dialect.Name != "obsidian" {
		for _, page := range none {
			if !htmlTitle(page) {
				at := schema.Span{Start: page.Body, End: page.Body}
				p.ReportCause("none", page.Path, at, "the page has no title (%d of %d pages have one); add a level 1 heading, or a title in the front matter", titled, all)
			}
		}
	}
	if single*5 >= all*4 {
		for _, page := range several {
			reportTitles(p, page, single, all)
		}
	}
}

// titles counts the headings of level 1 that divide a page.
func titles(page *schema.Page) int {
	n := 0
	for i := range page.Headings {
		if page.Headings[i].Level == 1 {
			n++
		}
	}
	if n < 2 {
		return n
	}
	n = 0
	for _, h := range outline(page) {
		if h.Level == 1 {
			n++
		}
	}
	return n
}

func reportTitles(p *linter.Pass, page *schema.Page, single, all int) {
	var level []*schema.Heading
	for _, h := range outline(page) {
		if h.Level == 1 {
			level = append(level, h)
		}
	}
	d := p.ReportCause("several", page.Path, level[1].Span, "the page has %d level 1 headings (%d of %d pages have at most one); make %q a level 2 heading, or a separate page",
		len(level), single, all, shown(level[1]))
	d.Related = []schema.Related{{Path: page.Path, Span: level[0].Span, Message: "the first"}}
}

// htmlTitle reports whether the page gives its title in HTML.
func htmlTitle(page *schema.Page) bool {
	body := page.Source[min(page.Body, len(page.Source)):]
	return bytes.Contains(body, []byte("<h1")) || bytes.Contains(body, []byte("<H1"))
}
