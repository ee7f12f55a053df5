package mode

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// What a step is earned by, and lost by.
const (
	// Window is how many of the latest runs are looked at.
	Window = 10
	// Enough is how many runs people have to have judged.
	Enough = 5
	// Share is how much of them they have to have accepted.
	Share = 0.8
	// TooMany is how many rejected runs in the window are a step back.
	TooMany = 2
)

// Word is what a person made of a run.
type Word string

// The words. A run of which nobody said anything has none.
const (
	Accepted Word = "accepted"
	Rejected Word = "rejected"
)

// Run is a run as it counts for the score.
type Run struct {
	ID      string
	Loop    string
	Mode    loops.Mode
	Status  loops.Status
	Began   time.Time
	USD     float64
	Classes []string // of its incidents
	Word    Word
}

// counts reports whether a run says anything of its loop: one that goes on does
// not, nor does one that lacked something that it needs.
func (r *Run) counts() bool { return r.Status.Over() && r.Status != loops.NoGround }

// word returns what became of a run. One that a person ended by a rejection while it
// waited is rejected; no word of later takes a failure back.
func (r *Run) word() (w Word, failed bool) {
	switch {
	case r.Status == loops.Rejected, r.Word == Rejected:
		return Rejected, false
	case r.Status != loops.GoalMet:
		return "", true
	}
	return r.Word, false
}

// grave are the classes of incidents after which a loop goes a step back.
var grave = []string{loops.ClassScope, loops.ClassTampering, loops.ClassContainment}

// incident returns the class of a run's grave incident, "" if it had none.
func (r *Run) incident() string {
	if at := slices.IndexFunc(r.Classes, func(c string) bool { return slices.Contains(grave, c) }); at >= 0 {
		return r.Classes[at]
	}
	return ""
}

// Score sums up runs of one loop in one mode.
func Score(loop string, m loops.Mode, runs []Run) schema.LoopScore {
	s := schema.LoopScore{Loop: loop, Mode: string(m)}
	var judged float64
	for i := range runs {
		r := &runs[i]
		if r.Loop != loop || r.Mode != m || !r.counts() {
			continue
		}
		s.Runs++
		s.USD += r.USD
		judged += r.USD
		if r.incident() != "" {
			s.Incidents++
		}
		switch w, failed := r.word(); {
		case failed:
			s.Failed++
		case w == Accepted:
			s.Accepted++
		case w == Rejected:
			s.Rejected++
		default:
			s.Open++
			judged -= r.USD
		}
	}
	if n := s.Runs - s.Open; n > 0 {
		s.AcceptRate = float64(s.Accepted) / float64(n)
	}
	if s.Accepted > 0 {
		s.USDPerAccepted = judged / float64(s.Accepted)
	}
	return s
}

// Scores sums up all runs by loop and mode, in the order of their names and of
// the modes.
func Scores(runs []Run) []schema.LoopScore {
	out := []schema.LoopScore{}
	for _, loop := range loopsOf(runs) {
		for _, m := range Modes() {
			if s := Score(loop, m, runs); s.Runs > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

func loopsOf(runs []Run) []string {
	var out []string
	for i := range runs {
		out = append(out, runs[i].Loop)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// latest returns the last runs of a loop in some modes that count, at most [Window],
// that began after its last step.
func latest(st State, runs []Run, in ...loops.Mode) []Run {
	var out []Run
	for _, r := range runs {
		if r.Loop == st.Loop && slices.Contains(in, r.Mode) && r.counts() && r.Began.After(st.Since) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Run) int { return a.Began.Compare(b.Began) })
	return out[max(0, len(out)-Window):]
}

// Earning returns the step that a loop's next grant is earned in: its own, or shadow if
// nobody ever granted it a mode. next is "" after the last mode.
func Earning(st State) (in State, next loops.Mode) {
	if !st.Granted {
		st = State{Loop: st.Loop, Mode: loops.Shadow}
	}
	return st, Next(st.Mode)
}

// Recent returns the score that the next grant is earned by.
func Recent(st State, runs []Run) schema.LoopScore {
	st, _ = Earning(st)
	return Score(st.Loop, st.Mode, latest(st, runs, st.Mode))
}

// Missing returns what there has to be before a person may grant a mode to a loop;
// nothing if it is earned. A step down needs nothing. limit is the most that an
// accepted change may cost in USD, 0 for any.
func Missing(st State, to loops.Mode, runs []Run, limit float64) []string {
	in, next := Earning(st)
	switch {
	case Rank(to) <= Rank(loops.Shadow), st.Granted && Rank(to) <= Rank(st.Mode):
		return []string{}
	case to != next:
		return []string{fmt.Sprintf("%s must be granted first", Before(to))}
	}
	return unearned(in, runs, limit)
}

// unearned returns what the runs in a mode lack for the next one.
func unearned(st State, runs []Run, limit float64) []string {
	out := []string{}
	s := Score(st.Loop, st.Mode, latest(st, runs, st.Mode))
	judged := s.Runs - s.Open
	if judged < Enough {
		text := fmt.Sprintf("%d judged runs in %s: there are %d", Enough, st.Mode, judged)
		if s.Open > 0 {
			text += fmt.Sprintf(", and %d not judged", s.Open)
		}
		out = append(out, text)
	}
	if judged > 0 && s.AcceptRate < Share {
		out = append(out, fmt.Sprintf("%.0f %% of them accepted: it is %.0f %%", 100*Share, 100*s.AcceptRate))
	}
	if s.Incidents > 0 {
		out = append(out, fmt.Sprintf("no incident of %s among the last %d: there are %d", strings.Join(grave, ", "), Window, s.Incidents))
	}
	if why := costly(s, limit); why != "" {
		out = append(out, why)
	}
	return out
}

func costly(s schema.LoopScore, limit float64) string {
	if limit <= 0 || s.Runs-s.Open < Enough {
		return ""
	}
	switch {
	case s.Accepted == 0:
		return fmt.Sprintf("$%.2f spent without an accepted change; the limit is $%.2f", s.USD, limit)
	case s.USDPerAccepted > limit:
		return fmt.Sprintf("an accepted change costs $%.2f; the limit is $%.2f", s.USDPerAccepted, limit)
	}
	return ""
}

// together returns the score of runs of a loop, whatever their modes.
func together(st State, runs []Run) schema.LoopScore {
	runs = slices.Clone(runs)
	for i := range runs {
		runs[i].Mode = st.Mode
	}
	return Score(st.Loop, st.Mode, runs)
}

// Due reports why a loop has to go a step back now, "" if it need not. In shadow
// nothing is published, and rejections are what it is for: there only a grave
// incident is a reason, and below shadow there is no step.
func Due(st State, runs []Run, limit float64) string {
	if st.Mode == loops.Manual {
		return ""
	}
	last := latest(st, runs, Modes()...)
	for i := range last {
		if class := last[i].incident(); class != "" {
			return fmt.Sprintf("run %s had an incident (%s)", last[i].ID, class)
		}
	}
	if st.Mode == loops.Shadow {
		return ""
	}
	last = latest(st, runs, loops.Manual, loops.Draft, loops.Autonomous)
	var no []string
	for i := range last {
		if w, _ := last[i].word(); w == Rejected {
			no = append(no, last[i].ID)
		}
	}
	if len(no) >= TooMany {
		return fmt.Sprintf("%d of the last %d runs were rejected: %s", len(no), len(last), strings.Join(no, ", "))
	}
	return costly(together(st, last), limit)
}
