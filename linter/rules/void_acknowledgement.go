package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "void-acknowledgement",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "An acknowledged contradiction changed, or its acknowledgement expired.",
	Doc: `Some contradictions can't be resolved today: the team was asked, the service moves in June. Acknowledging one
records who knows about it and why it stays, and hides it meanwhile:

` + "```" + `sh
wiki lint --ack services/gateway.md:3 --reason "the gateway moves in June" --until 2026-06-30
` + "```" + `

It is stored in ` + "`.loopwiki/acknowledged.yaml`" + ` next to ` + "`wiki.yaml`" + `, by what the sides say and not by line
numbers. It is void as soon as a side says something else or is under another heading, a side is added or
removed, or its last day has passed: the contradiction is reported again, and this rule says what changed.
Moved lines and pages renamed in git change nothing.

If pages declare a contradiction with each other in front matter, it is unknown which claims are meant, so any
change of their text counts; for a callout, any change of the callout.

Correct one of the sides, or acknowledge it again with the same command. A resolved contradiction needs
nothing: the next ` + "`--ack`" + ` removes it from the file.`,
	Last: func(p *linter.Pass, o *linter.Outcome) {
		file, void := o.VoidAcknowledgements()
		for i := range void {
			reportVoid(p, file, &void[i])
		}
	},
})

// reportVoid reports an acknowledgement that no longer holds, at the side that
// changed or, when none is there to see, where the contradiction is reported.
func reportVoid(p *linter.Pass, file string, v *linter.VoidAcknowledgement) {
	path, span := v.Finding.Path, v.Finding.Span
	for _, c := range v.Changed {
		if c.Now != nil {
			path, span = c.Now.Path, c.Now.Span
			break
		}
	}
	what := "this contradiction"
	if v.Finding.About != "" {
		what = "the contradiction about " + v.Finding.About
	}
	who := ""
	if v.Entry.By != "" {
		who += " by " + v.Entry.By
	}
	if v.Entry.Since != "" {
		who += " on " + v.Entry.Since
	}
	var d *schema.Diagnostic
	if v.Expired {
		d = p.Report(path, span, "the acknowledgement of %s%s expired on %s (%s); resolve it, or acknowledge it again", what, who, v.Entry.Until, short(text.Collapse(v.Entry.Reason)))
	} else {
		d = p.Report(path, span, "the acknowledgement of %s%s (%s) is void: %s; resolve it, or acknowledge it again", what, who, short(text.Collapse(v.Entry.Reason)), changedSides(v.Changed))
	}
	if file != "" {
		d.Related = append(d.Related, schema.Related{Path: file, Span: v.Entry.Span, Message: "acknowledged here"})
	}
	for i := range v.Finding.Sides {
		if s := &v.Finding.Sides[i]; s.Path != path || s.Span != span {
			d.Related = append(d.Related, schema.Related{Path: s.Path, Span: s.Span, Message: "the other side"})
		}
	}
}

// changedSides says what changed of a contradiction.
func changedSides(list []linter.ChangedSide) string {
	var said []string
	for _, c := range list {
		var was, now string
		if c.Was != nil {
			was = short(c.Was.Text)
		}
		if c.Now != nil {
			now = short(text.Collapse(c.Now.Text))
		}
		switch {
		case len(said) == mostNamed:
			return strings.Join(said, ", ") + ", …"
		case c.Was == nil:
			said = append(said, fmt.Sprintf("%s now says %s too", c.Now.Path, now))
		case c.Now == nil:
			said = append(said, fmt.Sprintf("%s, which said %s, is no longer part of it", c.Was.Page, was))
		case strings.EqualFold(was, now):
			said = append(said, fmt.Sprintf("%s changed its wording", c.Now.Path))
		default:
			said = append(said, fmt.Sprintf("%s now says %s instead of %s", c.Now.Path, now, was))
		}
	}
	return strings.Join(said, ", ")
}
