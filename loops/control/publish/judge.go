package publish

import (
	"context"
	"fmt"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
)

// NotMetError is a run that nobody can approve.
type NotMetError struct {
	ID     string
	Status loops.Status
}

func (e *NotMetError) Error() string {
	return fmt.Sprintf("run %s failed (%s); nothing to approve", e.ID, e.Status)
}

// Hint returns what to do.
func (e *NotMetError) Hint() string { return "see 'wiki loop show " + e.ID + "' for the reason" }

// Judge writes down what a person made of a run that is over. What is approved
// of a run in draft is published; its address is returned, "" if there is none. An
// *UnpublishedError says why not, and the judgement stands nevertheless.
func (p *Publisher) Judge(ctx context.Context, id string, a *loops.Answer) (url string, err error) {
	s, _, err := p.Store.Read(id)
	if err != nil {
		return "", err
	}
	if a.Approve && s.Status != loops.GoalMet {
		return "", &NotMetError{id, s.Status}
	}
	old, err := p.Store.Judgement(id)
	if err != nil {
		return "", err
	}
	j := run.Judgement{Accept: a.Approve, By: a.By, Reason: a.Reason, At: p.Now().UTC(), PullRequest: s.PullRequest}
	if old != nil && old.PullRequest != "" {
		j.PullRequest = old.PullRequest
	}
	if err := p.Store.Judge(id, j); err != nil {
		return "", err
	}
	if !a.Approve || j.PullRequest != "" || s.Start.Mode != loops.Draft && s.Start.Mode != loops.Autonomous {
		return j.PullRequest, nil
	}
	if j.PullRequest, err = p.publish(ctx, &s); err != nil {
		return "", err
	}
	return j.PullRequest, p.Store.Judge(id, j)
}

// Published reports whether the last run of a plan opened a pull request by itself.
func (p *Publisher) Published(plan string) bool {
	last, ok := p.Latest(plan)
	if !ok {
		return false
	}
	s, _, err := p.Store.Read(last.ID)
	return err == nil && s.Start.Mode == loops.Autonomous && s.PullRequest != ""
}
