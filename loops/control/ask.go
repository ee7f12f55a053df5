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
	asked := query.Reader{Root: c.Root, Wiki: w.Workspace(), Passages: c.Passages}
	s, text, err := c.answer(ctx, &pl, loops.QueryRequest{Question: question}, reader, f, live, func(d *run.Driver) {
		d.Prompts, d.Answers = asked, asked.JudgeAnswer
	})
	if err != nil {
		return nil, err
	}
	a := &Answer{State: s}
	if s.Answer == "" {
		return a, nil
	}
	a.Text = query.Trimmed(text)
	a.Cites, a.Unsupported, err = query.Support(ctx, w, a.Text)
	return a, err
}

// answer has a reader answer in a run of its own, and returns what it said, nil if it did
// not come to that. with says by what the run differs from others.
func (c *Controller) answer(ctx context.Context, pl *loops.Plan, q loops.QueryRequest, reader loops.Casting, f Flags, live *Live, with func(*run.Driver)) (s loops.State, text []byte, err error) {
	start, err := c.starter().base(ctx, loops.QueryLoop, pl, map[loops.Role]loops.Casting{loops.Reader: reader}, f)
	if err != nil {
		return s, nil, err
	}
	start.Gates, start.Query = loops.GateCommands{}, &q
	start.Limits.Attempts = query.Askings
	if err := c.Store.Make(); err != nil {
		return s, nil, err
	}
	release, note, err := process.New(c.Repo).Lock(pl.Name)
	if err != nil {
		return s, nil, err
	}
	defer release()
	if start.Run, err = c.Store.Create(pl.Name, c.Now()); err != nil {
		return s, nil, err
	}
	d := c.driver(nil)
	with(d)
	live.attach(d)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err = d.Begin(ctx, start)
	if err := errors.Join(err, c.releaseWorktree(ctx, s)); err != nil || s.Answer == "" {
		return s, nil, err
	}
	text, err = files.ReadPath(filepath.Join(c.Store.Folder(start.Run), filepath.FromSlash(s.Answer), run.AnswerFile), files.Run)
	return s, text, err
}
