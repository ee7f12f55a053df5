package control

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
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Survey is what a loop could do, and what it would take of that.
type Survey struct {
	Chosen  []plan.Chosen
	Gates   loops.GateCommands
	Missing []plan.SpecGate // gates of the spec that nothing judges
	wiki    bool
}

// Survey reads the loop's inputs and holds every item against its rules. Nobody
// is called.
func (p *Place) Survey(ctx context.Context, l *Loop) (*Survey, error) {
	s := &Survey{}
	w, err := wikiOf(ctx, p.Root)
	if err != nil {
		return nil, err
	}
	s.wiki = w != nil
	s.Gates, s.Missing = l.Spec.Commands(p.Commands(), s.wiki)
	items, err := p.items(ctx, l, w)
	if err != nil {
		return nil, err
	}
	past, err := p.past(ctx, l.Spec.Name)
	if err != nil {
		return nil, err
	}
	if l.Spec.Kind != plan.CodeLoop {
		s.Chosen = l.Spec.SelectToRead(items)
		return s, nil
	}
	s.Chosen = l.Spec.Select(items, plan.Knowledge{Gates: s.Gates, Wiki: s.wiki, Past: past})
	return s, nil
}

// items reads what the inputs hold, in their order. A spec without inputs takes
// the repository's plans.
func (p *Place) items(ctx context.Context, l *Loop, w *compiler.Wiki) ([]plan.WorkItem, error) {
	inputs := l.Spec.Inputs
	if len(inputs) == 0 && l.Spec.Kind == plan.CodeLoop {
		inputs = []plan.Input{{Kind: plan.InputPlans}}
	}
	var out []plan.WorkItem
	for _, in := range inputs {
		var more []plan.WorkItem
		var err error
		switch in.Kind {
		case plan.InputPlans:
			more, err = p.planItems(ctx)
		case plan.InputFindings:
			more, err = p.findingItems(ctx, w)
		case plan.InputFile:
			more, err = p.fileItems(l, in)
		case plan.InputTracker:
			more, err = p.trackerItems(ctx, l.Spec, in)
		}
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

// MissingInputError is an input that is not there.
type MissingInputError struct {
	Loop *plan.LoopSpec
	In   plan.Input
}

func (e *MissingInputError) Error() string {
	return fmt.Sprintf("%s:%d: the input %s is not there", e.Loop.Path, e.In.Line, e.In.Path)
}

// Hint says what to do.
func (e *MissingInputError) Hint() string {
	return "write it before the loop runs, as with 'gh issue list --json number,title,body,labels > issues.json'; or name another in ## Inputs"
}

// NoTrackerError is a tracker that wiki.yaml does not name.
type NoTrackerError struct {
	Loop  *plan.LoopSpec
	In    plan.Input
	Names []string // of those that it does
}

func (e *NoTrackerError) Error() string {
	return fmt.Sprintf("%s:%d: there is no tracker %q", e.Loop.Path, e.In.Line, e.In.Path)
}

// Hint says what to do.
func (e *NoTrackerError) Hint() string {
	if near, ok := schema.Nearest(e.In.Path, e.Names); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Sprintf("name it in wiki.yaml: loops: {connectors: {%s: {kind: github}}}", e.In.Path)
}

// tracked is why an input's tracker can not be asked: a *NoTrackerError, or nil.
func (p *Place) tracked(s *plan.LoopSpec, in plan.Input) error {
	if _, ok := p.Config.Connectors[in.Path]; !ok || p.Tracker == nil {
		return &NoTrackerError{s, in, slices.Sorted(maps.Keys(p.Config.Connectors))}
	}
	return nil
}

// trackerItems asks a tracker for its open items. Nothing is written to it.
func (p *Place) trackerItems(ctx context.Context, s *plan.LoopSpec, in plan.Input) ([]plan.WorkItem, error) {
	if err := p.tracked(s, in); err != nil {
		return nil, err
	}
	t, err := p.Tracker(in.Path)
	if err != nil {
		return nil, err
	}
	items, err := t.Items(ctx)
	return plan.TrackedItems(in.Path, items), err
}

// fileItems reads a file of items; what is no list of items is one item for who
// only reads.
func (p *Place) fileItems(l *Loop, in plan.Input) ([]plan.WorkItem, error) {
	root, err := files.Open(p.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	src, err := readBoundedTo(root.FS(files.Text), in.Path, 5<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingInputError{l.Spec, in}
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: read the input %s: %w", l.Spec.Path, in.Line, in.Path, err)
	}
	items, faults := plan.ReadItems(in.Path, src)
	if plan.Refused(faults) && l.Spec.Kind == plan.ReportLoop {
		return []plan.WorkItem{{ID: plan.Slug(in.Path), Source: plan.InputFile, Title: in.Path, Text: string(src), Path: in.Path, Count: -1}}, nil
	}
	if plan.Refused(faults) {
		return nil, &FaultyError{in.Path, faults}
	}
	if err := p.countFiles(items); err != nil {
		return nil, err
	}
	return items, nil
}

// countFiles finds out how many files globs name.
func (p *Place) countFiles(items []plan.WorkItem) error {
	if !slices.ContainsFunc(items, func(it plan.WorkItem) bool { return len(it.Files) > 0 && it.Count < 0 }) {
		return nil
	}
	out, err := p.Git(context.Background(), "ls-files", "-z")
	if err != nil {
		return err
	}
	plan.CountFiles(items, strings.Split(strings.Trim(out, "\x00"), "\x00"))
	return nil
}

// planItems are the plans that are pending and that nobody proposed meanwhile.
func (p *Place) planItems(ctx context.Context) ([]plan.WorkItem, error) {
	b, err := p.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	known := b.Around(p.Getenv("PATH")).Plans
	plan.Order(known)
	proposed, err := p.proposed()
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
	return out, p.countFiles(out)
}

// findingItems are what the linter finds, an item for each page and rule.
func (p *Place) findingItems(ctx context.Context, w *compiler.Wiki) ([]plan.WorkItem, error) {
	if w == nil {
		return nil, nil
	}
	debt, err := debtOf(w.Workspace())
	if err != nil {
		return nil, err
	}
	res, err := linter.Run(ctx, w, linter.Config{Rules: p.Rules, Today: p.Now(), Baseline: debt.baseline, Acknowledged: debt.known})
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
				Acceptance: []string{"the linter finds no " + f.Rule + " in " + file},
				Verify:     []string{p.wikiCommand() + " lint --fail-on warning --rule " + f.Rule + " " + quoted(file)},
			})
		}
		out[n].Text += fmt.Sprintf("- %s:%d: %s\n", file, f.From.Line, f.Message)
	}
	return out, nil
}

// wikiCommand is this program, for a shell.
func (p *Place) wikiCommand() string {
	if len(p.Self) == 0 || filepath.Base(p.Self[0]) != "wiki" {
		return "wiki"
	}
	return quoted(p.Self[0])
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
