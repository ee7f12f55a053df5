package proposal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

// TestLastAnswer checks that an auditor is shown what it answered before, whatever the
// folders above the repository are called.
func TestLastAnswer(t *testing.T) {
	t.Parallel()
	p := New(&repo.Repo{Store: run.NewStore(filepath.Join(t.TempDir(), "work[1]"))})
	for name, text := range map[string]string{"auditor": "first", "auditor-2": "second", "writer": "other"} {
		folder := filepath.Join(p.Store.Folder("r"), "plan", "attempt-1", name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, run.AnswerFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := loops.PromptRequest{Start: &loops.Start{Run: "r"}}
	r.Command.Feedback = []loops.Feedback{{From: "gate plans", Attempt: 1}}
	if got := p.lastAnswer(r); got != "second" {
		t.Errorf("%q, want the last answer", got)
	}
}
