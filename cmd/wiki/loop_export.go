package main

import (
	"os"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/export"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

// exportForms are the forms of an exported run.
var exportForms = []string{"trace", "record"}

func newLoopExport(p *program) *cobra.Command {
	var form, output string
	c := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Export a finished run as a Loop Trace or a LoopNet record",
		Long: `Export a finished run from its journal, as a Loop Trace 1.0 or, with --format
record, as a LoopNet record (ln/record-v1) with its score. Secrets and paths of
this machine are removed; prompts and transcripts are part of neither form.

An iteration is a call of the maker (or of the role that works in another loop)
with all that judged what it left. Its goal score is the share of the gates of
the run, the plan's goal among them, that passed. A record holds 50 iterations:
the last ones of a longer run, with a note. A run in which no agent worked has
no form.`,
		Example: `  wiki loop export latest -o trace.json
  wiki loop export latest --format record | jq .les_observed`,
		Annotations:       exits("0  the run was exported"),
		SuggestFor:        []string{"trace", "record"},
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopExport(cmd, p, args, form, output)
		},
	}
	f := c.Flags()
	f.StringVar(&form, "format", "trace", "export as trace or record")
	f.StringVarP(&output, "output", "o", "", "write to `FILE`")
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportForms, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopExport(cmd *cobra.Command, p *program, args []string, form, output string) error {
	if form != "trace" && form != "record" {
		return misuse(oneOf(form, exportForms), "--format: unknown form %q", form)
	}
	ctl, id, err := p.givenRun(cmd, args)
	if err != nil {
		return err
	}
	s, events, err := ctl.Store.Read(id)
	if err != nil {
		return err
	}
	of, err := export.Of(events, p.portable(ctl, &s))
	if err != nil {
		return err
	}
	var doc any = of.Trace
	if form == "record" {
		doc = of.Record
		if of.Dropped > 0 {
			p.say("%s", of.Tail())
		}
	}
	if output == "" {
		return p.json(doc)
	}
	return p.writeJSON(output, doc)
}

// portable takes secrets and the folders of this machine out of what a run says.
func (p *program) portable(ctl *control.Controller, s *loops.State) func(string) string {
	_, secrets := ctl.Environment()
	redactor := loops.NewRedactor(secrets)
	return func(text string) string {
		clean, _ := redactor.Text(text)
		return runs.Portable(clean, []string{s.Place.Path, ctl.Root}, []string{p.env("HOME"), os.TempDir()})
	}
}
