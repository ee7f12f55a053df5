package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestLogRewritten commits a log and holds what it becomes against that.
func TestLogRewritten(t *testing.T) {
	t.Parallel()
	const before = "# Log\n\n## [2026-01-01] init | Begun\n\nThe first.\n\n## [2026-01-02] ingest | A source\n\nThe second.\n\n## [2026-01-03] lint | Clean\n\nThe third.\n"
	for name, c := range map[string]struct {
		after  string // not committed
		commit bool   // commit it after all
		other  string // another page
		want   string
	}{
		"unchanged":          {after: before},
		"appended":           {after: before + "\n## [2026-01-04] lint | Again\n", commit: true},
		"white space":        {after: strings.ReplaceAll(before, "\n\n", "\n") + "\n\n"},
		"the newest changed": {after: strings.Replace(before, "The third.", "The third, in more words.", 1), commit: true},
		"changed":            {after: strings.Replace(before, "The second.", "It said something else.", 1), want: `the log entry "[2026-01-02] ingest | A source" was changed or removed after it was committed; restore it from HEAD,`},
		"changed and committed": {after: strings.Replace(before, "The second.", "It said something else.", 1) + "\n## [2026-01-04] lint | Again\n", commit: true,
			want: `the log entry "[2026-01-02] ingest | A source" was changed`},
		"removed": {after: before[:9] + before[strings.Index(before, "## [2026-01-03]"):], commit: true, want: `2 entries of this log (first: "[2026-01-01] init | Begun") were`},
		"archived": {after: before[:9] + before[strings.Index(before, "## [2026-01-03]"):], commit: true,
			other: before[:strings.Index(before, "## [2026-01-03]")]},
		"new order": {after: "# Log\n\n## [2026-01-03] lint | Clean\n\nThe third.\n\n## [2026-01-02] ingest | A source\n\nThe second.\n\n## [2026-01-01] init | Begun\n\nThe first.\n", commit: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schematest.NeedGit(t)
			dir := t.TempDir()
			git := gitIn(t, dir)
			put := func(file, text string) {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			put("log.md", before)
			git("init", "-q", "--template=")
			git("add", ".")
			git("commit", "-qm", "one")
			put("log.md", c.after)
			if c.other != "" {
				put("archive.md", c.other)
			}
			if c.commit {
				git("add", ".")
				git("commit", "-q", "--allow-empty", "-m", "two")
			}
			res := lint(t, compilertest.CompileWith(t, dir, compiler.Options{History: true}), "log-rewritten")
			got := messages(res)
			if c.want == "" && len(res.Findings) > 0 || c.want != "" && (len(res.Findings) != 1 || !strings.Contains(got, c.want)) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
