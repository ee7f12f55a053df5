package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "ambiguous-visibility",
	Group:    linter.Front,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "Tools disagree about whether a page is private.",
	Doc: `One tool reads ` + "`draft: yes`" + ` as a draft, another as text. A page meant to stay private is published, or a page
meant for readers is not.

The site fails closed. A page is private if ` + "`draft`, `private`, `hidden` or `internal`" + ` has any value except
false, no, off, 0, none, null or empty; if ` + "`publish`, `published`, `public` or `dg-publish`" + ` is false (in
` + "`published`" + `, a date or an empty value is fine; an empty ` + "`publish`" + ` is false); if ` + "`visibility` or `access`" + ` is
not one of the words for public or unlisted; and if ` + "`status` or `state`" + ` is draft, private or unpublished. With
` + "`unlisted: true`" + ` the page is built, but left out of lists and search.

Reported: every value that is not clearly true, false or one of these words; every such key in front matter
that can't be parsed, or in a block that is not the page's front matter; and a tag such as ` + "`private`" + `, which
hides nothing. The finding says what the site does with the page. The safe fix writes true or false where the
value can only mean that.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d values share one cause: %s", n, first.Message)
	},
	CheckPage: ambiguousVisibility,
})

func ambiguousVisibility(p *linter.Pass, page *schema.Page) {
	if template(page) {
		return
	}
	level, _ := page.Visibility.Level(p.Wiki.Config().Site.Drafts)
	does := map[schema.VisibilityLevel]string{
		schema.Public: "the page is published", schema.Unlisted: "the page is published and not listed", schema.Private: "the page is not published",
	}[level]
	for _, m := range page.Visibility.Marks {
		if !m.Plain || m.Unread {
			visibilityValue(p, page, m, does)
		}
	}
	for _, t := range page.Tags {
		name, _, _ := strings.Cut(strings.ToLower(t.Name), "/")
		if (name == "private" || name == "draft") && level == schema.Public {
			p.ReportCause("tag:"+name, page.Path, t.Span, "the tag %q doesn't hide a page: %s; write %s: true in the front matter to keep it private", t.Name, does, name)
		}
	}
}

func visibilityValue(p *linter.Pass, page *schema.Page, m schema.VisibilityMark, does string) {
	key := strings.ToLower(m.Key)
	want := "true or false"
	// One finding may stand for many values, but each hidden page is worth a line.
	report := func(cause, format string, args ...any) *schema.Diagnostic {
		if m.Level != schema.Public {
			cause = ""
		}
		return p.ReportCause(cause, page.Path, m.Span, format, args...)
	}
	switch {
	case m.Suggest != "":
		want = m.Suggest
	case strings.Contains(key, "."):
		want = key[strings.LastIndexByte(key, '.')+1:] + " at the top level"
	case key == "tags" || key == "tag":
		want = "draft: true to hide the page"
	case key == "visibility" || key == "access":
		want = "public, unlisted or private"
	case key == "status" || key == "state" || key == "lifecycle":
		want = "the word alone to hide the page"
	}
	said := strings.TrimSpace(m.Key + ": " + m.Value)
	if m.Unread {
		report("unread:"+key, "`%s` is in invalid front matter, so %s; write valid front matter at the top of the page", said, does)
		return
	}
	d := report("value:"+said, "programs read `%s` differently; here %s; write %s", said, does, want)
	if m.Level == schema.Public {
		lowerSeverity(d, page)
	}
	if m.Suggest != "" && m.Value == string(m.Span.In(page.Source)) && m.Span.Len() > 0 {
		d.Fixes = []schema.Fix{{Title: "write " + m.Suggest, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: m.Span, Text: m.Suggest}}}}
	}
}
