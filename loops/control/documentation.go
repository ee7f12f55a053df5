package control

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/docs"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
)

// workFile is the work list of a run that documents, in its folder.
const workFile = "worklist.md"

// Document keeps the wiki true of what changed since a revision, a day, a span of
// time, or for "" since the loop's last run that did. id is that of a run whose folder was
// made already, or "".
func (p *Place) Document(ctx context.Context, l *Loop, since string, f Flags, id string, live *Live) (loops.State, error) {
	var none loops.State
	if err := supported(); err != nil {
		return none, err
	}
	if err := p.Store.Make(); err != nil {
		return none, err
	}
	release, _, err := p.lock(l.Spec.Name) // one at a time, whatever day it is
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
	releaseRun, note, err := p.lock(start.Plan.Name)
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
	d := p.Driver()
	w := &Work{Plan: &start.Plan}
	if err := p.dress(ctx, d, w, &start, live); err != nil {
		return none, err
	}
	d.Timeouts.Wall = or(start.Wall, d.Timeouts.Wall)
	p.hook(d, f.Notify, w)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	return s, errors.Join(err, p.after(ctx, live))
}

// BeginDocumentation is what a run that documents is decided by, its id aside.
func (p *Place) BeginDocumentation(ctx context.Context, l *Loop, since string, f Flags) (loops.Start, error) {
	none := loops.Start{}
	if err := l.runnable(); err != nil {
		return none, err
	}
	base, err := p.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return none, fmt.Errorf("the repository has no commit to start from: %w", err)
	}
	mode, _, err := p.mode(ctx, l.Spec.Name, f.Mode, written(l))
	if err != nil {
		return none, err
	}
	from, err := p.span(ctx, l.Spec.Name, since, mode)
	if err != nil {
		return none, err
	}
	request, err := p.workList(ctx, l.Spec, from, base)
	if err != nil {
		return none, err
	}
	cast, err := p.castLoop(l.Spec, f)
	var nobody *NobodyError
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
	start, err := p.begin(ctx, l.Spec.Name, &pl, cast, f)
	if err != nil {
		return none, err
	}
	start.Base, start.Gates, start.Documentation = base, loops.GateCommands{}, request
	return start, p.overridden(ctx, &start, l, f)
}

// branchOf is the first name whose branch nobody has.
func (p *Place) branchOf(ctx context.Context, name string) (string, error) {
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

// writer says who writes: who is asked for, or who is cast.
func (p *Place) writer(f Flags) (map[loops.Role]loops.Casting, error) {
	r, ok := p.Config.Roles[string(loops.Writer)]
	c := loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv}
	if m, named := p.Config.Roles[string(loops.Maker)]; !ok && named && m.Agent != "command" {
		c = loops.Casting{Agent: m.Agent, Model: m.Model}
	}
	if f.Agent != "" {
		name, model, _ := strings.Cut(f.Agent, ":")
		c = loops.Casting{Agent: name, Model: model, Argv: c.Argv}
	}
	if c.Agent == "" || c.Agent == "command" && len(c.Argv) == 0 {
		return nil, &NobodyError{loops.Writer}
	}
	cast := map[loops.Role]loops.Casting{loops.Maker: c, loops.Writer: c} // whose vendor judges are compared with
	err := p.know(cast)
	delete(cast, loops.Maker)
	return cast, err
}

// documentationTasks is what a writer is told to do with the work list.
func documentationTasks(d *loops.DocumentationRequest) string {
	text := fmt.Sprintf("What changed is `git diff %.12s HEAD -- PATH`. Look at each page that is listed below, and correct what is untrue; a page that is right stays as it is, but for one that is marked wrong.\n", d.Since)
	if len(d.Edited) > 0 {
		text += "\nA page that is marked as a person's was changed by one since the last run: your version of it is kept as a proposal, and not committed.\n"
	}
	return text
}

// documentationSections are the work list and what the linter has to say of its
// pages. Both quote pages and code: they are data.
func documentationSections(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
	d := r.Start.Documentation
	var list, found strings.Builder
	for _, page := range d.Pages {
		fmt.Fprintf(&list, "- %s: %s\n", oneLine(page.Path), oneLine(page.Reason))
		for _, t := range page.Targets {
			fmt.Fprintf(&list, "  - %s\n", oneLine(t))
		}
		if page.Wrong {
			list.WriteString("  - wrong\n")
		}
		if page.Edited {
			list.WriteString("  - a person's\n")
		}
	}
	for _, f := range d.Findings {
		fmt.Fprintf(&found, "- %s\n", oneLine(f.String()))
	}
	return []prompt.Section{
		{Name: "pages", Title: "The pages, and why", Text: list.String(), Limit: 24 << 10},
		{Name: "findings", Title: "What the linter finds on these pages, to be mended", Text: found.String(), Limit: 16 << 10},
	}, nil
}

// DryDocumentation is what a run that documents would do. Nobody is called and
// nothing is made.
func (p *Place) DryDocumentation(ctx context.Context, l *Loop, since string, f Flags) (string, error) {
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
	pr, err := p.Driver().Prompts.Prompt(ctx, loops.PromptRequest{
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

// pagesOf makes pages of a work list.
func pagesOf(items []docs.Item) []loops.DocumentationPage {
	out := []loops.DocumentationPage{}
	for _, it := range items {
		var why []string
		for _, r := range it.Reasons {
			if len(why) < 3 && !slices.Contains(why, r.Text) {
				why = append(why, r.Text)
			}
		}
		out = append(out, loops.DocumentationPage{
			Path: it.Page, Reason: oneLine(strings.Join(why, "; ")), Targets: it.Sources[:min(len(it.Sources), 12)], Wrong: it.Wrong,
		})
	}
	return out
}
