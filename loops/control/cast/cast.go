// Package cast decides which agent has which role in a run: the roles of wiki.yaml and of the
// command line go in, a casting per role comes out. An agent that is a complete program also
// takes roles that it was not configured for; the agent "command" takes only its own.
package cast

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Given are the agents that a command line names, each as agent or agent:model.
type Given struct{ Agent, Maker, Checker string }

// Roles are the roles that wiki.yaml configures, by name.
type Roles map[string]schema.LoopRole

// command is the agent that is any program.
const command = "command"

// NobodyError is a role that no agent plays.
type NobodyError struct{ Role loops.Role }

func (e *NobodyError) Error() string { return "no agent is configured for the role " + string(e.Role) }

// Hint returns what to do.
func (e *NobodyError) Hint() string {
	return fmt.Sprintf("use --agent claude, or set it in wiki.yaml: loops: {roles: {%s: {agent: claude}}}", e.Role)
}

// configured returns what wiki.yaml says of a role.
func (r Roles) configured(role loops.Role) (loops.Casting, bool) {
	c, ok := r[string(role)]
	return loops.Casting{Agent: c.Agent, Model: c.Model, Argv: c.Argv}, ok
}

// Named returns the agent of a command line. A command has the arguments that wiki.yaml
// gives it in that role.
func Named(given string, configured loops.Casting) loops.Casting {
	name, model, _ := strings.Cut(given, ":")
	c := loops.Casting{Agent: name, Model: model}
	if name == command {
		c.Argv = configured.Argv
	}
	return c
}

// Execution casts a run of a plan: a maker, and whoever judges.
func (r Roles) Execution(g Given) (map[loops.Role]loops.Casting, error) {
	out := make(map[loops.Role]loops.Casting)
	for role := range r {
		out[loops.Role(role)], _ = r.configured(loops.Role(role))
	}
	for _, n := range []struct {
		given string
		roles []loops.Role
	}{
		{g.Agent, []loops.Role{loops.Maker, loops.Checker, loops.GoalChecker}}, {g.Maker, []loops.Role{loops.Maker}}, {g.Checker, []loops.Role{loops.Checker}},
	} {
		if n.given == "" {
			continue
		}
		for _, role := range n.roles {
			out[role] = Named(n.given, out[role])
		}
	}
	maker, ok := out[loops.Maker]
	if !ok {
		return nil, &NobodyError{loops.Maker}
	}
	for _, role := range []loops.Role{loops.Checker, loops.GoalChecker} { // in a session of its own
		if _, named := out[role]; !named && maker.Agent != command {
			out[role] = maker
		}
	}
	for _, role := range []loops.Role{loops.Auditor, loops.Planner, loops.Classifier, loops.Reader} {
		delete(out, role)
	}
	return out, Complete(out)
}

// Complete adds to a cast what its agents can do, and which judges are of the maker's
// vendor.
func Complete(cast map[loops.Role]loops.Casting) error {
	maker, err := agent.Find(cast[loops.Maker], nil)
	if err != nil {
		return err
	}
	vendor := maker.Vendor(cast[loops.Maker].Model)
	for role, c := range cast {
		a, err := agent.Find(c, nil)
		if err != nil {
			return err
		}
		c.CountsTools = a.Capabilities().ToolCalls
		c.SameVendor = role.Judges() && a.Vendor(c.Model) == vendor && c.Agent != command
		cast[role] = c
	}
	return nil
}

// Adviser casts a run in which one agent only reads and answers: who is asked for, who
// is configured, or the maker's agent if that is a whole program.
func (r Roles) Adviser(role loops.Role, g Given) (loops.Casting, error) {
	c, ok := r.configured(role)
	if maker, cast := r.configured(loops.Maker); !ok && cast && maker.Agent != command {
		c = loops.Casting{Agent: maker.Agent, Model: maker.Model}
	}
	if g.Agent != "" {
		c = Named(g.Agent, c)
	}
	if c.Agent == "" || c.Agent == command && len(c.Argv) == 0 {
		return c, &NobodyError{role}
	}
	return complete(role, c)
}

// Alone casts a role for which nobody stands in: who is asked for, or who is
// configured. ok is false if nobody is.
func (r Roles) Alone(role loops.Role, g Given) (c loops.Casting, ok bool, err error) {
	c, ok = r.configured(role)
	if g.Agent != "" {
		c, ok = Named(g.Agent, c), true
	}
	if !ok {
		return c, false, nil
	}
	if c.Agent == command && len(c.Argv) == 0 {
		return c, false, &NobodyError{role}
	}
	c, err = complete(role, c)
	return c, err == nil, err
}

// complete is Complete for the one agent of a run without a maker.
func complete(role loops.Role, c loops.Casting) (loops.Casting, error) {
	cast := map[loops.Role]loops.Casting{role: c, loops.Maker: c} // whose vendor judges are compared with
	if err := Complete(cast); err != nil {
		return c, err
	}
	return cast[role], nil
}

// Loop casts a run of a spec: its own agents, over those of wiki.yaml. Where it names
// roles, nobody else is called.
func (r Roles) Loop(s *plan.LoopSpec, g Given) (map[loops.Role]loops.Casting, error) {
	all := make(Roles)
	maps.Copy(all, r)
	for _, role := range s.Roles {
		if role.Agent != "" {
			c := all[string(role.Role)]
			c.Agent, c.Model = role.Agent, role.Model
			all[string(role.Role)] = c
		}
	}
	if t := s.Traits(); t.Role != loops.Maker {
		return all.single(s, t, g)
	}
	cast, err := all.Execution(g)
	if err != nil || len(s.Roles) == 0 {
		return cast, err
	}
	maps.DeleteFunc(cast, func(role loops.Role, _ loops.Casting) bool { return !plays(s, role) })
	for _, role := range s.Roles {
		if _, ok := cast[role.Role]; !ok {
			return nil, &NobodyError{role.Role}
		}
	}
	return cast, nil
}

// single casts a loop whose work one role does, and who is named for the roles beside
// it, if the spec does not leave those out.
func (r Roles) single(s *plan.LoopSpec, t plan.Traits, g Given) (map[loops.Role]loops.Casting, error) {
	c, err := r.Adviser(t.Role, g)
	if err != nil {
		return nil, err
	}
	cast := map[loops.Role]loops.Casting{t.Role: c}
	for _, role := range t.Also {
		if len(s.Roles) > 0 && !plays(s, role) {
			continue
		}
		c, ok, err := r.Alone(role, Given{}) // --agent names who does the work
		if err != nil {
			return cast, err
		}
		if ok {
			cast[role] = c
		}
	}
	return cast, nil
}

func plays(s *plan.LoopSpec, role loops.Role) bool {
	return slices.ContainsFunc(s.Roles, func(o plan.SpecRole) bool { return o.Role == role })
}
