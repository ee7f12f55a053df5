package modes

import (
	"errors"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/mode"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/runs/
-- a.txt --
a
`

const granted = `version: 1
records:
  - {loop: execution, mode: autonomous, by: ada, reason: ok, at: "2026-07-01T00:00:00Z"}
`

const back = granted + `  - {loop: execution, mode: shadow, back: true, reason: two of three were rejected, at: "2026-07-02T00:00:00Z"}
`

// Files ask for no more than is granted and committed; a command line that asks for more
// is refused.
func TestMode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		records   string
		committed bool
		config    string
		asked     string
		written   string
		want      loops.Mode
		note      string // or the error
	}{
		"nothing said":                {"", false, "", "", "", loops.Draft, ""},
		"wiki.yaml":                   {"", false, "shadow", "", "", loops.Shadow, ""},
		"the spec over wiki.yaml":     {"", false, "shadow", "", "manual", loops.Manual, ""},
		"the command line over all":   {"", false, "draft", "shadow", "manual", loops.Shadow, ""},
		"a spec asks for more":        {"", false, "", "", "autonomous", loops.Draft, "it runs in draft, not in autonomous, which is not granted"},
		"a command line asks so":      {"", false, "", "autonomous", "", "", "execution may not run in autonomous mode: it is granted draft"},
		"granted":                     {granted, true, "", "", "autonomous", loops.Autonomous, ""},
		"granted on a command line":   {granted, true, "", "autonomous", "", loops.Autonomous, ""},
		"granted, not committed":      {granted, false, "", "", "autonomous", loops.Draft, "the grant in .loopwiki/modes.yaml is not committed"},
		"a step back":                 {back, true, "", "", "draft", loops.Shadow, "since its demotion: two of three were rejected"},
		"a step back, on the command": {back, true, "", "draft", "", "", "since its demotion: two of three were rejected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := controltest.Open(t, shop)
			r.Config.Mode = c.config
			if c.records != "" {
				controltest.Write(t, r, mode.File, c.records)
			}
			if c.committed {
				controltest.Commit(t, r.Root, "grant")
			}
			got, notes, err := New(r).Mode(t.Context(), "execution", c.asked, c.written)
			if refused := (*NotGrantedError)(nil); errors.As(err, &refused) {
				if c.want != "" || !strings.Contains(err.Error(), c.note) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || got != c.want || (c.note == "") != (len(notes) == 0) || !strings.Contains(strings.Join(notes, ";"), c.note) {
				t.Errorf("%s, %q, %v; want %s, %q", got, notes, err, c.want, c.note)
			}
		})
	}
}

// A step back counts before anybody commits it.
func TestStepBackCountsAtOnce(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	controltest.Write(t, r, mode.File, granted)
	controltest.Commit(t, r.Root, "grant")
	controltest.Write(t, r, mode.File, back)
	got, notes, err := New(r).Mode(t.Context(), "execution", "", "draft")
	if err != nil || got != loops.Shadow || len(notes) != 1 || !strings.Contains(notes[0], "since its demotion") {
		t.Errorf("%s, %q, %v", got, notes, err)
	}
}

func TestGrantHasToBeEarned(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	m := New(r)
	_, err := m.Grant(t.Context(), "execution", loops.Autonomous, "ada", "let it")
	if missing := (*NotEarnedError)(nil); !errors.As(err, &missing) || len(missing.Missing) == 0 {
		t.Fatalf("%v", err)
	}
	if said, err := m.StepBack(t.Context()); err != nil || said != nil {
		t.Errorf("a step back of what nobody granted: %q, %v", said, err)
	}
	controltest.Write(t, r, mode.File, back)
	controltest.Commit(t, r.Root, "back")
	lines, err := m.SteppedBack(t.Context())
	if err != nil || len(lines) != 1 || lines[0] != "execution runs in shadow since its demotion: two of three were rejected" {
		t.Errorf("%q, %v", lines, err)
	}
	all, err := m.Modes(t.Context())
	if err != nil || len(all) != 1 || all[0].Mode != "shadow" || !all[0].Back || all[0].Next != "draft" || len(all[0].Missing) == 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
