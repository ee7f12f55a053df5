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
		Short: "Close an incident, and let the line go on",
		Long: `Close closes an incident that is complete; see 'wiki andon why'. Where it is not
sure what it is (confidence below 0.70) the reason has to say manual-approved,
and where a rule was broken --by has to name who approves. The folder goes to
the archive with a final report, and a gotcha is kept for the next run.

With --standard the next run is held to more: gate:COMMAND is run on every tree,
skill:TEXT is told to every maker, forbidden:TERM may not be added.`,
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
	f.StringVar(&r.Reason, "reason", "", "`TEXT` that says what was done")
	f.StringVar(&r.By, "by", "", "the `NAME` of who closes it")
	f.StringArrayVar(&standards, "standard", nil, "set the standard `KIND:VALUE`: gate, skill or forbidden")
	return c
}

func runAndonClose(ctx context.Context, p *program, r andon.CloseRequest, standards []string) error {
	if err := p.byPerson(ctx, "close"); err != nil {
		return err
	}
	if strings.TrimSpace(r.Reason) == "" {
		return misuse("add --reason TEXT, for those who come across it", "close needs --reason")
	}
	for _, text := range standards {
		kind, value, _ := strings.Cut(text, ":")
		if value = strings.TrimSpace(value); standardKinds[kind] == "" || value == "" {
			return misuse("write gate:COMMAND, skill:TEXT or forbidden:TERM", "--standard: %q is no standard", text)
		}
		r.Standards = append(r.Standards, andon.StandardAction{Type: standardKinds[kind], Value: value})
	}
	s := p.incidents()
	i, err := s.Close(r)
	var lacks *andon.IncompleteError
	if errors.As(err, &lacks) {
		return &fault{code: exitFindings, err: err, hint: "it lies in " + s.Path(lacks.Dir)}
	}
	if err != nil {
		return err
	}
	p.say("closed %s; commit %s", i.ID, andon.Folder)
	p.out.Println(p.shorten(s.Path(i.Dir + "/final-report.md")))
	return nil
}
