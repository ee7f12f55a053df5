package proposal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {gates: {test: [test -f a.txt]}}
-- .gitignore --
/.loopwiki/
-- a.txt --
a
`

// answered returns a run that plans, and the folder of a call with an answer.
func answered(t *testing.T, r *repo.Repo, answer string) (*loops.State, string) {
	t.Helper()
	s := &loops.State{Start: loops.Start{Loop: loops.PlanLoop, Plan: loops.Plan{Name: "from-spec", Path: "SPEC.md"}, Spec: &loops.SpecRequest{As: string(plan.AsPlans), Month: "2026-07"}}}
	s.Start.Run = controltest.Begun(t, r, s.Start, false)
	folder := filepath.Join(r.Store.Folder(s.Start.Run), "planner")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(folder, run.AnswerFile): answer, filepath.Join(r.Store.Folder(s.Start.Run), SpecFile): "# Spec\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s, folder
}

func planned(name, text string) string {
	return "Here it is.\n\n````markdown plans/" + name + ".md\n" + text + "````\n"
}

// A plan that passes is written; what is wrong with one that does not is said, and nothing
// is written.
func TestProposalIsJudgedThenWritten(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	p := New(r)
	good := strings.ReplaceAll(plan.Example(), "npm test", "test -f a.txt")
	for name, c := range map[string]struct {
		answer string
		effect loops.Effect
	}{
		"a plan":   {planned("2026-07-a", good), loops.Passed},
		"no plan":  {"I would rather not.", loops.Red},
		"a broken": {planned("2026-07-b", "---\ntitle: B\n---\n# B\n"), loops.Red},
	} {
		s, folder := answered(t, r, c.answer)
		results, err := p.Judge(t.Context(), s, folder)
		if err != nil || len(results) != 1 || results[0].Effect != c.effect || (c.effect == loops.Red) != (len(results[0].Reason) > 0) {
			t.Errorf("%s: %+v, %v", name, results, err)
			continue
		}
		if c.effect == loops.Red {
			continue
		}
		paths, err := p.Write(t.Context(), s, folder)
		if err != nil || !slices.Equal(paths, []string{"plans/2026-07-a.md"}) {
			t.Errorf("%s: %q, %v", name, paths, err)
		}
		if _, err := os.Stat(filepath.Join(r.Root, "plans", "2026-07-a.md")); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Root, "plans", "2026-07-b.md")); err == nil {
		t.Error("a plan that was refused is written")
	}
}

// Files of others are neither overwritten nor removed.
func TestWriteAndWithdrawLeaveTheFilesOfOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before string // what lies there before it is written
		after  func(t *testing.T, r *repo.Repo)
		wrote  bool
		kept   bool
	}{
		"as it was written":     {"", nil, true, false},
		"there with its text":   {"proposed", nil, true, false},
		"there with another":    {"mine", nil, false, true},
		"changed since":         {"", func(t *testing.T, r *repo.Repo) { controltest.Write(t, r, "plans/a.md", "changed") }, true, true},
		"committed since":       {"", func(t *testing.T, r *repo.Repo) { controltest.Commit(t, r.Root, "taken") }, true, true},
		"removed since by hand": {"", func(t *testing.T, r *repo.Repo) { os.Remove(filepath.Join(r.Root, "plans", "a.md")) }, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := controltest.Open(t, shop)
			p, folder := New(r), t.TempDir()
			file := filepath.Join(r.Root, "plans", "a.md")
			if c.before != "" {
				controltest.Write(t, r, "plans/a.md", c.before)
				if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil { // without a line end
					t.Fatal(err)
				}
			}
			if err := writeAccepted(folder, []accepted{{"plans/a.md", []byte("proposed")}}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Write(t.Context(), nil, folder); (err == nil) != c.wrote {
				t.Errorf("written: %v", err)
			}
			if c.after != nil {
				c.after(t, r)
			}
			kept, err := p.Withdraw(t.Context(), &loops.State{}, folder)
			if err != nil || (len(kept) == 1) != c.kept {
				t.Errorf("kept %q, %v", kept, err)
			}
			if _, err := os.Stat(file); (err == nil) != c.kept {
				t.Errorf("%v", err)
			}
		})
	}
}

// A finding that a person rejected with its run is known the next time.
func TestRejectedFindingsAreRemembered(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	p := New(r)
	found := audit.Proposal{Plan: "plans/a.md", Findings: []audit.Finding{{Title: "No test", Category: "tests", Cites: []audit.Citation{{Path: "a.txt", Line: 1, Quote: "a"}}}}}
	src, err := plan.AddNotes([]byte(plan.Example()), found.Notes())
	if err != nil {
		t.Fatal(err)
	}
	s := &loops.State{Start: loops.Start{Run: "r1"}}
	s.End.Why = "not worth it"
	for range 2 {
		if err := p.remember(s, []accepted{{"plans/a.md", src}}); err != nil {
			t.Fatal(err)
		}
	}
	known, err := p.rejected()
	if err != nil || len(known) == 0 || known[0].Why != "not worth it" || known[0].Run != "r1" {
		t.Errorf("%+v, %v", known, err)
	}
	if err := p.remember(s, []accepted{{"plans/b.md", []byte("# B\n")}}); err != nil {
		t.Fatal(err)
	}
	if again, _ := p.rejected(); len(again) != len(known) {
		t.Errorf("a plan without findings adds %+v", again)
	}
}
