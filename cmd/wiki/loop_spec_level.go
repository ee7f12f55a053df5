package main

import (
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

// specLevelVersion is the version of the JSON that wiki loop spec level prints.
const specLevelVersion = 1

type specLevelDocument struct {
	Version int `json:"version"`
	spec.Hint
	Stated     int          `json:"stated,omitempty" jsonschema:"the level that the spec states, absent if none"`
	StatedAt   string       `json:"stated_at,omitempty" jsonschema:"its key: taxonomy_level or metadata.taxonomy_level"`
	IterLength int          `json:"iter_len,omitempty" jsonschema:"number of iterations, with --pattern"`
	Levels     []spec.Level `json:"levels,omitempty" jsonschema:"all levels, without a spec or pattern"`
}

type specLevelOptions struct {
	pattern             string
	iterations, workers int
	json                bool
}

func newLoopSpecLevel(p *program) *cobra.Command {
	var o specLevelOptions
	c := &cobra.Command{
		Use:   "level [FILE]",
		Short: "Suggest the level of a loop, from 1 to 6",
		Long: `Suggest the level of a loop from the form of its spec: 4 for a parallel or
nested composition, 3 for a sequential one or at least four workers, and 2
otherwise. With --pattern, print the level that most recorded loops of the
pattern have. Without either, list the six levels.`,
		Example: `  wiki loop spec level loop.yaml
  wiki loop spec level --pattern debate-loop --iter-len 4 --workers 3
  wiki loop spec level`,
		Annotations: exits("0  the level was printed"),
		SuggestFor:  []string{"levels"},
		Args:        takes(0, false, "FILE"),
		RunE:        func(_ *cobra.Command, args []string) error { return runLoopSpecLevel(p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.pattern, "pattern", "", "use recorded loops of this `PATTERN`")
	f.IntVar(&o.iterations, "iter-len", 3, "`N` iterations, with --pattern")
	f.IntVar(&o.workers, "workers", 1, "`N` workers, with --pattern")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	c.RegisterFlagCompletionFunc("pattern", completes(spec.PatternNames))
	return c
}

func runLoopSpecLevel(p *program, o specLevelOptions, args []string) error {
	doc := specLevelDocument{Version: specLevelVersion}
	switch {
	case o.pattern != "" && len(args) > 0:
		return misuse("name a file, or a pattern", "FILE and --pattern can't be used together")
	case o.pattern != "":
		found, ok := spec.FindPattern(o.pattern)
		if !ok {
			return misuse(oneOf(o.pattern, spec.PatternNames()), "--pattern: unknown pattern %q", o.pattern)
		}
		doc.Hint, doc.IterLength = found.Recorded(o.workers), o.iterations
		if !o.json {
			p.out.Printf("pattern='%s' iter_len=%d workers=%d -> level %s\n", o.pattern, o.iterations, o.workers, doc.TaxonomyLevel)
		}
	case len(args) == 0:
		doc.Levels = spec.Common().Levels
		for _, l := range spec.Common().Levels {
			if !o.json {
				p.out.Printf("L%d  %-14s  %s Ends by %s.\n", l.Number, l.Name, l.Question, l.Stop)
			}
		}
	default:
		d, err := p.specOrLibrary(args[0])
		if err != nil {
			return err
		}
		doc.Hint = d.SuggestLevel()
		doc.Stated, doc.StatedAt = d.TaxonomyLevel()
		if !o.json {
			p.out.Println(doc.Hint.String())
		}
		if doc.Stated > 0 {
			p.say("the spec states level %d at %s", doc.Stated, doc.StatedAt)
		}
	}
	if o.json {
		return p.json(doc)
	}
	return nil
}
