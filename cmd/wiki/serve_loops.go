package main

import (
	"context"

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
		Runs: place.All, Points: place.Points, Run: place.Detail, Text: place.Text, Stamp: place.Stamps().Of,
		Scores:    func() ([]schema.LoopScore, error) { return place.Scores(ctx) },
		Plans:     func() ([]schema.LoopPlan, error) { return place.Plans(ctx) },
		Plan:      func(name string) (*schema.LoopPlan, error) { return place.Plan(ctx, name) },
		Incidents: place.Incidents, Incident: place.Incident,
	}
}
