package main

import (
	"context"

	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/show"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/serve"
)

// shownLoops are the runs of loops that a server shows; none where there is no
// repository to run them in.
func (p *program) shownLoops(ctx context.Context) serve.Loops {
	ctl, err := p.controller(ctx)
	if err != nil {
		return serve.Loops{}
	}
	return serve.Loops{
		Runs: show.New(ctl.Repo).All, Points: show.New(ctl.Repo).Points, Run: show.New(ctl.Repo).Detail, Text: show.New(ctl.Repo).Text, Stamp: show.New(ctl.Repo).Stamps().Of,
		Scores:    func() ([]schema.LoopScore, error) { return modes.New(ctl.Repo).Scores(ctx) },
		Plans:     func() ([]schema.LoopPlan, error) { return show.New(ctl.Repo).Plans(ctx) },
		Plan:      func(name string) (*schema.LoopPlan, error) { return show.New(ctl.Repo).Plan(ctx, name) },
		Specs:     func() schema.LoopSpecs { return show.Specs(ctl.FS()) },
		Incidents: show.New(ctl.Repo).Incidents, Incident: show.New(ctl.Repo).Incident,
	}
}
