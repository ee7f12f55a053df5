package control

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
)

// DryRun returns what a run would do: its roles, what it could cost at most, and its
// first prompts. Nobody is called and nothing is made.
func (c *Controller) DryRun(ctx context.Context, w *Work, f Flags) (string, error) {
	start, err := c.starter().work(ctx, w, f)
	if err != nil {
		return "", err
	}
	start.Run = "dry-run"
	var b strings.Builder
	text.Fprintf(&b, "plan      %s: %s\nmode      %s\nbranch    %s, from %.12s\n", start.Plan.Path, start.Plan.Title, start.Mode, start.Plan.Branch(), start.Base)
	for _, r := range loops.Roles() {
		if casting, ok := start.Roles[r]; ok {
			same := ""
			if casting.SameVendor {
				same = "  (same vendor as the maker)"
			}
			text.Fprintf(&b, "%-9s %s%s\n", r, strings.Join(strings.Fields(casting.Agent+" "+casting.Model+" "+strings.Join(casting.Argv, " ")), " "), same)
		}
	}
	if _, ok := start.Roles[loops.Writer]; !ok && start.Plan.Decision {
		b.WriteString("warning   the plan requires a decision page, but no agent is configured for the role writer\n")
	}
	l := start.Limits
	calls := len(start.Plan.Chunks)*l.Attempts*len(start.Roles) + 1
	text.Fprintf(&b, "at most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\n", text.Count(calls, "call"), l.EstimateUSD, l.Budget.USD)
	g := start.Gates
	text.Fprintf(&b, "gates     build %v, test %v, lint %v\n", g.Build, g.Test, g.Lint)
	d := c.driver(nil)
	if w.Task != nil {
		_, redact := c.Environment()
		d.Prompts = &prompts{Repo: c.Repo, more: w.Sections(redact)}
	}
	for i, chunk := range start.Plan.Chunks {
		if chunk.Done {
			continue
		}
		pr, err := d.Prompts.Prompt(ctx, loops.PromptRequest{
			Start: &start, Worktree: c.Root, ResultFile: "$WIKI_LOOP_RESULT",
			Command: loops.Command{Kind: loops.RunRole, Role: loops.Maker, Chunk: i, Attempt: 1, Try: 1},
		})
		if err != nil {
			return "", err
		}
		text.Fprintf(&b, "\n==== maker, chunk %s: %d bytes\n", chunk.ID, len(pr.Text))
		for _, part := range pr.Parts {
			if part.Size > 0 {
				text.Fprintf(&b, "     %-12s %d", part.Name, part.Size)
				if part.Cut > 0 {
					text.Fprintf(&b, ", %d truncated", part.Cut)
				}
				b.WriteString("\n")
			}
		}
		text.Fprintf(&b, "\n%s", text.Block(pr.Text))
	}
	return b.String(), nil
}

// AuditDryRun returns what an audit would ask, and could cost. Nobody is called.
func (c *Controller) AuditDryRun(ctx context.Context, l *repo.Loop, f Flags) (string, error) {
	start, err := c.starter().audit(ctx, l, f)
	if err != nil {
		return "", err
	}
	pr, err := proposal.New(c.Repo).AuditPrompt(ctx, loops.PromptRequest{Start: &start, Worktree: c.Root})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	auditor, most := start.Roles[loops.Auditor], start.Limits
	text.Fprintf(&b, "loop      %s, from %.12s\nauditor   %s\n", start.Loop, start.Base, strings.Join(strings.Fields(auditor.Agent+" "+auditor.Model+" "+strings.Join(auditor.Argv, " ")), " "))
	text.Fprintf(&b, "at most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\nkeeps     at most %s\n",
		text.Count(most.Attempts+loops.MostPageCalls*start.Audit.Pages, "call"), most.EstimateUSD, most.Budget.USD, text.Count(start.Audit.Plans, "plan"))
	if w, ok := start.Roles[loops.Writer]; ok {
		text.Fprintf(&b, "writes    at most %s, by %s\n", text.Count(start.Audit.Pages, "page"), strings.Join(strings.Fields(w.Agent+" "+w.Model+" "+strings.Join(w.Argv, " ")), " "))
	}
	text.Fprintf(&b, "\n==== auditor: %d bytes\n", len(pr.Text))
	for _, part := range pr.Parts {
		text.Fprintf(&b, "     %-12s %d", part.Name, part.Size)
		if part.Cut > 0 {
			text.Fprintf(&b, ", %d truncated", part.Cut)
		}
		b.WriteString("\n")
	}
	return b.String() + "\n" + pr.Text, nil
}

// DryDocumentation returns what a run that documents would do. Nobody is called and
// nothing is made.
func (c *Controller) DryDocumentation(ctx context.Context, l *repo.Loop, since string, f Flags) (string, error) {
	start, err := c.starter().documentation(ctx, l, since, f)
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
	writer, most := start.Roles[loops.Writer], start.Limits
	text.Fprintf(&b, "\nwriter    %s\nat most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\n",
		strings.Join(strings.Fields(writer.Agent+" "+writer.Model+" "+strings.Join(writer.Argv, " ")), " "), text.Count(most.Attempts, "call"), most.EstimateUSD, most.Budget.USD)
	switch {
	case d.Found > loops.MostFindings:
		text.Fprintf(&b, "asks      a person first: %d findings, more than the %d a writer may fix\n", d.Found, loops.MostFindings)
	case d.Ask != "":
		text.Fprintf(&b, "asks      a person first: %s\n", d.Ask)
	}
	pr, err := c.driver(nil).Prompts.Prompt(ctx, loops.PromptRequest{
		Start: &start, Worktree: c.Root, ResultFile: "$WIKI_LOOP_RESULT",
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
				text.Fprintf(&b, ", %d truncated", part.Cut)
			}
			b.WriteString("\n")
		}
	}
	text.Fprintf(&b, "\n%s", text.Block(pr.Text))
	return b.String(), nil
}
