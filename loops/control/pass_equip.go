package control

import (
	"context"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
)

// equipItem joins the run of an item with what the item says, and with the state
// that it leaves.
func (c *Controller) equipItem(d *run.Driver, start *loops.Start) {
	d.Scribe = func(ctx context.Context, s *loops.State, w loops.Worktree) (string, error) {
		written, err := run.Written(ctx, s, w)
		if err != nil {
			return "", err
		}
		files, err := run.Entry(w.Path(), s, written)
		if err != nil {
			return "", err
		}
		if files == nil {
			files = make(map[string][]byte)
		}
		state, err := survey.New(c.Repo).State(s.Start.Control.Loop, s.Start.Control.Pass, s)
		if err != nil {
			return "", err
		}
		files[plan.StateFolder+"/"+s.Start.Control.Loop+".md"] = state.Text()
		return w.Add(ctx, s.Tree, files)
	}
	told, err := files.ReadPath(filepath.Join(c.Store.Folder(start.Run), itemFile), files.Run)
	if err != nil {
		return // the work is a plan, which says it itself
	}
	_, redact := c.Environment()
	text, _ := loops.NewRedactor(redact).Text(string(told))
	d.Prompts = &prompts{Repo: c.Repo, more: func(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
		out := []prompt.Section{{Name: "item", Title: "The item", Text: text, Limit: 48 << 10}}
		if r.Command.Role == loops.Checker {
			out = append(out, prompt.Section{Name: "doubt", Title: "If you are not sure", Text: `Write "self_assessment": "WARN" into your answer: a person decides then.`, Limit: 1 << 10})
		}
		return out, nil
	}}
}
