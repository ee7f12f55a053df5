package proposal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema"
)

// AuditPrompt returns what an auditor is asked. Nothing that must reach no disk is in it.
func (p *Proposals) AuditPrompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
	b, err := p.Book(ctx)
	if err != nil {
		return loops.Prompt{}, err
	}
	defer b.Close()
	e, err := p.evidence(ctx, r.Worktree, b)
	if err != nil {
		return loops.Prompt{}, err
	}
	rejected, _, err := p.knownFindings(b)
	if err != nil {
		return loops.Prompt{}, err
	}
	g := p.Commands()
	req := audit.Request{
		Month: r.Start.Audit.Month, Most: r.Start.Audit.Plans, Pages: r.Start.Audit.Pages, Rejected: rejected, Example: plan.Example(),
		Commands: slices.Concat(g.Build, g.Test, g.Lint), Skills: skill.Names(b.FS()), Refused: refused(r.Command.Feedback),
		Last: p.lastAnswer(r), Purpose: r.Start.Plan.Context,
	}
	out := req.Prompt(e)
	_, redact := p.Environment()
	clean, _ := loops.Redact([]byte(out.Text), redact)
	out.Text = string(clean)
	return out, nil
}

// lastAnswer returns what the auditor answered in the attempt before, if a gate refused
// it: what came with an edit of the tree is void.
func (p *Proposals) lastAnswer(r loops.PromptRequest) string {
	n := len(r.Command.Feedback)
	if n == 0 || !strings.HasPrefix(r.Command.Feedback[n-1].From, "gate ") {
		return ""
	}
	folder := filepath.Join(p.Store.Folder(r.Start.Run), "plan", fmt.Sprintf("attempt-%d", r.Command.Feedback[n-1].Attempt))
	entries, _ := fs.ReadDir(files.DirFS(folder, files.Run), ".") // in order of name; who answers again does without
	last := ""
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), string(loops.Auditor)) {
			last = e.Name()
		}
	}
	if last == "" {
		return ""
	}
	text, err := files.ReadPath(filepath.Join(folder, last, run.AnswerFile), files.Run)
	if err != nil {
		return "" // it was read a moment ago; who answers again does without
	}
	return string(text)
}

// treeOf returns a checkout as an auditor sees it; close it.
func treeOf(ctx context.Context, dir string) (*audit.Tree, func(), error) {
	out, err := repo.Command(ctx, dir, "ls-files", "-z").Output()
	if err != nil {
		return nil, nil, fmt.Errorf("list the files of the repository: %w", err)
	}
	root, err := files.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	list := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(list)
	return &audit.Tree{FS: root.FS(files.Text), Files: slices.Compact(list), Test: gate.IsTest}, func() { root.Close() }, nil
}

// evidence gathers what is known of a checkout without asking anybody.
func (p *Proposals) evidence(ctx context.Context, dir string, b *plan.Book) (*audit.Evidence, error) {
	tree, done, err := treeOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer done()
	r := &audit.Repository{Tree: tree, Churn: make(map[string]int)}
	sets, err := history.Commits(ctx, dir, mostCommits)
	if err != nil && ctx.Err() != nil {
		return nil, err // what git does not tell otherwise is not a hotspot
	}
	r.Commits = len(sets)
	for _, s := range sets {
		for _, f := range s.Files {
			r.Churn[f.Path]++
		}
	}
	if err := p.wikiEvidence(ctx, dir, r); err != nil {
		return nil, err
	}
	for _, k := range b.Around(p.Getenv("PATH")).Plans {
		r.Plans = append(r.Plans, fmt.Sprintf("%s (%s): %s; scope %s", k.Plan.Name, k.Status, k.Plan.Title, strings.Join(k.Plan.Scope, ", ")))
	}
	return audit.Gather(ctx, r)
}

// wikiEvidence adds the pages of the wiki, if there is one, and what is wrong with
// them.
func (p *Proposals) wikiEvidence(ctx context.Context, dir string, r *audit.Repository) error {
	w, err := repo.Wiki(ctx, dir)
	if w == nil || err != nil {
		return err
	}
	ws := w.Workspace()
	r.WikiRoot = ws.RootPath
	for _, page := range w.Pages() {
		if page.Layer == schema.LayerWiki && !schema.TemplatePath(page.Path) {
			r.Pages = append(r.Pages, audit.Page{Path: path.Join(ws.RootPath, page.Path), Title: page.Title, Summary: page.Meta.Summary})
		}
	}
	r.Terms = audit.Terms(w)
	doubts, err := newDoubtKeeper(w)
	if err != nil {
		return err
	}
	cfg := linter.Config{Rules: p.Rules, Today: p.Now(), Judge: doubts}
	if cfg.Baseline, cfg.Acknowledged, err = gate.Debt(ws); err != nil {
		return err
	}
	res, err := linter.Run(ctx, w, cfg)
	if res == nil {
		return err
	}
	r.Doubts = doubts.pairs(w)
	for i := range res.Findings {
		if d := &res.Findings[i]; d.Severity >= schema.Warning {
			r.Lint = append(r.Lint, loops.Reason{Path: path.Join(ws.RootPath, d.Path), Line: d.From.Line, Message: d.Rule + ": " + d.Message})
		}
	}
	return nil
}

// knownFindings are those that do not come back: what a person rejected, with a
// whole run or in a plan; and what plans that are there fix.
func (p *Proposals) knownFindings(b *plan.Book) (rejected, planned []audit.Known, err error) {
	if rejected, err = p.rejected(); err != nil {
		return nil, nil, err
	}
	for _, f := range b.Files {
		status, why := b.Status(f)
		for _, k := range audit.Notes(f.Src) {
			switch status {
			case plan.Rejected:
				k.Why = "rejected in " + f.Path + ": " + why
				rejected = append(rejected, k)
			case plan.Done: // what comes back after it was fixed is news
			default:
				k.Why = f.Path
				planned = append(planned, k)
			}
		}
	}
	return rejected, planned, nil
}

// rejected returns the findings that were rejected with their run.
func (p *Proposals) rejected() ([]audit.Known, error) {
	src, err := files.Read(p.Root, audit.RejectedFile, files.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return audit.ReadRejected(src)
}

// remember keeps what a person rejected with a run, so that it does not come back.
func (p *Proposals) remember(s *loops.State, list []accepted) error {
	all, err := p.rejected()
	if err != nil {
		return err
	}
	n := len(all)
	for _, f := range list {
		for _, k := range audit.Notes(f.Src) {
			k.Why, k.Run = s.End.Why, s.Start.Run
			all = append(all, k)
		}
	}
	if len(all) == n {
		return nil
	}
	text, err := audit.WriteRejected(all)
	if err != nil {
		return err
	}
	return files.Replace(p.Root, audit.RejectedFile, text, 0o666)
}

// mostCommits is how far back the audit looks for what changes often.
const mostCommits = 500
