package compiler

import (
	"fmt"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

// A verification is written into the page, so the page is committed afterwards: a change
// within this time counts as that commit. A day ends in the last time zone twelve hours
// after it ends in UTC.
const (
	recordedAfterInstant = 24 * time.Hour
	recordedAfterDay     = 36 * time.Hour
)

// Freshness says when a page was made, changed and last known true, from its
// front matter and from git.
//
// The worst that is known about the page decides. It is superseded when it
// names its successor or its status says so, then contested, stale or draft by
// its status; it is stale too from the day after the one it expires on. Else
// it is verified if its latest verification still covers it. That ends with a
// change after it, by git or by a later date under updated, unless the
// verification names the commit of that change. A verification that gives only
// some other commit, mostly one of the code that the page describes, can't be
// put in order with changes of the page, and stands.
//
// Dates of the front matter come before those of git. In a shallow clone git
// knows no page's beginning, and of a page's last change only that it is not
// later than the oldest commit; neither is used.
func (w *Wiki) Freshness(p *schema.Page) schema.Freshness {
	g := w.gitDates(p)
	fresh := schema.Freshness{
		Created: dated(p.Meta.Created, g, g.created),
		Updated: dated(p.Meta.Updated, g, g.changed),
		Expires: p.Meta.Expires,
		Renamed: g.renamed,
	}
	last, verified := latestVerification(p.Meta.Verified, g)
	fresh.Verified = last
	if fresh.State, fresh.Reason = declaredState(&p.Meta, w.today); fresh.State != "" {
		return fresh
	}
	if !verified {
		fresh.State, fresh.Reason = schema.FreshUnverified, "never verified"
		if m := p.Meta.Updated; !m.Time.IsZero() && changedAfter(m, g.changed) {
			fresh.Reason += fmt.Sprintf("; front matter says updated on %s, but it was changed on %s", m, g.changed)
		}
		return fresh
	}
	fresh.State, fresh.Reason = schema.FreshVerified, verificationInWords(last)
	if since := changeSince(last, p.Meta.Updated, g.changed); !since.IsZero() {
		fresh.State = schema.FreshUnverified
		fresh.Reason += ", changed since on " + since.String()
	}
	return fresh
}

// gitDates are the dates of a page in git, as far as they are reliable.
type gitDates struct {
	created, changed schema.Moment
	renamed          string
}

func (w *Wiki) gitDates(p *schema.Page) (g gitDates) {
	if w.history == nil {
		return g
	}
	file := w.history.Files[p.Path]
	if file == nil {
		return g
	}
	if !w.history.Shallow {
		g.created = gitMoment(file.Created)
	}
	// The oldest commit of a shallow clone seems to have made every file; one
	// that was committed again has its last change on this side of it.
	if !w.history.Shallow || file.Commits > 1 {
		g.changed = gitMoment(file.Changed)
	}
	if len(file.Renamed) > 0 {
		g.renamed = file.Renamed[0]
	}
	return g
}

func gitMoment(c history.Commit) schema.Moment { return schema.Moment{Time: c.Time, Commit: c.ID} }

// dated returns the date in front matter, or of the commit named there; else the date
// from git, else that commit without a date.
func dated(front schema.Moment, g gitDates, git schema.Moment) schema.Moment {
	front = withTime(front, g)
	if front.Time.IsZero() && !git.IsZero() {
		return git
	}
	return front
}

// withTime gives a moment that is only a commit its time, if the commit made
// or last changed the page.
func withTime(m schema.Moment, g gitDates) schema.Moment {
	for _, git := range [...]schema.Moment{g.changed, g.created} {
		if m.Time.IsZero() && sameCommit(m, git) {
			m.Time = git.Time
		}
	}
	return m
}

// sameCommit reports whether m names the commit of git, in full or abbreviated
// to no fewer digits than git itself allows.
func sameCommit(m, git schema.Moment) bool {
	return len(m.Commit) >= 4 && git.Commit != "" && strings.HasPrefix(git.Commit, m.Commit)
}

// declaredState is the state declared in front matter, "" if there is none, and the
// reason.
func declaredState(m *schema.Meta, today time.Time) (schema.FreshnessState, string) {
	status := fmt.Sprintf("its status is %s", m.Status.Word)
	for _, r := range m.Relations {
		if r.Kind == schema.RelationSupersededBy {
			return schema.FreshSuperseded, "superseded by " + r.Target
		}
	}
	switch m.Status.Class {
	case schema.StatusDeprecated:
		return schema.FreshSuperseded, status
	case schema.StatusContested:
		return schema.FreshContested, status
	case schema.StatusStale:
		return schema.FreshStale, status
	}
	if expired(m.Expires, today) {
		return schema.FreshStale, fmt.Sprintf("expired on %s", m.Expires)
	}
	switch {
	case m.Status.Class == schema.StatusDraft:
		return schema.FreshDraft, status
	case m.Draft:
		return schema.FreshDraft, "marked as a draft"
	}
	return "", ""
}

// expired reports whether a moment has passed; a day passes at its end. Without a today,
// nothing expires.
func expired(m schema.Moment, today time.Time) bool {
	if m.Time.IsZero() || today.IsZero() {
		return false
	}
	if m.Day {
		return !today.Before(m.Time.AddDate(0, 0, 1))
	}
	return today.After(m.Time)
}

// latestVerification returns the verification with the latest date; of those
// without one the last in the file.
func latestVerification(all []schema.Verification, g gitDates) (last schema.Verification, ok bool) {
	for i, v := range all {
		if v.Against == "" {
			v.At = withTime(v.At, g)
		}
		if i == 0 || !v.At.Time.Before(last.At.Time) {
			last = v
		}
	}
	return last, len(all) > 0
}

// changeSince returns the change of the page after its verification, zero when
// none is known.
func changeSince(v schema.Verification, updated, changed schema.Moment) schema.Moment {
	if v.At.Time.IsZero() || v.Against == "" && sameCommit(v.At, changed) {
		return schema.Moment{}
	}
	if changedAfter(v.At, changed) {
		return changed
	}
	if dayOf(updated.Time).After(dayOf(v.At.Time)) {
		return updated
	}
	return schema.Moment{}
}

// changedAfter reports whether a commit came later than the one that wrote
// the moment into the page.
func changedAfter(said, commit schema.Moment) bool {
	grace := recordedAfterInstant
	if said.Day {
		grace = recordedAfterDay
	}
	return !commit.Time.IsZero() && !commit.Time.Before(said.Time.Add(grace))
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// verificationInWords describes who verified a page, when and against what.
func verificationInWords(v schema.Verification) string {
	words := "verified"
	if v.By != "" {
		kind, name, ok := strings.Cut(v.By, ":")
		switch {
		case ok && name != "" && kind == "human":
			words += " by " + name
		case ok && name != "" && kind == "process":
			words += " by the process " + name
		default:
			words += " by " + v.By
		}
	}
	if !v.At.Time.IsZero() {
		words += " on " + v.At.Time.Format(time.DateOnly)
	}
	if v.At.Commit != "" {
		words += " against commit " + v.At.Commit[:min(len(v.At.Commit), 10)]
	}
	if v.Against != "" {
		words += " of " + v.Against
	}
	if v.At.IsZero() {
		words += ", without a date"
	}
	return words
}
