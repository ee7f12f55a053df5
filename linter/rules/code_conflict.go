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
	Summary:  "A page gives a constant, key, flag or variable a different value than the code.",
	Doc: `The code is right, so readers of the page rely on a limit, timeout or port that doesn't exist.

This works without bindings and without ` + "`wiki verify`" + `: the page names the identifier and its value next to
each other. Examples: ` + "`MAX_BODY`" + ` is 10 MB; at most 10 MB (` + "`MAX_BODY`" + `); the list item ` + "`MAX_BODY`" + `: 10 MB; the
field ` + "`MAX_BODY:: 10 MB`" + `; a table row whose first column is headed key, option, flag, variable, constant or
similar, with a column of values or defaults. From the code it reads constants and variables with literal
values, defaults of flags and environment variables, and keys in YAML, TOML and JSON. Values are compared by
quantity: ` + "`30 * time.Second`" + ` is half a minute, ` + "`10 << 20`" + ` is 10 MB, ` + "`TIMEOUT_MS = 5 * 60 * 1000`" + ` is 5 min.

Nothing is reported if it is unclear which value is meant: a one-word name, unless the section names the file
(for example ` + "`sources: [src/limits.go]`" + `); a name with several values in the code, or a computed one; a value
that depends on an environment, version or plan; a number with a unit on only one side. Tests, examples,
generated and third-party files, lock files and files for one environment don't count as code. Logs, plans,
superseded pages and sections with examples, history or recommendations are not checked. A value that was
verified and changed since then is left to stale-value.

If the code only sets a default and the page doesn't call its value the default, the finding is a warning.
Write the value from the code, or correct the code. The fix writes it in the page's unit; it is unsafe because
the sentence around it may have to change too.`,
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

// staleValues returns the places reported by stale-value, which code-conflict must not
// report too.
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
