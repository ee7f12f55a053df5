package rules

import (
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "review-overdue",
	Group:    linter.Sources,
	Severity: schema.Info,
	Since:    since,
	Summary:  "The last verification is older than the review interval.",
	Doc: `A page says how fast its content ages with ` + "`volatility`" + ` (` + "`hot`" + `: 30 days, ` + "`warm`" + `: 90, ` + "`cold`" + `: 365), or with its
own interval, ` + "`review_interval: 6 months` or `review_every: 14d`" + `. More time than that has passed since it was
last verified, or else updated.

Check it against its sources, correct it, and update the date. Pages without either field, deprecated pages
and raw sources are never overdue.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		days, why := reviewInterval(page)
		if days == 0 || p.Today.IsZero() || historical(page) {
			return
		}
		var last schema.Moment
		for _, v := range page.Meta.Verified {
			if v.At.Time.After(last.Time) {
				last = v.At
			}
		}
		if last.Time.IsZero() {
			last = page.Meta.Updated
		}
		if last.Time.IsZero() || last.Key == "" {
			return
		}
		if due := last.Time.AddDate(0, 0, days); p.Today.After(due) {
			p.Report(page.Path, last.Span, "review overdue: %s %s is %s ago, the page is %s, and the review was due on %s; check it against its sources and update the date",
				last.Key, last, text.Count(int(p.Today.Sub(last.Time).Hours()/24), "day"), why, due.Format(day))
		}
	},
})

// volatilities are the review intervals in days by volatility.
var volatilities = map[string]int{"hot": 30, "warm": 90, "cold": 365}

// reviewInterval returns the review interval of a page in days, and the page's word for
// it; 0 if it has none.
func reviewInterval(page *schema.Page) (days int, why string) {
	for _, pair := range pairs(page) {
		if len(pair.Key) < len("review_every") || pair.Key[0]|0x20 != 'r' {
			continue
		}
		switch fieldKey(pair.Key) {
		case "review_interval", "review_every", "review_cycle", "review_cadence":
			if d := daysOf(pair.Value.Text); d > 0 {
				return d, "to be reviewed every " + pair.Value.Text
			}
		}
	}
	word := strings.ToLower(page.Meta.Volatility)
	return volatilities[word], word
}

// daysOf converts 14d, 6 months, 1 year or weekly to days, 0 for other text; a month has
// 30 days, a year 365.
func daysOf(text string) int {
	text = strings.ToLower(strings.TrimSpace(text))
	switch text {
	case "daily":
		return 1
	case "weekly":
		return 7
	case "monthly":
		return 30
	case "quarterly":
		return 90
	case "yearly", "annually":
		return 365
	}
	unit := strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(unit)])
	if err != nil || n > 36500 {
		return 0
	}
	switch strings.TrimSuffix(strings.TrimSpace(unit), "s") {
	case "", "d", "day":
		return n
	case "w", "week":
		return n * 7
	case "m", "mo", "month":
		return n * 30
	case "y", "year":
		return n * 365
	}
	return 0
}
