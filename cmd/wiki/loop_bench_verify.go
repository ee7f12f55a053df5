package main

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// benchVerifyVersion is the version of the JSON that wiki loop bench verify prints.
const benchVerifyVersion = 1

type benchVerifyDocument struct {
	Version   int            `json:"version"`
	File      string         `json:"file" jsonschema:"as typed"`
	OK        bool           `json:"ok"`
	Documents map[string]int `json:"documents" jsonschema:"how many of each kind were checked"`
	bench.Report
}

func newLoopBenchVerify(p *program) *cobra.Command {
	var asJSON, corpus bool
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "Verify a submission, a leaderboard, records or a trace",
		Long: `Verify a LoopBench submission or leaderboard, LoopNet records (ln/record-v1, or
rows of v0.3; JSON, or JSONL with one per line) or a Loop Trace. It is checked
against its schema and the rules beyond it.

The scores of a submission are computed again from its runs; one that contradicts
them fails. The spec it names is compared with spec_hash if it lies below the
submission's folder. A record whose numbers contradict each other is reported and
does not fail: published corpora hold such records.`,
		Example: `  wiki loop bench verify submission.json
  wiki loop bench verify records.jsonl --corpus
  wiki loop bench verify trace.json --json | jq -r '.errors[]'`,
		Annotations: exits("0  nothing is wrong", "1  the document is invalid, or scores contradict their runs"),
		SuggestFor:  []string{"validate", "check"},
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runLoopBenchVerify(p, args[0], corpus, asJSON)
		},
	}
	f := c.Flags()
	f.BoolVar(&corpus, "corpus", false, "require that 40 % of the records are failures")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runLoopBenchVerify(p *program, file string, corpus, asJSON bool) error {
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return err
	}
	doc, err := p.verifyDocument(file, src, corpus)
	if err != nil {
		return err
	}
	if asJSON {
		err = p.json(doc)
	} else {
		for _, e := range doc.Errors {
			p.err.Printf("%s: %s\n", file, e)
		}
		for _, m := range doc.Mismatches {
			p.err.Printf("%s: contradiction: %s\n", file, m)
		}
		for _, u := range doc.Unchecked {
			p.say("%s: not checked: %s", file, u)
		}
		p.out.Printf("%s: %s\n", file, doc.verdict())
	}
	if err == nil && !doc.OK {
		return found()
	}
	return err
}

func (d benchVerifyDocument) verdict() string {
	var parts []string
	if d.OK {
		parts = append(parts, "valid")
	}
	if n := len(d.Errors); n > 0 {
		parts = append(parts, text.Count(n, "error"))
	}
	if n := len(d.Mismatches); n > 0 {
		parts = append(parts, text.Count(n, "contradiction"))
	}
	return strings.Join(parts, ", ")
}

func (p *program) verifyDocument(file string, src []byte, corpus bool) (benchVerifyDocument, error) {
	out := benchVerifyDocument{Version: benchVerifyVersion, File: file, Documents: map[string]int{}}
	items, err := record.Read(file, src)
	if err != nil {
		return out, err
	}
	if len(items) == 1 && items[0].Kind() == record.KindUnknown {
		var of any
		if err := json.Unmarshal(items[0].Text, &of); err != nil {
			return out, err
		}
		kind := "submission"
		if bench.IsLeaderboard(of) {
			kind = "leaderboard"
		}
		out.Documents[kind] = 1
		out.Report = bench.Verify(of, items[0].Text, p.specsBeside(file))
		out.OK = out.Report.OK()
		return out, nil
	}
	c := record.Check(items, corpus)
	for kind, n := range c.Kinds {
		out.Documents[string(kind)] = n
	}
	out.Report = bench.Report{Errors: append([]string{}, c.Errors...), Mismatches: append([]string{}, c.Notes...), Unchecked: []string{}}
	out.OK = len(out.Errors) == 0
	return out, nil
}

// specsBeside reads the specs that a submission names, below its folder alone: what a
// stranger names must not be looked for anywhere else.
func (p *program) specsBeside(file string) bench.Reader {
	return func(path string) ([]byte, bool) {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return nil, false
		}
		src, err := files.Read(filepath.Dir(p.path(file)), filepath.FromSlash(path), files.Given)
		return src, err == nil
	}
}
