package modes

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/mode"
)

// NotGrantedError is a mode that was asked for and that nobody granted.
type NotGrantedError struct {
	Loop        string
	Mode, Given loops.Mode
	Why         string
	Missing     []string
}

func (e *NotGrantedError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message.
func (e *NotGrantedError) Lines() []string {
	text := fmt.Sprintf("%s may not run in %s mode: it is granted %s", e.Loop, e.Mode, e.Given)
	if e.Why != "" {
		text += ", " + e.Why
	}
	return append([]string{text}, missingLines(e.Missing)...)
}

func missingLines(missing []string) []string {
	var lines []string
	for _, m := range missing {
		lines = append(lines, "  missing: "+m)
	}
	return lines
}

// Hint returns what to do.
func (e *NotGrantedError) Hint() string {
	if len(e.Missing) > 0 {
		return "see the score with 'wiki loop mode'; without --mode it runs in " + string(e.Given)
	}
	return fmt.Sprintf("a person can grant it: wiki loop grant %s %s --by NAME --reason TEXT", e.Loop, e.Mode)
}

// Mode says in which mode a loop runs: what was asked for, else what is written in
// its spec, else what wiki.yaml says, else draft. What files ask for beyond what is
// granted is cut down to that, and said; what a command line asks for is refused.
func (m *Modes) Mode(ctx context.Context, loop, asked, written string) (in loops.Mode, notes []string, err error) {
	in = loops.Mode(cmp.Or(asked, written, m.Config.Mode, string(loops.Draft)))
	if loop == loops.PlanLoop || mode.Rank(in) <= mode.Rank(loops.Manual) {
		return in, nil, nil
	}
	l, err := m.ledger(ctx)
	if err != nil {
		return in, nil, err
	}
	st := l.of(loop, m.Config.Budget.ChangeUSD)
	if mode.Rank(in) <= mode.Rank(st.Mode) {
		return in, nil, nil
	}
	why := ""
	switch {
	case st.Last.Back:
		why = "since its demotion: " + st.Last.Reason
	case st.Pending:
		why = "and the grant in " + mode.File + " is not committed"
	}
	if asked == "" {
		note := fmt.Sprintf("it runs in %s, not in %s, which is not granted", st.Mode, in)
		if why != "" {
			note += ", " + strings.TrimPrefix(why, "and ")
		}
		return st.Mode, []string{note}, nil
	}
	missing := mode.Missing(st, in, l.runs, m.Config.Budget.ChangeUSD)
	if st.Pending {
		missing = nil
	}
	return in, nil, &NotGrantedError{Loop: loop, Mode: in, Given: st.Mode, Why: why, Missing: missing}
}
