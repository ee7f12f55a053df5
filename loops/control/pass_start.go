package control

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// castLoop says who plays which role in a run of a spec: its own agents, over
// those of wiki.yaml. Where it names roles, nobody else is called.
func (p *Place) castLoop(s *plan.LoopSpec, f Flags) (map[loops.Role]loops.Casting, error) {
	q := *p
	q.Config.Roles = maps.Clone(p.Config.Roles)
	if q.Config.Roles == nil {
		q.Config.Roles = make(map[string]schema.LoopRole)
	}
	for _, r := range s.Roles {
		if r.Agent != "" {
			was := q.Config.Roles[string(r.Role)]
			was.Agent, was.Model = r.Agent, r.Model
			q.Config.Roles[string(r.Role)] = was
		}
	}
	switch s.Kind {
	case plan.ReportLoop:
		c, err := q.adviser(loops.Classifier, f)
		return map[loops.Role]loops.Casting{loops.Classifier: c}, err
	case plan.AuditLoop:
		return q.auditors(s, f)
	case plan.WikiLoop:
		return q.writer(f)
	}
	cast, err := q.Cast(f)
	if err != nil || len(s.Roles) == 0 {
		return cast, err
	}
	maps.DeleteFunc(cast, func(r loops.Role, _ loops.Casting) bool { return !plays(s, r) })
	for _, r := range s.Roles {
		if _, ok := cast[r.Role]; !ok {
			return nil, &NobodyError{r.Role}
		}
	}
	return cast, nil
}

// auditors says who plays in an audit: the auditor, and who is named to write pages,
// if the spec does not leave that role out.
func (p *Place) auditors(s *plan.LoopSpec, f Flags) (map[loops.Role]loops.Casting, error) {
	c, err := p.adviser(loops.Auditor, f)
	cast := map[loops.Role]loops.Casting{loops.Auditor: c}
	if err != nil || len(s.Roles) > 0 && !plays(s, loops.Writer) {
		return cast, err
	}
	w, ok, err := p.alone(loops.Writer, Flags{}) // --agent names the auditor
	if ok {
		cast[loops.Writer] = w
	}
	return cast, err
}

func plays(s *plan.LoopSpec, r loops.Role) bool {
	return slices.ContainsFunc(s.Roles, func(o plan.SpecRole) bool { return o.Role == r })
}

// beginItem makes what a run of a loop's item is decided by.
func (p *Place) beginItem(ctx context.Context, w *Work, f Flags) (loops.Start, error) {
	pass := w.Item.pass
	spec := pass.Loop.Spec
	cast, err := p.castLoop(spec, f)
	if err != nil {
		return loops.Start{}, err
	}
	start, err := p.begin(ctx, spec.Name, w.Plan, cast, f)
	if err != nil {
		return start, err
	}
	start.Limits, start.Mode, start.Notes = w.Item.limits, pass.Mode, pass.notes
	start.Limits.Budget.RoleUSD = p.Limits().Budget.RoleUSD
	start.Gates, _ = spec.Commands(start.Gates, pass.Survey.wiki)
	start.Escalation = spec.Escalation()
	start.Control = &loops.Control{Loop: spec.Name, Pass: pass.ID, Item: w.Item.item.ID, Report: spec.Kind == plan.ReportLoop}
	if start.Control.Report {
		start.Gates = loops.GateCommands{}
	}
	return start, nil
}

// named is a built-in loop, with the spec that a person wrote in the place of its
// own if there is one.
func (p *Place) named(name string) (*Loop, error) {
	l, err := p.MustFindLoop(p.Root, name)
	if err != nil {
		return nil, err
	}
	return l, l.Err()
}

// written is the mode that a spec asks for which stands for a built-in loop's; that
// of this program asks for nothing.
func written(l *Loop) string {
	if l.Builtin {
		return ""
	}
	return string(l.Spec.Mode)
}

// overridden gives a built-in loop the limits and the escalation of its spec: of this
// program's below what wiki.yaml says, and of one that stands for that above it, with
// the mode and all that always goes to a person.
func (p *Place) overridden(ctx context.Context, start *loops.Start, l *Loop, f Flags) (err error) {
	if l.Builtin {
		start.Limits, start.Escalation = p.limits(l.Spec.Limits(loops.DefaultLimits())), l.Spec.Said()
	} else {
		start.Limits, start.Escalation = l.Spec.Limits(start.Limits), l.Spec.Escalation()
	}
	start.Limits.Budget.Iterations = or(f.Iterations, start.Limits.Budget.Iterations)
	start.Limits.Budget.USD = or(f.USD, start.Limits.Budget.USD)
	if l.Builtin {
		return nil
	}
	start.Mode, start.Notes, err = p.mode(ctx, start.Loop, f.Mode, written(l))
	return err
}

// dressItem joins the run of an item with what the item says, and with the state
// that it leaves.
func (p *Place) dressItem(d *run.Driver, start *loops.Start) {
	d.Scribe = func(ctx context.Context, s *loops.State, w loops.Worktree) (string, error) {
		files, err := run.Entry(w.Path(), s)
		if err != nil {
			return "", err
		}
		if files == nil {
			files = make(map[string][]byte)
		}
		state, err := p.stateOf(s.Start.Control.Loop, s.Start.Control.Pass, s)
		if err != nil {
			return "", err
		}
		files[plan.StateFolder+"/"+s.Start.Control.Loop+".md"] = state.Text()
		return w.Add(ctx, s.Tree, files)
	}
	told, err := files.ReadPath(filepath.Join(p.Store.Folder(start.Run), itemFile), files.Run)
	if err != nil {
		return // the work is a plan, which says it itself
	}
	_, redact := p.environment()
	text, _ := loops.NewRedactor(redact).Text(string(told))
	d.Prompts = &lazyPrompts{place: p, more: func(_ context.Context, r loops.PromptRequest) ([]prompt.Section, error) {
		out := []prompt.Section{{Name: "item", Title: "The item", Text: text, Limit: 48 << 10}}
		if r.Command.Role == loops.Checker {
			out = append(out, prompt.Section{Name: "doubt", Title: "If you are not sure", Text: `Write "self_assessment": "WARN" into your answer: a person decides then.`, Limit: 1 << 10})
		}
		return out, nil
	}}
}
