package plan

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

type runs map[string]schema.RunSummary

func (r runs) Latest(path string) (schema.RunSummary, bool) { s, ok := r[path]; return s, ok }

func TestStatusOf(t *testing.T) {
	t.Parallel()
	const path = "plans/2026-07-a.md"
	commits := func(subjects ...string) map[string]*Merged {
		var out []Commit
		for _, s := range subjects {
			out = append(out, Commit{s, path})
		}
		return ReadMerged(out)
	}
	for _, tt := range []struct {
		name     string
		rejected string
		merged   map[string]*Merged
		run      string
		want     Status
	}{
		{"new", "", nil, "", Pending},
		{"rejected", "no", commits("feat(2026-07-a): 1 A", "feat(2026-07-a): 2 B"), "", Rejected},
		{"merged", "", commits("feat(2026-07-a): 1 A", "feat(2026-07-a): 2 B", "docs(2026-07-a): log"), "stopped", Done},
		{"squashed", "", commits("Validate prices (#12)"), "", Done},
		{"a part is merged", "", commits("feat(2026-07-a): 1 A"), "", Pending},
		{"only pages are merged", "", commits("docs(2026-07-a): what changed"), "stopped", Blocked},
		{"runs", "", nil, "running", Running},
		{"waits", "", nil, "waiting", Blocked},
		{"is not merged", "", nil, "met", Blocked},
		{"lacked a program", "", nil, "environment", Pending},
		{"stopped", "", nil, "stopped", Blocked},
	} {
		p := &loops.Plan{Name: "2026-07-a", Path: path, Rejected: tt.rejected, Chunks: []loops.Chunk{{ID: "1"}, {ID: "2"}}}
		var r Runs
		if tt.run != "" {
			r = runs{path: {ID: "r1", Status: tt.run}}
		}
		if got, why := StatusOf(p, tt.merged[p.Name], r); got != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, got, why, tt.want)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	plan := func(name string, priority int, on ...string) Known {
		return Known{Plan: &loops.Plan{Name: name, Priority: priority, DependsOn: on}}
	}
	plans := []Known{plan("d", 3), plan("c", 1, "d", "e"), plan("b", 2, "x"), plan("e", 3, "c"), plan("a", 2)}
	Order(plans)
	var got []string
	for _, k := range plans {
		got = append(got, k.Plan.Name)
	}
	if s := strings.Join(got, ""); s != "decab" {
		t.Error(s)
	}
}
