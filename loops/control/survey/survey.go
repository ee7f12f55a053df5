// Package survey selects work for a loop: its inputs go in, every item comes out with the
// choice that the spec's rules make and with its past results. The selection and its results
// are stored beside the runs.
package survey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Surveyor knows what the loops of a repository could take, and what became of that.
type Surveyor struct{ *repo.Repo }

// New returns the surveyor of a repository.
func New(r *repo.Repo) *Surveyor { return &Surveyor{r} }

// Survey is what a loop could do, and what it would take of that.
type Survey struct {
	Chosen  []plan.Chosen
	Gates   loops.GateCommands
	Missing []plan.SpecGate // gates of the spec that nothing judges
	Wiki    bool
}

// Survey reads the loop's inputs and holds every item against its rules. Nobody
// is called.
func (v *Surveyor) Survey(ctx context.Context, l *repo.Loop) (*Survey, error) {
	s := &Survey{}
	w, err := repo.Wiki(ctx, v.Root)
	if err != nil {
		return nil, err
	}
	s.Wiki = w != nil
	s.Gates, s.Missing = l.Spec.Commands(v.Commands(), s.Wiki)
	items, err := v.items(ctx, l, w)
	if err != nil {
		return nil, err
	}
	past, err := v.past(ctx, l.Spec.Name)
	if err != nil {
		return nil, err
	}
	if !l.Spec.Traits().Changes {
		s.Chosen = l.Spec.SelectToRead(items)
		return s, nil
	}
	s.Chosen = l.Spec.Select(items, plan.Knowledge{Gates: s.Gates, Wiki: s.Wiki, Past: past})
	return s, nil
}

// items reads what the inputs hold, in their order.
func (v *Surveyor) items(ctx context.Context, l *repo.Loop, w *compiler.Wiki) ([]plan.WorkItem, error) {
	var out []plan.WorkItem
	for _, in := range inputs(l.Spec) {
		more, err := v.read(ctx, l, w, in)
		if err != nil {
			return nil, err
		}
		for _, it := range more {
			if !slices.ContainsFunc(out, func(o plan.WorkItem) bool { return o.ID == it.ID }) {
				out = append(out, it)
			}
		}
	}
	return out, nil
}

// inputs are those of a spec. One without any takes the repository's plans.
func inputs(s *plan.LoopSpec) []plan.Input {
	if len(s.Inputs) == 0 && s.Traits().Changes {
		return []plan.Input{{Kind: plan.InputPlans}}
	}
	return s.Inputs
}

// read reads an input.
func (v *Surveyor) read(ctx context.Context, l *repo.Loop, w *compiler.Wiki, in plan.Input) ([]plan.WorkItem, error) {
	switch in.Kind {
	case plan.InputPlans:
		return v.planItems(ctx)
	case plan.InputFindings:
		return v.findingItems(ctx, w)
	case plan.InputFile:
		return v.fileItems(l, in)
	case plan.InputTracker:
		return v.trackerItems(ctx, l.Spec, in)
	}
	return nil, nil
}

// Unreadable returns why inputs can't be read. Trackers are not asked: whether one answers,
// the run finds out.
func (v *Surveyor) Unreadable(ctx context.Context, l *repo.Loop, w *compiler.Wiki) (out []error) {
	for _, in := range inputs(l.Spec) {
		var err error
		if in.Kind == plan.InputTracker {
			err = v.tracked(l.Spec, in)
		} else {
			_, err = v.read(ctx, l, w, in)
		}
		if err != nil {
			out = append(out, err)
		}
	}
	return out
}

// MissingInputError is an input that does not exist.
type MissingInputError struct {
	Loop *plan.LoopSpec
	In   plan.Input
}

func (e *MissingInputError) Error() string {
	return fmt.Sprintf("%s:%d: input %s not found", e.Loop.Path, e.In.Line, e.In.Path)
}

// Hint returns what to do.
func (e *MissingInputError) Hint() string {
	return "create it before the loop runs, as with 'gh issue list --json number,title,body,labels > issues.json'; or change ## Inputs"
}

// NoTrackerError is a tracker that wiki.yaml does not name.
type NoTrackerError struct {
	Loop  *plan.LoopSpec
	In    plan.Input
	Names []string // of those that it does
}

func (e *NoTrackerError) Error() string {
	return fmt.Sprintf("%s:%d: no such tracker: %q", e.Loop.Path, e.In.Line, e.In.Path)
}

// Hint returns what to do.
func (e *NoTrackerError) Hint() string {
	if near, ok := schema.Nearest(e.In.Path, e.Names); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Sprintf("add it to wiki.yaml: loops: {connectors: {%s: {kind: github}}}", e.In.Path)
}

// tracked returns why an input's tracker can't be asked: a *NoTrackerError, or nil.
func (v *Surveyor) tracked(s *plan.LoopSpec, in plan.Input) error {
	if _, ok := v.Config.Connectors[in.Path]; !ok || v.Tracker == nil {
		return &NoTrackerError{s, in, slices.Sorted(maps.Keys(v.Config.Connectors))}
	}
	return nil
}

// trackerItems asks a tracker for its open items. Nothing is written to it.
func (v *Surveyor) trackerItems(ctx context.Context, s *plan.LoopSpec, in plan.Input) ([]plan.WorkItem, error) {
	if err := v.tracked(s, in); err != nil {
		return nil, err
	}
	t, err := v.Tracker(in.Path)
	if err != nil {
		return nil, err
	}
	items, err := t.Items(ctx)
	return plan.TrackedItems(in.Path, items), err
}

// fileItems reads a file of items; what is no list of items is one item for who
// only reads.
func (v *Surveyor) fileItems(l *repo.Loop, in plan.Input) ([]plan.WorkItem, error) {
	root, err := files.Open(v.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	src, err := repo.ReadAtMost(root.FS(files.Text), in.Path, 5<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingInputError{l.Spec, in}
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: read the input %s: %w", l.Spec.Path, in.Line, in.Path, err)
	}
	items, faults := plan.ReadItems(in.Path, src)
	if plan.Refused(faults) && l.Spec.Traits().Whole {
		return []plan.WorkItem{{ID: plan.Slug(in.Path), Source: plan.InputFile, Title: in.Path, Text: string(src), Path: in.Path, Count: -1}}, nil
	}
	if plan.Refused(faults) {
		return nil, &repo.FaultyError{File: in.Path, Faults: faults}
	}
	if err := v.CountFiles(items); err != nil {
		return nil, err
	}
	return items, nil
}

// planItems returns the plans that are pending and that nobody proposed meanwhile.
func (v *Surveyor) planItems(ctx context.Context) ([]plan.WorkItem, error) {
	b, err := v.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	known := b.Around(v.Getenv("PATH")).Plans
	plan.Order(known)
	proposed, err := v.Proposed()
	if err != nil {
		return nil, err
	}
	var out []plan.WorkItem
	for _, k := range known {
		pl := k.Plan
		if k.Status != plan.Pending || proposed[pl.Path] != "" {
			continue
		}
		out = append(out, plan.PlanItem(pl))
	}
	return out, v.CountFiles(out)
}

// findingItems returns what the linter finds, an item for each page and rule.
func (v *Surveyor) findingItems(ctx context.Context, w *compiler.Wiki) ([]plan.WorkItem, error) {
	if w == nil {
		return nil, nil
	}
	debt, err := debtOf(w.Workspace())
	if err != nil {
		return nil, err
	}
	res, err := linter.Run(ctx, w, linter.Config{Rules: v.Rules, Today: v.Now(), Baseline: debt.baseline, Acknowledged: debt.known})
	if res == nil {
		return nil, err
	}
	at := make(map[string]int)
	var out []plan.WorkItem
	for i := range res.Findings {
		f := &res.Findings[i]
		if f.Severity < schema.Warning {
			continue
		}
		file := path.Join(w.Workspace().RootPath, f.Path)
		id := plan.FindingID(f.Rule, file)
		n, ok := at[id]
		if !ok {
			n = len(out)
			at[id] = n
			out = append(out, plan.WorkItem{
				ID: id, Source: plan.InputFindings, Title: "Mend " + f.Rule + " in " + file, Files: []string{file}, Count: 1, Rule: f.Rule, Path: file, Line: f.From.Line,
				Acceptance: []string{"no lint finding: " + f.Rule + " in " + file},
				Verify:     []string{v.wikiCommand() + " lint --fail-on warning --rule " + f.Rule + " " + quoted(file)},
			})
		}
		out[n].Text += fmt.Sprintf("- %s:%d: %s\n", file, f.From.Line, f.Message)
	}
	return out, nil
}

// wikiCommand is this program, for a shell.
func (v *Surveyor) wikiCommand() string {
	if len(v.Self) == 0 || filepath.Base(v.Self[0]) != "wiki" {
		return "wiki"
	}
	return quoted(v.Self[0])
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// debt is what a wiki has accepted.
type debt struct {
	baseline *linter.Baseline
	known    *linter.Acknowledgements
}

// debtOf reads it: the same that the wiki gate goes by.
func debtOf(ws *compiler.Workspace) (d debt, err error) {
	d.baseline, d.known, err = gate.Debt(ws)
	return d, err
}
