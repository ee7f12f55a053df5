package linter

import (
	"context"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Contradictions returns what [Result.Contradictions] does of a [Run], and runs only the
// rules that have a say in it: a tenth of the work.
func Contradictions(ctx context.Context, w *compiler.Wiki, cfg Config) ([]schema.Contradiction, error) {
	cfg.contradictions = true
	res, err := Run(ctx, w, cfg)
	if res == nil {
		return nil, err
	}
	return res.Contradictions(), err
}

// contradictions leaves the rules that find contradictions, and those that find secrets if
// something is sent to a judge. The others still count as running: some rules leave places
// to them.
func (s *selection) contradictions() {
	judged := slices.ContainsFunc(s.rules, func(r *Rule) bool { return r.NeedsJudge })
	s.on = slices.Clone(s.rules)
	s.rules = slices.DeleteFunc(s.rules, func(r *Rule) bool {
		return (!r.contradicts() || r.Last != nil) && (!judged || !r.FindsSecrets)
	})
}
