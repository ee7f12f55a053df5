package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/loopwiki/wiki/loops/gate"
)

// TestGatesPage holds the page about gates to the gates that there are.
// UPDATE_SCRIPTS=1 writes the table.
func TestGatesPage(t *testing.T) {
	t.Parallel()
	name := filepath.Join("..", "..", "wiki", "10_DOMAIN", "gate.md")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- gates -->\n", "<!-- /gates -->\n"
	before, rest, ok := strings.Cut(string(src), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", name)
	}
	var b strings.Builder
	b.WriteString("| gate | stage | checks that |\n|---|---|---|\n")
	for _, g := range gate.All() {
		var stages []string
		for _, s := range g.Stages {
			stages = append(stages, string(s))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", g.ID, strings.Join(stages, ", "), g.Doc)
	}
	want := before + begin + b.String() + end + after
	if want == string(src) {
		return
	}
	if os.Getenv("UPDATE_SCRIPTS") == "" {
		t.Fatalf("%s is not what the gates say; UPDATE_SCRIPTS=1 go test ./cmd/wiki -run GatesPage writes it", name)
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
