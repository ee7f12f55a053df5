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

Headings are matched as GitHub's anchors for markdown links, and as Obsidian does for wikilinks
(` + "`[[Page#Heading]]`, `[[Page#Heading#Below it]]`, `[[Page#^block]]`" + `). The fix leads to the heading
that is spelled most alike; it is unsafe since a reworded heading may cover something else.

Switch it off for pages whose headings are made by a plugin when they are shown.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links lead to the same missing place: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Res.Kind == schema.TargetPage && s.Res.AnchorMissing {
				brokenAnchor(p, s)
			}
		}
	},
})

func brokenAnchor(p *linter.Pass, s site) {
	target := p.Wiki.Page(s.Res.Page)
	if target == nil {
		return
	}
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
			"%s has no block ^%s; put ^%s at the end of the block that is meant", where, name, name)
		mild(d, s.Page)
		return
	}
	near := nearHeading(target, fragment)
	if near == nil {
		d := p.ReportCause("anchor:"+target.Path+"#"+fragment, s.Page.Path, s.at(),
			"%s has no heading %q; link to one that it has, or to the page alone", where, fragment)
		mild(d, s.Page)
		return
	}
	if s.Link.Syntax == schema.SyntaxWikilink && slug(near.Text) == slug(fragment) {
		return // Obsidian compares the letters and digits alone
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
	if strings.HasPrefix(dest, "<") && strings.HasSuffix(dest, ">") {
		end--
	}
	return schema.Span{Start: s.Link.Dest.Start + i + 1, End: end}, true
}

// manyHeadings bounds how many headings of a page are compared letter by
// letter with one fragment.
const manyHeadings = 200

// nearHeading returns the heading of page that fragment most likely meant: the
// one whose words are those of the fragment, or contain them, or are a letter
// or two away. It returns nil when none or several are as near.
func nearHeading(page *schema.Page, fragment string) *schema.Heading {
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	want := slug(fragment)
	if want == "" || len(want) > longestGuess {
		return nil
	}
	var best *schema.Heading
	bestRank, ties := 4, 0
	for i := range page.Headings[:min(len(page.Headings), manyHeadings)] {
		h := &page.Headings[i]
		rank := nearness(want, slug(h.Text))
		switch {
		case rank < bestRank:
			best, bestRank, ties = h, rank, 0
		case rank == bestRank:
			ties++
		}
	}
	if bestRank == 4 || ties > 0 {
		return nil
	}
	return best
}

// nearness ranks how like two slugs are: 0 equal, 1 a letter apart, 2 one
// without hyphens is the other, 3 one begins with the other, 4 unlike.
func nearness(want, have string) int {
	switch {
	case want == have:
		return 0
	case len(have) < fewestGuess:
		return 4
	case oneEdit(want, have):
		return 1
	case strings.ReplaceAll(want, "-", "") == strings.ReplaceAll(have, "-", ""):
		return 2
	case len(want) >= fewestGuess && (strings.HasPrefix(have, want) || strings.HasPrefix(want, have+"-")):
		return 3
	}
	return 4
}
