package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-wikilink",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A wikilink names a page that does not exist.",
	Doc: `A reader who follows the link finds nothing, and an agent that was told to read the page
guesses what it says. The usual reasons are a page that was renamed or moved, a slip of the pen,
and a page that somebody meant to write.

The message names the page that was probably meant: one that was renamed in git, one of that
name in another folder, or one whose name differs by a letter. The fix is safe when exactly one
rename or one spelling explains the link; a guess by a letter is offered as an unsafe fix.

In a wiki none of whose wikilinks leads anywhere, ` + "`[[…]]`" + ` is most likely other text in double
brackets, such as an attribute of C++; it is then reported as information only. In a Logseq graph
a link to a page that does not exist yet is how pages are planned, and nothing is reported.

Switch it off in folders of notes where links to pages yet to be written are a habit.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links lead to the same missing page: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		if p.Wiki.Workspace().Dialect.Profile.WantedPages {
			return
		}
		brackets := onlyBrackets(p)
		for s := range sites(p) {
			if s.Link.Syntax != schema.SyntaxWikilink || s.Link.Embed || !s.missing() {
				continue
			}
			d := reportMissing(p, s, fmt.Sprintf("no page is named %q", s.Link.Target), "correct the name, or write the page")
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
	for s := range sites(p) {
		if s.Link.Syntax != schema.SyntaxWikilink {
			continue
		}
		if s.Res.OK() {
			return false
		}
		n++
	}
	return n > 0 && n < len(p.Wiki.Pages())
}

// reportMissing reports a link to something that is not there, with what it
// may have meant. what says what is missing, and remedy what to do when nothing
// is like it.
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
	mild(d, s.Page)
	return d
}

// shown is how the link of s would name file.
func (n *names) shown(s site, file string) string {
	if s.Link.Syntax == schema.SyntaxWikilink {
		return n.wikiName(file, s.Link.Target)
	}
	return relative(s.Page.Path, file)
}
