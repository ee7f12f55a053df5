package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/spec"
)

// TestGatesPage holds the page about gates to the gates that there are.
func TestGatesPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| gate | stage | checks that |\n|---|---|---|\n")
	for _, g := range gate.All() {
		var stages []string
		for _, s := range g.Stages {
			stages = append(stages, string(s))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", g.ID, strings.Join(stages, ", "), g.Doc)
	}
	generated(t, "gate.md", map[string]string{"gates": b.String()})
}

// TestHarnessesPage holds the page about harnesses to what 'wiki loop agents' knows.
func TestHarnessesPage(t *testing.T) {
	t.Parallel()
	tables := make(map[string]string)
	for _, h := range agent.Harnesses() {
		if !slices.Contains(agent.IDs(), h.Agent) || (h.Agent == "command") != (len(h.Argv) > 0) {
			t.Errorf("%s: agent %s with the command %q", h.Name, h.Agent, h.Argv)
		}
		if r, err := spec.FindRecipe(h.Recipe); err != nil || r.Suite == "" {
			t.Errorf("%s: recipe %q: %v, suite %q", h.Name, h.Recipe, err, r.Suite)
		}
		tables[h.Name] = fmt.Sprintf("| part of a spec | %s, %s |\n|---|---|\n| workers | %s |\n| memory | %s |\n| evaluators | %s |\n| termination | %s |\n| level | %d: %s |\n| `wiki.yaml` | `%s` |\n",
			h.Title, tested(h), h.Roles, h.Memory, h.Evaluators, h.Termination, h.Level, h.Layer, castOf(h))
	}
	generated(t, "harnesses.md", tables)
}

// generated holds the parts of a page between <!-- name --> and <!-- /name --> to their
// text. UPDATE_SCRIPTS=1 writes them.
func generated(t *testing.T, page string, parts map[string]string) {
	t.Helper()
	name := filepath.Join("..", "..", "wiki", "10_DOMAIN", page)
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := string(src)
	for part, text := range parts {
		begin, end := "<!-- "+part+" -->\n", "<!-- /"+part+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no place for %s", name, part)
		}
		want = before + begin + text + end + after
	}
	if want == string(src) {
		return
	}
	if os.Getenv("UPDATE_SCRIPTS") == "" {
		t.Fatalf("%s is not what the program says; UPDATE_SCRIPTS=1 go test ./cmd/wiki -run %s writes it", name, t.Name())
	}
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFirstLoop follows the guide to a first loop, up to the agents of vendors.
func TestFirstLoop(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "wiki", "10_DOMAIN", "first-loop.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`[missing:git] skip 'git is not here'
[!unix] skip 'loops run on unix'
commit 2026-03-01 shop
exits 0 wiki plan lint
exits 0 wiki loop run no-negative-prices
stderr 'REJECT'
stdout '^met .* 1/1 chunks'
exec git merge -q loop/2026-07-no-negative-prices
exits 0 wiki loop gc
cp cheat agents/maker.sh
commit 2026-03-03 cheat
exits 4 wiki loop run no-negative-prices
stderr 'is a test, and was changed'
-- cheat --
echo 'exit 0' > tests/price_test.sh
`)
	for _, m := range guideBlock.FindAllStringSubmatch(string(page), -1) {
		if m[1] == "" {
			continue
		}
		fmt.Fprintf(&b, "-- %s --\n%s", m[1], m[3])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "guide.txtar"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		WorkdirRoot: t.TempDir(), // worktrees are next to it
		Dir:         dir, Setup: setUp, Condition: missing,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exitsWith, "commit": commit},
	})
}

// TestLoopSpecsPage follows the guide to loop specifications: it runs every command in
// order, and holds the page to what each prints.
func TestLoopSpecsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "wiki", "10_DOMAIN", "loop-specs.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "guide.txtar"), []byte(guideScript(t, string(page))), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		WorkdirRoot: t.TempDir(), // worktrees are next to it
		Dir:         dir, Setup: setUp, Condition: missing,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exitsWith, "prints": prints},
	})
}

// exitStatus is how a guide says that a command does not exit with 0.
var exitStatus = regexp.MustCompile(`# exit status (\d+)`)

// guideScript is the script of a guide: the files that have a name above them, and the
// commands of its consoles with what they print, of which "…" stands for any part.
func guideScript(t *testing.T, page string) string {
	t.Helper()
	var script, files strings.Builder
	script.WriteString("[missing:git] skip 'git is not here'\n[!unix] skip 'loops run on unix'\ncd shop\n")
	ran := 0
	for _, m := range guideBlock.FindAllStringSubmatch(page, -1) {
		switch name, language, text := m[1], m[2], m[3]; {
		case name != "":
			fmt.Fprintf(&files, "-- shop/%s --\n%s", name, text)
		case language == "console":
			for _, c := range strings.Split("\n"+text, "\n$ ")[1:] {
				lines := strings.Split(strings.TrimSuffix(c, "\n"), "\n")
				status := "0"
				if s := exitStatus.FindStringSubmatch(lines[0]); s != nil {
					status = s[1]
				}
				fmt.Fprintf(&script, "exits %s sh -c %s\n", status, scriptWord(lines[0]))
				for _, line := range lines[1:] {
					fmt.Fprintf(&script, "prints %s\n", scriptWord(line))
				}
				ran++
			}
		default:
			t.Errorf("a block of %s has no name:\n%s", language, text)
		}
	}
	if ran < 5 {
		t.Errorf("the guide has only %d commands", ran)
	}
	return script.String() + files.String()
}

func scriptWord(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// prints is: prints LINE. The last command printed a line like it, in which "…" stands
// for any part.
func prints(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: prints LINE")
	}
	out := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	like := strings.ReplaceAll(regexp.QuoteMeta(args[0]), "…", ".*")
	if !regexp.MustCompile("(?m)^" + like + "$").MatchString(out) {
		ts.Fatalf("no line is %q in\n%s", args[0], out)
	}
}
