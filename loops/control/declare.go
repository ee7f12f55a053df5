package control

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/declared"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
)

// Declaration is a loop specification that is to be run.
type Declaration struct {
	File   string // absolute
	Src    []byte
	Inputs []string // NAME=VALUE
}

// OutsideError is a specification that does not lie in the repository.
type OutsideError struct{ File string }

func (e *OutsideError) Error() string { return e.File + " is outside of the repository" }

// Hint returns what to do.
func (e *OutsideError) Hint() string { return "copy it into the repository that it is to work on" }

// declared makes what a run of a declared loop is decided by, its id aside.
func (s starter) declared(ctx context.Context, of Declaration, f Flags) (loops.Start, error) {
	none := loops.Start{}
	path, inside := s.Relative(of.File)
	if !inside {
		return none, &OutsideError{of.File}
	}
	gates, err := s.Andon().Commands(s.Commands())
	if err != nil {
		return none, err
	}
	d, spec, err := declared.Read(declared.Request{Path: path, Src: of.Src, Inputs: of.Inputs, Roles: s.Config.Roles, Given: f.Given, Gates: gates, Files: s.FS()})
	if err != nil {
		return none, err
	}
	name, err := s.freeName(ctx, spec.Name)
	if err != nil {
		return none, err
	}
	title := titleOf(spec.Objective)
	pl := loops.Plan{
		Name: name, Path: path, Hash: d.Hash, Title: title, Scope: []string{"**"},
		Chunks: []loops.Chunk{{ID: "1", Title: title, Text: spec.Objective}},
	}
	start, err := s.base(ctx, spec.Name, &pl, nil, f)
	if err != nil {
		return none, err
	}
	if d.Approved, err = declared.Approved(s.Root, d.Hash); err != nil {
		return none, err
	}
	start.Declared = d
	start.Repair, err = repairs(&start, f)
	return start, err
}

// titleOf returns the first line of an objective, as far as it fits into a title.
func titleOf(objective string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(objective), "\n")
	title := repo.OneLine(first)
	const most = 72
	if len(title) <= most {
		return title
	}
	cut := strings.ToValidUTF8(title[:most], "")
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return cut + "…"
}

// repairs returns whether a declared loop may start on a red base: if a gate of the
// repository scores it, making that green is its work.
func repairs(start *loops.Start, f Flags) (loops.Repair, error) {
	bound := false
	start.Declared.Walk(func(_ string, d *loops.Declared) {
		bound = bound || slices.ContainsFunc(d.Evaluators, func(e loops.Evaluation) bool { return e.Gate != "" && e.Gate != "wiki" })
	})
	switch {
	case start.Mode == loops.Autonomous && f.Repair:
		return loops.NoRepair, &RepairError{start.Plan.Path + " repairs a red base, which an autonomous run may not", "run it with --mode draft"}
	case start.Mode != loops.Autonomous && (f.Repair || bound):
		return loops.RepairAsked, nil
	}
	return loops.NoRepair, nil
}

// RunDeclared runs the loop of a specification. id is that of a run whose folder was made
// already, or "".
func (c *Controller) RunDeclared(ctx context.Context, of Declaration, f Flags, id string, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	start, err := c.starter().declared(ctx, of, f)
	if err != nil {
		return none, err
	}
	if err := c.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := process.New(c.Repo).Lock(start.Plan.Name)
	if err != nil {
		return none, err
	}
	defer release()
	w := &Work{Plan: &start.Plan, Src: of.Src, File: of.File}
	if err := c.mayRun(ctx, w, id); err != nil {
		return none, err
	}
	if err := c.stepBack(ctx, live); err != nil {
		return none, err
	}
	if start.Run = id; id == "" {
		if start.Run, err = c.Store.Create(start.Plan.Name, c.Now()); err != nil {
			return none, err
		}
	}
	start.Wall = loops.Duration(f.Timeout)
	if err := files.ReplacePath(filepath.Join(c.Store.Folder(start.Run), "plan"+filepath.Ext(of.File)), of.Src, 0o644); err != nil {
		return none, err
	}
	return c.drive(ctx, w, start, f.Notify, note, live)
}

// equipDeclared joins a run of a declared loop with what its workers read.
func (c *Controller) equipDeclared(d *run.Driver, start *loops.Start) {
	_, redact := c.Environment()
	d.Prompts = &prompts{Repo: c.Repo, more: declared.Sections(c.Store.Folder(start.Run), redact)}
}

// approveSpec records that a person approved the file of a run that waits for that.
func (c *Controller) approveSpec(s *loops.State, answer *loops.Answer) error {
	if answer == nil || !answer.Approve || !s.Declares() || s.Rounds.Asked != loops.AskedToRun {
		return nil
	}
	d := s.Start.Declared
	return declared.Approve(c.Root, d.Hash, d.Path, answer.By, c.Now())
}

// DryDeclared returns what a run of a specification would do, and could cost. Nobody is
// called and nothing is made.
func (c *Controller) DryDeclared(ctx context.Context, of Declaration, f Flags) (string, error) {
	start, err := c.starter().declared(ctx, of, f)
	if err != nil {
		return "", err
	}
	start.Run = "dry-run"
	d := start.Declared
	var b strings.Builder
	text.Fprintf(&b, "spec      %s %s: %s\nmode      %s\nbranch    %s, from %.12s\n", d.Path, d.Hash, start.Plan.Title, start.Mode, start.Plan.Branch(), start.Base)
	if !d.Approved {
		b.WriteString("asks      a person first: nobody approved this file\n")
	}
	for _, line := range d.Runs {
		text.Fprintf(&b, "runs      %s\n", line)
	}
	parts(&b, d)
	l := start.Limits
	most, calls := iterations(start.Declared, l.Budget.Iterations), calls(d)
	text.Fprintf(&b, "at most   %s of up to %s, an estimate of $%.2f each; cumulative_usd %.2f, per_iteration_usd %.2f, the repository's budget $%.2f\n",
		text.Count(most, "iteration"), text.Count(calls, "call"), l.EstimateUSD, d.Cost.All, d.Cost.Iteration, l.Budget.USD)
	for _, a := range d.Advisory {
		text.Fprintf(&b, "advisory  %s\n", a)
	}
	driver := c.driver(nil)
	c.equipDeclared(driver, &start)
	var failed error
	d.Walk(func(prefix string, of *loops.Declared) {
		for _, w := range of.Workers {
			failed = errors.Join(failed, c.dryPrompt(ctx, &b, driver, &start, prefix+w.ID))
		}
	})
	return b.String(), failed
}

// dryPrompt adds the first prompt of a worker.
func (c *Controller) dryPrompt(ctx context.Context, b *strings.Builder, d *run.Driver, start *loops.Start, part string) error {
	pr, err := d.Prompts.Prompt(ctx, loops.PromptRequest{
		Start: start, Worktree: c.Root, ResultFile: "$WIKI_LOOP_RESULT",
		Command: loops.Command{Kind: loops.RunRole, Role: loops.Worker, Part: part, Attempt: 1, Try: 1},
	})
	if err != nil {
		return err
	}
	text.Fprintf(b, "\n==== worker %s: %d bytes\n\n%s", part, len(pr.Text), text.Block(pr.Text))
	return nil
}

// parts lists who plays.
func parts(b *strings.Builder, d *loops.Declared) {
	d.Walk(func(prefix string, d *loops.Declared) {
		for _, w := range d.Workers {
			text.Fprintf(b, "worker    %s: %s\n", prefix+w.ID, played(w.Cast))
		}
		for _, e := range d.Evaluators {
			who := cmp.Or(e.Command, e.Gate, "a person")
			if e.Kind == loops.ByRubric {
				who = played(e.Cast)
			}
			text.Fprintf(b, "evaluator %s: %s\n", prefix+e.ID, who)
		}
	})
}

// calls is how many calls of agents an iteration has at most, with those of the loops in it.
func calls(d *loops.Declared) int {
	n := 0
	for _, w := range d.Workers {
		n += w.Retries + 1
	}
	for _, e := range d.Evaluators {
		if e.Kind == loops.ByRubric {
			n += 2 // one that gives no scores is asked once more
		}
	}
	for _, c := range slices.Concat(d.Children, d.Inner) {
		n += iterations(c.Loop, 0) * calls(c.Loop)
	}
	return n
}
func played(c loops.Casting) string {
	return strings.Join(strings.Fields(c.Agent+" "+c.Model+" "+strings.Join(c.Argv, " ")), " ")
}

// iterations is how often a declared loop iterates at most; most is another bound, 0 is none.
func iterations(d *loops.Declared, most int) int {
	for _, f := range d.Failure {
		if f.Kind == loops.MaxIterations && (most == 0 || int(f.Value) < most) {
			most = int(f.Value)
		}
	}
	return most
}
