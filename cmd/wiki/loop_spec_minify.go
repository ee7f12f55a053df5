package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// specMinifyVersion is the version of the JSON that wiki loop spec minify prints.
const specMinifyVersion = 1

type specMinifyDocument struct {
	Version int    `json:"version"`
	OK      bool   `json:"ok"`
	Path    string `json:"path" jsonschema:"the file that was written"`
	Tokens  int    `json:"tokens" jsonschema:"estimate: a quarter of the characters in flow style"`
}

func newLoopSpecMinify(p *program) *cobra.Command {
	var out specOutput
	var asJSON bool
	c := &cobra.Command{
		Use:   "minify FILE",
		Short: "Shorten a loop spec for a model's context",
		Long: `Shorten a loop spec to what a model needs of it, as JSON without spaces: name,
the first line of the objective, workers, evaluators, termination, optimisation
and the first four safety constraints. By default it is written beside FILE as
NAME.min.json; -o - prints it.`,
		Example: `  wiki loop spec minify loop.yaml
  wiki loop spec minify loop.yaml -o -`,
		Annotations: exits("0  it was written"),
		SuggestFor:  []string{"min", "compress"},
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runLoopSpecMinify(p, out, asJSON, args[0])
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&out.file, "output", "o", "", "write to `FILE`, or to standard output for -")
	c.Flags().BoolVar(&out.overwrite, "overwrite", false, "replace FILE if it exists")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was written as JSON")
	return c
}

func runLoopSpecMinify(p *program, out specOutput, asJSON bool, file string) error {
	d, err := p.readSpec(file)
	if err != nil {
		return err
	}
	small, tokens := d.Minify()
	switch out.file {
	case "-":
		out.file = ""
		return p.leave(out, []byte(small+"\n"))
	case "":
		out.file = strings.TrimSuffix(file, filepath.Ext(file)) + ".min.json"
	}
	if err := p.leave(out, []byte(small)); err != nil {
		return err
	}
	if asJSON {
		return p.json(specMinifyDocument{specMinifyVersion, true, out.file, tokens})
	}
	p.out.Println(out.file)
	p.say("about %d tokens", tokens)
	return nil
}
