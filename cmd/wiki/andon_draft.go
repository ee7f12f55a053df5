package main

import (
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/spf13/cobra"
)

func newAndonDraft(p *program) *cobra.Command {
	var f control.Flags
	c := &cobra.Command{
		Use:   "draft [INCIDENT]",
		Short: "Let an agent draft the five whys of an incident",
		Long: `Let an agent draft the five whys of an incident: the one configured for the role
"reader" in wiki.yaml, or --agent. It reads the incident's report and the
repository, and changes nothing. A draft that lacks something is retried once.

The draft is for you to correct: run its verifications, edit the file, and close
the incident with 'wiki andon close --by NAME'. A file that somebody edited is
not replaced.`,
		Example: "  wiki andon draft\n  wiki andon draft latest --agent claude:opus",
		Annotations: exits("0  the draft was written", "1  the agent's draft is not complete", "3  a program is missing: git, an agent", "4  the agent changed files it may not",
			"5  the budget is used up", "6  waiting for an agent's vendor"),
		Args:              takes(0, false, "INCIDENT"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runAndonDraft(cmd, p, given(args), f) },
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().StringVarP(&f.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, draft")
	return c
}

func runAndonDraft(cmd *cobra.Command, p *program, name string, f control.Flags) error {
	if err := p.byPerson(cmd.Context(), "draft"); err != nil {
		return err
	}
	s := p.incidents()
	i, err := s.Find(name)
	if err != nil {
		return err
	}
	if _, _, err := s.Draftable(i); err != nil {
		return err
	}
	reader, ctl, err := p.cast(cmd, f.Agent, loops.Reader, f.Given)
	if err != nil {
		return err
	}
	if ctl == nil {
		return misuse("use --agent, or configure the role reader in wiki.yaml", "no agent is configured to draft the five whys")
	}
	live, done := p.liveView(loopRunOptions{})
	st, err := ctl.DraftWhys(cmd.Context(), i, *reader, f, live)
	done()
	if err != nil {
		return err
	}
	if st.End.Status != loops.GoalMet {
		return p.runEnded(ctl, st, nil, loopRunOptions{})
	}
	p.say("drafted the five whys of %s; correct them, then close it with --by", i.ID)
	p.out.Println(p.shorten(s.Path(i.Whys())))
	return nil
}
