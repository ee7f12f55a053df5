package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "code-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A page gives a constant, a key, a flag or a variable of the code another value than the code does.",
	Doc: `The code is right, and whoever believes the page sets a limit, a timeout or a port that is not there.

No binding and no ` + "`wiki verify`" + ` is needed: the page names the thing as code does, and states its value beside it. ` + "`MAX_BODY`" + ` is 10 MB;
at most 10 MB (` + "`MAX_BODY`" + `); the list item ` + "`MAX_BODY`" + `: 10 MB; the field ` + "`MAX_BODY:: 10 MB`" + `; a row of a table whose first column is headed
key, option, flag, variable, constant or the like, with a column of values or of defaults. Read from the code are constants and
variables with literal values, defaults of flags and of environment variables, and keys of YAML, TOML and JSON. Values
are compared by what they measure: ` + "`30 * time.Second`" + ` is half a minute, ` + "`10 << 20`" + ` is 10 MB, ` + "`TIMEOUT_MS = 5 * 60 * 1000`" + ` is 5 min.

It says nothing where it is not certain which value is meant: a name with one part, unless the section is about the file
(` + "`sources: [src/limits.go]`" + ` and the like); a name to which the code gives several values, or one that it computes; a value under a
condition, such as an environment, a version or a plan; a number whose unit only one side gives. Tests, examples, generated files, those of other projects, lock
files and files for one environment do not count as code, nor do logs, plans, superseded pages and sections with examples, history or
recommendations as pages. A value that was verified and changed since is left to stale-value.

Where the page gives the value of something that has a default only, and does not call it the default, the finding is a warning. Write
what the code says. The fix does so in the page's own unit; it is unsafe because the sentence around it may have to change with
it. If the code is wrong, correct that.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) { p.Named(page) },
	Check: func(p *linter.Pass) {
		found, err := p.CodeConflicts()
		if err != nil && p.Err() == nil {
			p.Skip("could not compare pages with the code: %v", err)
		}
		if len(found) == 0 {
			return
		}
		stale := staleValues(p)
		for i := range found {
			if c := unstale(&found[i], stale); len(c.Places) > 0 {
				reportCodeConflict(p, c)
			}
		}
	},
})

// staleValues returns the places that stale-value reports, which share their
// cause with what the code says otherwise.
func staleValues(p *linter.Pass) map[string][]schema.Span {
	out := map[string][]schema.Span{}
	for _, v := range inState(p, src.StateStaleValue) {
		for _, s := range v.Values {
			if p.Runs("stale-value", v.Page.Path) {
				out[v.Page.Path] = append(out[v.Page.Path], s.At)
			}
		}
	}
	return out
}

// unstale returns a conflict without the places that are reported already.
func unstale(c *linter.CodeConflict, stale map[string][]schema.Span) *linter.CodeConflict {
	left := *c
	left.Places, left.Texts = nil, nil
	for i := range c.Places {
		said := false
		for _, s := range stale[c.Places[i].Path] {
			said = said || s.Overlaps(c.Places[i].Span)
		}
		if !said {
			left.Places, left.Texts = append(left.Places, c.Places[i]), append(left.Texts, c.Texts[i])
		}
	}
	return &left
}

func reportCodeConflict(p *linter.Pass, c *linter.CodeConflict) {
	page, code := &c.Places[0], c.Code
	at := fmt.Sprintf("%s:%d", c.File, code.From.Line)
	what := ""
	if code.Role == claim.RoleDefault {
		what = " by default"
	}
	remedy := "write what the code says, or correct the code"
	if c.Texts[0] != "" {
		remedy = fmt.Sprintf("write %s, or correct the code", bare(c.Texts[0]))
	}
	d := p.Report(page.Path, page.Span, "%s is %s here and %s%s in the code (%s); %s", c.Name, short(bare(page.Text)), short(code.Text), what, at, remedy)
	if c.Score < linter.CertainConflict {
		d.Severity = schema.Warning
	}
	d.About = c.Name
	d.Related = []schema.Related{{Path: code.Path, Span: code.Span, From: code.From, To: code.To, Message: "the code says " + short(code.Text)}}
	d.Sides = []schema.Side{claimSide(page), claimSide(&code.Claim)}
	fix := schema.Fix{Title: "write the value from the code"}
	for i := range c.Places {
		o := &c.Places[i]
		if i > 0 {
			d.Related = append(d.Related, schema.Related{Path: o.Path, Span: o.Span, Message: "here it is " + short(bare(o.Text)) + " too"})
		}
		if c.Texts[i] != "" && c.Texts[i] != string(o.Span.In(p.Wiki.Page(o.Page).Source)) {
			fix.Edits = append(fix.Edits, schema.Edit{Path: o.Path, Span: o.Span, Text: c.Texts[i]})
		}
	}
	if len(fix.Edits) == len(c.Places) {
		d.Fixes = []schema.Fix{fix}
	}
}

// bare is a text without the marks of code around it.
func bare(text string) string { return strings.Trim(text, "`") }
