package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

// Pass is one run of a loop: its items are selected once, and each that is taken
// is carried out by a run of its own, on a branch of its own.
type Pass struct {
	Loop   *repo.Loop
	ID     string // a time in UTC
	Mode   loops.Mode
	Survey *survey.Survey
	Runs   []loops.State
	State  *plan.LoopState
	// File is where the state of the pass is kept, absolute.
	File string
	// Why says what ended it before its last item, "" if nothing did.
	Why  string
	Exit int
	// Report is where a classifier's report lies, "" if there is none.
	Report string

	flags  Flags
	notes  []string     // on the mode
	limits loops.Limits // of all runs together
}

// Item is what a run of a loop's item is started with.
type Item struct {
	pass *Pass
	item plan.WorkItem
	// limits are what the runs before it have left.
	limits loops.Limits
	text   string // the item's own words
}

// UnheldError is a gate that a spec requires and that nothing judges.
type UnheldError struct {
	Loop    *plan.LoopSpec
	Missing []plan.SpecGate
}

func (e *UnheldError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message.
func (e *UnheldError) Lines() []string {
	var lines []string
	for _, g := range e.Missing {
		lines = append(lines, fmt.Sprintf("%s:%d: no command checks %q", e.Loop.Path, g.Line, g.Text))
	}
	return lines
}

// Hint returns what to do.
func (e *UnheldError) Hint() string {
	return "write its command after a colon, in backticks, or set it under loops: gates: in wiki.yaml"
}

// OpenPass selects what a run of the loop takes. Nobody is called, and nothing is
// written.
func (c *Controller) OpenPass(ctx context.Context, l *repo.Loop, f Flags) (*Pass, error) {
	if err := l.Runnable(); err != nil {
		return nil, err
	}
	s, err := survey.New(c.Repo).Survey(ctx, l)
	if err != nil {
		return nil, err
	}
	if l.Spec.Traits().Changes && len(s.Missing) > 0 {
		return nil, &UnheldError{l.Spec, s.Missing}
	}
	if _, err := cast.Roles(c.Config.Roles).Loop(l.Spec, f.Given); err != nil {
		return nil, err
	}
	limits := l.Spec.Limits(c.Limits())
	limits.Budget.Iterations = cmp.Or(f.Iterations, limits.Budget.Iterations)
	limits.Budget.USD = cmp.Or(f.USD, limits.Budget.USD)
	mode, notes, err := modes.New(c.Repo).Mode(ctx, l.Spec.Name, f.Mode, string(l.Spec.Mode))
	if err != nil {
		return nil, err
	}
	return &Pass{Loop: l, ID: c.Now().UTC().Format("2006-01-02T150405Z"), Mode: mode, notes: notes, Survey: s, flags: f, limits: limits}, nil
}

// RunPass carries out what was selected, item by item, until all are done or
// escalated, or something ends it.
func (c *Controller) RunPass(ctx context.Context, pass *Pass, live *Live) error {
	if err := repo.Supported(); err != nil {
		return err
	}
	name := pass.Loop.Spec.Name
	if err := c.Store.Make(); err != nil {
		return err
	}
	release, _, err := process.New(c.Repo).Lock("loop-" + name)
	if err != nil {
		return err
	}
	defer release()
	if pass.ID, err = survey.New(c.Repo).Keep(pass.Loop, pass.ID, pass.Mode, pass.Survey.Chosen); err != nil {
		return err
	}
	if pass.Loop.Spec.Traits().Whole {
		err = c.report(ctx, pass, live)
	} else {
		err = c.runItems(ctx, pass, live)
	}
	var failed error
	pass.State, pass.File, failed = survey.New(c.Repo).WriteState(name, pass.ID)
	return errors.Join(err, failed)
}

// runItems runs the selected items.
func (c *Controller) runItems(ctx context.Context, pass *Pass, live *Live) error {
	for _, chosen := range pass.Survey.Chosen {
		if chosen.Choice != plan.Selected {
			continue
		}
		left, why := pass.left()
		if why != "" {
			pass.Why, pass.Exit = why, loops.OverBudget.Exit()
			return nil
		}
		w, err := c.itemWork(ctx, pass, chosen.Item, left)
		if err != nil {
			return err
		}
		live.Say(fmt.Sprintf("item %s: %s", chosen.Item.ID, chosen.Reason))
		s, err := c.Run(ctx, w, pass.flags, "", live)
		var waits *UnfinishedError
		var overlap *OverlapError
		switch {
		case errors.As(err, &waits), errors.As(err, &overlap):
			live.Say(fmt.Sprintf("item %s: %v", chosen.Item.ID, err))
			continue
		case err != nil:
			return err
		}
		pass.Runs = append(pass.Runs, s)
		if pass.ended(&s) {
			return nil
		}
	}
	return nil
}

// ended reports whether a run is the last of its pass. One that met its goal or
// was escalated is not; everything else is nothing that the next item would fix.
func (pass *Pass) ended(s *loops.State) bool {
	switch {
	case s.Status == loops.GoalMet:
		return false
	case s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson:
		pass.Exit = s.Status.Exit()
		return false
	}
	pass.Exit = s.Status.Exit()
	pass.Why = string(s.Status)
	if s.End.Why != "" {
		pass.Why += ": " + s.End.Why
	}
	return true
}

// left returns what the runs before have left of the limits, or why nothing is.
func (pass *Pass) left() (loops.Limits, string) {
	l := pass.limits
	b := &l.Budget
	var spend loops.Spend
	var worked loops.Duration
	iterations, changes := 0, 0
	for i := range pass.Runs {
		s := &pass.Runs[i]
		spend.USD += s.Spend.USD
		spend.Tokens += s.Spend.Tokens
		spend.ToolCalls += s.Spend.ToolCalls
		worked += s.Worked
		iterations += s.Iterations
		if s.Status == loops.GoalMet {
			changes++
		}
	}
	switch {
	case b.Iterations > 0 && iterations >= b.Iterations:
		return l, fmt.Sprintf("%d of %d iterations are used", iterations, b.Iterations)
	case b.USD > 0 && spend.USD+l.EstimateUSD > b.USD+1e-9:
		return l, fmt.Sprintf("a call may cost $%.2f; $%.2f of $%.2f are spent", l.EstimateUSD, spend.USD, b.USD)
	case b.Tokens > 0 && spend.Tokens >= b.Tokens:
		return l, fmt.Sprintf("%d of %d tokens are used", spend.Tokens, b.Tokens)
	case b.ToolCalls > 0 && spend.ToolCalls >= b.ToolCalls:
		return l, fmt.Sprintf("%d of %d tool calls are used", spend.ToolCalls, b.ToolCalls)
	case b.Clock > 0 && worked >= b.Clock:
		return l, "the runtime limit is reached"
	case b.PullRequests > 0 && changes >= b.PullRequests:
		return l, fmt.Sprintf("%d of %d changes are waiting for review", changes, b.PullRequests)
	}
	less := func(n, used int) int {
		if n == 0 {
			return 0
		}
		return n - used
	}
	b.Iterations, b.ToolCalls = less(b.Iterations, iterations), less(b.ToolCalls, spend.ToolCalls)
	b.PullRequests = less(b.PullRequests, changes)
	if b.USD > 0 {
		b.USD -= spend.USD
	}
	if b.Tokens > 0 {
		b.Tokens -= spend.Tokens
	}
	if b.Clock > 0 {
		b.Clock -= worked
	}
	return l, ""
}

// itemFile is what an item says, in the folder of its run.
const itemFile = "item.md"

// itemWork returns the work of an item: the plan that it is, or one that is made of it.
func (c *Controller) itemWork(ctx context.Context, pass *Pass, it plan.WorkItem, left loops.Limits) (*Work, error) {
	if it.Source == plan.InputPlans {
		b, err := c.Book(ctx)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		f, ok := b.Find(c.Root, it.Path)
		if !ok {
			return nil, &repo.NoPlanError{Given: it.Path}
		}
		w, err := c.read(b, f)
		if err != nil {
			return nil, err
		}
		w.Item = &Item{pass: pass, item: it, limits: left}
		return w, nil
	}
	pl := pass.Loop.Spec.Plan(it, pass.Survey.Gates)
	pl.Hash = plan.Hash(pass.Loop.Src)
	return &Work{Plan: pl, Src: pass.Loop.Src, File: filepath.Join(c.Root, filepath.FromSlash(pass.Loop.Spec.Path)), Item: &Item{pass: pass, item: it, limits: left, text: itemText(it)}}, nil
}

// itemText returns an item as agents are shown it.
func itemText(it plan.WorkItem) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n", it.ID, it.Title)
	if len(it.Labels) > 0 {
		fmt.Fprintf(&b, "\nLabels: %s\n", strings.Join(it.Labels, ", "))
	}
	if it.Text != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(it.Text))
	}
	if len(it.Acceptance) > 0 {
		b.WriteString("\nIt is done when:\n\n")
		for _, a := range it.Acceptance {
			fmt.Fprintf(&b, "- %s\n", a)
		}
	}
	return b.String()
}

// reportAsked is what a classifier is asked for beside the loop's purpose.
const reportAsked = "\n\nThe items are below. Change nothing. Your last message is the report, in markdown, for a person."

// report has a classifier read all items at once.
func (c *Controller) report(ctx context.Context, pass *Pass, live *Live) error {
	spec := pass.Loop.Spec
	var all strings.Builder
	for _, chosen := range pass.Survey.Chosen {
		if chosen.Choice == plan.Selected || chosen.Choice == plan.Escalated {
			fmt.Fprintf(&all, "%s\n", itemText(chosen.Item))
		}
	}
	if all.Len() == 0 {
		return nil
	}
	pl := &loops.Plan{Name: spec.Name, Path: spec.Path, Hash: spec.Hash, Title: spec.Title, Context: spec.Purpose + reportAsked, Scope: []string{}}
	w := &Work{Plan: pl, Src: pass.Loop.Src, File: filepath.Join(c.Root, filepath.FromSlash(spec.Path)), Item: &Item{pass: pass, limits: pass.limits, text: all.String()}}
	s, err := c.Run(ctx, w, pass.flags, "", live)
	if err != nil {
		return err
	}
	pass.Runs = append(pass.Runs, s)
	pass.ended(&s)
	if s.Status == loops.GoalMet {
		pass.Report = filepath.Join(c.Store.Folder(s.Start.Run), filepath.FromSlash(s.Answer), run.AnswerFile)
	}
	return c.releaseWorktree(ctx, s)
}

// keepItem keeps what an item says for who resumes its run.
func (c *Controller) keepItem(id, text string) error {
	if text == "" {
		return nil
	}
	return files.ReplacePath(filepath.Join(c.Store.Folder(id), itemFile), []byte(text), 0o600)
}
