package linter

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// TestManyDirectives: what a page may hold a hundred thousand times costs no
// more than in proportion; the deadline of the tests would tell.
func TestManyDirectives(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads megabytes of directives")
	}
	const n = 40_000
	for name, text := range map[string]string{
		"above each other":   strings.Repeat("<!-- wiki-lint-disable-next-line one -->\n", n) + "!one\n",
		"in one line":        strings.Repeat("%% wiki-lint-disable-line one %% ", n) + "!one" + strings.Repeat("\n", n),
		"before empty lines": strings.Repeat("%% wiki-lint-disable-next-line one %% ", n) + strings.Repeat("\n", n) + "!one\n",
		"never ended":        strings.Repeat("%% wiki-lint-disable one %%\n\n", n) + "!one\n",
		"for the file":       strings.Repeat("%% wiki-lint-disable-file one %%\n\n", n) + strings.Repeat("!one ", n),
		"in frontmatter":     "---\nlint-disable: [" + strings.Repeat("one,", 15_000) + "one]\n---\n" + strings.Repeat("!one ", n),
		"many findings":      "%% wiki-lint-disable two %% " + strings.Repeat("!two <!-- wiki-lint-disable-line one -->", n),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := flags("one", "two")
			rules[0].NeedsReason = name == "for the file" // so that every one is asked
			res := run(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+text)), Config{Rules: rules})
			if len(res.Findings)+len(res.Suppressed) == 0 {
				t.Error("nothing was found")
			}
			for _, d := range res.Findings {
				if d.Severity != schema.Warning {
					t.Fatal(d)
				}
			}
		})
	}
}
