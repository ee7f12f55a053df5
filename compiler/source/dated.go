package source

import (
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// LastTrue returns when a page was last known true by what it says itself, how it
// says so, and where: the latest verification, else its date of change, else
// the page's last commit.
func LastTrue(page *schema.Page, repository *compiler.Repository) (at schema.Moment, how string, span schema.Span) {
	span = schema.Span{Start: page.Body, End: page.Body}
	if page.Front != nil {
		span = schema.Span{Start: page.Front.Span.Start, End: page.Front.Span.Start + 3}
	}
	timed := func(m schema.Moment) schema.Moment {
		if m.Time.IsZero() && m.Commit != "" {
			m.Time, _ = repository.Time(m.Commit)
		}
		return m
	}
	for _, v := range page.Meta.Verified {
		if m := timed(v.At); m.Time.After(at.Time) {
			at, how, span = m, "verified", m.Span
		}
	}
	if !at.Time.IsZero() {
		return at, how, span
	}
	if m := timed(page.Meta.Updated); !m.Time.IsZero() {
		return m, "updated", m.Span
	}
	return repository.Changed(page.Path), "last committed", span
}

// LaterThan reports whether a commit came after a moment. One on the same day as
// a day did not: that day's work may have seen it.
func LaterThan(commit, than schema.Moment) bool {
	if than.Day {
		return !commit.Time.Before(than.Time.Add(24 * time.Hour))
	}
	return commit.Time.After(than.Time)
}

// DatedPage reports whether a day stands in a page's path or title: it says what was so
// then.
func DatedPage(page *schema.Page) bool { return holdsDay(page.Path) || holdsDay(page.Title) }

// holdsDay reports whether a text holds a day as 2026-07-01, 2026_07_01, 2026/07/01 or
// 20260701.
func holdsDay(text string) bool {
	for i := 0; i+8 <= len(text); i++ {
		if text[i] != '1' && text[i] != '2' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		digits := make([]byte, 0, 9)
		for k := i; k < len(text) && len(digits) < 9; k++ {
			c := text[k]
			separates := (len(digits) == 4 || len(digits) == 6) && strings.IndexByte("-_./", c) >= 0
			if c < '0' || c > '9' {
				if separates && k+1 < len(text) && text[k+1] >= '0' && text[k+1] <= '9' && text[k-1] >= '0' && text[k-1] <= '9' {
					continue
				}
				break
			}
			digits = append(digits, c)
		}
		if len(digits) == 8 {
			if _, err := time.Parse("20060102", string(digits)); err == nil {
				return true
			}
		}
	}
	return false
}
