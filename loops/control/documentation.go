package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
)

// workFile is the work list of a run that documents, in its folder.
const workFile = "worklist.md"

// Document keeps the wiki true of what changed since a revision, a day, a span of
// time, or for "" since the loop's last run that did. id is that of a run whose folder was
// made already, or "".
func (p *Controller) Document(ctx context.Context, l *repo.Loop, since string, f Flags, id string, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	if err := p.Store.Make(); err != nil {
		return none, err
	}
	release, _, err := process.New(p.Repo).Lock(l.Spec.Name) // one at a time, whatever day it is
	if err != nil {
		return none, err
	}
	defer release()
	all, err := p.Summaries()
	if err != nil {
		return none, err
	}
	for _, r := range all {
		if r.Loop == l.Spec.Name && r.ID != id && !loops.Status(r.Status).Over() {
			return none, unfinished(r)
		}
	}
	if err := p.Andon().MayStart(all); err != nil {
		return none, err
	}
	if err := p.after(ctx, live); err != nil {
		return none, err
	}
	start, err := p.BeginDocumentation(ctx, l, since, f)
	if err != nil {
		return none, err
	}
	releaseRun, note, err := process.New(p.Repo).Lock(start.Plan.Name)
	if err != nil {
		return none, err
	}
	defer releaseRun()
	if id == "" {
		if id, err = p.Store.Create(l.Spec.Name, p.Now()); err != nil {
			return none, err
		}
	}
	start.Run, start.Wall = id, loops.Duration(f.Timeout)
	if err := files.ReplacePath(filepath.Join(p.Store.Folder(id), workFile), []byte(run.WorkList(start.Documentation)), 0o644); err != nil {
		return none, err
	}
	d := p.Driver(live.note)
	w := &Work{Plan: &start.Plan}
	if err := p.dress(ctx, d, w, &start, live); err != nil {
		return none, err
	}
	d.Timeouts.Wall = cmp.Or(start.Wall, d.Timeouts.Wall)
	p.hook(d, f.Notify, w)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	return s, errors.Join(err, p.after(ctx, live))
}

// BeginDocumentation is what a run that documents is decided by, its id aside.
func (p *Controller) BeginDocumentation(ctx context.Context, l *repo.Loop, since string, f Flags) (loops.Start, error) {
	none := loops.Start{}
	if err := l.Runnable(); err != nil {
		return none, err
	}
	base, err := p.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return none, fmt.Errorf("the repository has no commit to start from: %w", err)
	}
	mode, _, err := modes.New(p.Repo).Mode(ctx, l.Spec.Name, f.Mode, written(l))
	if err != nil {
		return none, err
	}
	from, err := worklist.New(p.Repo).Span(ctx, l.Spec.Name, since, mode)
	if err != nil {
		return none, err
	}
	request, err := worklist.New(p.Repo).List(ctx, l.Spec, from, base)
	if err != nil {
		return none, err
	}
	roles, err := cast.Roles(p.Config.Roles).Loop(l.Spec, f.Given)
	var nobody *cast.NobodyError
	if errors.As(err, &nobody) && len(request.Pages) == 0 {
		err = nil // there is nothing to write
	}
	if err != nil {
		return none, err
	}
	name, err := p.branchOf(ctx, l.Spec.Name+"-"+p.Now().UTC().Format("2006-01-02"))
	if err != nil {
		return none, err
	}
	pl := loops.Plan{Name: name, Title: "Documentation since " + request.From}
	if !l.Builtin {
		pl.Context = l.Spec.Purpose
	}
	if l.Spec.Name != loops.DocumentationLoop {
		pl.Title = l.Spec.Title + " since " + request.From
	}
	start, err := p.begin(ctx, l.Spec.Name, &pl, roles, f)
	if err != nil {
		return none, err
	}
	start.Base, start.Gates, start.Documentation = base, loops.GateCommands{}, request
	return start, p.overridden(ctx, &start, l, f)
}

// branchOf is the first name whose branch nobody has.
func (p *Controller) branchOf(ctx context.Context, name string) (string, error) {
	have, err := p.Git(ctx, "for-each-ref", "--format=%(refname)", "refs/heads/loop/")
	if err != nil {
		return "", err
	}
	taken := strings.Fields(have)
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d", name, n)
		}
		pl := loops.Plan{Name: try}
		if !slices.Contains(taken, "refs/heads/"+pl.Branch()) {
			return try, nil
		}
	}
}

// DryDocumentation is what a run that documents would do. Nobody is called and
// nothing is made.
func (p *Controller) DryDocumentation(ctx context.Context, l *repo.Loop, since string, f Flags) (string, error) {
	start, err := p.BeginDocumentation(ctx, l, since, f)
	if err != nil {
		return "", err
	}
	start.Run = "dry-run"
	d := start.Documentation
	var b strings.Builder
	text.Fprintf(&b, "since     %.12s, %s\nmode      %s\nbranch    %s, from %.12s\n", d.Since, d.From, start.Mode, start.Plan.Branch(), start.Base)
	b.WriteString("\n" + run.WorkList(d))
	if len(d.Pages) == 0 {
		return b.String(), nil
	}
	c, most := start.Roles[loops.Writer], start.Limits
	text.Fprintf(&b, "\nwriter    %s\nat most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\n",
		strings.Join(strings.Fields(c.Agent+" "+c.Model+" "+strings.Join(c.Argv, " ")), " "), loops.Count(most.Attempts, "call"), most.EstimateUSD, most.Budget.USD)
	switch {
	case d.Found > loops.MostFindings:
		text.Fprintf(&b, "asks      a person first: %d findings, and at most %d are left to a writer\n", d.Found, loops.MostFindings)
	case d.Ask != "":
		text.Fprintf(&b, "asks      a person first: %s\n", d.Ask)
	}
	pr, err := p.Driver(nil).Prompts.Prompt(ctx, loops.PromptRequest{
		Start: &start, Worktree: p.Root, ResultFile: "$WIKI_LOOP_RESULT",
		Command: loops.Command{Kind: loops.RunRole, Role: loops.Writer, Chunk: -1, Attempt: 1, Try: 1},
	})
	if err != nil {
		return "", err
	}
	text.Fprintf(&b, "\n==== writer: %d bytes\n", len(pr.Text))
	for _, part := range pr.Parts {
		if part.Size > 0 {
			text.Fprintf(&b, "     %-12s %d", part.Name, part.Size)
			if part.Cut > 0 {
				text.Fprintf(&b, ", %d cut", part.Cut)
			}
			b.WriteString("\n")
		}
	}
	text.Fprintf(&b, "\n%s", text.Block(pr.Text))
	return b.String(), nil
}
