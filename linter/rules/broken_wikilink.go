package rules

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-wikilink",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A wikilink points to a page that does not exist.",
	Doc: `A reader who follows the link finds nothing, and an agent asked to read the page guesses its content. Usually
the page was renamed or moved, the name has a typo, or the page was never written.

Correct the name, or create the page. The message suggests a page that was renamed in git, a page with that
name in another folder, or one whose name differs by a letter. The fix is safe if exactly one rename or
spelling explains the link; a fix for a one-letter difference is unsafe.

If no wikilink in the whole wiki resolves, ` + "`[[…]]`" + ` is probably something else, such as a C++ attribute, and is
reported as info. Placeholders such as ` + "`[[YYYY-MM-DD]]`" + `, the next day, week or month that a daily note links to, and
` + "`[[page-name]]`" + ` on a page with instructions for agents, are info too. In a Logseq graph, links to pages that don't exist
yet are normal and not reported.

Switch it off for folders of notes that link to planned pages on purpose.`,
	Cause: func(n int, first schema.Diagnostic) string {
		if strings.HasPrefix(first.Message, "the link ") {
			return fmt.Sprintf("%d links share one cause: %s", n, first.Message)
		}
		return fmt.Sprintf("%d links lead to the same missing page: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		if p.Wiki.Workspace().Dialect.Profile.WantedPages {
			return
		}
		brackets := onlyBrackets(p)
		for s := range sites(p) {
			if s.Link.Syntax != schema.SyntaxWikilink || s.Link.Embed || !s.missing() {
				continue
			}
			if file := belowParent(p, s.Link.Target); file != "" {
				aboveRoot(p, s, file)
				continue
			}
			d := reportMissing(p, s, fmt.Sprintf("the page %q does not exist", s.Link.Target), "correct the name, or create the page")
			if brackets {
				d.Severity = schema.Info
			}
		}
	},
})

// onlyBrackets reports whether no wikilink in the whole wiki leads anywhere
// and no page is made for them, so that double brackets mean something else.
func onlyBrackets(p *linter.Pass) bool {
	n := 0
	for s := range allSites(p) {
		if s.Link.Syntax != schema.SyntaxWikilink {
			continue
		}
		if s.Res.OK() || belowParent(p, s.Link.Target) != "" {
			return false
		}
		n++
	}
	return n > 0 && n < len(p.Wiki.Pages())
}

// belowParent returns the page that target names when it counts from the folder
// above the wiki's root, "" when it names none.
func belowParent(p *linter.Pass, target string) string {
	name, ok := strings.CutPrefix(target, filepath.Base(p.Wiki.Workspace().Root)+"/")
	if !ok {
		return ""
	}
	if page := p.Wiki.Page(schema.PageID(strings.TrimSuffix(name, ".md"))); page != nil {
		return page.Path
	}
	return ""
}

// aboveRoot reports a wikilink that counts from the folder above the wiki's
// root, as all links of a wiki do that was moved there: that is one cause.
func aboveRoot(p *linter.Pass, s site, file string) {
	n := nameFact.Of(p)
	d := p.ReportCause("from:above", s.Page.Path, s.at(), "the link %q is relative to the folder above the wiki root; write %q", s.Link.Target, n.shown(s, file))
	d.Fixes = n.rewriting(s, file, true)
	soften(d, s)
}

// reportMissing reports a link to a missing target, with suggestions. what names the
// missing target, remedy is for a target without suggestions.
func reportMissing(p *linter.Pass, s site, what, remedy string) *schema.Diagnostic {
	n := nameFact.Of(p)
	g := n.meant(s.Page, s.Link.Target, s.Link.Markdown())
	msg := what + "; " + remedy
	if g.Path != "" {
		msg = what + fmt.Sprintf("; did you mean %q%s?", n.shown(s, g.Path), g.Why)
	}
	d := p.ReportCause("target:"+fold(s.Link.Target), s.Page.Path, s.at(), "%s", msg)
	if g.Path != "" {
		d.Fixes = n.rewriting(s, g.Path, g.Sure)
	}
	soften(d, s)
	return d
}

// soften lowers the severity of a finding about a link in a raw source, or about an
// example of a link.
func soften(d *schema.Diagnostic, s site) {
	if lowerSeverity(d, s.Page); blank(s.Page, s.Link) {
		d.Severity = schema.Info
	}
}

// shown is how the link of s would name file.
func (n *names) shown(s site, file string) string {
	if s.Link.Syntax == schema.SyntaxWikilink {
		return n.wikiName(file, s.Link.Target)
	}
	return n.destination(s, file)
}
