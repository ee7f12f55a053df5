package schema

import (
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	day := Moment{Time: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Day: true}
	for _, c := range []struct {
		name  string
		was   FreshnessState
		of    Watched
		state FreshnessState
	}{
		{"never verified", FreshUnverified, Watched{}, FreshUnverified},
		{"as it was", FreshUnverified, Watched{Since: day, Symbols: 3}, FreshVerified},
		{"edited since", FreshUnverified, Watched{Since: day, Symbols: 3, Edited: true}, FreshUnverified},
		{"edited since, and verified by hand", FreshVerified, Watched{Since: day, Symbols: 3, Edited: true}, FreshVerified},
		{"code changed", FreshVerified, Watched{Since: day, Symbols: 3, Changed: 1}, FreshUnverified},
		{"declaration changed", FreshVerified, Watched{Since: day, Symbols: 3, Changed: 1, Notes: []WatchNote{{Name: "Listen", Code: "func Listen()"}}}, FreshUnverified},
		{"stale value", FreshVerified, Watched{Since: day, Symbols: 3, Changed: 1, Notes: []WatchNote{{Name: "Max", Says: "10"}}}, FreshStale},
		{"superseded anyway", FreshSuperseded, Watched{Since: day, Symbols: 3}, FreshSuperseded},
	} {
		if got := (Freshness{State: c.was}).Watch(c.of); got.State != c.state || got.Watched.Symbols != c.of.Symbols {
			t.Errorf("%s: %s with %d, want %s with %d", c.name, got.State, got.Watched.Symbols, c.state, c.of.Symbols)
		}
	}
}
