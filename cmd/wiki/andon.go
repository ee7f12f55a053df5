package main

import (
	"context"
	"strconv"
	"time"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newAndon(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "andon",
		Short: "See why the line is stopped, and let it go on",
		Long: `Andon is the cord that stops the line. A run of a loop that fails leaves an
incident in ` + andon.Folder + `. While one is open no run starts, and the
guard denies agents what moves forward: push, merge, tag, publish, commit.

Find out why it happened with 'wiki andon why', mend it, and close the incident.
What it taught is told to the next run, or judges it.`,
		Example: `  wiki andon status
  wiki andon why
  wiki andon close --reason "Price is a type that refuses negative numbers"`,
		Annotations: exits("0  help was printed"),
		GroupID:     groupLoops,
		SuggestFor:  []string{"incident", "incidents", "kaizen"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newAndonStatus(p), newAndonShow(p), newAndonWhy(p), newAndonAcknowledge(p), newAndonClose(p), newAndonRollback(p), newAndonGuard(p))
	return c
}

// incidents is the store of the repository that the command is run in.
func (p *program) incidents() *andon.Store {
	s := andon.NewStore(andon.Home(p.path(".")))
	s.Now, s.MetaAfter = p.now, repo.MetaAfter(p.env)
	return s
}

// now is the time: SOURCE_DATE_EPOCH, or the present one.
func (p *program) now() time.Time {
	if s, err := strconv.ParseInt(p.env("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	return time.Now().UTC()
}

// byPerson refuses what only people decide within a run of a loop.
func (p *program) byPerson(ctx context.Context, what string) error {
	return p.outsideOfRuns(ctx, what, "a person decides this, outside of the loop")
}

// who is the person who answers: as given, or git's user.
func (p *program) who(ctx context.Context, by string) string {
	if by = text.Collapse(by); by != "" {
		return by
	}
	return history.User(ctx, p.path("."))
}

// incidentArg completes the ids of incidents.
func (p *program) incidentArg(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, _ := p.incidents().List() // what can not be read is no help here
	ids := []string{"latest"}
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// given is the only argument, or "".
func given(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
