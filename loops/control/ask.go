package control

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/query"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

// Answer is what a reader said.
type Answer struct {
	Text  string
	Cites []query.Cite
	// Unsupported says what of the answer does not hold; nothing of one that does.
	Unsupported []string
	State       loops.State
}

// Ask has a reader answer a question of the wiki, in a run: what it cites is held
// against the pages, and an answer that does not hold is asked for once more.
func (c *Controller) Ask(ctx context.Context, w *compiler.Wiki, question string, reader loops.Casting, f Flags, live *Live) (*Answer, error) {
	if err := repo.Supported(); err != nil {
		return nil, err
	}
	name := "query-" + slugOf(question)
	pl := loops.Plan{Name: name[:min(len(name), 40)], Path: "query: " + repo.OneLine(question), Title: "Answer: " + repo.OneLine(question)}
	pl.Name = strings.TrimRight(pl.Name, "-")
	start, err := c.starter().base(ctx, loops.QueryLoop, &pl, map[loops.Role]loops.Casting{loops.Reader: reader}, f)
	if err != nil {
		return nil, err
	}
	start.Gates, start.Query = loops.GateCommands{}, &loops.QueryRequest{Question: question}
	start.Limits.Attempts = query.Askings
	if err := c.Store.Make(); err != nil {
		return nil, err
	}
	release, note, err := process.New(c.Repo).Lock(pl.Name)
	if err != nil {
		return nil, err
	}
	defer release()
	if start.Run, err = c.Store.Create(pl.Name, c.Now()); err != nil {
		return nil, err
	}
	d, asked := c.driver(nil), query.Reader{Root: c.Root, Wiki: w.Workspace()}
	d.Prompts, d.Answers = asked, asked.JudgeAnswer
	live.attach(d)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	if err := errors.Join(err, c.releaseWorktree(ctx, s)); err != nil {
		return nil, err
	}
	a := &Answer{State: s}
	if s.Answer == "" {
		return a, nil
	}
	text, err := files.ReadPath(filepath.Join(c.Store.Folder(s.Start.Run), filepath.FromSlash(s.Answer), run.AnswerFile), files.Run)
	if err != nil {
		return a, err
	}
	a.Text = query.Trimmed(text)
	a.Cites, a.Unsupported, err = query.Support(ctx, w, a.Text)
	return a, err
}
