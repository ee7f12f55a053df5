package compiler_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// Pages on disk, in git, compiled: a page that was verified and then moved and
// changed, one that was only verified, one that has expired, one never committed.
func TestFreshnessFromGit(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	dir := compilertest.Write(t, `
-- wiki/index.md --
# Index
[[old]] [[kept]] [[gone]]
-- wiki/old.md --
---
verified: {by: "human:ana", at: 2026-03-04}
---
# Old

Enough text for git to know the page again after its move.
-- wiki/kept.md --
---
created: 2025-12-24
last_verified: 2026-03-04
---
# Kept
-- wiki/gone.md --
---
stale_after: 2026-05-01
---
# Gone
`)
	git := func(day string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main",
			"-c", "core.autocrlf=false", "-c", "commit.gpgSign=false"}, args...)...)
		cmd.Dir = dir
		for _, kv := range os.Environ() {
			if !strings.HasPrefix(kv, "GIT_") {
				cmd.Env = append(cmd.Env, kv)
			}
		}
		cmd.Env = append(cmd.Env, "GIT_COMMITTER_DATE="+day+"T12:00:00Z", "GIT_AUTHOR_DATE="+day+"T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("2026-03-04", "init", "-q")
	git("2026-03-04", "add", "-A")
	git("2026-03-04", "commit", "-qm", "pages")
	git("2026-04-01", "mv", "wiki/old.md", "wiki/new.md")
	page := filepath.Join(dir, "wiki", "new.md")
	src, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, append(src, "More.\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	git("2026-04-01", "commit", "-qam", "move")
	compilertest.WriteTo(t, dir, "-- wiki/fresh.md --\n# Fresh\n")

	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{History: true, Today: time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range w.Pages() {
		f := w.Freshness(p)
		got = append(got, strings.Join([]string{p.Path, string(f.State), f.Created.String(), f.Updated.String(), f.Renamed, f.Reason}, "|"))
	}
	want := []string{
		"fresh.md|unverified||||never verified",
		"gone.md|stale|2026-03-04|2026-03-04||expired on 2026-05-01",
		"index.md|unverified|2026-03-04|2026-03-04||never verified",
		"kept.md|verified|2025-12-24|2026-03-04||verified on 2026-03-04",
		"new.md|unverified|2026-03-04|2026-04-01|old.md|verified by ana on 2026-03-04, changed since on 2026-04-01",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
