package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// A home has the login and nothing else; what is sealed lies outside of it.
func TestFurnish(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	home, sealed := filepath.Join(dir, "home"), filepath.Join(dir, "sealed")
	err := furnish(dir, []loops.LoginFile{
		{Path: ".codex/auth.json", Text: []byte("key"), Sealed: true}, {Path: ".gemini/settings.json", Text: []byte("{}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{".codex/auth.json": "key", ".gemini/settings.json": "{}"} {
		src, err := os.ReadFile(filepath.Join(home, name))
		if err != nil || string(src) != want {
			t.Errorf("%s: %q, %v", name, src, err)
		}
		real, err := filepath.EvalSymlinks(filepath.Join(home, name))
		if err != nil {
			t.Fatal(err)
		}
		base, err := filepath.EvalSymlinks(sealed)
		if err != nil {
			t.Fatal(err)
		}
		if outside := real == filepath.Join(base, name); outside != (want == "key") {
			t.Errorf("%s lies in %s", name, real)
		}
		if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestNewest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"r-1", "r-3", "r-2", "s"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{"r-*": "r-3", "s": "s", "x*": "", "[": ""} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := newest(filepath.Join(dir, pattern)); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// An agent is broken if a person has to do something about it.
func TestProbeJudges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ran    bool
		report loops.Report
		broken bool
		detail string
	}{
		"it ran the command":              {true, loops.Report{Outcome: loops.OK}, false, ""},
		"it ran it and then failed":       {true, loops.Report{Outcome: loops.Failed, Detail: "x"}, false, ""},
		"not logged in":                   {false, loops.Report{Outcome: loops.NotAuthenticated, Detail: "no key"}, true, "no key"},
		"not paid":                        {false, loops.Report{Outcome: loops.NotPaid, Detail: "no credit"}, true, "no credit"},
		"not installed":                   {false, loops.Report{Outcome: loops.NotFound, Detail: "no program"}, true, "no program"},
		"it crashed":                      {false, loops.Report{Outcome: loops.Failed, Detail: "EROFS"}, true, "EROFS"},
		"its command failed":              {false, loops.Report{Outcome: loops.OK, ToolsFailed: 1, Summary: "I can't"}, true, "its command failed: I can't"},
		"its model ran nothing":           {false, loops.Report{Outcome: loops.OK}, false, "it answered without running the command"},
		"its vendor has too much to do":   {false, loops.Report{Outcome: loops.Overloaded}, false, "overloaded"},
		"a limit that says when it is up": {false, loops.Report{Outcome: loops.RateLimited, Detail: "try again"}, false, "try again"},
		"no answer in time":               {false, loops.Report{Outcome: loops.WallTimeout}, false, "wall-timeout"},
	} {
		p := Probe{Ran: c.ran}
		if p.judge(c.report); p.Broken != c.broken || p.Detail != c.detail {
			t.Errorf("%s: %+v, want %t, %q", name, p, c.broken, c.detail)
		}
	}
}
