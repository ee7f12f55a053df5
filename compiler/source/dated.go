package source

import (
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
