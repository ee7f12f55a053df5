package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Trend sums up the runs of a repository.
type Trend struct {
	Version int            `json:"version"`
	Runs    int            `json:"runs"`
	Status  map[string]int `json:"status"`
	USD     float64        `json:"usd"`
	Tokens  int64          `json:"tokens"`
	Calls   int            `json:"calls"`
	// Chunks counts those that were committed; PerChunk is what one cost, in USD.
	Chunks   int     `json:"chunks"`
	PerChunk float64 `json:"usd_per_chunk"`
	// Verdicts counts what checkers said; the rate is of rejections among them.
	Verdicts      int            `json:"verdicts"`
	Rejections    int            `json:"rejections"`
	RejectionRate float64        `json:"rejection_rate"`
	Incidents     map[string]int `json:"incidents"`
	// Roles are the rejections by each role that judges.
	Roles map[string]RoleVerdicts `json:"roles"`
	// Loops say what people made of the runs, by loop and mode.
	Loops []schema.LoopScore `json:"loops"`
	// LES sums up the scores of the finished runs.
	LES Scores `json:"les"`
}

// Scores are those of several runs, from 0 to 100.
type Scores struct {
	Runs int     `json:"runs"`
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// RoleVerdicts counts what a role said, and how much of it was no.
type RoleVerdicts struct {
	Verdicts      int     `json:"verdicts"`
	Rejections    int     `json:"rejections"`
	RejectionRate float64 `json:"rejection_rate"`
}

// Trend sums up all runs.
func (s *Store) Trend(alive func(plan string) bool) (Trend, error) {
	t := Trend{Version: 1, Status: make(map[string]int), Incidents: make(map[string]int), Roles: make(map[string]RoleVerdicts), Loops: []schema.LoopScore{}}
	ids, err := s.IDs()
	if err != nil {
		return t, err
	}
	for _, id := range ids {
		st, events, err := s.Read(id)
		if err != nil || st.Status == "" {
			continue
		}
		sum := Summary(st, alive)
		t.Runs++
		t.Status[sum.Status]++
		t.USD += sum.Spend.USD
		t.Tokens += sum.Spend.Tokens
		t.Calls += sum.Spend.Calls
		for _, c := range sum.Chunks {
			if c.Status == string(loops.ChunkDone) {
				t.Chunks++
			}
		}
		for _, i := range sum.Incidents {
			t.Incidents[i.Class]++
		}
		given, rejected := verdicts(events)
		t.Verdicts += given
		t.Rejections += rejected
		t.byRole(events)
	}
	if t.Chunks > 0 {
		t.PerChunk = t.USD / float64(t.Chunks)
	}
	if t.Verdicts > 0 {
		t.RejectionRate = float64(t.Rejections) / float64(t.Verdicts)
	}
	return t, nil
}

// byRole adds what the roles of a run that judge said.
func (t *Trend) byRole(events []loops.Event) {
	role := make(map[string]loops.Role)
	for _, e := range events {
		if e.Kind == loops.Began && e.Command != nil {
			role[e.Key] = e.Command.Role
		}
		if e.Role == nil || e.Role.Report.Verdict == nil || role[e.Key] == "" {
			continue
		}
		v := e.Role.Report.Verdict
		sum := t.Roles[string(role[e.Key])]
		sum.Verdicts++
		if !v.Approves() && v.Decision != loops.Met {
			sum.Rejections++
		}
		sum.RejectionRate = float64(sum.Rejections) / float64(sum.Verdicts)
		t.Roles[string(role[e.Key])] = sum
	}
}

// verdicts counts what checkers said in a run, and how much of it was no.
func verdicts(events []loops.Event) (given, rejected int) {
	for _, e := range events {
		if e.Role == nil || e.Role.Report.Verdict == nil {
			continue
		}
		switch v := e.Role.Report.Verdict; {
		case v.Approves():
			given++
		case v.Decision == loops.Approve, v.Decision == loops.Reject:
			given++
			rejected++
		}
	}
	return given, rejected
}

// TrendText returns a trend as people read it.
func TrendText(t Trend) string {
	var b strings.Builder
	text.Fprintf(&b, "runs        %d%s\n", t.Runs, counts(t.Status))
	text.Fprintf(&b, "spent       $%.2f, %s, %s of agents\n", t.USD, text.Count(int(t.Tokens), "token"), text.Count(t.Calls, "call"))
	text.Fprintf(&b, "committed   %s, $%.2f each\n", text.Count(t.Chunks, "chunk"), t.PerChunk)
	text.Fprintf(&b, "rejected    %d of %d verdicts, %.0f %%", t.Rejections, t.Verdicts, 100*t.RejectionRate)
	if t.Verdicts >= 10 && t.RejectionRate < 0.05 {
		b.WriteString("; the checker approves nearly everything")
	}
	text.Fprintf(&b, "\nincidents   %s\n", strings.TrimPrefix(counts(t.Incidents), ": "))
	if t.LES.Runs > 0 {
		text.Fprintf(&b, "LES         %.1f on average, from %.1f to %.1f, over %s\n", t.LES.Mean, t.LES.Min, t.LES.Max, text.Count(t.LES.Runs, "run"))
	}
	for _, s := range t.Loops {
		text.Fprintf(&b, "score       %s %s: %d accepted, %d rejected, %d failed, %d open; %.0f %%, $%.2f per accepted change\n",
			s.Loop, s.Mode, s.Accepted, s.Rejected, s.Failed, s.Open, 100*s.AcceptRate, s.USDPerAccepted)
	}
	return b.String()
}

func counts(m map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	if len(parts) == 0 {
		return ": none"
	}
	return ": " + strings.Join(parts, ", ")
}
