package rules

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "unused-suppression",
	Group:    linter.Hygiene,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A suppression suppresses nothing, or is invalid.",
	Doc: `Suppress a finding with a comment in the page, with a reason:

` + "```" + `markdown
<!-- wiki-lint-disable-next-line broken-link -- the page is written next week -->
<!-- wiki-lint-disable-line orphan, dead-end -->
<!-- wiki-lint-disable broken-link --> … <!-- wiki-lint-enable broken-link -->
<!-- wiki-lint-disable-file page-size -- one table, on purpose -->
` + "```" + `

or for the whole page in its front matter, where ` + "`lint.disable:` and `lint-disable:`" + ` work too:

` + "```" + `yaml
lint:
  disable: [page-size, {rule: broken-link, reason: quoted from elsewhere}]
` + "```" + `

Obsidian comments between ` + "`%%`" + ` work too. Without a rule name, all rules are suppressed. The next line is the
next non-empty line; a block without an end reaches to the end of the page. A finding is suppressed by where
it begins, a contradiction by any of its sides. Contradictions and outdated claims need a reason.

A suppression outlives its cause and then hides the next problem. This rule reports one that matches nothing,
names an unknown rule, lacks a required reason, or is malformed; suppressions of rules that did not run are
ignored. The safe fix removes what matches nothing.`,
	Last: func(p *linter.Pass, o *linter.Outcome) {
		pages := map[string]*schema.Page{}
		for _, page := range p.Wiki.Pages() {
			pages[page.Path] = page
		}
		c := &suppressionCheck{Pass: p, o: o, gone: map[schema.Span]bool{}}
		var uses []*linter.Use // of one page
		flush := func() {
			if len(uses) > 0 && pages[uses[0].Path] != nil {
				c.check(pages[uses[0].Path], uses)
			}
			uses = uses[:0]
		}
		for use := range o.Suppressions() {
			if len(uses) > 0 && uses[0].Path != use.Path {
				flush()
			}
			uses = append(uses, use)
		}
		flush()
	},
})

// suppressionCheck looks at the suppressions of one page after the other.
type suppressionCheck struct {
	*linter.Pass
	o    *linter.Outcome
	page *schema.Page
	gone map[schema.Span]bool // places of those on the page that match nothing at all
}

func (c *suppressionCheck) check(page *schema.Page, uses []*linter.Use) {
	c.page = page
	clear(c.gone)
	for _, use := range uses {
		if use.Fault == "" && unknownRule(c.o, use) == nil && needsReason(c.o, use) == "" {
			unused := unusedRules(c.o, use)
			c.gone[use.Span] = len(unused) > 0 && len(unused) >= len(use.Rules)
		}
	}
	for _, use := range uses {
		if d := c.report(use); d != nil {
			lowerSeverity(d, page)
		}
	}
}

// report reports the first fault of a suppression.
func (c *suppressionCheck) report(use *linter.Use) *schema.Diagnostic {
	report := func(format string, args ...any) *schema.Diagnostic {
		return c.Report(c.page.Path, use.Span, format, args...)
	}
	if use.Fault != "" {
		return report("%s", use.Fault)
	}
	if unknown := unknownRule(c.o, use); unknown != nil {
		return c.unknown(use, unknown)
	}
	if use.Stray {
		d := report("wiki-lint-enable without a wiki-lint-disable before it; remove it")
		d.Fixes = c.removal(use)
		return d
	}
	if rule := needsReason(c.o, use); rule != "" {
		return report("suppressing %s requires a reason; write it after --, or as reason: in the front matter", rule)
	}
	unused := unusedRules(c.o, use)
	if len(unused) == 0 {
		return nil
	}
	d := report("%s here; remove the suppression", nothingBy(unused))
	if d.Fixes = c.removal(use); len(unused) < len(use.Rules) {
		d.Fixes = shorter(c.page, use, unused)
	}
	return d
}

// nothingBy words that none of some rules reports anything; "" means all rules.
func nothingBy(rules []string) string {
	switch n := len(rules); {
	case rules[0] == "":
		return "no rule reports anything"
	case n == 1:
		return rules[0] + " reports nothing"
	default:
		return text.List(rules, "and") + " report nothing"
	}
}

// unknownRule returns the first rule that does not exist.
func unknownRule(o *linter.Outcome, use *linter.Use) *linter.SuppressedRule {
	for i := range use.Rules {
		if _, ok := o.Known(use.Rules[i].ID); !ok {
			return &use.Rules[i]
		}
	}
	return nil
}

func (c *suppressionCheck) unknown(use *linter.Use, r *linter.SuppressedRule) *schema.Diagnostic {
	near, _ := c.o.Known(r.ID)
	if near == "" {
		d := c.Report(c.page.Path, r.Span, "unknown rule %q; 'wiki lint --list-rules' lists all rules", r.ID)
		if len(use.Rules) == 1 {
			d.Fixes = c.removal(use)
		}
		return d
	}
	d := c.Report(c.page.Path, r.Span, "unknown rule %q; did you mean %q?", r.ID, near)
	if string(r.Span.In(c.page.Source)) == r.ID {
		d.Fixes = []schema.Fix{{Title: "write " + near, Edits: []schema.Edit{{Path: c.page.Path, Span: r.Span, Text: near}}}}
	}
	return d
}

// needsReason returns the rule that the suppression would be for if it gave a
// reason, in words, or "".
func needsReason(o *linter.Outcome, use *linter.Use) string {
	if use.Reason != "" {
		return ""
	}
	for _, r := range use.Rules {
		if rule := o.Rule(r.ID); rule != nil && rule.NeedsReason {
			return r.ID
		}
	}
	if len(use.Rules) == 0 && use.LacksReason() {
		return "a contradiction or an outdated claim"
	}
	return ""
}

// unusedRules returns the rules that the suppression is for and that report
// nothing there: "" when it is for all and none does. A rule that did not run,
// and one like this one that runs after the others, might have.
func unusedRules(o *linter.Outcome, use *linter.Use) []string {
	if len(use.Rules) == 0 {
		if !use.Ends() && !use.Matched("") && o.Ran("", use.Path) {
			return []string{""}
		}
		return nil
	}
	var out []string
	for _, r := range use.Rules {
		if rule := o.Rule(r.ID); rule == nil || rule.Last != nil || use.Ends() || use.Matched(r.ID) || !o.Ran(r.ID, use.Path) {
			continue
		}
		out = append(out, r.ID)
	}
	return out
}

// removal takes a suppression away, with the comment that ends it, and with
// their lines where nothing else is in them.
func (c *suppressionCheck) removal(use *linter.Use) []schema.Fix {
	page := c.page
	cut := use.Cut(page, func(n *schema.Node) bool { return c.gone[n.Span] })
	fix := schema.Fix{Title: "remove it", Safe: true}
	for _, span := range []schema.Span{cut, use.Twin} {
		if span.Len() == 0 {
			continue
		}
		if whole, ok := wholeLines(page, span); ok {
			span = whole
		} else if use.By == linter.ByComment {
			for span.Start > 0 && page.Source[span.Start-1] == ' ' {
				span.Start--
			}
		}
		fix.Edits = append(fix.Edits, schema.Edit{Path: page.Path, Span: span})
	}
	return []schema.Fix{fix}
}

// shorter leaves some rules out of the list of a suppression.
func shorter(page *schema.Page, use *linter.Use, unused []string) []schema.Fix {
	var keep []string
	for _, r := range use.Rules {
		if string(r.Span.In(page.Source)) != r.ID {
			return nil // in quotes
		}
		if !slices.Contains(unused, r.ID) {
			keep = append(keep, r.ID)
		}
	}
	list := schema.Span{Start: use.Rules[0].Span.Start, End: use.Rules[len(use.Rules)-1].Span.End}
	return []schema.Fix{{Title: "remove " + strings.Join(unused, ", "), Safe: true,
		Edits: []schema.Edit{{Path: page.Path, Span: list, Text: strings.Join(keep, ", ")}}}}
}
