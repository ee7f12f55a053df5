package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-anchor",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A link leads to a heading or block that its page does not have.",
	Doc: `The page opens at its top, and the reader looks in vain for the place that was meant. It
happens when a heading is reworded: nothing else notices.

Headings are matched as GitHub's anchors for markdown links (Setup — first steps is
` + "`#setup--first-steps`" + `, with both hyphens), and as Obsidian does for wikilinks and in vaults
(` + "`[[Page#Heading]]`, `[[Page#Heading#Below it]]`, `[[Page#^block]]`" + `). Ids and names in raw HTML are
anchors too, and what follows ` + "`:~:`" + ` in a fragment is for the browser to search for. The fix leads to
the heading that is spelled most alike; it is unsafe since a reworded heading may cover something else.

Switch it off for pages whose headings are made by a plugin when they are shown.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links have the same missing anchor: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		headings := map[*schema.Page]*headingIndex{}
		for s := range sites(p) {
			target := p.Wiki.Page(s.Res.Page)
			if s.Res.Kind != schema.TargetPage || !s.Res.AnchorMissing || target == nil {
				continue
			}
			if headings[target] == nil {
				headings[target] = newHeadingIndex(target)
			}
			brokenAnchor(p, s, target, headings[target])
		}
	},
})

func brokenAnchor(p *linter.Pass, s site, target *schema.Page, headings *headingIndex) {
	fragment := s.Res.Fragment
	if fragment == "" {
		fragment = s.Link.Fragment
	}
	where := fmt.Sprintf("%q", target.Path)
	if target == s.Page {
		where = "this page"
	}
	if name, ok := strings.CutPrefix(fragment, "^"); ok {
		d := p.ReportCause("anchor:"+target.Path+"#"+fragment, s.Page.Path, s.at(),
			"%s has no block ^%s; add ^%s at the end of the intended block", where, name, name)
		mild(d, s.Page)
		return
	}
	if s.Link.Syntax == schema.SyntaxWikilink && len(headings.bySlug[slug(fragment)]) > 0 && !strings.Contains(fragment, "#") {
		return // Obsidian compares the letters and digits alone
	}
	near := headings.near(fragment)
	if near == nil {
		d := p.ReportCause("anchor:"+target.Path+"#"+fragment, s.Page.Path, s.at(),
			"%s has no heading %q; link to an existing heading, or to the page only", where, fragment)
		mild(d, s.Page)
		return
	}
	written := near.ID
	if s.Link.Syntax == schema.SyntaxWikilink {
		written = wikiHeading(near.Text)
	}
	d := p.ReportCause("anchor:"+target.Path+"#"+fragment, s.Page.Path, s.at(),
		"%s has no heading %q; did you mean %q?", where, fragment, written)
	mild(d, s.Page)
	if at, ok := fragmentSpan(s); ok {
		d.Fixes = []schema.Fix{{Title: "link to #" + written, Edits: []schema.Edit{{Path: s.Page.Path, Span: at, Text: written}}}}
	}
}

// wikiHeading writes a heading as the fragment of a wikilink, without what
// would end the link or begin another part.
func wikiHeading(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("#|^[]: \t", r) }), " ")
}

// fragmentSpan returns where the fragment stands in the file, after its #.
func fragmentSpan(s site) (schema.Span, bool) {
	dest := string(s.Link.Dest.In(s.Page.Source))
	i := strings.IndexByte(dest, '#')
	if i < 0 || s.Link.Syntax == schema.SyntaxHTML {
		return schema.Span{}, false
	}
	end := s.Link.Dest.End
	if j := strings.Index(dest, ":~:"); j > i {
		return schema.Span{Start: s.Link.Dest.Start + i + 1, End: s.Link.Dest.Start + j}, true
	}
	if strings.HasPrefix(dest, "<") && strings.HasSuffix(dest, ">") {
		end--
	}
	return schema.Span{Start: s.Link.Dest.Start + i + 1, End: end}, true
}
