package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "expired",
	Group:    linter.Sources,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page is past its expiry date.",
	Doc: `The author said until when the page is valid, with ` + "`stale_after`, `expires`, `valid_until`, `review_by`" + `, or
` + "`stale_ttl`" + ` counted from the last verification. That date has passed.

Review the page and set a new date, or retire it. Pages already deprecated, superseded or marked as stale are
not reported, nor are raw sources.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		at := page.Meta.Expires
		if at.Time.IsZero() || p.Today.IsZero() || historical(page) || page.Meta.Status.Class == schema.StatusStale {
			return
		}
		end := at.Time
		if at.Day {
			end = end.AddDate(0, 0, 1)
		}
		if p.Today.Before(end) {
			return
		}
		p.Report(page.Path, at.Span, "the page expired on %s (%s); review it and set a new date, or retire it", at, at.Key)
	},
})
