// Package judge asks a model what the linter is in doubt about: whether two
// statements of a wiki can both hold. A model is a program or a server; see [Command]
// and [Endpoint].
//
// Nothing that it says is taken for more than it shows: words that it quotes must
// stand in the statements, a contradiction counts once it was found with the
// sides in either order, and what is not the JSON that was asked for counts for
// nothing. Verdicts are kept by what was judged, so that nobody is asked
// twice; see [Verdicts].
package judge

import (
	"context"
	"errors"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

const (
	// perCall is how many pairs are put into one prompt.
	perCall = 20
	// mostFailures is how many calls in a row may fail before no more are made.
	mostFailures = 2
)

// Backend answers a prompt.
type Backend interface {
	// Ask returns what the model answers. An error says in a few words what
	// failed and holds no key, and nothing of the prompt or the answer.
	Ask(ctx context.Context, prompt string) ([]byte, error)
	// Name is the name of the model.
	Name() string
}

// Judge judges doubts, first by the verdicts that are known. It is for one run and
// implements [linter.Judge].
type Judge struct {
	// Backend answers questions without a stored verdict; nil asks no model.
	Backend Backend
	// Lacks says why there is no backend although there was to be one.
	Lacks string
	// Known are the stored verdicts; may be nil.
	Known *Verdicts
	// Budget is how many times the backend is asked at most.
	Budget int
	// Title returns the title of a page.
	Title func(schema.PageID) string
	// Date returns the day that a page gives for itself, "" for none. It should not
	// change whenever the page does, as verdicts are known by it. nil shows no dates.
	Date func(schema.PageID) string
	// Asking, if set, is called before the first call with the number of undecided pairs
	// and the most calls.
	Asking func(pairs, calls int)
	// Progress, if set, is called before each call with the number of calls so far and
	// the most calls.
	Progress func(calls, most int)

	// The result of it.
	Calls  int // times that the backend was asked
	Before int // pairs that had a verdict before this run
	Judged int // pairs that got a verdict in this run
	Left   int // pairs that have none
	// Failure is why some of them were not judged, as in [linter.Judgement].
	Failure string
	Next    *Verdicts // those there are now, without what pages no longer say
}

var _ linter.Judge = (*Judge)(nil)

// Judge returns a verdict for each doubt that one is known for or that the backend
// gives within the budget.
func (c *Judge) Judge(ctx context.Context, doubts []schema.Doubt) linter.Judgement {
	s := &session{Judge: c, questions: make([]question, len(doubts)), out: linter.Judgement{Verdicts: make([]linter.Verdict, len(doubts))}}
	var open []int
	for i := range doubts {
		s.questions[i] = c.questionOf(&doubts[i])
		if v, ok := c.Known.find(&s.questions[i]); ok {
			s.out.Verdicts[i] = v
			c.Before++
		} else {
			open = append(open, i)
		}
	}
	if c.Backend != nil {
		s.judgeOpen(ctx, open)
	} else if len(open) > 0 {
		s.out.Failure = c.Lacks
	}
	c.Left, c.Failure = s.out.Pending(), s.out.Failure
	c.Next = c.Known.next(s.questions, s.out.Verdicts)
	for i := range s.questions {
		if s.questions[i].swapped {
			s.out.Verdicts[i] = swapped(s.out.Verdicts[i])
		}
	}
	return s.out
}

// session is the asking of one run.
type session struct {
	*Judge
	questions []question
	out       linter.Judgement
	suspects  []int // contradictions that were found once
	failures  int   // in a row
}

// judgeOpen asks about all open questions, and about what it takes for contradictions
// again with the sides swapped, for as long as there is budget. The last call is
// kept for the second question, since without it the first was for nothing.
func (s *session) judgeOpen(ctx context.Context, open []int) {
	if n := len(open); s.Asking != nil && n > 0 && s.may(ctx) {
		s.Asking(n, min(s.Budget, 2*((n+perCall-1)/perCall)))
	}
	for s.may(ctx) && (len(open) > 0 || len(s.suspects) > 0) {
		if n := len(s.suspects); n >= perCall || n > 0 && (len(open) == 0 || s.Calls+1 >= s.Budget) {
			batch := s.suspects[:min(perCall, n)]
			s.suspects = s.suspects[len(batch):]
			s.again(ctx, batch)
			continue
		}
		batch := open[:min(perCall, len(open))]
		open = open[len(batch):]
		s.first(ctx, batch)
	}
}

func (s *session) may(ctx context.Context) bool {
	return ctx.Err() == nil && s.Calls < s.Budget && s.failures < mostFailures
}

func (s *session) first(ctx context.Context, batch []int) {
	for k, v := range s.ask(ctx, batch, false) {
		switch v.Ruling {
		case linter.Contradictory:
			s.suspects = append(s.suspects, batch[k])
		case linter.Unjudged:
		default:
			s.rule(batch[k], v)
		}
	}
}

// again asks with the sides swapped. Who says something else then can't tell.
func (s *session) again(ctx context.Context, batch []int) {
	for k, v := range s.ask(ctx, batch, true) {
		switch v.Ruling {
		case linter.Contradictory:
			s.rule(batch[k], swapped(v))
		case linter.Unjudged:
		default:
			v.Ruling, v.Reason = linter.Unclear, ""
			s.rule(batch[k], swapped(v))
		}
	}
}

// swapped is a verdict with the sides in the other order.
func swapped(v linter.Verdict) linter.Verdict {
	v.Quotes[0], v.Quotes[1] = v.Quotes[1], v.Quotes[0]
	return v
}

func (s *session) rule(i int, v linter.Verdict) {
	v.By = plain(s.Backend.Name())
	s.out.Verdicts[i] = v
	s.Judged++
}

// ask asks about a batch once; it returns nothing when that fails.
func (s *session) ask(ctx context.Context, batch []int, swap bool) []linter.Verdict {
	if s.Progress != nil {
		s.Progress(s.Calls, s.Budget)
	}
	s.Calls++
	pairs := make([][2]side, len(batch))
	for k, i := range batch {
		pairs[k] = s.questions[i].sides
		if swap {
			pairs[k][0], pairs[k][1] = pairs[k][1], pairs[k][0]
		}
	}
	answer, err := s.Backend.Ask(ctx, text.ForModel(prompt(pairs)))
	var verdicts []linter.Verdict
	if err == nil {
		verdicts, err = parseAnswer(answer, pairs)
	}
	if err == nil && allUnjudged(verdicts) {
		err = errors.New("no usable verdicts")
	}
	if err != nil {
		s.failures++
		if errors.Is(err, errTooSlow) {
			s.failures = mostFailures // it would be as slow again
		}
		s.out.Failure = err.Error()
		return nil
	}
	s.failures = 0
	return verdicts
}

func allUnjudged(verdicts []linter.Verdict) bool {
	for i := range verdicts {
		if verdicts[i].Ruling != linter.Unjudged {
			return false
		}
	}
	return true
}
