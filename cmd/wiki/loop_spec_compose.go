package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

type specComposeOptions struct {
	spec.ComposeOptions
	children     []string
	recipe       string
	strict, list bool
	out          specOutput
}

func newLoopSpecCompose(p *program) *cobra.Command {
	var o specComposeOptions
	c := &cobra.Command{
		Use:   "compose",
		Short: "Join loop specs into one",
		Long: `Join loop specs into one composition (LSS 1.1). Stages run one after the other,
branches side by side until they are merged, and inner loops where the outer
one, the first child, fails. The budget is the sum of the children's.

A child is ID:FILE, or ID:FILE:LENS for a branch with a point of view; FILE may
be loop-library/NAME.yaml. A recipe builds its children from patterns, and
writes them beside the composition.`,
		Example: `  wiki loop spec compose -n two-loop --objective "Build it" --children a:a.yaml --children b:b.yaml
  wiki loop spec compose --recipe dev-agent -n dev-loop --objective "Ship the feature" -o dev.yaml
  wiki loop spec compose --list`,
		Annotations: exits("0  the composition was written", "1  --strict, and the semantic checks found an error"),
		SuggestFor:  []string{"mix", "combine", "join"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runLoopSpecCompose(cmd.Context(), p, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.Type, "mode", "sequential", "sequential, parallel or nested")
	f.StringArrayVar(&o.children, "children", nil, "join this loop, as `ID:FILE[:LENS]`; repeatable, in order")
	f.StringVar(&o.recipe, "recipe", "", "build the children of this `RECIPE` instead")
	f.BoolVar(&o.list, "list", false, "list the recipes")
	f.StringVarP(&o.Name, "name", "n", "", "name the composition: lower-case words joined by hyphens")
	f.StringVar(&o.Objective, "objective", "", "`TEXT` that says what the whole is to reach")
	f.Float64Var(&o.Quality, "quality", 0.8, "threshold of success, from 0 to 1")
	f.BoolVar(&o.strict, "strict", false, "fail if the semantic checks find an error")
	o.out.flags(c)
	c.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions([]string{spec.Sequential, spec.Parallel, spec.Nested}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopSpecCompose(ctx context.Context, p *program, o specComposeOptions) error {
	switch {
	case o.list:
		for _, r := range spec.Common().Recipes {
			p.out.Printf("%s: %s of %s\n", r.Name, r.Type, strings.Join(r.Patterns, ", "))
		}
		return nil
	case o.Name == "":
		return misuse("name it with -n, as in -n build-repair", "the composition has no name")
	case o.Objective == "":
		return misuse("add --objective with what the whole is to reach", "the composition has no objective")
	}
	d, made, err := p.composed(ctx, &o)
	if err != nil {
		return err
	}
	if o.strict {
		v := d.Check("", p.children(ctx, o.out.file, made))
		if v.Level == spec.Parseable || v.Level == spec.NotParseable {
			p.printVerdict(d, v)
			return found()
		}
	}
	for _, c := range made {
		if err := p.leave(specOutput{filepath.Join(filepath.Dir(o.out.file), c.Ref), o.out.overwrite}, c.Loop.Text()); err != nil {
			return err
		}
	}
	return p.leaveSpec(o.out, d, false)
}

// composed makes the composition, and the children of a recipe.
func (p *program) composed(ctx context.Context, o *specComposeOptions) (*spec.Document, []spec.ChildSpec, error) {
	if o.recipe != "" {
		r, err := spec.FindRecipe(o.recipe)
		if err != nil {
			return nil, nil, err
		}
		if o.out.file == "" {
			return nil, nil, misuse("add -o FILE; the children are written beside it", "a recipe writes several files")
		}
		return r.Make(o.Name, o.Objective)
	}
	for _, given := range o.children {
		id, rest, ok := strings.Cut(given, ":")
		if !ok {
			return nil, nil, misuse("write ID:FILE, as in build:coding.yaml", "--children: %q has no file", given)
		}
		ref, lens, _ := strings.Cut(rest, ":")
		loop, err := p.beside(ctx, o.out.file)(ref)
		if err != nil {
			return nil, nil, err
		}
		o.Children = append(o.Children, spec.ChildSpec{ID: id, Ref: ref, Lens: lens, Loop: loop})
	}
	d, err := spec.Compose(o.ComposeOptions)
	return d, nil, err
}

// children opens the children that were just made, and others as [program.beside].
func (p *program) children(ctx context.Context, file string, made []spec.ChildSpec) func(ref string) (*spec.Document, error) {
	return func(ref string) (*spec.Document, error) {
		for _, c := range made {
			if c.Ref == ref {
				return c.Loop, nil
			}
		}
		return p.beside(ctx, file)(ref)
	}
}
