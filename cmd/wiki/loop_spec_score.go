package main

import (
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/spf13/cobra"
)

// scoreVersion is the version of the JSON that wiki loop spec score prints.
const scoreVersion = 1

// scoreDocument holds what the tools of the standard print, in the form of the profile.
type scoreDocument struct {
	Version    int            `json:"version"`
	LoopName   string         `json:"loop_name"`
	Normalized *float64       `json:"les_normalized,omitempty" jsonschema:"from 0 to 1; of core"`
	Display    *float64       `json:"les_display,omitempty" jsonschema:"from 0 to 100; of core"`
	LES        *float64       `json:"les,omitempty" jsonschema:"from 0 to 100; of loopctl"`
	Categories les.Categories `json:"categories" jsonschema:"from 0 to 1"`
	Weights    les.Categories `json:"weights"`
	Source     string         `json:"source" jsonschema:"the file as typed"`
	Mode       string         `json:"mode,omitempty" jsonschema:"spec_inference; of core"`
	Profile    string         `json:"profile"`
	Band       string         `json:"band" jsonschema:"production-grade, strong, functional, fragile or non-viable"`
	Level      les.Level      `json:"level"`
}

func newLoopSpecScore(p *program) *cobra.Command {
	var given, profile string
	var asJSON bool
	c := &cobra.Command{
		Use:   "score [FILE]",
		Short: "Score a loop spec by its structure (LES 1.0)",
		Long: `Score a loop spec by its structure: what it declares of evaluators, limits,
feedback, memory, safety and cost, in eight categories. Nothing is run, and the
spec need not be valid. FILE may be a loop of 'wiki loop spec library'. Scores of
what happened: 'wiki loop spec observed'.

The standard has two such scores that differ:

  core     that of the specification's repository; it counts no taxonomy level
  loopctl  that of its command line; it counts the level at the root of the spec

Most published specs state their level below metadata, where loopctl looks for
none. The output says where the level stands and what is counted.`,
		Example: `  wiki loop spec score loop.yaml
  wiki loop spec score --spec loop.yaml --profile loopctl --json | jq .les`,
		Annotations: exits("0  the score was printed, whatever it is"),
		SuggestFor:  []string{"les", "rate"},
		Args:        takes(0, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && given != "":
				return misuse("name the spec once", "both FILE and --spec are given")
			case len(args) == 1:
				given = args[0]
			case given == "":
				return misuse("name the spec: wiki loop spec score loop.yaml", "FILE is missing")
			}
			return runLoopSpecScore(p, given, profile, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&given, "spec", "", "score this `FILE`, as loopctl is called")
	f.StringVar(&profile, "profile", string(les.Core), "score as core or loopctl does")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	c.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(les.Profiles, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopSpecScore(p *program, file, name string, asJSON bool) error {
	if !slices.Contains(les.Profiles, name) {
		return misuse(oneOf(name, les.Profiles), "--profile: unknown profile %q", name)
	}
	profile := les.Profile(name)
	d, err := p.specOrLibrary(file)
	if err != nil {
		return err
	}
	s := les.Structural(d.Value, profile)
	display := les.Display(s.Total)
	doc := scoreDocument{
		Version: scoreVersion, LoopName: s.LoopName, Categories: s.Categories, Weights: les.Weights, Source: file,
		Profile: string(profile), Level: s.Level,
	}
	if profile == les.Loopctl {
		doc.LES = &display
	} else {
		normalized := les.Round(s.Total, 4)
		display = les.Display(normalized)
		doc.Normalized, doc.Display, doc.Mode = &normalized, &display, "spec_inference"
	}
	doc.Band = les.Band(display)
	if asJSON {
		return p.json(doc)
	}
	p.out.Printf("%s: LES %.1f, %s (by structure, %s)\n", orNoName(s.LoopName), display, doc.Band, profile)
	p.categories(byName(s.Categories), byName(les.Weights))
	p.out.Printf("level %d (%s)%s\n", s.Level.Value, s.Level.From, counted(s.Level))
	return nil
}

// counted says which level a profile counts, if it is not the one that the spec states.
func counted(l les.Level) string {
	switch {
	case l.Scored == 0:
		return "; core counts no level"
	case l.Scored != l.Value:
		return fmt.Sprintf("; loopctl reads the root key alone and counts %d", l.Scored)
	}
	return ""
}

// categories prints one line per category that has a value.
func (p *program) categories(values, weights map[string]float64) {
	for _, name := range les.Names {
		if x, ok := values[name]; ok {
			p.out.Printf("  %-14s %.3f  weight %.2f\n", name, x, weights[name])
		}
	}
}

func orNoName(name string) string {
	if name == "" {
		return "unnamed loop"
	}
	return name
}
