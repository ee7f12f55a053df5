package rules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestOlasSources lints a real wiki with the history of the code that it describes:
// every commit is there, with substitutes for the contents of all files but the pages.
// The expected numbers come from an independent program.
func TestOlasSources(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	w := compileAt(t, olas(t))
	pass := factPass(t, w)
	refs := sourceFact.Of(pass)
	covered, missing := 0, 0
	for i := range refs.all {
		if r := &refs.all[i]; r.front {
			covered++
			if r.found == "" {
				missing++
			}
		}
	}
	if covered != 125 || missing != 0 {
		t.Errorf("%d covered paths, %d missing; want 125, 0", covered, missing)
	}

	repository, err := w.Repository(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	afterPage, afterVerified := 0, 0
	for _, s := range staleness(refs, repository, func(*sourceRef) bool { return false }) {
		if s.later(repository.Changed(s.page.Path)) {
			afterPage++
		}
		if s.later(s.since) {
			afterVerified++
		}
	}
	if afterPage != 31 || afterVerified != 28 {
		t.Errorf("%d pages have a source committed after themselves, %d after their verification; want 31, 28", afterPage, afterVerified)
	}
	got := 0
	for _, d := range lint(t, w, "unreviewed-source").Findings {
		got += d.Count
	}
	if got != 28 {
		t.Errorf("unreviewed-source reports %d pages, want 28", got)
	}
	for _, rule := range []string{"source-missing", "source-moved"} {
		for _, d := range lint(t, w, rule).Findings {
			if d.Severity == schema.Error || rule == "source-moved" {
				t.Errorf("%s:%d: %s", d.Path, d.From.Line, d.Message)
			}
		}
	}
}

// factPass runs a rule of nothing and returns its pass, which facts are asked with.
func factPass(t *testing.T, w *compiler.Wiki) *linter.Pass {
	t.Helper()
	var pass *linter.Pass
	r := &linter.Rule{ID: "none", Severity: schema.Info, Check: func(p *linter.Pass) { pass = p }}
	if _, err := linter.Run(t.Context(), w, linter.Config{Rules: []*linter.Rule{r}}); err != nil {
		t.Fatal(err)
	}
	return pass
}

// olas replays the history of the olas repository into a new folder, and adds its
// current wiki.
func olas(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open(schematest.Shared(t, "corpora/olas-wiki/history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in bytes.Buffer
	mark := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		var rec struct {
			Commit  string
			Date    time.Time
			Parents []string
			Changes [][2]string
		}
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		mark[rec.Commit] = n
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter Bo <bo@example.org> %d +0000\ndata 0\n", n, rec.Date.Unix())
		for j, p := range rec.Parents {
			fmt.Fprintf(&in, "%s :%d\n", [...]string{"from", "merge"}[min(j, 1)], mark[p])
		}
		for _, ch := range rec.Changes {
			if ch[0] == "D" {
				fmt.Fprintf(&in, "D %s\n", ch[1])
				continue
			}
			content := rec.Commit + " " + ch[1] + "\n"
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", ch[1], len(content), content)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	git := gitIn(t, dir)
	git("init", "-q", "--template=", "-b", "main")
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	git("reset", "-q", "--hard", "main")
	if err := os.RemoveAll(filepath.Join(dir, ".wiki")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, ".wiki"), os.DirFS(schematest.Shared(t, "corpora/olas-wiki/.wiki"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestShallow lints a clone without its history: what can't be known is a
// check that was skipped, with the command that would help.
func TestShallow(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wiki/a.md": "---\nsources: [src/a.go]\nverified: 2026-01-01\n---\n# A\n\nSee `src/b.go`.\n", "wiki/raw/s.md": "# S\n", "src/a.go": "package a\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compileHistory(t, dir, "2026-02-01 add\n2026-03-01 edit src/a.go wiki/raw/s.md\n")
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, dir)("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(dir), clone)

	for _, rule := range []string{"unreviewed-source", "raw-changed", "path-mention-missing"} {
		res := lint(t, compileAt(t, clone), rule)
		if len(res.Findings) > 0 {
			t.Errorf("%s: %v", rule, res.Findings)
		}
		if !slices.ContainsFunc(res.Skipped, func(s schema.Skipped) bool {
			return s.Check == rule && strings.Contains(s.Reason, "git fetch --unshallow")
		}) {
			t.Errorf("%s is not among the skipped checks: %v", rule, res.Skipped)
		}
	}
	if res := lint(t, compileAt(t, dir), "unreviewed-source", "raw-changed"); len(res.Findings) != 2 {
		t.Errorf("with its history: %v", res.Findings)
	}
}
