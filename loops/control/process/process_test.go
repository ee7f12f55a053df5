package process

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/
`

func begun(t *testing.T, r *repo.Repo, plan string, over bool) string {
	t.Helper()
	return controltest.Begun(t, r, loops.Start{Loop: "execution", Plan: loops.Plan{Name: plan, Path: "plans/" + plan + ".md"}}, over)
}

// Beside tests that start programs, a lock that was released may be held by a child of
// theirs for a moment: not parallel.
func TestLockHoldsAPlanOnce(t *testing.T) {
	r := controltest.Open(t, shop)
	if err := r.Store.Make(); err != nil {
		t.Fatal(err)
	}
	release, note, err := New(r).Lock("p")
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	_, _, err = New(r).Lock("p")
	if busy := (*BusyError)(nil); !errors.As(err, &busy) || busy.Plan != "p" {
		t.Errorf("%v", err)
	}
	other, _, err := New(r).Lock("q")
	if err != nil {
		t.Fatal(err)
	}
	other()
	if !r.Alive("p") || r.Alive("q") {
		t.Errorf("p is held %v, q %v", r.Alive("p"), r.Alive("q"))
	}
	release()
	if release, _, err = New(r).Lock("p"); err != nil {
		t.Fatal(err)
	}
	release()
}

// Sources that a run was to take in are kept as long as it may need them.
func TestLockForgetsTheIntakeOfRunsThatAreOver(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	over, open := begun(t, r, "over", true), begun(t, r, "open", false)
	for _, id := range []string{over, open} {
		for _, name := range []string{intake.File, intake.File + ".tmp"} {
			if err := os.WriteFile(filepath.Join(r.Store.Folder(id), name), []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	release, _, err := New(r).Lock("p")
	if err != nil {
		t.Fatal(err)
	}
	release()
	for id, there := range map[string]bool{over: false, open: true} {
		if _, err := os.Stat(filepath.Join(r.Store.Folder(id), intake.File)); (err == nil) != there {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestStopRefusesRunWithoutProcess(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	for _, id := range []string{begun(t, r, "over", true), begun(t, r, "died", false)} {
		err := New(r).Stop(t.Context(), id, time.Second)
		if idle := (*IdleError)(nil); !errors.As(err, &idle) || idle.ID != id {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A run begins with its journal: until then whatever the process prints says why it does
// not, and what is left of it is removed.
func TestDetach(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	if err := r.Store.Make(); err != nil {
		t.Fatal(err)
	}
	begins := `for a in "$@"; do id=$a; done; echo '{}' > "` + r.Store.Folder("") + `/$id/` + run.JournalFile + `"; echo begun`
	id, err := New(r).Detach(t.Context(), "p", "/bin/sh", []string{"-c", begins, "sh"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.Store.Folder(id), run.JournalFile)); err != nil {
		t.Error(err)
	}
	id, err = New(r).Detach(t.Context(), "p", "/bin/sh", []string{"-c", "echo no agent; exit 3", "sh"})
	if not := (*NotBegunError)(nil); !errors.As(err, &not) || not.Code != 3 || string(not.Said) != "no agent\n" {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(r.Store.Folder(id)); err == nil {
		t.Error("the folder of a run that never was is there")
	}
}
