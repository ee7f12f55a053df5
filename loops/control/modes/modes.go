// Package modes decides the mode of a loop, from manual to autonomous: by the grants that
// people committed, and by their judgements of its runs. A loop is demoted automatically; only
// a person promotes it.
package modes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/mode"
	"github.com/loopwiki/wiki/schema"
)

// Modes says how far the loops of a repository may go.
type Modes struct{ *repo.Repo }

// New reads what is granted to the loops of a repository.
func New(r *repo.Repo) *Modes { return &Modes{r} }

// ledger is what it is decided by how far loops may go: the records, and the runs
// with what people made of them.
type ledger struct {
	src             []byte // of the file as it lies there
	committed, here []mode.Record
	runs            []mode.Run
	open            map[string][]schema.LoopOpen // by loop, the oldest first
}

// ledger reads it. What a person's commits say of runs is looked for and written
// down, for the latest of those of which nobody has said anything.
func (m *Modes) ledger(ctx context.Context) (*ledger, error) {
	l, err := m.records(ctx)
	if err != nil {
		return nil, err
	}
	return l, m.readRuns(ctx, l)
}

// records returns a ledger without its runs, which take long to read when there are many.
func (m *Modes) records(ctx context.Context) (*ledger, error) {
	l := &ledger{open: make(map[string][]schema.LoopOpen)}
	var err error
	if l.src, err = files.Read(m.Root, mode.File, files.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(l.src) > 0 {
		if l.here, err = mode.Parse(l.src); err != nil {
			return nil, err
		}
	}
	l.committed, err = m.committedRecords(ctx)
	return l, err
}

// SteppedBack says in a line each which loops went a step back.
func (m *Modes) SteppedBack(ctx context.Context) (lines []string, err error) {
	if _, err := os.Lstat(filepath.Join(m.Root, filepath.FromSlash(mode.File))); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nobody granted anything
	}
	l, err := m.records(ctx)
	if err != nil {
		return nil, err
	}
	for _, loop := range mode.Loops(l.committed, l.here) {
		if st := mode.Of(loop, l.committed, l.here); st.Last.Back {
			lines = append(lines, fmt.Sprintf("%s runs in %s since its demotion: %s", loop, st.Mode, st.Last.Reason))
		}
	}
	return lines, nil
}

// committedRecords are those of the last commit.
func (m *Modes) committedRecords(ctx context.Context) ([]mode.Record, error) {
	entry, err := m.Git(ctx, "rev-parse", "--verify", "--quiet", "HEAD:"+mode.File)
	if err != nil || entry == "" {
		return nil, nil // there is no commit, or none of the file
	}
	text, err := m.Git(ctx, "cat-file", "blob", entry)
	if err != nil || text == "" {
		return nil, err
	}
	return mode.Parse([]byte(text + "\n"))
}

func (m *Modes) readRuns(ctx context.Context, l *ledger) error {
	all, err := m.Summaries()
	if err != nil {
		return err
	}
	looked := make(map[string]int)
	for _, sum := range slices.Backward(all) {
		if sum.Loop == loops.PlanLoop {
			continue // a person says whether its plans are carried out
		}
		r := mode.Run{
			ID: sum.ID, Loop: sum.Loop, Mode: loops.Mode(sum.Mode), Status: loops.Status(sum.Status), Began: sum.Started, USD: sum.Spend.USD,
		}
		for _, i := range sum.Incidents {
			r.Classes = append(r.Classes, i.Class)
		}
		if err := m.readWord(ctx, l, &r, looked); err != nil {
			return err
		}
		l.runs = append(l.runs, r)
	}
	slices.Reverse(l.runs)
	for _, open := range l.open {
		slices.Reverse(open)
	}
	return nil
}

// readWord finds out what people made of a run that is met.
func (m *Modes) readWord(ctx context.Context, l *ledger, r *mode.Run, looked map[string]int) error {
	j, err := m.Store.Judgement(r.ID)
	switch {
	case err != nil:
		return err
	case j != nil && j.Accept:
		r.Word = mode.Accepted
		return nil
	case j != nil:
		r.Word = mode.Rejected
		return nil
	case r.Status != loops.GoalMet || looked[r.Loop+" "+string(r.Mode)] >= mode.Window:
		return nil
	}
	looked[r.Loop+" "+string(r.Mode)]++
	seen, share, err := m.seen(ctx, r)
	if err != nil {
		return err
	}
	if seen == nil {
		l.open[r.Loop] = append(l.open[r.Loop], schema.LoopOpen{Run: r.ID, Agreement: share})
		return nil
	}
	r.Word = mode.Accepted
	_ = m.Store.Judge(r.ID, *seen) // where nothing can be written, git is asked again
	return nil
}

// of is how far a loop may go, a step back that is due taken. limit is the most
// that an accepted change may cost, in USD.
func (l *ledger) of(loop string, limit float64) mode.State {
	st := mode.Of(loop, l.committed, l.here)
	if why := l.due(st, limit); why != "" {
		st.Last = mode.Step(st, why, time.Time{})
		st.Mode = mode.Before(st.Mode)
	}
	return st
}

// Granted is how far a loop may go now.
func (m *Modes) Granted(ctx context.Context, loop string) (mode.State, error) {
	l, err := m.ledger(ctx)
	if err != nil {
		return mode.State{}, err
	}
	return l.of(loop, m.Config.Budget.ChangeUSD), nil
}

// due reports why a loop has to go a step back, "" if it need not.
func (l *ledger) due(st mode.State, limit float64) string {
	if !st.Granted {
		return ""
	}
	return mode.Due(st, l.runs, limit)
}

// Modes says how far each loop may go that has run or that a record is about.
func (m *Modes) Modes(ctx context.Context) ([]schema.LoopMode, error) {
	l, err := m.ledger(ctx)
	if err != nil {
		return nil, err
	}
	return m.modes(l), nil
}

func (m *Modes) modes(l *ledger) []schema.LoopMode {
	names := mode.Loops(l.committed, l.here)
	for i := range l.runs {
		names = append(names, l.runs[i].Loop)
	}
	slices.Sort(names)
	out := []schema.LoopMode{}
	for _, loop := range slices.Compact(names) {
		st := l.of(loop, m.Config.Budget.ChangeUSD)
		_, next := mode.Earning(st)
		shown := schema.LoopMode{
			Loop: loop, Mode: string(st.Mode), Granted: st.Granted, Since: st.Since, By: st.Last.By, Reason: st.Last.Reason, Back: st.Last.Back, Pending: st.Pending,
			Next: string(next), Missing: []string{}, Open: append([]schema.LoopOpen{}, l.open[loop]...), Score: mode.Recent(st, l.runs),
		}
		if next != "" {
			shown.Missing = mode.Missing(st, next, l.runs, m.Config.Budget.ChangeUSD)
		}
		out = append(out, shown)
	}
	return out
}

// Scores sums up all runs by loop and mode.
func (m *Modes) Scores(ctx context.Context) ([]schema.LoopScore, error) {
	l, err := m.ledger(ctx)
	if err != nil {
		return nil, err
	}
	return mode.Scores(l.runs), nil
}

// StepBack takes the steps back that are due and writes them down, where nobody
// else does at this moment. It says in a line each what it did.
func (m *Modes) StepBack(ctx context.Context) ([]string, error) {
	if _, err := os.Lstat(filepath.Join(m.Root, filepath.FromSlash(mode.File))); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nobody granted anything
	}
	if err := m.Store.Make(); err != nil {
		return nil, err
	}
	held, _, err := contain.Lock(m.Store.Lock(".modes"), "wiki, the modes of loops")
	if busy := (*contain.Busy)(nil); errors.As(err, &busy) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = held.Release() }()
	l, err := m.ledger(ctx)
	if err != nil {
		return nil, err
	}
	var said []string
	for _, loop := range mode.Loops(l.committed, l.here) {
		st := mode.Of(loop, l.committed, l.here)
		why := l.due(st, m.Config.Budget.ChangeUSD)
		if why == "" {
			continue
		}
		r := mode.Step(st, why, m.Now())
		if l.src, err = mode.Append(l.src, r); err != nil {
			return said, err
		}
		said = append(said, fmt.Sprintf("%s is demoted from %s to %s: %s; commit %s", loop, st.Mode, r.Mode, why, mode.File))
	}
	if len(said) == 0 {
		return nil, nil
	}
	return said, files.Replace(m.Root, mode.File, l.src, 0o666)
}

// NotEarnedError is a mode that a loop has not earned.
type NotEarnedError struct {
	Loop    string
	Mode    loops.Mode
	Missing []string
}

func (e *NotEarnedError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message.
func (e *NotEarnedError) Lines() []string {
	return append([]string{fmt.Sprintf("%s has not earned %s", e.Loop, e.Mode)}, missingLines(e.Missing)...)
}

// Hint returns what to do.
func (e *NotEarnedError) Hint() string {
	return "see the score with 'wiki loop mode'; judge open runs with 'wiki loop approve RUN' and 'wiki loop reject RUN'"
}

// Grant writes down that a person grants a loop a mode, and returns the line that
// says on what. The error is a *NotEarnedError.
func (m *Modes) Grant(ctx context.Context, loop string, to loops.Mode, by, reason string) (string, error) {
	if _, err := m.StepBack(ctx); err != nil {
		return "", err
	}
	l, err := m.ledger(ctx)
	if err != nil {
		return "", err
	}
	st := l.of(loop, m.Config.Budget.ChangeUSD)
	if missing := mode.Missing(st, to, l.runs, m.Config.Budget.ChangeUSD); len(missing) > 0 {
		return "", &NotEarnedError{loop, to, missing}
	}
	text := ScoreLine(mode.Recent(st, l.runs))
	src, err := mode.Append(l.src, mode.Record{
		Loop: loop, Mode: string(to), By: by, Reason: reason, Score: text, At: m.Now().UTC().Format(time.RFC3339Nano),
	})
	if err != nil {
		return "", err
	}
	return text, files.Replace(m.Root, mode.File, src, 0o666)
}

// ScoreLine returns a score as people read it.
func ScoreLine(s schema.LoopScore) string {
	text := fmt.Sprintf("%d of %d judged runs in %s accepted", s.Accepted, s.Runs-s.Open, s.Mode)
	if s.Accepted > 0 {
		text += fmt.Sprintf(", $%.2f each", s.USDPerAccepted)
	}
	if s.Open > 0 {
		text += fmt.Sprintf("; %d open", s.Open)
	}
	return text
}
