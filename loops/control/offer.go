package control

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema/text"
)

// Offer lists what could be run now: runs that can go on, loops, plans that are
// pending, and specifications that plans could be made of.
func (p *Controller) Offer(ctx context.Context) ([]string, error) {
	var out []string
	all, err := p.Summaries()
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		switch loops.Status(r.Status) {
		case loops.Waiting:
			if r.WaitingFor == string(loops.ForPerson) {
				out = append(out, fmt.Sprintf("wiki loop approve %s   # or reject it: wiki loop show %s", r.ID, r.ID))
				continue
			}
			out = append(out, fmt.Sprintf("wiki loop resume %s   # %s", r.ID, r.Status))
		case loops.Interrupted:
			out = append(out, fmt.Sprintf("wiki loop resume %s   # %s", r.ID, r.Status))
		}
	}
	b, err := p.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	known := b.Around(p.Getenv("PATH")).Plans
	plan.Order(known)
	proposed, err := p.Proposed()
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		if k.Status == plan.Pending && proposed[k.Plan.Path] == "" {
			out = append(out, fmt.Sprintf("wiki loop run %s   # P%d %s", k.Plan.Path, k.Plan.Priority, k.Plan.Title))
		}
	}
	line, err := worklist.New(p.Repo).Offer(ctx, all)
	if err != nil {
		return nil, err
	}
	out = append(out, line...)
	specs, err := p.Loops()
	if err != nil {
		return nil, err
	}
	for _, l := range specs {
		if !l.Builtin && l.Err() == nil {
			out = append(out, "wiki loop run "+l.Spec.Name+"   # a loop: "+l.Spec.Title)
		}
	}
	for _, name := range []string{"SPEC.md", "docs/SPEC.md"} {
		if last, ok := p.Latest(name); ok && !loops.Status(last.Status).Over() {
			continue // it is planned from already
		}
		if info, err := os.Stat(filepath.Join(p.Root, name)); err == nil && info.Mode().IsRegular() {
			out = append(out, "wiki plan from "+name+"   # a specification")
		}
	}
	return out, nil
}

// DryRun is what a run would do: its roles, what it could cost at most, and its
// first prompts. Nobody is called and nothing is made.
func (p *Controller) DryRun(ctx context.Context, w *Work, f Flags) (string, error) {
	start, err := p.beginWork(ctx, w, f)
	if err != nil {
		return "", err
	}
	start.Run = "dry-run"
	var b strings.Builder
	text.Fprintf(&b, "plan      %s: %s\nmode      %s\nbranch    %s, from %.12s\n", start.Plan.Path, start.Plan.Title, start.Mode, start.Plan.Branch(), start.Base)
	for _, r := range loops.Roles() {
		if c, ok := start.Roles[r]; ok {
			same := ""
			if c.SameVendor {
				same = "  (of the maker's vendor)"
			}
			text.Fprintf(&b, "%-9s %s%s\n", r, strings.Join(strings.Fields(c.Agent+" "+c.Model+" "+strings.Join(c.Argv, " ")), " "), same)
		}
	}
	l := start.Limits
	calls := len(start.Plan.Chunks)*l.Attempts*len(start.Roles) + 1
	text.Fprintf(&b, "at most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\n", loops.Count(calls, "call"), l.EstimateUSD, l.Budget.USD)
	g := start.Gates
	text.Fprintf(&b, "gates     build %v, test %v, lint %v\n", g.Build, g.Test, g.Lint)
	d := p.Driver(nil)
	if w.Task != nil {
		_, redact := p.Environment()
		d.Prompts = &lazyPrompts{place: p, more: w.Sections(redact)}
	}
	for i, c := range start.Plan.Chunks {
		if c.Done {
			continue
		}
		pr, err := d.Prompts.Prompt(ctx, loops.PromptRequest{
			Start: &start, Worktree: p.Root, ResultFile: "$WIKI_LOOP_RESULT",
			Command: loops.Command{Kind: loops.RunRole, Role: loops.Maker, Chunk: i, Attempt: 1, Try: 1},
		})
		if err != nil {
			return "", err
		}
		text.Fprintf(&b, "\n==== maker, chunk %s: %d bytes\n", start.Plan.Chunks[i].ID, len(pr.Text))
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
	}
	return b.String(), nil
}
