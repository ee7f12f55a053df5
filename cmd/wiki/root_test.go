package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls f for each command that people see.
func everyCommand(t *testing.T, f func(*testing.T, *cobra.Command)) {
	t.Helper()
	root := newRoot(&program{out: text.New(io.Discard), err: text.New(io.Discard), env: func(string) string { return "" }})
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if !c.Hidden {
			t.Run(c.CommandPath(), func(t *testing.T) { f(t, c) })
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	everyCommand(t, func(t *testing.T, c *cobra.Command) {
		switch {
		case c.Short == "" || strings.HasSuffix(c.Short, "."):
			t.Errorf("short help %q: one line, without a full stop", c.Short)
		case c.Long == "":
			t.Error("no long help")
		case !strings.HasPrefix(c.Example, "  "):
			t.Errorf("no example: %q", c.Example)
		case !strings.HasPrefix(c.Annotations["exits"], "0  "):
			t.Errorf("exit statuses are not documented: %q", c.Annotations["exits"])
		}
		for line := range strings.Lines(c.Long) {
			if len([]rune(line)) > 82 {
				t.Errorf("too long for a terminal: %q", line)
			}
		}
		for line := range strings.Lines(c.Example) {
			if !strings.Contains(line, "wiki") {
				t.Errorf("example without wiki: %q", line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("--%s is not explained", f.Name)
			}
		})
	})
}

// The first word of every example's commands must exist, with its flags.
func TestExamplesAreRight(t *testing.T) {
	t.Parallel()
	everyCommand(t, func(t *testing.T, c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
			line, _, _ = strings.Cut(line, " |")
			line, _, _ = strings.Cut(line, " >")
			words := strings.Fields(line)
			if len(words) < 2 || words[0] != "wiki" {
				continue
			}
			target, rest, err := c.Root().Find(words[1:])
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			for _, w := range rest {
				name, ok := strings.CutPrefix(w, "--")
				name, _, _ = strings.Cut(name, "=")
				if ok && target.Flags().Lookup(name) == nil && target.InheritedFlags().Lookup(name) == nil {
					t.Errorf("%s: %s has no --%s", line, target.CommandPath(), name)
				}
			}
		}
	})
}

func TestEveryCommandHasAScript(t *testing.T) {
	t.Parallel()
	everyCommand(t, func(t *testing.T, c *cobra.Command) {
		words := strings.Fields(c.CommandPath())
		if len(words) < 2 {
			return
		}
		script, err := os.ReadFile(filepath.Join("testdata", "script", words[1]+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(script, []byte(c.CommandPath())) && !bytes.Contains(script, []byte("wiki -C ")) {
			t.Errorf("%s.txtar does not run %q", words[1], c.CommandPath())
		}
	})
}

func TestReferencePagesAreFresh(t *testing.T) {
	t.Parallel()
	root := newRoot(&program{out: text.New(io.Discard), err: text.New(io.Discard), env: func(string) string { return "" }})
	stale, err := reference(root).Stale(os.DirFS(filepath.Join("..", "..", "wiki")))
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("run 'go generate ./cmd/wiki': it would change in wiki/\n  %s", strings.Join(stale, "\n  "))
	}
}

// runIn runs a command line in a folder.
func runIn(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := func(key string) string { return map[string]string{"SOURCE_DATE_EPOCH": "1772323200"}[key] }
	code = run(t.Context(), append([]string{"-C", dir}, args...), strings.NewReader(""), &out, &errs, env)
	return code, out.String(), errs.String()
}

// Every JSON document fits the schema that the program gives for it.
// aCommit is a repository with a wiki and one commit.
func aCommit(t *testing.T) string {
	schematest.NeedGit(t)
	dir := compilertest.Write(t, "-- wiki/index.md --\n# Index\n\n| a | b |\n| --- | --- |\n| c | 1 |\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return dir
}

func TestDocumentsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := runIn(t, dir, "init"); code != 0 {
		t.Fatal(stderr)
	}
	broken := filepath.Join(dir, "wiki", "10_DOMAIN", "broken.md")
	if err := os.WriteFile(broken, []byte("---\ntitle: x\ntitle: y\nport: 8080\n---\n[[nowhere]] [[vocabulary]]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runIn(t, dir, "plan", "new", "Form"); code != 0 {
		t.Fatal(stderr)
	}
	failed := andon.Failure{Run: "r1", Command: "go test ./...", ExitCode: 1, Output: "FAIL"}
	if _, err := andon.NewStore(dir).Open(failed); err != nil {
		t.Fatal(err)
	}
	aRun(t, dir)
	if code, _, stderr := runIn(t, dir, "loop", "new", "triage"); code != 0 {
		t.Fatal(stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "issues.json"), []byte(`[{"id": "A-1", "title": "Sort me"}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "task.json"), []byte(`{"project": "shop", "feature": "prices", "workdir": ".", "verify": {"commands": ["true"]}, "stories": [{"id": "S1", "title": "a"}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "loop.yaml"), []byte("loop_name: draft-loop\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fleet.yaml"), []byte("repositories: [{path: .}, {path: gone}]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "entries.json"), []byte(`{"version": "1", "updated": "2026-03-01", "entries": []}`), 0o666); err != nil {
		t.Fatal(err)
	}
	aRecord, err := filepath.Abs("../../loops/spec/record/testdata/record.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "vault"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "vault", "note.md"), []byte("# Note\n\n[[nowhere]]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	commands := map[string][]string{
		"harnesses":     {"loop", "agents", "--json"},
		"harness-map":   {"loop", "agents", "map", "--harness", "claude", "--json"},
		"leaderboard":   {"loop", "bench", "leaderboard", "entries.json", "--json"},
		"bench-stats":   {"loop", "bench", "stats", aRecord, "--json"},
		"bench-suites":  {"loop", "bench", "suites", "--json"},
		"bench-verify":  {"loop", "bench", "verify", "entries.json", "--json"},
		"replay":        {"loop", "replay", aRecord, "--json"},
		"spec-observed": {"loop", "spec", "observed", aRecord, "--json"},
		"spec-score":    {"loop", "spec", "score", "loop.yaml", "--json"},
		"andon":         {"andon", "status", "--json"},
		"incident":      {"andon", "show", "--json"},
		"baseline":      {"lint", "--baseline", "debt.json", "--baseline-write"}, // prints to that file
		"build":         {"build", "--output", "checked", "--check", "--json"},
		"claims":        {"claims", "--json"},
		"context":       {"context", "vocabulary", "--json"},
		"doctor":        {"doctor", "--json"},
		"export":        {"export", "okf", "--json"},
		"export-json":   {"export", "json"},
		"fleet-report":  {"loop", "fleet", "fleet.yaml", "--status", "--json"},
		"graph":         {"graph"},
		"import":        {"import", "obsidian", "vault", "--json", "--dry-run"},
		"ingest":        {"ingest", "wiki.yaml", "--json", "--dry-run"},
		"lint":          {"lint", "--format", "json"},
		"loop-pass":     {"loop", "run", "triage", "--agent", "claude", "--dry-run", "--json"},
		"loop-ready":    {"loop", "ready", "triage", "--json"},
		"loops":         {"loop", "list", "--loops", "--json"},
		"loop-report":   {"loop", "report", "--json"},
		"modes":         {"loop", "mode", "--json"},
		"mv":            {"mv", "10_DOMAIN/vocabulary.md", "10_DOMAIN/words.md", "--json", "--dry-run"},
		"page":          {"build", "--output", "built"}, // has it beside each page
		"path":          {"graph", "path", "index", "vocabulary", "--json"},
		"plan-lint":     {"plan", "lint", "--json"},
		"plans":         {"plan", "list", "--json"},
		"query":         {"query", "vocabulary", "--json"},
		"rules":         {"lint", "--list-rules", "--json"},
		"run":           {"loop", "show", "--json"},
		"runs":          {"loop", "list", "--json"},
		"search":        {"search", "vocabulary", "--json"},
		"show":          {"show", "vocabulary", "--json"},
		"skills":        {"skill", "list", "--json"},
		"spec-explain":  {"loop", "spec", "explain", "coding-agent", "--json"},
		"spec-intent":   {"loop", "intent", "fix the tests", "--suggest-level", "--json"},
		"spec-level":    {"loop", "spec", "level", "coding-agent", "--json"},
		"spec-library":  {"loop", "spec", "library", "--json"},
		"spec-minify":   {"loop", "spec", "minify", "loop.yaml", "--json"},
		"spec-pattern":  {"loop", "spec", "pattern", "--json"},
		"spec-validate": {"loop", "spec", "validate", "loop.yaml", "--json"},
		"stale":         {"stale", "--json"},
		"stats":         {"stats", "--json"},
		"task":          {"loop", "run", "task.json", "--status", "--json"},
		"verify":        {"verify", "--all", "--json"},
		"version":       {"version", "--json"},
	}
	for _, d := range documents {
		if d.name == "config" || d.name == "fleet" || d.name == "acknowledged" || d.name == "verdicts" || d.name == "approvals" || d.name == "calls" || d.name == "export-jsonl" || d.name == "measurements" { // YAML, lines of JSON, and what is only read
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			args, ok := commands[d.name]
			if d.name == "doctor-agents" { // of a repository, which the others are tried without
				schematest.NeedGit(t)
				dir := t.TempDir()
				if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				args, ok = []string{"-C", dir, "doctor", "--agents", "--json"}, true
			}
			if d.name == "diff" || d.name == "blame" || d.name == "merge" { // of a commit
				args, ok = append([]string{"-C", aCommit(t)}, map[string][]string{"diff": {"diff", "HEAD", "--json"}, "blame": {"blame", "index", "--json"}, "merge": {"merge", "--json"}}[d.name]...), true
			}
			if d.name == "items" {
				args, ok = []string{"-C", aTracker(t), "connector", "items", "board", "--json"}, true
			}
			if d.name == "call" {
				args, ok = []string{"-C", aCall(t), "connector", "call", "board", "add_comment", "--arg", "issue=7", "--arg", "body=Done.", "--by", "ada", "--json"}, true
			}
			if !ok {
				t.Fatal("no command prints it")
			}
			_, stdout, stderr := runIn(t, dir, args...)
			if name := map[string]string{"baseline": "debt.json", "page": "built/index.json"}[d.name]; name != "" {
				file, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				stdout = string(file)
			}
			var value map[string]any
			if err := json.Unmarshal([]byte(stdout), &value); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			versioned := d.name != "run" // its form is that of what it was made for
			if versioned && value["version"] != 1.0 {
				t.Errorf("version is %v", value["version"])
			}
			s, err := schemaOf(d)
			if err != nil {
				t.Fatal(err)
			}
			resolved, err := s.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := resolved.Validate(value); err != nil {
				t.Errorf("%v\n%s", err, stdout)
			}
			if !versioned {
				value["version"] = value["status"]
				delete(value, "status")
			}
			delete(value, "version")
			if err := resolved.Validate(value); err == nil {
				t.Error("the schema takes a document without a version")
			}
		})
	}
}

// aRun leaves a run in a repository: one that began, and whose runner died.
func aRun(t *testing.T, dir string) {
	t.Helper()
	schematest.NeedGit(t)
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	folder := filepath.Join(dir, ".loopwiki", "runs", "2026-07-04T080000Z-2026-07-prices")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	j, err := runs.CreateJournal(folder)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	start := loops.Start{Run: filepath.Base(folder), Loop: "execution", Mode: loops.Draft, Limits: loops.DefaultLimits(), Plan: loops.Plan{Name: "2026-07-prices", Chunks: []loops.Chunk{{ID: "1"}}}}
	if err := errors.Join(j.Append(loops.Event{Kind: loops.Started, At: at, Start: &start}), j.Close()); err != nil {
		t.Fatal(err)
	}
}

// brokenPipe is a reader that has gone away.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestFailureOfStandardOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{syscall.EPIPE, 0, ""},
		{errors.New("disk full"), 2, "wiki: can't write to standard output: disk full\n"},
	} {
		var errs bytes.Buffer
		code := run(t.Context(), []string{"version"}, strings.NewReader(""), failing{c.err}, &errs, func(string) string { return "" })
		if code != c.code || errs.String() != c.says {
			t.Errorf("%v: exit %d, %q", c.err, code, errs.String())
		}
	}
}

func TestInterruptEndsIn130(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.md"), []byte("# Index\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for sig, want := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(signalled{sig})
		var errs bytes.Buffer
		code := run(ctx, []string{"-C", dir, "stats"}, strings.NewReader(""), io.Discard, &errs, func(string) string { return "" })
		if code != want || errs.Len() > 0 {
			t.Errorf("%v: exit %d, want %d; %q", sig, code, want, errs.String())
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"build", "doctor", "graph", "init", "lint", "search", "serve", "show", "stats", "broken-wikilink"}
	for name, want := range map[string]string{
		"lnt": "lint", "serch": "search", "serv": "serve", "se": "", "st": "stats", "bild": "build", "broken-wikilnk": "broken-wikilink",
		"xyzzy": "", "": "", "LINT": "lint",
	} {
		if got := nearest(name, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
