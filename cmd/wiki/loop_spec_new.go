package main

import (
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

type specNewOptions struct {
	spec.New
	out          specOutput
	suggestLevel bool
}

func newLoopSpecNew(p *program) *cobra.Command {
	var o specNewOptions
	c := &cobra.Command{
		Use:   "new",
		Short: "Create a loop spec from a pattern",
		Long: `Create a valid loop spec from a pattern:

  simple        one worker, judged by a rubric
  reflection    a writer, and a reflector whose notes go back to it
  verification  a worker, and a command that must pass
  research      gather sources until the question is covered
  react         think, use a tool, observe
  crew          specialists one after the other
  plan          plan, execute, plan again

It is bounded by 8 iterations and $0.50, and checked for injections and secrets.
The other names of the patterns are accepted too: echo, reflect, verify, tool,
autogpt and those that end in -loop.`,
		Example: `  wiki loop spec new -p verification -n repair-loop --objective "Fix the tests" -o repair.yaml
  wiki loop spec new -p research -n brief-loop --objective "Answer the question" --quality 0.9`,
		Annotations: exits("0  the spec was created"),
		SuggestFor:  []string{"create", "init", "scaffold"},
		Args:        takes(0, false),
		RunE:        func(*cobra.Command, []string) error { return runLoopSpecNew(p, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Pattern, "pattern", "p", "simple", "build this `PATTERN`")
	f.StringVarP(&o.Name, "name", "n", "", "name the loop: lower-case words joined by hyphens")
	f.StringVar(&o.Objective, "objective", "", "`TEXT` that says what the loop is to reach")
	f.StringVar(&o.Input, "input", "task", "name of the loop's input")
	f.StringVar(&o.Example, "input-example", "", "an example of that input")
	f.Float64Var(&o.Quality, "quality", 0.8, "threshold of success, from 0 to 1")
	f.IntVar(&o.MaxIterations, "max-iterations", 8, "end after `N` iterations")
	f.BoolVar(&o.suggestLevel, "suggest-level", false, "add the suggested level, and print it")
	o.out.flags(c)
	c.RegisterFlagCompletionFunc("pattern", completes(spec.BuilderNames))
	return c
}

func runLoopSpecNew(p *program, o specNewOptions) error {
	switch {
	case o.Name == "":
		return misuse("name it with -n, as in -n repair-loop", "the loop has no name")
	case o.Objective == "":
		return misuse("add --objective with what the loop is to reach", "the loop has no objective")
	}
	d, err := spec.Build(o.New)
	if err != nil {
		return err
	}
	return p.leaveSpec(o.out, d, o.suggestLevel)
}

// leaveSpec writes a spec that was made, with its level if that is wanted.
func (p *program) leaveSpec(out specOutput, d *spec.Document, suggestLevel bool) error {
	if suggestLevel {
		leveled, err := d.WithLevel()
		if err != nil {
			return err
		}
		d = leveled
	}
	if err := p.leave(out, d.Text()); err != nil {
		return err
	}
	hint := d.SuggestLevel().String()
	switch {
	case out.file != "":
		p.out.Println(out.file)
		if suggestLevel {
			p.out.Println(hint)
		}
	case suggestLevel:
		p.say("%s", hint)
	}
	return nil
}
