package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "template-sections",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A page lacks a section that its type requires.",
	Doc: `Pages of one type with the same structure are easy to read, compare and fill in. Set the sections with
` + "`frontmatter.types.TYPE.sections`" + ` in wiki.yaml, or in a table with the columns type and sections on the schema
page. Without a setting nothing is reported.

A section exists if a heading of any level below the title has its name, ignoring letter case, numbering and
punctuation. With ` + "`ordered: true`" + ` the sections must also be in that order; other sections may be in between.
All missing sections of a page are one finding, and many pages that lack the same sections are grouped.
Indexes, logs, raw sources and templates are exempt.

The unsafe fix adds the missing headings, empty, in the right place.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause (first: %q): %s", n, first.Path, first.Message)
	},
	Check: func(p *linter.Pass) {
		said := linter.ConventionsOf(p)
		for _, page := range p.Wiki.Pages() {
			if page.Reserved() || page.Layer == schema.LayerSource || template(page) || unread(page) {
				continue
			}
			if name, t, ok := said.TypeOf(page); ok && len(t.Sections) > 0 {
				templateSections(p, page, name, t, said.Origin("types."+name+".sections"))
			}
		}
	},
})

func templateSections(p *linter.Pass, page *schema.Page, name string, t schema.PageType, by string) {
	have := sectionsOf(page, t.Sections)
	var lacks []string
	for i, want := range t.Sections {
		if have[i] < 0 {
			lacks = append(lacks, want)
		}
	}
	if len(lacks) > 0 {
		what := list(lacks, 8)
		if len(lacks) > 1 {
			what = strings.Replace(what, " or ", " and ", 1)
		}
		d := p.ReportCause("lacks:"+name+"\x00"+strings.Join(lacks, "\x00"), page.Path, titleAt(page),
			"missing %s %s (required by %s for type %s); add %s", words(len(lacks), "section", "sections"), what, by, name, words(len(lacks), "it", "them"))
		d.Fixes = addSections(page, t.Sections, have)
		return
	}
	if !t.Ordered {
		return
	}
	for i := 1; i < len(have); i++ {
		if have[i] < have[i-1] {
			first, second := &page.Headings[have[i-1]], &page.Headings[have[i]]
			d := p.ReportCause("order:"+name, page.Path, second.Span, "the section %q must come after %q (%s); change the order", second.Text, first.Text, by)
			d.Related = []schema.Related{{Path: page.Path, Span: first.Span, Message: "belongs before it"}}
			return
		}
	}
}

func words(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// sectionsOf returns, for every wanted section, the index of the heading that
// it has on the page, or -1. The title is not a section.
func sectionsOf(page *schema.Page, want []string) []int {
	by := map[string]int{}
	for i := range page.Headings {
		if page.Headings[i].Level == 1 && page.H1.Len() > 0 && page.Headings[i].Span.Start <= page.H1.Start && page.H1.End <= page.Headings[i].Span.End {
			continue
		}
		key := sectionKey(page.Headings[i].Text)
		if _, taken := by[key]; !taken {
			by[key] = i
		}
	}
	out := make([]int, len(want))
	for i, w := range want {
		at, ok := by[sectionKey(w)]
		if !ok {
			at = -1
		}
		out[i] = at
	}
	return out
}

// sectionKey returns a heading for comparison, without a leading number.
func sectionKey(text string) string {
	key := slug(strings.TrimLeft(strings.TrimSpace(text), "0123456789.)# "))
	if key == "" {
		key = slug(text)
	}
	return key
}

// addSections returns the fix that adds the sections that are not there: each
// behind the section that is before it in the list, else before the one
// that is after it, else at the end of the page.
func addSections(page *schema.Page, want []string, have []int) []schema.Fix {
	level := sectionLevel(page, have)
	texts, order, missing := map[int]string{}, []int{}, 0
	for i, name := range want {
		if have[i] >= 0 {
			continue
		}
		missing++
		at := sectionPlace(page, have, i, level)
		if _, ok := texts[at]; !ok {
			order = append(order, at)
		}
		texts[at] += strings.Repeat("#", level) + " " + name + "\n\n"
	}
	var edits []schema.Edit
	for _, at := range order {
		text := texts[at]
		switch before := string(page.Source[:at]); {
		case at == len(page.Source):
			text = gapBehind(before) + strings.TrimSuffix(text, "\n")
		case !strings.HasSuffix(before, "\n\n") && !strings.HasSuffix(before, "\n\r\n"):
			text = gapBehind(before) + text
		}
		if newline(page) == "\r\n" {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		edits = append(edits, schema.Edit{Path: page.Path, Span: schema.Span{Start: at, End: at}, Text: text})
	}
	return []schema.Fix{{Title: "add " + text.Count(missing, "empty section"), Edits: edits}}
}

// gapBehind returns the line endings needed before a heading, after the text before it.
func gapBehind(before string) string {
	switch {
	case before == "" || strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n"):
		return ""
	case strings.HasSuffix(before, "\n"):
		return "\n"
	}
	return "\n\n"
}

// sectionLevel is the level of the sections that are there, 2 when none is.
func sectionLevel(page *schema.Page, have []int) int {
	for _, i := range have {
		if i >= 0 {
			return page.Headings[i].Level
		}
	}
	return 2
}

// sectionPlace returns the offset at which wanted section i belongs.
func sectionPlace(page *schema.Page, have []int, i, level int) int {
	for j := i - 1; j >= 0; j-- {
		if have[j] >= 0 {
			return sectionEnd(page, have[j], level)
		}
	}
	for j := i + 1; j < len(have); j++ {
		if have[j] >= 0 {
			return lineOf(page, page.Headings[have[j]].Span.Start).Start
		}
	}
	return len(page.Source)
}

// sectionEnd returns where the section under heading i ends: at the next
// heading that is not below it.
func sectionEnd(page *schema.Page, i, level int) int {
	for _, h := range page.Headings[i+1:] {
		if h.Level <= max(level, page.Headings[i].Level) {
			return lineOf(page, h.Span.Start).Start
		}
	}
	return len(page.Source)
}
