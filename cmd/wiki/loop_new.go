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
		Short: "Begin a loop of your own, from a template",
		Long: `New makes agents/loops/NAME.md from a template, to be changed until 'wiki loop
ready NAME' has nothing left to ask for. A loop that is there is not overwritten.

Templates, all of them good first loops: triage sorts issues and only reports,
link-repair mends links of the wiki, ci-failures groups what failed in CI,
dependencies prepares updates, eval-replay reports what got worse. The built-in
loops are templates too: with the name of one, the file stands for it.`,
		Example: `  wiki loop new links --template link-repair
  wiki loop new execution --template execution`,
		Annotations:       exits("0  the spec is made"),
		SuggestFor:        []string{"add", "create", "init"},
		Args:              takes(1, false, "NAME"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runLoopNew(cmd, p, template, args[0]) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVarP(&template, "template", "t", "", "begin with `TEMPLATE`; the one called NAME, or triage, by default")
	return c
}

// loopName is what a loop may be called: it becomes part of branches and units.
var loopName = schema.Expression(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func runLoopNew(cmd *cobra.Command, p *program, template, name string) error {
	if !loopName().MatchString(name) || len(name) > 40 {
		return misuse("use a to z, digits and single hyphens, as in link-repair", "a loop can not be called %q", name)
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
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	file := plan.LoopFolder + "/" + name + ".md"
	if _, err := files.Read(place.Root, file, files.State); err == nil {
		return misuse("write there, or give another name; nothing is overwritten", "%s is there already", file)
	}
	_, body, _ := strings.Cut(string(src), "\n")
	if template != "" && template != name {
		title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
		src = []byte("# Loop Spec: " + title + "\n" + body)
	}
	if err := files.Replace(place.Root, file, src, 0o666); err != nil {
		return err
	}
	p.out.Println(file)
	p.say("'wiki loop ready %s' says what is missing", name)
	return nil
}
