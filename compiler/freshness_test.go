package compiler

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

const (
	firstCommit = "1111111111111111111111111111111111111111"
	lastCommit  = "abcdef2222222222222222222222222222222222"
)

// on is a day of 2026, at is a time of it, by commits.
func on(month time.Month, day int) schema.Moment {
	return schema.Moment{Time: time.Date(2026, month, day, 0, 0, 0, 0, time.UTC), Day: true, Key: "k"}
}

func at(month time.Month, day, hour int) time.Time {
	return time.Date(2026, month, day, hour, 0, 0, 0, time.UTC)
}

// changedOn is the history of a page that was made on the first of January.
func changedOn(t time.Time) *history.File {
	return &history.File{Created: history.Commit{ID: firstCommit, Time: at(1, 1, 9)},
		Changed: history.Commit{ID: lastCommit, Time: t}, Commits: 2, Renamed: []string{"old.md", "older.md"}}
}

func TestFreshnessState(t *testing.T) {
	t.Parallel()
	ana := func(m schema.Moment) []schema.Verification { return []schema.Verification{{By: "human:ana", At: m}} }
	instant := schema.Moment{Time: at(3, 4, 10)}
	tests := []struct {
		name   string
		meta   schema.Meta
		git    *history.File
		state  schema.FreshnessState
		reason string
	}{
		{"nothing known", schema.Meta{}, nil, schema.FreshUnverified, "never verified"},
		{"only git", schema.Meta{}, changedOn(at(4, 1, 9)), schema.FreshUnverified, "never verified"},
		{"updated left behind", schema.Meta{Updated: on(1, 2)}, changedOn(at(4, 1, 9)), schema.FreshUnverified,
			"never verified; front matter says updated on 2026-01-02, but it was changed on 2026-04-01"},
		{"updated and committed the day after", schema.Meta{Updated: on(3, 31)}, changedOn(at(4, 1, 11)), schema.FreshUnverified, "never verified"},

		{"verified", schema.Meta{Verified: ana(on(3, 4))}, changedOn(at(2, 1, 9)), schema.FreshVerified, "verified by ana on 2026-03-04"},
		{"verified, no git", schema.Meta{Verified: ana(on(3, 4))}, nil, schema.FreshVerified, "verified by ana on 2026-03-04"},
		{"verified, committed in the evening far west", schema.Meta{Verified: ana(on(3, 4))}, changedOn(at(3, 5, 11)), schema.FreshVerified, "verified by ana on 2026-03-04"},
		{"changed the day after that", schema.Meta{Verified: ana(on(3, 4))}, changedOn(at(3, 5, 12)), schema.FreshUnverified,
			"verified by ana on 2026-03-04, changed since on 2026-03-05"},
		{"changed long after", schema.Meta{Verified: ana(on(3, 4))}, changedOn(at(4, 1, 9)), schema.FreshUnverified,
			"verified by ana on 2026-03-04, changed since on 2026-04-01"},
		{"an instant, committed with it", schema.Meta{Verified: ana(instant)}, changedOn(at(3, 5, 9)), schema.FreshVerified, "verified by ana on 2026-03-04"},
		{"an instant, changed a day later", schema.Meta{Verified: ana(instant)}, changedOn(at(3, 5, 10)), schema.FreshUnverified,
			"verified by ana on 2026-03-04, changed since on 2026-03-05"},
		{"updated says more than git", schema.Meta{Verified: ana(on(3, 4)), Updated: on(3, 6)}, nil, schema.FreshUnverified,
			"verified by ana on 2026-03-04, changed since on 2026-03-06"},
		{"updated the same day", schema.Meta{Verified: ana(on(3, 4)), Updated: schema.Moment{Time: at(3, 4, 20), Key: "updated"}}, nil, schema.FreshVerified,
			"verified by ana on 2026-03-04"},
		{"names the commit of the change", schema.Meta{Verified: ana(schema.Moment{Time: at(3, 4, 0), Day: true, Commit: "abcdef2"})}, changedOn(at(4, 1, 9)),
			schema.FreshVerified, "verified by ana on 2026-03-04 against commit abcdef2"},
		{"names the same commit of another repository", schema.Meta{Verified: []schema.Verification{{At: schema.Moment{Time: at(3, 4, 0), Day: true, Commit: "abcdef2"}, Against: "core"}}},
			changedOn(at(4, 1, 9)), schema.FreshUnverified, "verified on 2026-03-04 against commit abcdef2 of core, changed since on 2026-04-01"},
		{"only a commit that made the page", schema.Meta{Verified: ana(schema.Moment{Commit: firstCommit})}, changedOn(at(4, 1, 9)), schema.FreshUnverified,
			"verified by ana on 2026-01-01 against commit 1111111111, changed since on 2026-04-01"},
		{"only a commit of the code", schema.Meta{Verified: []schema.Verification{{By: "process:ci", At: schema.Moment{Commit: "fedcba9"}, Against: "core"}}}, changedOn(at(4, 1, 9)),
			schema.FreshVerified, "verified by the process ci against commit fedcba9 of core"},
		{"too short for a commit", schema.Meta{Verified: ana(schema.Moment{Commit: "abc", Time: at(3, 4, 0), Day: true})}, changedOn(at(4, 1, 9)), schema.FreshUnverified,
			"verified by ana on 2026-03-04 against commit abc, changed since on 2026-04-01"},
		{"reviewed: true", schema.Meta{Verified: []schema.Verification{{}}}, changedOn(at(4, 1, 9)), schema.FreshVerified, "verified, without a date"},
		{"the latest of several", schema.Meta{Verified: []schema.Verification{{By: "human:ana", At: on(3, 4)}, {By: "codex/1", At: on(5, 6)}, {By: "x", At: on(2, 1)}}},
			changedOn(at(4, 1, 9)), schema.FreshVerified, "verified by codex/1 on 2026-05-06"},

		{"expired yesterday", schema.Meta{Verified: ana(on(3, 4)), Expires: on(6, 14)}, nil, schema.FreshStale, "expired on 2026-06-14"},
		{"expires today", schema.Meta{Verified: ana(on(3, 4)), Expires: on(6, 15)}, nil, schema.FreshVerified, "verified by ana on 2026-03-04"},
		{"expired an hour ago", schema.Meta{Expires: schema.Moment{Time: at(6, 15, 11)}}, nil, schema.FreshStale, "expired on 2026-06-15"},
		{"expires in an hour", schema.Meta{Expires: schema.Moment{Time: at(6, 15, 13)}}, nil, schema.FreshUnverified, "never verified"},

		{"draft", schema.Meta{Verified: ana(on(3, 4)), Status: schema.Status{Word: "wip", Class: schema.StatusDraft}}, nil, schema.FreshDraft, "its status is wip"},
		{"draft: true", schema.Meta{Draft: true}, nil, schema.FreshDraft, "marked as a draft"},
		{"an expired draft", schema.Meta{Draft: true, Expires: on(6, 1)}, nil, schema.FreshStale, "expired on 2026-06-01"},
		{"stale", schema.Meta{Status: schema.Status{Word: "stale", Class: schema.StatusStale}, Expires: on(6, 1)}, nil, schema.FreshStale, "its status is stale"},
		{"contested and expired", schema.Meta{Status: schema.Status{Word: "disputed", Class: schema.StatusContested}, Expires: on(6, 1)}, nil, schema.FreshContested, "its status is disputed"},
		{"deprecated", schema.Meta{Status: schema.Status{Word: "archived", Class: schema.StatusDeprecated}}, nil, schema.FreshSuperseded, "its status is archived"},
		{"superseded by another", schema.Meta{Status: schema.Status{Word: "disputed", Class: schema.StatusContested},
			Relations: []schema.Relation{{Kind: schema.RelationContradicts, Target: "x"}, {Kind: schema.RelationSupersededBy, Target: "New page"}}}, nil,
			schema.FreshSuperseded, "superseded by New page"},
		{"supersedes another", schema.Meta{Relations: []schema.Relation{{Kind: schema.RelationSupersedes, Target: "Old page"}}}, nil, schema.FreshUnverified, "never verified"},
		{"stable is no verification", schema.Meta{Status: schema.Status{Word: "verified", Class: schema.StatusStable}}, nil, schema.FreshUnverified, "never verified"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &Wiki{today: at(6, 15, 12)}
			if tt.git != nil {
				w.history = &history.History{Files: map[string]*history.File{"p.md": tt.git}}
			}
			got := w.Freshness(&schema.Page{Path: "p.md", Meta: tt.meta})
			if got.State != tt.state || got.Reason != tt.reason {
				t.Errorf("%s: %q\nwant %s: %q", got.State, got.Reason, tt.state, tt.reason)
			}
		})
	}
}

func TestFreshnessWithoutToday(t *testing.T) {
	t.Parallel()
	got := (&Wiki{}).Freshness(&schema.Page{Meta: schema.Meta{Expires: on(1, 1)}})
	if got.State != schema.FreshUnverified {
		t.Errorf("%+v", got)
	}
}

func TestFreshnessDates(t *testing.T) {
	t.Parallel()
	gitCreated := schema.Moment{Time: at(1, 1, 9), Commit: firstCommit}
	gitChanged := schema.Moment{Time: at(4, 1, 9), Commit: lastCommit}
	tests := []struct {
		name             string
		meta             schema.Meta
		commits          int
		shallow          bool
		created, updated schema.Moment
	}{
		{name: "git's own", commits: 2, created: gitCreated, updated: gitChanged},
		{name: "the frontmatter's", meta: schema.Meta{Created: on(2, 1), Updated: on(2, 2)}, commits: 2, created: on(2, 1), updated: on(2, 2)},
		{name: "a commit that is known", meta: schema.Meta{Updated: schema.Moment{Commit: "abcdef2", Key: "updated"}}, commits: 2,
			created: gitCreated, updated: schema.Moment{Time: at(4, 1, 9), Commit: "abcdef2", Key: "updated"}},
		{name: "a commit that is not", meta: schema.Meta{Updated: schema.Moment{Commit: "fedcba9", Key: "updated"}}, commits: 2, created: gitCreated, updated: gitChanged},
		{name: "shallow, at its edge", shallow: true, commits: 1},
		{name: "shallow, beyond its edge", shallow: true, commits: 2, updated: gitChanged},
		{name: "shallow, a commit alone", meta: schema.Meta{Updated: schema.Moment{Commit: "fedcba9"}}, shallow: true, commits: 1, updated: schema.Moment{Commit: "fedcba9"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := changedOn(at(4, 1, 9))
			file.Commits = tt.commits
			w := &Wiki{history: &history.History{Shallow: tt.shallow, Files: map[string]*history.File{"p.md": file}}}
			got := w.Freshness(&schema.Page{Path: "p.md", Meta: tt.meta})
			if diff := cmp.Diff([]schema.Moment{tt.created, tt.updated}, []schema.Moment{got.Created, got.Updated}); diff != "" {
				t.Error(diff)
			}
			if got.Renamed != "old.md" {
				t.Errorf("renamed from %q", got.Renamed)
			}
		})
	}
}
