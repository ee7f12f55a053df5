package main

import (
	"strings"

	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/spf13/cobra"
)

// harnessMapVersion is the version of the JSON that wiki loop agents map prints.
const harnessMapVersion = 1

type harnessMapDocument struct {
	Version int `json:"version"`
	agent.Harness
	Suite  string      `json:"bench_suite" jsonschema:"of the recipe"`
	Config string      `json:"config" jsonschema:"what belongs in wiki.yaml"`
	Loop   *mappedLoop `json:"loop,omitempty" jsonschema:"what --intent became"`
}

type mappedLoop struct {
	Intent   string  `json:"intent"`
	LoopName string  `json:"loop_name"`
	Pattern  string  `json:"pattern"`
	Method   string  `json:"method" jsonschema:"fork, scaffold or compose"`
	SpecPath string  `json:"spec_path,omitempty" jsonschema:"the file that was written, absent without -o"`
	Bench    string  `json:"bench_cmd,omitempty" jsonschema:"absent without -o"`
	Level    int     `json:"loop_level"`
	Valid    bool    `json:"valid"`
	LES      float64 `json:"les" jsonschema:"by structure, profile loopctl, from 0 to 100"`
	Text     string  `json:"text,omitempty" jsonschema:"the spec, without -o"`
}

type harnessMapOptions struct {
	harness, intent, name string
	out                   specOutput
	json                  bool
}

func newLoopAgentsMap(p *program) *cobra.Command {
	var o harnessMapOptions
	c := &cobra.Command{
		Use:   "map",
		Short: "Map a harness onto a loop spec",
		Long: `Show what of a harness is which part of a loop spec, and the roles to set in
wiki.yaml. With --intent, create the spec of a sentence as 'wiki loop intent'
does, with the roles maker and checker instead of vendors' models.`,
		Example: `  wiki loop agents map --harness langgraph
  wiki loop agents map --harness claude --intent "Fix the failing tests" -o loop.yaml`,
		Annotations: exits("0  the mapping was printed"),
		Args:        takes(0, false),
		RunE:        func(*cobra.Command, []string) error { return runLoopAgentsMap(p, o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.harness, "harness", "", "map this `NAME` of 'wiki loop agents'")
	f.StringVar(&o.intent, "intent", "", "create the spec of `TEXT`")
	f.StringVarP(&o.name, "name", "n", "", "name the loop instead of by the first four words")
	o.out.flags(c)
	f.BoolVar(&o.json, "json", false, "print the mapping as JSON")
	c.RegisterFlagCompletionFunc("harness", completes(harnessNames))
	return c
}

func harnessNames() (out []string) {
	for _, h := range agent.Harnesses() {
		out = append(out, h.Name)
	}
	return out
}

func runLoopAgentsMap(p *program, o harnessMapOptions) error {
	h, ok := agent.FindHarness(o.harness)
	switch {
	case o.harness == "":
		return misuse("name one of "+strings.Join(harnessNames(), ", "), "--harness is required")
	case !ok:
		return misuse(oneOf(o.harness, harnessNames()), "--harness: unknown harness %q", o.harness)
	case o.intent == "" && (o.name != "" || o.out.file != ""):
		return misuse(`add --intent "TEXT"`, "--name and --output require a sentence to make a spec of")
	}
	recipe, err := spec.FindRecipe(h.Recipe)
	if err != nil {
		return err
	}
	doc := harnessMapDocument{Version: harnessMapVersion, Harness: h, Suite: recipe.Suite, Config: castOf(h)}
	if o.intent == "" {
		if o.json {
			return p.json(doc)
		}
		p.harness(doc)
		return nil
	}
	return p.mapIntent(doc, o)
}

// harness prints what of a harness is which part of a spec.
func (p *program) harness(h harnessMapDocument) {
	p.out.Printf("%s: level %d (%s), %s\n", h.Title, h.Level, h.Layer, tested(h.Harness))
	for _, part := range [][2]string{
		{"workers", h.Roles}, {"memory", h.Memory}, {"evaluators", h.Evaluators}, {"termination", h.Termination},
		{"recipe", h.Recipe + ", measured by " + h.Suite}, {"wiki.yaml", h.Config},
	} {
		p.out.Printf("  %-12s %s\n", part[0], part[1])
	}
}

// mapIntent makes the spec of a sentence, for the harness of doc.
func (p *program) mapIntent(doc harnessMapDocument, o harnessMapOptions) error {
	i := spec.ReadIntent(o.intent)
	d, err := i.Make(o.intent, spec.IntentOptions{Name: o.name})
	if err == nil {
		d, err = d.ForHarness(doc.Name, doc.Level)
	}
	if err != nil {
		return err
	}
	if !o.json {
		if err := p.leaveSpec(o.out, d, false); err != nil {
			return err
		}
		p.say("set in wiki.yaml: %s", doc.Config)
		return nil
	}
	level, _ := d.TaxonomyLevel()
	v := d.Check("", nil)
	doc.Loop = &mappedLoop{
		Intent: o.intent, LoopName: d.Name(), Pattern: i.Pattern, Method: i.Method(), SpecPath: o.out.file, Level: level,
		Valid: len(v.Faults)+len(v.Joints) == 0, LES: les.Display(les.Structural(d.Value, les.Loopctl).Total),
	}
	if o.out.file == "" {
		doc.Loop.Text = string(d.Text())
		return p.json(doc)
	}
	doc.Loop.Bench = "wiki loop bench run " + o.out.file + " --suite " + doc.Suite
	if err := p.leave(o.out, d.Text()); err != nil {
		return err
	}
	return p.json(doc)
}
