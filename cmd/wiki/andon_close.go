package main

import (
	"context"
	"errors"
	"strings"

	"github.com/loopwiki/wiki/loops/andon"
	"github.com/spf13/cobra"
)

// standardKinds are the standards that a person sets, by the word for them.
var standardKinds = map[string]string{"gate": andon.RuleGate, "skill": andon.RuleSkillLine, "forbidden": andon.RuleForbidden}

func newAndonClose(p *program) *cobra.Command {
	var r andon.CloseRequest
	var standards []string
	c := &cobra.Command{
		Use:   "close [INCIDENT] --reason TEXT",
		Short: "Close an incident, so that runs can start again",
		Long: `Close an incident whose analysis is complete; see 'wiki andon why'. If its class
is uncertain (confidence below 0.70), the reason must contain manual-approved;
if a rule was broken, --by must name who approves. The folder moves to the
archive with a final report, and a gotcha is kept for the next run.

With --standard, the next runs must meet a new standard: gate:COMMAND is run on
every change, skill:TEXT is added to every maker's prompt, and forbidden:TERM
may not be added to a file.`,
		Example: `  wiki andon close --reason "Price is a type that refuses negative numbers"
  wiki andon close --reason "manual-approved: the disk was full" --by "Ana Ruiz"
  wiki andon close --reason "checked by vet now" --standard "gate:go vet ./..."`,
		Annotations: exits("0  the incident is closed", "1  something is missing"),
		Args:        takes(0, false, "INCIDENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Incident = given(args)
			return runAndonClose(cmd.Context(), p, r, standards)
		},
		ValidArgsFunction: p.incidentArg,
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&r.Reason, "reason", "", "what was done, as `TEXT`")
	f.StringVar(&r.By, "by", "", "`NAME` of the person who closes it")
	f.StringArrayVar(&standards, "standard", nil, "add the standard `KIND:VALUE`: gate, skill or forbidden; repeatable")
	return c
}

func runAndonClose(ctx context.Context, p *program, r andon.CloseRequest, standards []string) error {
	if err := p.byPerson(ctx, "close"); err != nil {
		return err
	}
	if strings.TrimSpace(r.Reason) == "" {
		return misuse("say what was done, for example --reason \"checked by vet now\"", "--reason TEXT is required")
	}
	for _, text := range standards {
		kind, value, _ := strings.Cut(text, ":")
		if value = strings.TrimSpace(value); standardKinds[kind] == "" || value == "" {
			return misuse("write gate:COMMAND, skill:TEXT or forbidden:TERM", "--standard: %q is not KIND:VALUE", text)
		}
		r.Standards = append(r.Standards, andon.StandardAction{Type: standardKinds[kind], Value: value})
	}
	s := p.incidents()
	i, err := s.Close(r)
	var lacks *andon.IncompleteError
	if errors.As(err, &lacks) {
		return &fault{code: exitFindings, err: err, hint: "complete the files in " + s.Path(lacks.Dir)}
	}
	if err != nil {
		return err
	}
	p.say("closed %s; commit %s", i.ID, andon.Folder)
	p.out.Println(p.shorten(s.Path(i.Dir + "/final-report.md")))
	return nil
}
