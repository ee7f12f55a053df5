package main

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/convert"
	"github.com/spf13/cobra"
)

// The forms of a spec that wiki loop spec convert knows.
var specForms, specTargets = []string{"lss", "short", "markdown"}, []string{"lss", "markdown", "json"}

type specConvertOptions struct {
	from, to string
	out      specOutput
}

func newLoopSpecConvert(p *program) *cobra.Command {
	var o specConvertOptions
	c := &cobra.Command{
		Use:   "convert FILE",
		Short: "Convert a loop spec between its forms",
		Long: `Convert a loop spec between its forms:

  lss       LSS 1.0 as YAML, or as JSON with --to json
  short     the short form of the introduction to LSS, which no schema accepts
  markdown  a loop of agents/loops, or LOOP_SPEC.md

The form of FILE is detected. Sections of markdown that LSS has no key for are
kept in the extension x_wiki, and come back.`,
		Example: `  wiki loop spec convert --from short sample.yaml -o loop.yaml
  wiki loop spec convert agents/loops/triage.md -o triage.yaml
  wiki loop spec convert loop.yaml --to markdown -o agents/loops/loop.md`,
		Annotations: exits("0  the spec was converted"),
		SuggestFor:  []string{"migrate", "import", "to"},
		Args:        takes(1, false, "FILE"),
		RunE:        func(_ *cobra.Command, args []string) error { return runLoopSpecConvert(p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.from, "from", "", "read FILE as `FORM`: lss, short or markdown")
	f.StringVar(&o.to, "to", "lss", "write `FORM`: lss, markdown or json")
	o.out.flags(c)
	c.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(specForms, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(specTargets, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopSpecConvert(p *program, o specConvertOptions, file string) error {
	d, err := p.specInForm(o.from, file)
	if err != nil {
		return err
	}
	var content []byte
	switch o.to {
	case "lss":
		content = d.Text()
	case "json":
		content, err = json.MarshalIndent(d.Value, "", "  ")
		content = append(content, '\n')
	case "markdown":
		content, err = convert.ToMarkdown(d)
	default:
		return misuse(oneOf(o.to, specTargets), "--to: unknown form %q", o.to)
	}
	if err != nil {
		return err
	}
	if err := p.leave(o.out, content); err != nil || o.out.file == "" {
		return err
	}
	p.out.Println(o.out.file)
	return nil
}

// specInForm reads a spec in a form, or in the one that it seems to have.
func (p *program) specInForm(form, file string) (*spec.Document, error) {
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return nil, err
	}
	if form == "" && (strings.EqualFold(filepath.Ext(file), ".md") || plan.IsLoopSpec(filepath.ToSlash(file), src)) {
		form = "markdown"
	}
	if form == "markdown" {
		return convert.FromMarkdown(filepath.ToSlash(file), src, func(name string) ([]byte, error) {
			return files.Read(filepath.Dir(p.path(file)), name, files.Text)
		})
	}
	d, err := spec.Read(file, src)
	switch {
	case err != nil:
		return nil, err
	case form == "short", form == "" && d.Short():
		return convert.FromShort(d)
	case form != "" && form != "lss":
		return nil, misuse(oneOf(form, specForms), "--from: unknown form %q", form)
	}
	_, err = d.Spec() // for its error
	return d, err
}
