package main

import (
	"strings"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

// intentVersion is the version of the JSON that wiki loop intent prints.
const intentVersion = 1

type intentDocument struct {
	Version  int        `json:"version"`
	Intent   string     `json:"intent"`
	LoopName string     `json:"loop_name"`
	SpecPath string     `json:"spec_path,omitempty" jsonschema:"the file that was written, absent without -o"`
	Pattern  string     `json:"pattern" jsonschema:"a builder pattern, or sequential, parallel or nested"`
	Method   string     `json:"method" jsonschema:"fork, scaffold or compose"`
	Source   string     `json:"source,omitempty" jsonschema:"the loop of the library that was forked"`
	LSS      string     `json:"lss_version"`
	Valid    bool       `json:"valid"`
	Hint     *spec.Hint `json:"level_hint,omitempty" jsonschema:"with --suggest-level"`
	Text     string     `json:"text,omitempty" jsonschema:"the spec, without -o"`
}

type intentOptions struct {
	spec.IntentOptions
	out          specOutput
	suggestLevel bool
	json         bool
}

// newLoopIntent is wiki loop spec intent where the introduction to the standard leads
// people to look for it.
func newLoopIntent(p *program) *cobra.Command {
	c := newLoopSpecIntent(p)
	c.Long = `Create a loop spec from a sentence. It is the same command as 'wiki loop spec
intent', whose help lists the words that decide.`
	c.Example = `  wiki loop intent "Create a code-repair loop with a test-runner evaluator" -o loop.yaml`
	return c
}

func newLoopSpecIntent(p *program) *cobra.Command {
	var o intentOptions
	c := &cobra.Command{
		Use:   "intent TEXT",
		Short: "Create a loop spec from a sentence",
		Long: `Create a loop spec from a sentence, by its words alone: no model is asked. The
first of these that matches decides:

  parallel, swarm, …      research-agent beside coding-agent, merged
  nested, sub-loop, …     coding-agent around autonomous-debugger
  pipeline, chain, …      research-agent, then writing-assistant
  research, sources, …    a copy of research-agent
  test, fix, CI, …        a copy of autonomous-debugger
  review, draft, …        the pattern reflection
  code, feature, …        a copy of coding-agent
  summary, meeting, …     the pattern simple
  anything else           the pattern reflection

A copy of autonomous-debugger or coding-agent runs as it is: its evaluators are
the gates of the repository, its models the roles of loops.roles.`,
		Example: `  wiki loop spec intent "Create a code-repair loop with a test-runner evaluator" -o loop.yaml
  wiki loop spec intent "Summarize the meeting" --suggest-level`,
		Annotations: exits("0  the spec was created"),
		SuggestFor:  []string{"create", "quick", "pipeline"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return takes(1, false, "TEXT")(cmd, args)
			}
			return runLoopIntent(p, o, strings.Join(args, " "))
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Name, "name", "n", "", "name the loop instead of by the first four words")
	f.BoolVar(&o.ScaffoldOnly, "scaffold-only", false, "build the pattern, and copy nothing of the library")
	f.BoolVar(&o.suggestLevel, "suggest-level", false, "add the suggested level, and print it")
	o.out.flags(c)
	f.BoolVar(&o.json, "json", false, "print what was created as JSON")
	return c
}

func runLoopIntent(p *program, o intentOptions, sentence string) error {
	i := spec.ReadIntent(sentence)
	d, err := i.Make(sentence, o.IntentOptions)
	if err != nil {
		return err
	}
	method, source := i.Method(), i.Source
	if o.ScaffoldOnly {
		method, source = spec.Scaffolded, ""
	}
	if !o.json {
		if err := p.leaveSpec(o.out, d, o.suggestLevel); err != nil || o.out.file == "" {
			return err
		}
		from := ""
		if source != "" {
			from = " of " + source
		}
		p.say("%s, by %s%s; next: 'wiki loop spec validate %s'", i.Pattern, method, from, o.out.file)
		return nil
	}
	doc := intentDocument{Version: intentVersion, Intent: sentence, SpecPath: o.out.file, Pattern: i.Pattern, Method: method, Source: source, LSS: "1.0"}
	if o.suggestLevel {
		h := d.SuggestLevel()
		doc.Hint = &h
		if d, err = d.WithLevel(); err != nil {
			return err
		}
	}
	if d.Composed() {
		doc.LSS = "1.1"
	}
	v := d.Check("", nil)
	doc.LoopName, doc.Valid = d.Name(), len(v.Faults)+len(v.Joints) == 0
	if o.out.file == "" {
		doc.Text = string(d.Text())
	} else if err := p.leave(o.out, d.Text()); err != nil {
		return err
	}
	return p.json(doc)
}
