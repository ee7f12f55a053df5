package main

import (
	"bytes"
	"encoding/json"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// observedVersion is the version of the JSON that wiki loop spec observed prints.
const observedVersion = 1

type observedDocument struct {
	Version     int                `json:"version"`
	LoopName    string             `json:"loop_name"`
	LoopID      string             `json:"loop_id,omitempty" jsonschema:"of the run"`
	LES         float64            `json:"observed_les" jsonschema:"from 0 to 100"`
	Categories  map[string]float64 `json:"observed_categories" jsonschema:"those that were measured, from 0 to 1"`
	Structural  *float64           `json:"structural_les" jsonschema:"of the spec, by loopctl's rules; null without --spec"`
	Parts       *les.Categories    `json:"structural_categories"`
	Weights     map[string]float64 `json:"weights"`
	Source      string             `json:"source" jsonschema:"loop-trace-1.0, ln-record-v1 or les-1.0 (measurements)"`
	Label       string             `json:"label,omitempty" jsonschema:"says how many categories were measured, if not all"`
	Diagnostics *les.Diagnostics   `json:"diagnostics,omitempty" jsonschema:"of measurements"`
}

func newLoopSpecObserved(p *program) *cobra.Command {
	var given string
	var asJSON bool
	c := &cobra.Command{
		Use:   "observed FILE",
		Short: "Score what a loop did (LES 1.0)",
		Long: `Score what a loop did. The file decides which of the standard's scores it gets:

  a Loop Trace     the score of the standard's command line
  a record         that of the LoopNet corpus (ln/record-v1)
  measurements     the formulas of LES 1.0 itself: the iterations of a run, and
                   experiments with the same loop: perturbations, scaling, new
                   tasks. What was not measured is left out, and the result is
                   labelled as partial. Form: 'wiki schema measurements'.

Scores of different sources are not comparable. Runs of a benchmark are scored by
'wiki loop bench verify', specs by 'wiki loop spec score'.`,
		Example: `  wiki loop export latest -o trace.json && wiki loop spec observed trace.json
  wiki loop spec observed trace.json --spec loop.yaml --json | jq .observed_les`,
		Annotations: exits("0  the score was printed, whatever it is"),
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runLoopSpecObserved(p, args[0], given, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&given, "spec", "", "score the spec in `FILE` too")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runLoopSpecObserved(p *program, file, specFile string, asJSON bool) error {
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return err
	}
	items, err := record.Read(file, src)
	if err != nil {
		return err
	}
	if len(items) != 1 {
		return misuse("score one at a time; 'wiki loop bench stats' describes many", "%s: found %s: expected one", file, text.Count(len(items), "document"))
	}
	doc, err := observe(file, items[0])
	if err != nil {
		return err
	}
	doc.Version = observedVersion
	if specFile != "" {
		d, err := p.specOrLibrary(specFile)
		if err != nil {
			return err
		}
		s := les.Structural(d.Value, les.Loopctl)
		display := les.Display(s.Total)
		doc.Structural, doc.Parts = &display, &s.Categories
	}
	if asJSON {
		return p.json(doc)
	}
	label := doc.Source
	if doc.Label != "" {
		label += "; " + doc.Label
	}
	p.out.Printf("%s: observed LES %.1f, %s (%s)\n", orNoName(doc.LoopName), doc.LES, les.Band(doc.LES), label)
	p.categories(doc.Categories, doc.Weights)
	if doc.Structural != nil {
		p.out.Printf("structural LES %.1f (loopctl)\n", *doc.Structural)
	}
	return nil
}

// observe scores a document by its kind.
func observe(file string, i record.Item) (observedDocument, error) {
	switch i.Kind() {
	case record.KindTrace:
		if err := valid(file, i); err != nil {
			return observedDocument{}, err
		}
		s := les.Observed(i.Value)
		return observedDocument{
			LoopName: s.LoopName, LoopID: s.LoopID, LES: les.Display(s.Total), Categories: byName(s.Categories), Weights: byName(les.Weights),
			Source: string(record.KindTrace),
		}, nil
	case record.KindRecord:
		if err := valid(file, i); err != nil {
			return observedDocument{}, err
		}
		r := record.Check([]record.Item{i}, false).Records[0]
		s, err := r.Score(les.Weights)
		return observedDocument{
			LoopName: r.LoopName, LoopID: r.ID, LES: s.Display, Categories: byName(s.Categories), Weights: byName(les.Weights),
			Source: string(record.KindRecord),
		}, err
	}
	var m les.Measurements
	strict := json.NewDecoder(bytes.NewReader(i.Text))
	strict.DisallowUnknownFields() // a misspelt experiment would only be missing
	if err := strict.Decode(&m); err != nil {
		return observedDocument{}, misuse("'wiki schema measurements' describes the form", "%s: %w", file, err)
	}
	s, err := les.Runtime(m)
	if err != nil {
		return observedDocument{}, misuse("a trace has trace_version, a record schema_version, measurements have iterations", "%s: %w", file, err)
	}
	return observedDocument{
		LoopName: s.LoopName, LES: s.Display, Categories: s.Categories, Weights: s.Weights, Source: "les-1.0", Label: s.Label, Diagnostics: &s.Diagnostics,
	}, nil
}

// valid refuses a document that does not fit its schema.
func valid(file string, i record.Item) error {
	if errors := record.Check([]record.Item{i}, false).Errors; len(errors) > 0 {
		return misuse("'wiki loop bench verify' lists all faults", "%s: %s", file, errors[0])
	}
	return nil
}

func byName(c les.Categories) map[string]float64 {
	out := make(map[string]float64)
	for i, x := range c.Values() {
		out[les.Names[i]] = x
	}
	return out
}
