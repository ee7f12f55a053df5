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
	place, err := p.place(ctx)
	if err != nil {
		return serve.Loops{}
	}
	return serve.Loops{
		Runs: show.New(place.Repo).All, Points: show.New(place.Repo).Points, Run: show.New(place.Repo).Detail, Text: show.New(place.Repo).Text, Stamp: show.New(place.Repo).Stamps().Of,
		Scores:    func() ([]schema.LoopScore, error) { return modes.New(place.Repo).Scores(ctx) },
		Plans:     func() ([]schema.LoopPlan, error) { return show.New(place.Repo).Plans(ctx) },
		Plan:      func(name string) (*schema.LoopPlan, error) { return show.New(place.Repo).Plan(ctx, name) },
		Incidents: show.New(place.Repo).Incidents, Incident: show.New(place.Repo).Incident,
	}
}
