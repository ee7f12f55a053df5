package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "date-order",
	Group:    linter.Front,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page's last update is before its creation, or in the future.",
	Doc: `One of the dates is wrong, so sorting by date and finding stale pages don't work. Agents that don't know
today's date often make one up.

Only dates in the page's own front matter are compared, with one day of tolerance for time zones. Correct the
date, or remove it: git knows when the page was created and changed.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		m := page.Meta
		if written(m.Created) && written(m.Updated) && m.Created.Key != m.Updated.Key && dayAfter(m.Created, m.Updated) {
			d := p.Report(page.Path, m.Updated.Span, "%s %s is before %s %s; correct one of them", m.Updated.Key, m.Updated, m.Created.Key, m.Created)
			d.Related = []schema.Related{{Path: page.Path, Span: m.Created.Span, Message: "created here"}}
			lowerSeverity(d, page)
		}
		if p.Today.IsZero() {
			return
		}
		today := schema.Moment{Time: p.Today}
		dates := []schema.Moment{m.Created, m.Updated}
		for _, v := range m.Verified {
			dates = append(dates, v.At)
		}
		for _, at := range dates {
			if written(at) && dayAfter(at, today) {
				lowerSeverity(p.Report(page.Path, at.Span, "%s %s is in the future (today is %s); correct the date", at.Key, at, today), page)
			}
		}
	},
})

// written reports whether the page itself gives the time.
func written(m schema.Moment) bool { return m.Key != "" && !m.Time.IsZero() }

// dayAfter reports whether a is more than a day after b, which no two time
// zones explain.
func dayAfter(a, b schema.Moment) bool {
	if a.Day && b.Day {
		return a.Time.After(b.Time)
	}
	return a.Time.Sub(b.Time).Hours() > 24
}
