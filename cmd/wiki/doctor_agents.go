package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops/control/diagnose"
)

// runDoctorAgents prints the setup for loops.
func runDoctorAgents(ctx context.Context, p *program, probe, asJSON bool) error {
	ctl, err := p.controller(ctx)
	if err != nil {
		return err
	}
	d, err := diagnose.New(ctl.Repo).Diagnose(ctx)
	if err != nil {
		return err
	}
	if probe {
		if err := d.Probe(ctx, ctl.Probe); err != nil {
			return err
		}
	}
	root, err := files.Open(ctl.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	d.AgentFiles = append(d.AgentFiles, scaffold.Compare(root.FS(files.Text), filesForAgents(ctl.Root))...)
	if asJSON {
		return p.json(d)
	}
	p.printAgents(d)
	return nil
}

func (p *program) printAgents(d *diagnose.Diagnosis) {
	var agents, roles, gates, modes, missing []string
	for _, a := range d.Agents {
		agents = append(agents, agentLine(a))
		if len(a.State) > 0 && a.Path != "" {
			agents = append(agents, "          login from: "+strings.Join(a.State, ", "))
		}
		if a.Probe != nil {
			agents = append(agents, "          probe: "+probeLine(a.Probe))
		}
	}
	for _, r := range d.Roles {
		line := fmt.Sprintf("%-13s%s", r.Role, strings.TrimSpace(r.Agent+" "+r.Model))
		if len(r.Argv) > 0 {
			line += ": " + strings.Join(r.Argv, " ")
		}
		if r.SameVendor {
			line += "  (same vendor as the maker)"
		}
		if !r.Found {
			line += "  NOT FOUND"
		}
		roles = append(roles, line)
	}
	for _, g := range []struct {
		name     string
		commands []string
	}{{"setup", d.Gates.Setup}, {"build", d.Gates.Build}, {"test", d.Gates.Test}, {"lint", d.Gates.Lint}} {
		for _, c := range g.commands {
			gates = append(gates, fmt.Sprintf("%-8s%s", g.name, c))
		}
	}
	for _, why := range d.Gates.Why {
		gates = append(gates, fmt.Sprintf("%-8s%s", "why", why))
	}
	for i := range d.Modes {
		m := &d.Modes[i]
		modes = append(modes, fmt.Sprintf("%-13s%s%s", m.Loop, m.Mode, modeWhy(m)))
	}
	for _, m := range d.Missing {
		missing = append(missing, m.What, "  "+m.Remedy)
	}
	p.out.Printf("%-10s%s\n%-10s%s\n", "folder", d.Repository, "sandbox", d.Containment.Level)
	p.printList("AGENTS", agents)
	p.printList("ROLES", roles)
	p.printList("GATES", gates)
	p.printList("MODES", modes)
	p.printList("AGENT FILES", agentFileLines(d.AgentFiles))
	p.printList("NOT CONTAINED", d.Containment.Open)
	p.printLost(d.Containment.Lost)
	p.printList("MISSING", missing)
}

// printLost lists what agents can do for lack of a sandbox: sandboxes that keep them from the
// same things are named together.
func (p *program) printLost(lost []diagnose.Lost) {
	title := "WITHOUT"
	for i, l := range lost {
		title += fmt.Sprintf(" %s (%s)", l.Level, l.Why)
		if i+1 < len(lost) && slices.Equal(l.Open, lost[i+1].Open) {
			title += " or"
			continue
		}
		p.printList(title, l.Open)
		title = "WITHOUT"
	}
}

// probeLine says what came of calling an agent.
func probeLine(p *diagnose.Probe) string {
	words := map[string]string{"ok": "ran a command", "broken": "BROKEN", "unknown": "not sure"}
	line := words[p.State]
	if p.Sandbox != "" {
		line += " (sandbox " + p.Sandbox + ")"
	}
	if p.Detail != "" {
		line += ": " + p.Detail
	}
	return line
}

// agentFileLines lists the files for agent tools that differ from what init would write now.
func agentFileLines(files []scaffold.FileState) []string {
	var lines []string
	current := 0
	for _, f := range files {
		if f.State == scaffold.Current {
			current++
			continue
		}
		lines = append(lines, fmt.Sprintf("%-8s%s: %s", f.State, f.Path, f.Remedy))
	}
	if len(files) > 0 {
		lines = append(lines, fmt.Sprintf("%-8s%d of %d", scaffold.Current, current, len(files)))
	}
	return lines
}

func agentLine(a diagnose.KnownAgent) string {
	line := fmt.Sprintf("%-10s", a.ID)
	switch {
	case a.Program == "":
		line += "any program configured in wiki.yaml"
	case a.Path == "":
		line += "not found: " + a.Program
	case a.Version != "":
		line += a.Version + "  " + a.Path
	default:
		line += "no version (" + a.Problem + ")  " + a.Path
	}
	if len(a.Capabilities) > 0 {
		line += "  [" + strings.Join(a.Capabilities, " ") + "]"
	}
	if a.Documented {
		line += "  (from its documentation, not tested)"
	}
	return line
}
