package main

import (
	"strings"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// specLibraryVersion is the version of the JSON that wiki loop spec library prints.
const specLibraryVersion = 1

type specLibraryDocument struct {
	Version int           `json:"version"`
	Loops   []libraryLoop `json:"loops" jsonschema:"in order of name"`
}

type libraryLoop struct {
	Name      string `json:"name"`
	Level     int    `json:"level"`
	Pattern   string `json:"pattern"`
	Objective string `json:"objective"`
}

func newLoopSpecLibrary(p *program) *cobra.Command {
	var out specOutput
	var asJSON bool
	c := &cobra.Command{
		Use:   "library [NAME]",
		Short: "List the loops that come with wiki, or print one",
		Long: `List the loop specs that come with wiki, or print one of them. All are
production-grade: valid, bounded, safe, calibrated, with a runbook. Compositions
refer to them as loop-library/NAME.yaml.`,
		Example: `  wiki loop spec library
  wiki loop spec library coding-agent -o coding.yaml`,
		Annotations: exits("0  the loops were listed, or the loop was printed"),
		SuggestFor:  []string{"list", "ls", "loop-library"},
		Args:        takes(0, false, "NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return runLoopSpecLibraryShow(p, out, args[0])
			}
			return runLoopSpecLibrary(p, asJSON)
		},
		ValidArgsFunction: completes(spec.Library),
	}
	out.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return c
}

func runLoopSpecLibraryShow(p *program, out specOutput, name string) error {
	d, err := spec.FromLibrary(name)
	if err != nil {
		return err
	}
	if err := p.leave(out, d.Source); err != nil || out.file == "" {
		return err
	}
	p.out.Println(out.file)
	return nil
}

func runLoopSpecLibrary(p *program, asJSON bool) error {
	doc := specLibraryDocument{Version: specLibraryVersion}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, name := range spec.Library() {
		d, err := spec.FromLibrary(name)
		if err != nil {
			return err
		}
		s, err := d.Spec()
		if err != nil {
			return err
		}
		level, _ := d.TaxonomyLevel()
		doc.Loops = append(doc.Loops, libraryLoop{name, level, d.InferPattern(), s.Objective})
		about, _, _ := strings.Cut(s.Objective, ". ")
		text.Fprintf(w, "%s\tL%d\t%s\t%s\n", name, level, d.InferPattern(), about)
	}
	if asJSON {
		return p.json(doc)
	}
	return w.Flush()
}
