package looping

import (
	"context"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
)

// Andon is what stops the line of this repository.
func (p *Place) Andon() *andon.Store {
	_, redact := p.environment()
	return andon.NewStore(p.Root, redact...)
}

// ended leaves an incident where a run failed, and ends a row of failures where
// one met its goal.
func (p *Place) ended(_ context.Context, s *loops.State, results []loops.GateResult) error {
	end := *s
	if end.End.Status != "" {
		end.Status = end.End.Status // the report is still to be written
	}
	_, err := p.Andon().End(&end, results)
	return err
}
