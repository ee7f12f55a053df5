//go:build unix

package gate

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

func TestLockFilesKeepTestLibraries(t *testing.T) {
	t.Parallel()
	const npm = `{"packages": {"": {"version": "1"}, "node_modules/vitest": {"version": "3.0.0", "integrity": "sha512-a"}, "node_modules/ms": {"version": "2"}}}`
	const cargo = "version = 3\n\n[[package]]\nname = \"proptest\"\nversion = \"1.0.0\"\nchecksum = \"aa\"\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\n"
	const sum = "github.com/stretchr/testify v1.9.0 h1:aa=\ngolang.org/x/sys v0.1.0 h1:bb=\n"
	for _, c := range []struct {
		path, old, from, to string
		refused             bool
	}{
		{"package-lock.json", npm, `"2"`, `"2.1"`, false},
		{"web/package-lock.json", npm, "sha512-a", "sha512-b", true},
		{"package-lock.json", npm, `"node_modules/vitest"`, `"node_modules/other"`, true},
		{"Cargo.lock", cargo, "[[package]]\nname = \"serde\"\nversion = \"1.0.0\"", "[[package]]\nname = \"serde\"\nversion = \"1.0.1\"", false},
		{"Cargo.lock", cargo, "checksum = \"aa\"", "checksum = \"ab\"", true},
		{"go.sum", sum, "v0.1.0", "v0.2.0", false},
		{"go.sum", sum, "h1:aa=", "h1:ab=", true},
	} {
		got := refusedLock(&change{path: c.path, old: []byte(c.old), now: []byte(strings.Replace(c.old, c.from, c.to, 1))})
		if len(got) > 0 != c.refused {
			t.Errorf("%s, %s to %s: %v", c.path, c.from, c.to, got)
		}
	}
}

// What tests stand on is a question or, if a runner's configuration names it, a violation.
func TestTestSupport(t *testing.T) {
	t.Parallel()
	const base = price + "-- check/check.go --\npackage check\n\nimport \"testing\"\n\nfunc Same(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Error(a)\n\t}\n}\n-- package.json --\n{\"jest\": {\"setupFiles\": [\"./lib/setup.js\"]}, \"files\": [\"./lib/other.js\"]}\n-- lib/setup.js --\nglobalThis.shop = 1\n-- lib/other.js --\nexport {}\n"
	const weak = "-- check/check.go --\npackage check\n\nimport \"testing\"\n\nfunc Same(t *testing.T, a, b int) {}\n"
	for name, c := range map[string]struct {
		change string
		scope  string
		effect loops.Effect
		gate   string
		says   string
	}{
		"a helper":          {weak, "**", loops.Ask, "evasion", "check/check.go: is what tests stand on"},
		"a helper by name":  {weak, "check/check.go", loops.Note, "red-first", "without a new test"},
		"a setup file":      {"-- lib/setup.js --\nglobalThis.shop = 2\n", "**", loops.Violation, "protected", "lib/setup.js: is a gate's configuration"},
		"another script":    {"-- lib/other.js --\nexport const a = 1\n", "**", loops.Note, "red-first", ""},
		"a cache of Python": {"-- __pycache__/price.pyc --\nx\n", "**", loops.Violation, "protected", "__pycache__/price.pyc: is a gate's configuration, and is new"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, base)
			r.write(c.change)
			j := newJudged(r)
			j.plan.Scope = []string{c.scope}
			j.commands = loops.GateCommands{Test: []string{"true"}}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}
