package main

import (
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// andonDocument is the JSON of andon status.
type andonDocument struct {
	Version int  `json:"version" jsonschema:"version of this document, 1"`
	Stopped bool `json:"stopped" jsonschema:"whether an incident or failed runs stop the line"`
	// Open is the incident that stops the line.
	Open     *andon.OpenState `json:"open" jsonschema:"the incident that stops the line; null if there is none"`
	Meta     andon.MetaState  `json:"meta" jsonschema:"failed runs in a row"`
	Noted    []string         `json:"noted" jsonschema:"incidents that do not stop the line"`
	Rules    int              `json:"rules" jsonschema:"standards that are active"`
	Gotchas  int              `json:"gotchas"`
	Problems []string         `json:"problems" jsonschema:"gotchas that can't be read"`
}

func newAndonStatus(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:         "status",
		Short:       "Show whether the line is stopped, and why",
		Long:        "Show whether the line is stopped, by which incident, and which incidents were\nnoted without stopping it.",
		Example:     "  wiki andon status\n  wiki andon status --json | jq .stopped",
		Annotations: exits("0  the status was printed"),
		Args:        takes(0, false),
		RunE:        func(*cobra.Command, []string) error { return runAndonStatus(p, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runAndonStatus(p *program, asJSON bool) error {
	s := p.incidents()
	line, err := s.Line()
	if err != nil {
		return err
	}
	rules, err := s.Rules()
	if err != nil {
		return err
	}
	gotchas, broken := s.Gotchas()
	doc := andonDocument{Version: 1, Stopped: line.Stopped(), Open: line.Open, Meta: line.Meta, Noted: append([]string{}, line.Noted...), Rules: len(rules), Gotchas: len(gotchas), Problems: []string{}}
	if doc.Meta.FailureRuns == nil {
		doc.Meta = andon.MetaState{SchemaVersion: andon.MetaSchema, Status: "closed", FailureRuns: []string{}}
	}
	if broken != nil {
		doc.Problems = append(doc.Problems, broken.Error())
	}
	if asJSON {
		return p.json(doc)
	}
	printLine(p, s, &line)
	for _, id := range line.Noted {
		p.out.Printf("noted: %s\n", id)
	}
	if doc.Rules+doc.Gotchas > 0 {
		p.out.Printf("active: %s, %s\n", text.Count(doc.Rules, "standard"), text.Count(doc.Gotchas, "gotcha"))
	}
	for _, problem := range doc.Problems {
		p.say("wiki: %s", problem)
	}
	return nil
}

func printLine(p *program, s *andon.Store, line *andon.Line) {
	if !line.Stopped() {
		p.out.Println("the line is open")
	}
	if o := line.Open; o != nil {
		p.out.Printf("the line is stopped by %s since %s\n  %s, exit status %d\n  %s\n", o.IncidentID, o.OpenedAt.Format("2006-01-02 15:04"), text.Collapse(o.Command), o.ExitCode, p.shorten(s.Path(o.ReportPath)))
	}
	switch m := line.Meta; {
	case line.Meta.Blocked():
		p.out.Printf("Meta-Andon: %s\n", line.Err())
	case m.Status == "open":
		p.out.Printf("Meta-Andon: acknowledged by %s\n", m.AcknowledgedBy)
	case m.ConsecutiveFailures > 0:
		p.out.Printf("%s in a row\n", text.Count(m.ConsecutiveFailures, "failed run"))
	}
}
