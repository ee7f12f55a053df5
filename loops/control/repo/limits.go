package repo

import (
	"cmp"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/schema"
)

// Timeouts returns the configured ones.
func (r *Repo) Timeouts() loops.Timeouts {
	c, d := r.Config.Timeouts, loops.DefaultTimeouts()
	or := func(t schema.Timespan, d loops.Duration) loops.Duration {
		return loops.Duration(t.Or(time.Duration(d)))
	}
	return loops.Timeouts{Progress: or(c.Progress, d.Progress), Silence: or(c.Silence, d.Silence), Wall: or(c.Wall, d.Wall), Gate: or(c.Gate, d.Gate), Grace: or(c.Grace, d.Grace)}
}

// Limits returns the configured ones.
func (r *Repo) Limits() loops.Limits { return r.LimitsOver(loops.DefaultLimits()) }

// LimitsOver returns the configured ones, over those of who says nothing.
func (r *Repo) LimitsOver(l loops.Limits) loops.Limits {
	c := r.Config.Budget
	l.Budget.USD = cmp.Or(c.USD, l.Budget.USD)
	l.Budget.Tokens = cmp.Or(c.Tokens, l.Budget.Tokens)
	l.Budget.Iterations = cmp.Or(c.Iterations, l.Budget.Iterations)
	l.Budget.PullRequests = cmp.Or(c.PullRequests, l.Budget.PullRequests)
	l.Budget.DayUSD, l.Budget.ChunkUSD, l.Budget.ToolCalls = c.DayUSD, c.ChunkUSD, c.ToolCalls
	l.Budget.Clock = cmp.Or(loops.Duration(c.Clock), l.Budget.Clock)
	l.Attempts = cmp.Or(c.Attempts, l.Attempts)
	l.Backoff = loops.Duration(r.Config.Timeouts.Backoff.Or(time.Duration(l.Backoff)))
	l.EstimateUSD = cmp.Or(r.Config.Estimate.USDPerCall, l.EstimateUSD)
	l.Budget.RoleUSD = make(map[loops.Role]float64)
	for role, r := range r.Config.Roles {
		if r.USD > 0 {
			l.Budget.RoleUSD[loops.Role(role)] = r.USD
		}
	}
	return l
}

// LimitsOf returns the limits of a run of a loop: a built-in spec's below the configured ones,
// another's above them.
func (r *Repo) LimitsOf(l *Loop) loops.Limits {
	if l.Builtin {
		return r.LimitsOver(l.Spec.Limits(loops.DefaultLimits()))
	}
	return l.Spec.Limits(r.Limits())
}

// Prices returns the vendors' and, over them, the configured ones.
func (r *Repo) Prices() agent.Prices {
	all := agent.DefaultPrices()
	for model, price := range r.Config.Prices {
		all[model] = agent.Price{Input: price.Input, Output: price.Output}
	}
	return all
}

// RoleTimeouts returns the configured ones, by role.
func (r *Repo) RoleTimeouts() map[loops.Role]time.Duration {
	out := make(map[loops.Role]time.Duration)
	for role, r := range r.Config.Roles {
		if r.Timeout > 0 {
			out[loops.Role(role)] = time.Duration(r.Timeout)
		}
	}
	return out
}
