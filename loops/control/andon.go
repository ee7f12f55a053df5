package control

import (
	"context"
	"errors"
	"strconv"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
)

// Andon is what stops the line of this repository.
func (p *Place) Andon() *andon.Store {
	_, redact := p.environment()
	s := andon.NewStore(p.Root, redact...)
	s.MetaAfter = MetaAfter(p.Getenv)
	return s
}

// MetaAfter is how many failed runs in a row are a Meta-Andon by the environment, 0
// if it does not say.
func MetaAfter(getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("META_ANDON_FAILURE_THRESHOLD")); err == nil && n > 0 {
		return n
	}
	return 0
}

// ended leaves an incident where a run failed, and ends a row of failures where
// one met its goal.
func (p *Place) ended(_ context.Context, s *loops.State, results []loops.GateResult) error {
	end := *s
	if end.End.Status != "" {
		end.Status = end.End.Status // the report is still to be written
	}
	_, err := p.Andon().End(&end, results)
	return errors.Join(err, p.keepRunState(s))
}
