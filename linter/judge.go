package linter

import (
	"context"
	"slices"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Judge decides what the rules can't: whether two statements of which it is
// in doubt can both hold. It never fails; what it could not decide it says in its
// [Judgement], and everything else that the linter finds is the same with it and
// without it.
type Judge interface {
	Judge(ctx context.Context, doubts []schema.Doubt) Judgement
}

// Judgement is the result of doubts.
type Judgement struct {
	Verdicts []Verdict // of the doubts, in their order
	// Failure says in a few words why some doubts have no verdict although they
	// were to get one; empty when nothing failed.
	Failure string
}

// Pending returns how many doubts have no verdict.
func (j *Judgement) Pending() int {
	n := 0
	for i := range j.Verdicts {
		if j.Verdicts[i].Ruling == Unjudged {
			n++
		}
	}
	return n
}

// Ruling is a judge's decision on two claims.
type Ruling uint8

// The rulings.
const (
	Unjudged      Ruling = iota
	Compatible           // about one thing, and both can hold
	Unrelated            // not about the same thing
	Unclear              // it can't tell, or gave two answers when it was asked twice
	Contradictory        // they can't both hold
)

// Verdict is a ruling, and what it rests on.
type Verdict struct {
	Ruling Ruling
	By     string // the judge, such as the name of a model
	// Quotes are the words on which the ruling is based, copied from the two claims
	// except for white space.
	Quotes [2]string
	Reason string // one line
}

// Docket is the judge's questions and answers in a run.
type Docket struct {
	Doubts []schema.Doubt
	Judgement
}

// Docket returns what the judge of this run was asked, and what it answered; nil
// when there is no judge. It is asked once per run.
func (p *Pass) Docket() *Docket {
	if p.docket == nil {
		return nil
	}
	return p.docket()
}

// newDocket asks the judge on first use. Pages with secrets, and pages excluded by the
// configuration, are not sent.
func newDocket(ctx context.Context, w *compiler.Wiki, judge Judge, passes []*Pass) func() *Docket {
	return sync.OnceValue(func() *Docket {
		exclude := w.Config().Judge.Exclude
		secrets := map[string][]schema.Span{}
		for _, p := range passes {
			if !p.Rule.FindsSecrets || p.Rule.Check != nil { // what it finds on the wiki as a whole is not all there yet
				continue
			}
			for i := range p.found {
				if f := &p.found[i]; f.Secret {
					secrets[f.Path] = append(secrets[f.Path], f.Span)
				}
			}
		}
		hidden := func(c *schema.Claim) bool {
			return slices.ContainsFunc(secrets[c.Path], func(s schema.Span) bool { return s.Start < c.Span.End && c.Span.Start < s.End }) ||
				slices.ContainsFunc(exclude, func(glob string) bool { return doublestar.MatchUnvalidated(glob, c.Path) })
		}
		d := &Docket{}
		for _, doubt := range passes[0].Conflicts().Doubts {
			if !hidden(&doubt.A) && !hidden(&doubt.B) {
				d.Doubts = append(d.Doubts, doubt)
			}
		}
		d.Judgement = judge.Judge(ctx, d.Doubts)
		if len(d.Verdicts) != len(d.Doubts) {
			d.Verdicts = make([]Verdict, len(d.Doubts))
		}
		return d
	})
}

// undecided reports whether the rule says what a judge found, and the judge has
// not decided everything.
func (p *Pass) undecided() bool {
	if !p.Rule.NeedsJudge || p.Rule.Notice {
		return false
	}
	d := p.Docket()
	return d == nil || d.Pending() > 0
}
