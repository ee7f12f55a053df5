package control

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/declared"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/query"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/schema"
)

// tasks returns the work list of a writer: the pages that are about what the run
// changed, heaviest first, and the decision page that the plan asks for.
func tasks(ctx context.Context, start *loops.Start, worktree string) (string, error) {
	if start.Audit != nil {
		return pageTask, nil
	}
	if start.Documentation != nil {
		return documentationTasks(start.Documentation), nil
	}
	if start.Ingest != nil {
		return intake.Tasks(start.Ingest), nil
	}
	w, err := repo.Wiki(ctx, worktree)
	if w == nil || err != nil {
		return "", err
	}
	ws := w.Workspace()
	changes, err := history.Since(ctx, ws.Root, start.Base)
	if err != nil {
		return "", fmt.Errorf("list the run's changes: %w", err)
	}
	lock, err := source.ReadLock(ws)
	if err != nil {
		return "", err
	}
	code := source.NewCode(w)
	work, err := source.Stale(ctx, w, code, lock, changes)
	if err != nil {
		return "", fmt.Errorf("find pages about the changes: %w", err)
	}
	var b strings.Builder
	for _, item := range work {
		fmt.Fprintf(&b, "- %s: %s\n", path.Join(ws.RootPath, item.Path), repo.OneLine(item.Reason))
		for _, target := range item.Targets {
			fmt.Fprintf(&b, "  - %s\n", repo.OneLine(target))
		}
	}
	if len(work) == 0 {
		b.WriteString(unwritten(ctx, code, ws, changes))
	}
	if start.Plan.Decision {
		fmt.Fprintf(&b, "- a decision page, in the wiki's usual place: the decision, its reason, and the rejected options. It links %s; if one already does, check that it is right.\n", start.Plan.Path)
	}
	return b.String(), nil
}

// unwritten lists the changed code that no page is about: it may hold a concept
// that is new. Tests, texts and configuration hold none.
func unwritten(ctx context.Context, code *source.Code, ws *compiler.Workspace, changes *schema.Changes) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(changes.Files)) {
		switch path.Ext(file) {
		case ".md", ".json", ".yaml", ".yml", ".toml", ".txt":
			continue
		}
		f, err := code.File(ctx, file)
		if changes.Files[file].Gone || err != nil || f.Language == "text" || len(f.Symbols) == 0 || strings.Contains(path.Base(file), "test") {
			continue
		}
		fmt.Fprintf(&b, "- %s changed, and no page describes it: write one if it has a concept that others will link to\n", path.Join(ws.RootPath, file))
	}
	return b.String()
}

// idle reports why a writer is not called: no page is about what changed. One whose
// pages were refused is called again.
func idle(ctx context.Context, s *loops.State, c loops.Command) (string, error) {
	if c.Role != loops.Writer || len(c.Feedback) > 0 {
		return "", nil
	}
	list, err := tasks(ctx, s.Work(), s.Place.Path)
	if err != nil || list != "" {
		return "", err
	}
	return "no page is about the changes, and no code changed", nil
}

// prompts makes prompts with the commands that the run was started with.
type prompts struct {
	*repo.Repo
	more func(context.Context, loops.PromptRequest) ([]prompt.Section, error)
}

// Prompt implements [loops.Prompts].
func (l *prompts) Prompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
	switch r.Command.Role {
	case loops.Planner:
		return proposal.New(l.Repo).PlanPrompt(ctx, r)
	case loops.Auditor:
		return proposal.New(l.Repo).AuditPrompt(ctx, r)
	case loops.Reader:
		return query.Reader{Root: l.Root, Passages: l.Passages}.Prompt(ctx, r)
	}
	if r.Command.Role == loops.Maker {
		start := *r.Start
		start.Plan = concealed(start.Plan)
		r.Start = &start
	}
	if r.Start.Declared != nil {
		r = declared.Told(r)
	}
	m := &prompt.Maker{History: gitLog, Commands: r.Start.Gates, Lessons: l.Andon().Lessons, More: l.more}
	if l.Passages != nil {
		m.Wiki = about(retriever{l.Repo, r.Worktree}, r.Page)
	}
	switch {
	case r.Page != nil:
		m.More = pageSections
	case r.Start.Documentation != nil:
		m.More = documentationSections
	}
	m.Tasks = func(ctx context.Context, r loops.PromptRequest) (string, error) {
		return tasks(ctx, r.Start, r.Worktree)
	}
	return m.Prompt(ctx, r)
}

// concealed returns a plan without what would tell the maker how it is judged.
func concealed(pl loops.Plan) loops.Plan {
	whole := pl
	if pl.Format != loops.MarkdownPlan {
		return pl
	}
	pl.Context, pl.Notes, pl.Risks = plan.Conceal(&whole, pl.Context), plan.Conceal(&whole, pl.Notes), plan.Conceal(&whole, pl.Risks)
	pl.Chunks = slices.Clone(pl.Chunks)
	for i := range pl.Chunks {
		pl.Chunks[i].Text = plan.Conceal(&whole, pl.Chunks[i].Text)
	}
	return pl
}

// gitLog returns what happened to paths lately.
func gitLog(ctx context.Context, dir string, paths []string) (string, error) {
	args := []string{"log", "-n", "12", "--no-merges", "--date=short", "--format=%h %ad %s", "--"}
	for _, p := range paths {
		args = append(args, ":(glob)"+p)
	}
	out, err := repo.Command(ctx, dir, args...).Output()
	if err != nil {
		return "", nil // a repository without commits has no history
	}
	return string(out), nil
}

// documentationTasks returns what a writer is told to do with the work list.
func documentationTasks(d *loops.DocumentationRequest) string {
	text := fmt.Sprintf("See the changes with `git diff %.12s HEAD -- PATH`. Check each page listed below, and correct what is wrong; leave correct pages unchanged. Pages marked \"wrong\" need a change.\n", d.Since)
	if len(d.Edited) > 0 {
		text += "\nA page marked \"a person's\" was changed by a person since the last run: your version is kept as a proposal, and not committed.\n"
	}
	return text
}

// documentationSections returns the work list and what the linter has to say of its
// pages. Both quote pages and code: they are data.
func documentationSections(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
	d := r.Start.Documentation
	var list, found strings.Builder
	for _, page := range d.Pages {
		fmt.Fprintf(&list, "- %s: %s\n", repo.OneLine(page.Path), repo.OneLine(page.Reason))
		for _, t := range page.Targets {
			fmt.Fprintf(&list, "  - %s\n", repo.OneLine(t))
		}
		if page.Wrong {
			list.WriteString("  - wrong\n")
		}
		if page.Edited {
			list.WriteString("  - a person's\n")
		}
	}
	for _, f := range d.Findings {
		fmt.Fprintf(&found, "- %s\n", repo.OneLine(f.String()))
	}
	return []prompt.Section{
		{Name: "pages", Title: "The pages, and why", Text: list.String(), Limit: 24 << 10},
		{Name: "findings", Title: "Lint findings on these pages, to fix", Text: found.String(), Limit: 16 << 10},
	}, nil
}
