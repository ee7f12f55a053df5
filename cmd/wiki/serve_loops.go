package main

import (
	"context"
	"sync"
	"time"

	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/show"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/serve"
)

// shownLoops are the runs of loops that a server shows; none where there is no
// repository to run them in. fleet is the file of many repositories, or "".
func (p *program) shownLoops(ctx context.Context, fleet string) (serve.Loops, error) {
	ctl, err := p.controller(ctx)
	switch {
	case err != nil && fleet != "":
		return serve.Loops{}, err
	case err != nil:
		return serve.Loops{}, nil
	}
	shown := serve.Loops{
		Runs: show.New(ctl.Repo).All, Points: show.New(ctl.Repo).Points, Run: show.New(ctl.Repo).Detail, Text: show.New(ctl.Repo).Text, Stamp: show.New(ctl.Repo).Stamps().Of,
		Scores:    func() ([]schema.LoopScore, error) { return modes.New(ctl.Repo).Scores(ctx) },
		Plans:     func() ([]schema.LoopPlan, error) { return show.New(ctl.Repo).Plans(ctx) },
		Plan:      func(name string) (*schema.LoopPlan, error) { return show.New(ctl.Repo).Plan(ctx, name) },
		Specs:     func() schema.LoopSpecs { return show.Specs(ctl.FS()) },
		Incidents: show.New(ctl.Repo).Incidents, Incident: show.New(ctl.Repo).Incident,
	}
	if fleet != "" {
		_, err = p.fleet(fleet) // a mistake is said at once
		shown.Fleet = p.shownFleet(ctx, fleet)
	}
	return shown, err
}

// fleetAge is how long a server shows a table before it reads all repositories again.
const fleetAge = 3 * time.Second

// shownFleet returns how the plans of a fleet stand, as its file is at that moment. It reads
// what --status reads, for a page that the local machine alone is shown.
func (p *program) shownFleet(ctx context.Context, file string) func() (*schema.FleetReport, error) {
	var mu sync.Mutex
	var last *schema.FleetReport
	var read time.Time
	return func() (*schema.FleetReport, error) {
		mu.Lock()
		defer mu.Unlock()
		if last != nil && time.Since(read) < fleetAge {
			return last, nil
		}
		f, err := p.fleet(file)
		if err != nil {
			return nil, err
		}
		last, err = f.Status(ctx)
		read = time.Now()
		return last, err
	}
}
