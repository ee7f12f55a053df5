package main

import (
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"

	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

func newLoopNew(p *program) *cobra.Command {
	var template string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Create a loop from a template",
		Long: `Create agents/loops/NAME.md from a template. Edit it until 'wiki loop ready NAME'
reports nothing missing. An existing loop is never overwritten.

Templates for a first loop: triage sorts issues and only reports; link-repair
fixes links of the wiki; ci-failures groups failures in CI; dependencies prepares
updates; eval-replay reports regressions. The built-in loops are templates too; a
file with the name of one replaces it.`,
		Example: `  wiki loop new links --template link-repair
  wiki loop new execution --template execution`,
		Annotations:       exits("0  the spec was created"),
		SuggestFor:        []string{"add", "create", "init"},
		Args:              takes(1, false, "NAME"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runLoopNew(cmd, p, template, args[0]) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVarP(&template, "template", "t", "", "use `TEMPLATE`; by default the one called NAME, or else triage")
	return c
}

// loopName matches names of loops, which become part of branches and systemd units.
var loopName = schema.Expression(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func runLoopNew(cmd *cobra.Command, p *program, template, name string) error {
	if !loopName().MatchString(name) || len(name) > 40 {
		return misuse("use a to z, digits and single hyphens, as in link-repair", "invalid loop name %q", name)
	}
	var names []string
	var src []byte
	all := append(plan.Templates(), plan.Builtin()...)
	for _, f := range all {
		names = append(names, f.Name)
		if f.Name == template || template == "" && (f.Name == name || f.Name == "triage" && src == nil) {
			src = f.Src
		}
	}
	if src == nil {
		return misuse(oneOf(template, names), "--template: unknown template %q", template)
	}
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	file := plan.LoopFolder + "/" + name + ".md"
	if _, err := files.Read(ctl.Root, file, files.State); err == nil {
		return misuse("edit it, or use another name", "%s already exists", file)
	}
	_, body, _ := strings.Cut(string(src), "\n")
	if template != "" && template != name {
		title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
		src = []byte("# Loop Spec: " + title + "\n" + body)
	}
	if err := files.Replace(ctl.Root, file, src, 0o666); err != nil {
		return err
	}
	p.out.Println(file)
	p.say("'wiki loop ready %s' lists what is missing", name)
	return nil
}
