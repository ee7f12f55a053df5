package main

import (
	"fmt"

	"github.com/loopwiki/wiki/cmd/wiki/internal/scaffold"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
)

// laid prints what was made.
func (p *program) laid(made, kept []string, err error) error {
	for _, f := range made {
		fmt.Fprintf(p.out, "made %s\n", f)
	}
	for _, f := range kept {
		fmt.Fprintf(p.out, "kept %s, which is already there\n", f)
	}
	return err
}

// roleSummaries are by what tools for agents choose a role.
var roleSummaries = []struct {
	role    loops.Role
	summary string
}{
	{loops.Maker, "Carries out one chunk of an approved plan, within its scope."},
	{loops.Checker, "Reviews a change that another agent made, and changes nothing."},
	{loops.GoalChecker, "Decides whether the goal of a plan is reached, with evidence."},
}

// initAgents lays out what agents need.
func (p *program) initAgents(dir string) error {
	ws, err := compiler.Detect(dir, p.root)
	if err != nil {
		return err
	}
	root := ws.RootPath
	var roles []scaffold.Role
	for _, r := range roleSummaries {
		roles = append(roles, scaffold.Role{Name: string(r.role), Summary: r.summary, Text: prompt.RoleText(r.role), ReadOnly: r.role.ReadOnly()})
	}
	made, changed, kept, err := scaffold.WriteAgents(dir, root, scaffold.Agents(roles, string(plan.Template())))
	if err := p.laid(made, kept, err); err != nil {
		return err
	}
	for _, f := range changed {
		fmt.Fprintf(p.out, "changed %s, between its marks\n", f)
	}
	p.say("Next: fill in agents/CONTEXT.md and agents/GOALS.md, say in wiki.yaml under loops: roles: who plays which role, then 'wiki plan new TITLE'.")
	return nil
}
