package control

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Flags are what a command line says over wiki.yaml. Zero values say nothing.
type Flags struct {
	Agent, Maker, Checker string // agent or agent:model
	Mode                  string
	Iterations            int
	USD                   float64
	Timeout               schema.Timespan
	Notify                string
	// Opened counts pull requests of the runs before it that this one goes on from.
	Opened int
}

// NobodyError is a role that no agent plays.
type NobodyError struct{ Role loops.Role }

func (e *NobodyError) Error() string { return "no agent plays the " + string(e.Role) }

// Hint says what to do.
func (e *NobodyError) Hint() string {
	return fmt.Sprintf("name one with --agent claude, or in wiki.yaml: loops: {roles: {%s: {agent: claude}}}", e.Role)
}

// Cast says who plays which role in an execution.
func (p *Place) Cast(f Flags) (map[loops.Role]loops.Casting, error) {
	out := make(map[loops.Role]loops.Casting)
	for role, r := range p.Config.Roles {
		out[loops.Role(role)] = loops.Casting{Agent: r.Agent, Model: r.Model, Argv: r.Argv}
	}
	for _, g := range []struct {
		given string
		roles []loops.Role
	}{
		{f.Agent, []loops.Role{loops.Maker, loops.Checker, loops.GoalChecker}}, {f.Maker, []loops.Role{loops.Maker}}, {f.Checker, []loops.Role{loops.Checker}},
	} {
		if g.given == "" {
			continue
		}
		name, model, _ := strings.Cut(g.given, ":")
		for _, r := range g.roles {
			c := loops.Casting{Agent: name, Model: model}
			if name == "command" {
				c.Argv = out[r].Argv
			}
			out[r] = c
		}
	}
	maker, ok := out[loops.Maker]
	if !ok {
		return nil, &NobodyError{loops.Maker}
	}
	// An agent that is a whole program judges too, in a session of its own, if
	// nobody else was named. A command plays the roles that it is named for.
	for _, r := range []loops.Role{loops.Checker, loops.GoalChecker} {
		if _, named := out[r]; !named && maker.Agent != "command" {
			out[r] = maker
		}
	}
	delete(out, loops.Auditor)
	delete(out, loops.Planner)
	delete(out, loops.Classifier)
	delete(out, loops.Reader)
	return out, p.know(out)
}

// know finds out what the agents of a cast can do.
func (p *Place) know(cast map[loops.Role]loops.Casting) error {
	vendor := func(c loops.Casting) (string, error) {
		a, err := agent.Find(c, nil)
		if err != nil {
			return "", err
		}
		return a.Vendor(c.Model), nil
	}
	makers, err := vendor(cast[loops.Maker])
	if err != nil {
		return err
	}
	for r, c := range cast {
		a, err := agent.Find(c, nil)
		if err != nil {
			return err
		}
		c.CountsTools = a.Capabilities().ToolCalls
		v, err := vendor(c)
		if err != nil {
			return err
		}
		c.SameVendor = r.Judges() && v == makers && c.Agent != "command"
		cast[r] = c
	}
	return nil
}

// Begin makes what a run of the execution loop is decided by, its id aside.
func (p *Place) Begin(ctx context.Context, pl *loops.Plan, f Flags) (loops.Start, error) {
	none := loops.Start{}
	l, err := p.named(executionLoop)
	if err != nil {
		return none, err
	}
	cast, err := p.Cast(f)
	if !l.Builtin {
		cast, err = p.castLoop(l.Spec, f)
	}
	if err != nil {
		return none, err
	}
	start, err := p.begin(ctx, l.Spec.Name, pl, cast, f)
	if err != nil {
		return start, err
	}
	if l.Builtin {
		return start, p.overridden(ctx, &start, l, f)
	}
	w, err := wikiOf(ctx, p.Root)
	if err != nil {
		return none, err
	}
	var missing []plan.SpecGate
	if start.Gates, missing = l.Spec.Commands(start.Gates, w != nil); len(missing) > 0 {
		return none, &UnheldError{l.Spec, missing}
	}
	if err := p.leftOut(l, pl, start.Gates); err != nil {
		return none, err
	}
	return start, p.overridden(ctx, &start, l, f)
}

// begin makes what a run of any loop is decided by, with who plays in it.
func (p *Place) begin(ctx context.Context, loop string, pl *loops.Plan, cast map[loops.Role]loops.Casting, f Flags) (loops.Start, error) {
	base, err := p.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return loops.Start{}, fmt.Errorf("the repository has no commit to start from: %w", err)
	}
	spent, err := p.Store.SpentOn(p.Now())
	if err != nil {
		return loops.Start{}, err
	}
	gates, err := p.Andon().Commands(p.Commands())
	if err != nil {
		return loops.Start{}, err
	}
	limits := p.Limits()
	limits.Budget.Iterations = or(f.Iterations, limits.Budget.Iterations)
	limits.Budget.USD = or(f.USD, limits.Budget.USD)
	mode, notes, err := p.mode(ctx, loop, f.Mode, "")
	if err != nil {
		return loops.Start{}, err
	}
	return loops.Start{
		Loop: loop, Plan: *pl, Mode: mode, Notes: notes, Opened: f.Opened, Limits: limits, Base: base, Roles: cast, SpentToday: spent, Gates: gates,
	}, nil
}

// Commands are the configured commands of gates, or those that the repository
// has by the look of it.
func (p *Place) Commands() loops.GateCommands {
	g := p.Config.Gates
	given := loops.GateCommands{Setup: g.Setup, Build: g.Build, Test: g.Test, Lint: g.Lint}
	if len(g.Setup)+len(g.Build)+len(g.Test)+len(g.Lint) > 0 {
		return given
	}
	found, _ := gate.Detect(files.DirFS(p.Root, files.Text))
	return found
}

// FS is the main checkout.
func (p *Place) FS() fs.FS { return files.DirFS(p.Root, files.Text) }

// Relative is a path as the repository has it: slash-separated, from its root.
func (p *Place) Relative(path string) (string, bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	// The root has no symbolic links in it, as git printed it.
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(p.Root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
