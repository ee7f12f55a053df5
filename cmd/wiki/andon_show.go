package main

import (
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// incidentDocument is the JSON of andon show.
type incidentDocument struct {
	Version  int            `json:"version" jsonschema:"version of this document, 1"`
	ID       string         `json:"id"`
	Dir      string         `json:"dir" jsonschema:"folder of the incident, below the repository's root"`
	Stops    bool           `json:"stops" jsonschema:"whether it stops the line"`
	Closed   bool           `json:"closed"`
	Evidence andon.Evidence `json:"evidence"`
	Analysis andon.Analysis `json:"analysis"`
	Actions  andon.Actions  `json:"actions"`
	Events   []andon.Entry  `json:"events"`
}

func newAndonShow(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show [INCIDENT]",
		Short: "Show an incident",
		Long: `Show the report of an incident and its later events. INCIDENT is an id or the
beginning of one, the id of a run, or latest, which is the default.`,
		Example:           "  wiki andon show\n  wiki andon show INC-20260704-120000-1f0c9a2b --json",
		Annotations:       exits("0  the incident was printed"),
		Args:              takes(0, false, "INCIDENT"),
		RunE:              func(_ *cobra.Command, args []string) error { return runAndonShow(p, given(args), asJSON) },
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runAndonShow(p *program, name string, asJSON bool) error {
	s := p.incidents()
	i, err := s.Find(name)
	if err != nil {
		return err
	}
	events, err := s.History(i)
	if err != nil {
		return err
	}
	if asJSON {
		return p.json(incidentDocument{1, i.ID, i.Dir, i.Stops, i.Closed, i.Evidence, i.Analysis, i.Actions, append([]andon.Entry{}, events...)})
	}
	report, err := files.ReadPath(s.Path(i.Report()), files.Run)
	if err != nil {
		return err
	}
	p.out.Printf("%s\n## Since then\n\n", text.Block(report))
	for _, e := range events {
		p.out.Printf("- %s %s: %s\n", e.At.Format("2006-01-02 15:04"), e.Kind, text.Collapse(e.Text))
	}
	return nil
}
