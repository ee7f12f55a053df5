package rules

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestCodeOutsideTheWiki holds where a finding leads when the code is next to
// the wiki: to the file relative to the wiki's root, at its line.
func TestCodeOutsideTheWiki(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nroot: wiki\n-- src/limits.go --\npackage src\n\n// As it is.\nconst MaxBody = 20\n-- wiki/index.md --\n# Home\n\n`MaxBody` is 10.\n")
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{Today: today})
	if err != nil {
		t.Fatal(err)
	}
	found := lint(t, w, "code-conflict").Findings
	if len(found) != 1 {
		t.Fatalf("%d findings, expected one", len(found))
	}
	r := found[0].Related[0]
	if r.Path != "../src/limits.go" || r.From != (schema.Position{Line: 4, Column: 1}) || !strings.Contains(found[0].Message, "(src/limits.go:4)") {
		t.Errorf("the code is said to stand at %s:%v: %s", r.Path, r.From, found[0].Message)
	}
}

// TestOneCauseOfAStaleValue checks that a value that was verified and changed since
// is reported by one of the two rules that see it.
func TestOneCauseOfAStaleValue(t *testing.T) {
	t.Parallel()
	const archive = `
-- c/git-history --
2026-03-01 add
2026-03-02 verify
2026-04-01 write src/limits.go
-- c/src/limits.go --
package src

const MaxBody = 4096

const MaxItems = 7
-- c/wiki/messages.md --
# Messages

## Bodies

` + "`MaxBody`" + ` is 4,096; ` + "`MaxItems`" + ` is 5.

code:: src/limits.go#MaxBody
-- c/src/limits.go@2026-04-01 --
package src

const MaxBody = 8192

const MaxItems = 7
-- c/want --
`
	c := linter.Cases(txtar.Parse([]byte(archive)))[0]
	w := compileCase(t, c)
	rules := map[string]int{}
	for _, d := range lint(t, w, "stale-value", "code-conflict").Findings {
		rules[d.Rule]++
	}
	if rules["stale-value"] != 1 || rules["code-conflict"] != 1 {
		t.Errorf("found %v, expected the limit once as a stale value, and the items", rules)
	}
	if n := len(lint(t, w, "code-conflict").Findings); n != 2 {
		t.Errorf("alone, the rule finds %d, expected both", n)
	}
}
