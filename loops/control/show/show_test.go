package show

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/controltest"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/
-- plans/2026-07-a.md --
---
title: First
priority: P2
---
# First
-- plans/2026-07-b.md --
---
title: Second
priority: P1
---
# Second
`

func TestRunsPlansAndIncidents(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	v := New(r)
	id := controltest.Begun(t, r, loops.Start{Loop: "execution", Plan: loops.Plan{Name: "2026-07-a", Path: "plans/2026-07-a.md", Title: "First"}}, true)

	d, err := v.Detail(id)
	if err != nil || d.ID != id {
		t.Errorf("%+v, %v", d, err)
	}
	for _, unknown := range []string{"2026-01-01T000000Z-none", "../" + id} {
		if _, err := v.Detail(unknown); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", unknown, err)
		}
	}
	if points, err := v.Points(); err != nil || len(points) != 1 || len(v.All()) != 1 {
		t.Errorf("%+v, %v", points, err)
	}

	plans, err := v.Plans(t.Context())
	if err != nil || len(plans) != 2 || plans[0].Name != "2026-07-b" || plans[0].Run != "" || plans[1].Run != id || plans[1].Text != "" {
		t.Errorf("the first to run comes first, with its last run: %+v, %v", plans, err)
	}
	if p, err := v.Plan(t.Context(), "2026-07-a"); err != nil || !strings.Contains(p.Text, "# First") {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := v.Plan(t.Context(), "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}

	i, err := r.Andon().Open(andon.Failure{Run: id, Plan: "plans/2026-07-a.md", Status: loops.Stopped, Why: "it reached outside", Class: loops.ClassContainment})
	if err != nil {
		t.Fatal(err)
	}
	all, err := v.Incidents()
	if err != nil || len(all) != 1 || all[0].Status != "stops" || all[0].Run != id || all[0].Why != "it reached outside" {
		t.Errorf("%+v, %v", all, err)
	}
	if one, err := v.Incident(i.ID); err != nil || len(one.Parts) < 2 {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := v.Incident("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A stamp changes with what it is of.
func TestStamps(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	s := New(r).Stamps()
	first := s.Of("")
	id := controltest.Begun(t, r, loops.Start{Loop: "execution", Plan: loops.Plan{Name: "p", Path: "plans/p.md"}}, false)
	begun, own := s.Of(""), s.Of(id)
	if begun == first || s.Of("") != begun || s.Of(id) != own {
		t.Error("a run that begins changes the stamp once")
	}
	controltest.Write(t, r, "plans/2026-07-b.md", "# Other\n")
	if s.Of("") == begun || s.Of(id) != own {
		t.Error("a plan that changes changes the stamp of all, and not of a run")
	}
}

func TestLogs(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	id := controltest.Begun(t, r, loops.Start{Loop: "execution", Plan: loops.Plan{Name: "p", Path: "plans/p.md"}}, true)
	var out strings.Builder
	flushed := 0
	err := New(r).Logs(t.Context(), id, LogOptions{Follow: true, Flush: func() error { flushed++; return nil }}, &out)
	if err != nil || flushed != 1 || len(strings.Split(strings.TrimSpace(out.String()), "\n")) < 2 {
		t.Errorf("%d times, %q, %v", flushed, out.String(), err)
	}
}
