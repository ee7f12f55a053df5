package main

import (
	"context"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema/text"
)

// roleSummaries are the descriptions by which agent tools choose a role.
var roleSummaries = []struct {
	role    loops.Role
	summary string
}{
	{loops.Maker, "Carries out one chunk of an approved plan, within its scope."},
	{loops.Checker, "Reviews a change that another agent made, and changes nothing."},
	{loops.GoalChecker, "Decides whether the goal of a plan is reached, with evidence."},
}

// scaffoldRoles are the roles that are written for agent tools.
func scaffoldRoles() []scaffold.Role {
	var roles []scaffold.Role
	for _, r := range roleSummaries {
		roles = append(roles, scaffold.Role{Name: string(r.role), Summary: r.summary, Text: prompt.RoleText(r.role), ReadOnly: r.role.ReadOnly()})
	}
	return roles
}

// filesForAgents are what agents need in a repository. A skill of the same name in its own
// folder of skills is left alone.
func filesForAgents(dir string) []scaffold.File {
	return slices.DeleteFunc(scaffold.Agents(scaffoldRoles(), string(plan.Template())), func(f scaffold.File) bool {
		if path.Base(f.Path) != skill.File {
			return false
		}
		own := path.Join(skill.Folders[0], path.Base(path.Dir(f.Path)))
		return exists(dir, own) || exists(dir, own+".md")
	})
}

// wouldLay says what would be made.
func (p *program) wouldLay(dir string, l *layout, agents bool) error {
	for _, f := range l.files {
		if !exists(dir, f.Path) {
			p.out.Printf("would create %s\n", f.Path)
		}
	}
	if l.attributes != "" {
		p.out.Printf("would write %s\n", scaffold.AttributesFile)
	}
	if !agents {
		return nil
	}
	if at, err := files.Open(dir); err == nil { // a folder that is not there holds nothing old
		defer at.Close()
		for _, f := range scaffold.Compare(at.FS(files.Text), l.files) {
			if f.State == scaffold.Stale {
				p.out.Printf("would change %s\n", f.Path)
			}
		}
	}
	text, err := files.Read(dir, "AGENTS.md", files.Text)
	switch {
	case err != nil:
		p.out.Println("would create AGENTS.md")
	case scaffold.Marked(string(text), l.root) != string(text):
		p.out.Println("would change AGENTS.md, between its markers")
	}
	return nil
}

// layOut writes the missing files and prints the next step.
func (p *program) layOut(ctx context.Context, dir string, l *layout, o initOptions) error {
	var made, changed, kept []string
	var err error
	if o.agents {
		made, changed, kept, err = scaffold.WriteAgents(dir, l.root, l.files)
	} else {
		made, kept, err = scaffold.Write(dir, l.files)
	}
	if err == nil && l.attributes != "" {
		if err = files.Replace(dir, scaffold.AttributesFile, []byte(l.attributes), 0o666); err == nil {
			changed = append(changed, scaffold.AttributesFile)
		}
	}
	for _, f := range made {
		p.out.Printf("created %s\n", f)
	}
	for _, f := range kept {
		p.out.Printf("kept existing %s\n", f)
	}
	for _, f := range changed {
		if f == "AGENTS.md" {
			f += ", between its markers"
		}
		p.out.Printf("changed %s\n", f)
	}
	if err != nil {
		return err
	}
	if err := registerMergeDriver(ctx, dir, l.root); err != nil && p.verbose { // the driver can be registered later
		p.say("the merge driver is not registered: %v", err)
	}
	switch {
	case len(l.files) == 0:
	case o.agents:
		p.say("Next: fill in agents/CONTEXT.md and agents/GOALS.md, assign agents to roles in wiki.yaml (loops: roles:), then 'wiki plan new TITLE'.")
	case o.ci != "":
	case l.wiki != nil:
		p.say("adopted %s without changing any. Next: 'wiki lint' checks them, 'wiki serve --open' shows them.", text.Count(len(l.wiki.Pages()), "page"))
	default:
		p.say("Next: read %s, then 'wiki serve --open'. 'wiki lint' checks your pages.", made[0])
	}
	if o.ci != "" {
		p.say("Next: commit %s. All jobs except lint are off until the repository variable WIKI_AUTOMATION lists them: pages, documentation, audit, execution.", scaffold.WorkflowsFolder(o.ci))
	}
	return nil
}
