package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// readClaims reads what a page states while its text is at hand; see
// [linter.Pass.Conflicts].
func readClaims(p *linter.Pass, page *schema.Page) {
	p.Claims(page)
	p.Sayings(page)
}

// reportConflicts reports the contradictions that belong to a rule; those that
// are less sure are warnings.
func reportConflicts(p *linter.Pass) {
	all := p.Conflicts()
	for i := range all {
		if all[i].Rule != p.Rule.ID {
			continue
		}
		if d := reportConflict(p, &all[i]); all[i].Score < linter.CertainConflict {
			d.Severity = schema.Warning
		}
	}
}

// reportConflict reports a contradiction at the side that is likely out of
// date, with every other side.
func reportConflict(p *linter.Pass, c *schema.Conflict) *schema.Diagnostic {
	stale, others := c.Sides[0], c.Sides[1:]
	quoted := c.Attr == "statement"
	var said []string
	for i := range others {
		switch text := short(others[i].Text); {
		case strings.EqualFold(others[i].Text, stale.Text) || len(said) >= mostNamed:
		case quoted:
			said = append(said, fmt.Sprintf("%s says “%s”", others[i].Path, text))
		default:
			said = append(said, fmt.Sprintf("%s in %s", text, others[i].Path))
		}
	}
	why := ""
	if c.Why != "" {
		why = " (" + c.Why + ")"
	}
	what := attributeOf(c.Attr) + " of " + c.Entity
	if c.Attr == "value" { // of a table of keys
		what = c.Entity
	}
	format := "%s is %s here and %s%s; find out which holds, and correct the other"
	if quoted {
		format, what = "about %s, this page says “%s” and %s%s; find out which holds, and correct the other", c.Entity
	}
	d := p.Report(stale.Path, stale.Span, format, what, short(stale.Text), strings.Join(said, ", "), why)
	d.About = what
	for i := range c.Sides {
		d.Sides = append(d.Sides, claimSide(&c.Sides[i]))
	}
	for i := range others {
		o := &others[i]
		d.Related = append(d.Related, schema.Related{Path: o.Path, Span: o.Span, Message: "here it is " + short(o.Text)})
	}
	return d
}

// unfinished are the words that a head of a column ends with which names nothing by itself: Kept for, Stops at, When.
var unfinished = map[string]bool{"for": true, "at": true, "in": true, "on": true, "by": true, "to": true, "of": true, "with": true, "from": true, "after": true, "when": true, "where": true, "who": true, "how": true}

// attributeOf returns what an attribute is called in a sentence.
func attributeOf(name string) string {
	words := strings.Fields(strings.ToLower(name))
	if len(words) > 0 && unfinished[words[len(words)-1]] {
		return "“" + name + "”"
	}
	return name
}

// claimSide is a claim as a side of a contradiction: the same one as long as it
// says the same under the same headings and conditions, whatever its line.
func claimSide(c *schema.Claim) schema.Side {
	key := fmt.Sprintf("claim\x00%016x\x00%s\x00%s", c.ID, strings.Join(c.Scope, "\x01"), c.Text)
	return schema.Side{Path: c.Path, Span: c.Span, Text: c.Text, Key: key}
}
