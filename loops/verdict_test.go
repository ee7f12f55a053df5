package loops

import (
	"strings"
	"testing"
)

func TestShellVerdictNamesTheCommandsThatDecide(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sh check.sh":                                    "sh check.sh",
		"npm ci && node tools/check.js --all":            "npm ci; node tools/check.js --all",
		"sh a.sh || sh b.sh":                             "sh a.sh; sh b.sh",
		"(cd web && sh check.sh)":                        "cd web; sh check.sh",
		"sh build.sh; sh check.sh":                       "sh check.sh",
		"sh check.sh > /dev/null 2>&1":                   "sh check.sh",
		"sh run.sh | grep -q 42":                         "grep -q 42",
		`test "$(sh run.sh 2)" = 4`:                      `test $(sh run.sh 2) = 4`,
		"sh run.sh > out.txt && diff out.txt wanted.txt": "diff out.txt wanted.txt",
		"! sh run.sh -1":                                 "",
		"sh run.sh &":                                    "",
		"if":                                             "",
	} {
		var got []string
		for _, c := range ShellVerdict(text) {
			var words []string
			for _, w := range c.Words {
				words = append(words, w.Text)
			}
			got = append(got, strings.Join(words, " "))
		}
		if joined := strings.Join(got, "; "); joined != want {
			t.Errorf("%s: %s, want %s", text, joined, want)
		}
	}
}
