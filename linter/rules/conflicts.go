package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// readClaims reads what a page states while its text is at hand; see
// [linter.Pass.Conflicts].
func readClaims(p *linter.Pass, page *schema.Page) { p.Facts(page) }

// reportConflicts reports the contradictions that belong to a rule; those that
// are less sure are warnings.
func reportConflicts(p *linter.Pass) {
	all := p.Conflicts().Conflicts
	for i := range all {
		if all[i].Rule != p.Rule.ID {
			continue
		}
		if d := reportConflict(p, &all[i]); all[i].Score < linter.CertainConflict {
			d.Severity = schema.Warning
		}
	}
}

// reportConflict reports a cause at the first value that is likely out of date, with
// every other place.
func reportConflict(p *linter.Pass, c *schema.Conflict) *schema.Diagnostic {
	stale, others := c.Differ[0][0], c.Differ[0][1:]
	var said []string
	for i := range others {
		if o := &others[i]; !strings.EqualFold(o.Text, stale.Text) && len(said) < mostNamed {
			said = append(said, fmt.Sprintf("%s in %s", short(o.Text), o.Path))
		}
	}
	what := c.Attr
	if c.Entity != "" && c.Attr != "" && c.Attr != c.Entity {
		what = fmt.Sprintf("%s of %s", c.Attr, c.Entity)
	} else if c.Entity != "" {
		what = c.Entity
	}
	why := ""
	switch more := len(c.Differ) - 1; {
	case more > 0 && c.Agree > 0:
		why = fmt.Sprintf(" (%d more differ, %d agree)", more, c.Agree)
	case more > 0:
		why = fmt.Sprintf(" (%d more differ)", more)
	case c.Agree > 0:
		why = fmt.Sprintf(" (%d others agree)", c.Agree)
	}
	d := p.Report(stale.Path, stale.Span, "conflicting values: %s is %s here and %s%s; correct the wrong side", what, short(stale.Text), strings.Join(said, ", "), why)
	d.About = what
	for i, claims := range c.Differ {
		for k := range claims {
			o := &claims[k]
			d.Sides = append(d.Sides, claimSide(o))
			if i+k > 0 {
				d.Related = append(d.Related, schema.Related{Path: o.Path, Span: o.Span, Message: relatedTo(o, i)})
			}
		}
	}
	return d
}

// relatedTo words what a further place says: of the first difference its value, of others whose it is.
func relatedTo(c *schema.Claim, difference int) string {
	switch {
	case difference == 0:
		return "here it is " + short(c.Text)
	case len(c.Subject.Names) == 0:
		return fmt.Sprintf("%s is %s here", c.Attr.Name, short(c.Text))
	}
	return fmt.Sprintf("%s of %s is %s here", c.Attr.Name, c.Subject.Names[0], short(c.Text))
}

// claimSide is a claim as a side of a contradiction: the same as long as its text,
// headings and conditions are the same, on any line.
func claimSide(c *schema.Claim) schema.Side {
	key := fmt.Sprintf("claim\x00%016x\x00%s\x00%s", c.ID, strings.Join(c.Scope, "\x01"), c.Text)
	return schema.Side{Path: c.Path, Span: c.Span, Text: c.Text, Key: key}
}
