package control

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/mode"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

const readyShop = `-- wiki.yaml --
root: wiki
loops:
  roles:
    maker: {agent: command, argv: [sh, agents/maker.sh]}
    checker: {agent: command, argv: [sh, agents/maker.sh]}
    auditor: {agent: command, argv: [sh, agents/maker.sh]}
    writer: {agent: command, argv: [sh, agents/maker.sh]}
  gates: {build: [sh -n price.sh], test: [sh price.sh 1], lint: [sh -n price.sh]}
-- .gitignore --
/.loopwiki/
-- price.sh --
echo $(($1 * 2))
-- agents/maker.sh --
exit 1
-- wiki/index.md --
# Shop
`

// startLoop runs a loop by its kind, as the command line does. No agent gets as far as a verdict.
func startLoop(t *testing.T, c *Controller, l *repo.Loop) error {
	var s loops.State
	var err error
	switch l.Spec.Kind {
	case plan.AuditLoop:
		s, err = c.Audit(t.Context(), l, Flags{}, "", quiet())
	case plan.WikiLoop:
		s, err = c.Document(t.Context(), l, "", Flags{}, "", quiet())
	default:
		var pass *Pass
		if pass, err = c.OpenPass(t.Context(), l, Flags{}); err == nil {
			err = c.RunPass(t.Context(), pass, quiet())
		}
	}
	if err == nil && s.Status == loops.NoGround {
		return errors.New(s.End.Why)
	}
	return err
}

// TestReadyRefusesWhatRunsRefuse starts each loop too: what keeps it from starting is what
// the criteria say, and nothing else.
func TestReadyRefusesWhatRunsRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		loop   string
		change func(t *testing.T, r *repo.Repo)
		want   string // of both
	}{
		"audit":         {"audit", nil, ""},
		"documentation": {"documentation", nil, ""},
		"execution":     {"execution", nil, ""},
		"link repair":   {"link-repair", nil, ""},
		"no wiki in the commit": {"documentation", func(t *testing.T, r *repo.Repo) {
			controltest.Git(t, r.Root, "rm", "-rq", "--cached", "wiki", "wiki.yaml")
			controltest.Git(t, r.Root, "commit", "-qm", "no wiki")
		}, "no wiki at "},
		"a shallow clone": {"documentation", func(t *testing.T, r *repo.Repo) {
			head := controltest.Git(t, r.Root, "rev-parse", "HEAD")
			write(t, filepath.Join(r.Root, ".git", "shallow"), head+"\n")
		}, "the clone is shallow"},
		"a run that waits": {"documentation", func(t *testing.T, r *repo.Repo) {
			controltest.Begun(t, r, loops.Start{Loop: "documentation", Plan: loops.Plan{Name: "documentation-2026-07-09"}}, false)
		}, "is not finished"},
		"grants that can't be read": {"execution", func(t *testing.T, r *repo.Repo) {
			write(t, filepath.Join(r.Root, mode.File), "- {loop: [\n")
		}, mode.File},
		"an input that can't be read": {"link-repair", func(t *testing.T, r *repo.Repo) {
			write(t, filepath.Join(r.Root, schema.BaselineFile), "no JSON\n")
		}, schema.BaselineFile},
		"a program that is missing": {"audit", func(t *testing.T, r *repo.Repo) {
			role := r.Config.Roles["auditor"]
			role.Argv = []string{"no-such-auditor"}
			r.Config.Roles["auditor"] = role
		}, "no-such-auditor"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := readyShop
			for _, f := range plan.Templates() {
				if f.Name == "link-repair" {
					archive += "-- agents/loops/link-repair.md --\n" + string(f.Src)
				}
			}
			ctl := New(controltest.Open(t, archive))
			if c.change != nil {
				c.change(t, ctl.Repo)
			}
			l, err := ctl.MustFindLoop(ctl.Root, c.loop)
			if err != nil {
				t.Fatal(err)
			}
			all, err := ctl.Ready(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			var unmet []string
			for _, criterion := range all {
				if !criterion.OK {
					unmet = append(unmet, criterion.ID+": "+criterion.Why)
				}
				if !criterion.OK && criterion.Do == "" {
					t.Errorf("%s has no remedy", criterion.ID)
				}
			}
			ran := ""
			if err := startLoop(t, ctl, l); err != nil {
				ran = err.Error()
			}
			switch said := strings.Join(unmet, "\n"); {
			case c.want == "" && (said != "" || all[len(all)-1].ID != "start"):
				t.Errorf("not ready: %s", said)
			case !strings.Contains(said, c.want) || !strings.Contains(ran, c.want):
				t.Errorf("ready says %q, a run %q, neither may lack %q", said, ran, c.want)
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
