package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/source"
)

// TestStaleQuotes holds which lines of code on pages are quoted from a file and no longer
// there.
func TestStaleQuotes(t *testing.T) {
	t.Parallel()
	const gone = "```go\nfunc run(queue []string, workers int) error {\n```\n"
	const example = "```go\nfunc example() {\n\tqueue := newQueueOfMine()\n\tworkers := mostWorkers\n\tif err := begin(queue, workers); err != nil {\n\t}\n}\n```\n"
	cases := []struct{ name, text, want string }{
		{"a line that is gone", "# A\n\nIn `src/job.go`:\n\n" + gone, "src/job.go 3"},
		{"one line of an example", "# A\n\nAs `src/job.go` does:\n\n" + example, ""},
		{"a history", "# A\n\n## History\n\nIn `src/job.go`:\n\n" + gone, ""},
		{"a migration", "# A\n\n## Migration to workers\n\n### First\n\nIn `src/job.go`:\n\n" + gone, ""},
		{"what was before", "# A\n\n## Before:\n\nIn `src/job.go`:\n\n" + gone, ""},
		{"before something else", "# A\n\n## Before you begin\n\nIn `src/job.go`:\n\n" + gone, "src/job.go 3"},
		{"an entry of a day", "# A\n\n## 2026-03-01: jobs\n\nIn `src/job.go`:\n\n" + gone, ""},
		{"a decision", "---\ntype: decision\nstatus: accepted\n---\n# A\n\nIn `src/job.go`:\n\n" + gone, ""},
		{"a file that has a line like it", "# A\n\nIn `src/job.go` and `src/a.go`:\n\n" + gone, "src/job.go 3"},
		{"a request", "# A\n\nAs in `src/job.go`:\n\n```json\nfunc run(queue []string, workers int) error {\n```\n", ""},
		{"an entry of an answer", "# A\n\nAs in `src/answer.py`:\n\n```python\n\"kind\": \"job_started\",\n```\n", ""},
		{"an entry of a file of entries", "# A\n\nAs in `src/job.json`:\n\n```json\n{ \"kind\": \"job_started\", \"retries\": 3 }\n```\n", "src/job.json 0"},
		{"what a comment says was before", "# A\n\nIn `src/job.go`:\n\n" + strings.Replace(gone, "func", "// before the fix\nfunc", 1), ""},
		{"a comment about something else", "# A\n\nIn `src/job.go`:\n\n" + strings.Replace(gone, "func", "// before anything is started\nfunc", 1), "src/job.go 3"},
		{"one line of a test", "# A\n\nAs `src/job_test.go` does:\n\n```go\n\terr := run(queueOfTest, 3)\n```\n", ""},
		{"another wrapping", "# A\n\nIn `src/type.rs`:\n\n```rust\npub struct Name(pub FixedString);\n```\n", ""},
		{"files that have no line like it", "# A\n\nIn `src/a.go` and `src/b.go`:\n\n" + gone, "one of several 0"},
	}
	const old = "package src\n\nfunc run(queue []string, workers int) error {\n\tif err := begin(queue, workers); err != nil {\n\t}\n}\n"
	files := "-- src/job.go --\n" + old + "-- src/a.go --\n" + old + "-- src/b.go --\n" + old + "-- src/answer.py --\nx = {\n\"kind\": \"job_started\",\n}\n-- src/job.json --\n{ \"kind\": \"job_started\", \"retries\": 3 }\n" +
		"-- src/job_test.go --\npackage src\n\terr := run(queueOfTest, 3)\n-- src/type.rs --\npub struct Name(pub FixedString);\n"
	for i, c := range cases {
		files += fmt.Sprintf("-- wiki/%02d.md --\n%s", i, c.text)
	}
	r := newRepository(t, files)
	r.change("-- src/job.go --\npackage src\n\nfunc run(queue []string, workers, retries int) error {\n-- src/a.go --\npackage src\n-- src/b.go --\npackage src\n-- src/answer.py --\nx = {}\n-- src/job.json --\n{}\n-- src/job_test.go --\npackage src\n" +
		"-- src/type.rs --\npub struct Name(\n    #[serde(default)]\n    pub FixedString,\n);\n")
	w := r.compile()
	for _, run := range []string{"first", "from the cache"} {
		quotes, err := source.StaleQuotes(t.Context(), w, source.NewCode(w))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		for _, q := range quotes {
			file := q.File
			if file == "" {
				file = "one of several"
			}
			got[q.Page.Path] = append(got[q.Page.Path], fmt.Sprint(file, " ", q.At))
		}
		for i, c := range cases {
			if got := strings.Join(got[fmt.Sprintf("%02d.md", i)], ", "); got != c.want {
				t.Errorf("%s: %s: got %q, want %q", run, c.name, got, c.want)
			}
		}
	}
}
