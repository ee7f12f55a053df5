package main

import (
	"context"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/schemas"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newLoopSpecValidate(p *program) *cobra.Command {
	var lss string
	var asJSON bool
	c := &cobra.Command{
		Use:   "validate FILE",
		Short: "Validate a loop spec, and check what its schema does not say",
		Long: `Validate a loop spec against LSS 1.0, and its composition against LSS 1.1 apart.
An error is printed as "path: message (line, column)".

What the schemas don't say is checked too: references exist, ids are unique,
workers don't wait for each other in a circle, one metric is primary, the loop
ends, and budgets fit. These findings don't make a spec invalid, but decide its
conformance:

  Parseable    it is valid
  Operational  no semantic error, and cost limits are enforced
  Production   safety constraints, on_exceed: halt, extensions.calibration for
               every rubric, and extensions.runbook`,
		Example: `  wiki loop spec validate loop.yaml
  wiki loop spec validate loop.yaml --lss 1.1
  wiki loop spec validate loop.yaml --json | jq -r '.errors[]'`,
		Annotations: exits("0  the spec is valid, whatever the semantic checks find", "1  the spec is invalid",
			"2  the file is missing, not YAML or JSON, or not a map"),
		SuggestFor: []string{"check", "lint"},
		Args:       takes(1, false, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopSpecValidate(cmd.Context(), p, args[0], lss, asJSON)
		},
	}
	c.Flags().StringVar(&lss, "lss", "", "judge by one `VERSION` only: 1.0, or 1.1 (the composition alone)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	c.RegisterFlagCompletionFunc("lss", cobra.FixedCompletions([]string{"1.0", "1.1"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopSpecValidate(ctx context.Context, p *program, file, lss string, asJSON bool) error {
	name := map[string]string{"1.0": spec.LSS10, "1.1": spec.LSS11}[lss]
	if name == "" && lss != "" {
		return misuse("use 1.0 or 1.1", "--lss: unknown version %q", lss)
	}
	d, err := p.readSpec(file)
	if err != nil {
		return err
	}
	v := d.Check(name, p.beside(ctx, file))
	valid := len(v.Faults)+len(v.Joints) == 0
	if asJSON {
		err = p.json(specResult(d, v))
	} else {
		p.printVerdict(d, v)
	}
	if err == nil && !valid {
		return found()
	}
	return err
}

// printVerdict prints errors to the stream of messages, as their programs do.
func (p *program) printVerdict(d *spec.Document, v spec.Verdict) {
	for _, part := range [][]schemas.Fault{v.Faults, v.Joints} {
		errors, places := placed(d, part)
		for i, e := range errors {
			p.err.Printf("%s (line %d, column %d)\n", e, places[i].Line, places[i].Column)
		}
	}
	for _, f := range v.Semantic {
		p.out.Printf("%s:%d:%d: %s: %s: %s [%s]\n", d.Path, f.At.Line, f.At.Column, f.Severity, f.Path, f.Message, f.ID)
	}
	if n := len(v.Faults) + len(v.Joints); n > 0 {
		p.err.Printf("%s: invalid, %s\n", d.Path, text.Count(n, "error"))
		if d.Short() {
			p.err.Printf("hint: this is the short form; 'wiki loop spec convert --from short %s -o loop.yaml' makes it valid\n", d.Path)
		}
		return
	}
	p.out.Printf("Valid LSS spec: %s\n", d.Path)
	if v.Level != spec.NotParseable {
		p.say("conformance: %s", v.Level)
	}
	for _, m := range v.Missing {
		p.say("  for the next level: %s", m)
	}
}
