package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "link-to-inactive",
	Group:    linter.Links,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A current page links to a deprecated or superseded page.",
	Doc: `Readers end up at outdated content, and agents use it as evidence. Link to the successor, or say in the
sentence that the target is history and suppress the finding.

A page is inactive if its status says so (deprecated, superseded, archived, withdrawn, retracted) or if it
names a successor. Indexes, logs, inactive pages and front matter may link to inactive pages. If the target
names exactly one successor, the fix links to that.

Switch it off for pages about history.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links lead to the same inactive page: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		replaced := replacements(p)
		for s := range sites(p) {
			if s.Link.Field != "" || s.Res.Kind != schema.TargetPage || s.Page.Reserved() || s.Page.Layer == schema.LayerSource {
				continue
			}
			target := p.Wiki.Page(s.Res.Page)
			if target == nil || target == s.Page || inactive(target) == "" || inactive(s.Page) != "" || replaced[[2]*schema.Page{s.Page, target}] {
				continue
			}
			linkToInactive(p, s, target)
		}
	},
})

// replacements returns the pairs of superseded page and successor.
func replacements(p *linter.Pass) map[[2]*schema.Page]bool {
	pairs := map[[2]*schema.Page]bool{}
	rs := relationFact.Of(p)
	for i := range rs.all {
		if old, next := rs.all[i].sides(); old != nil {
			pairs[[2]*schema.Page{next, old}] = true
		}
	}
	return pairs
}

func linkToInactive(p *linter.Pass, s site, target *schema.Page) {
	next := successor(p, target)
	remedy := "link to a current page, or say that it is history"
	if next != nil {
		remedy = fmt.Sprintf("link to its successor, %q", next.Path)
	}
	d := p.ReportCause("page:"+target.Path, s.Page.Path, s.at(), "%q is %s; %s", target.Path, inactive(target), remedy)
	if st := target.Meta.Status; st.Span.Len() > 0 {
		d.Related = []schema.Related{{Path: target.Path, Span: st.Span, Message: "its status"}}
	}
	if next != nil && next != s.Page {
		n := nameFact.Of(p)
		if edits, ok := n.retargetFragment(s, next.Path, "", false); ok {
			d.Fixes = []schema.Fix{{Title: "link to " + edits[0].Text, Edits: edits}}
		}
	}
}

// inactive returns why a page is no longer in force, or "".
func inactive(page *schema.Page) string {
	if page.Meta.Status.Class == schema.StatusDeprecated {
		return page.Meta.Status.Word
	}
	for _, r := range page.Meta.Relations {
		if r.Kind == schema.RelationSupersededBy {
			return "superseded"
		}
	}
	return ""
}

// successor returns the page that supersedes page, if there is exactly one.
func successor(p *linter.Pass, page *schema.Page) *schema.Page {
	next := relationFact.Of(p).successors[page]
	if len(next) != 1 || next[0] == page || inactive(next[0]) != "" {
		return nil
	}
	return next[0]
}
