package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Line says in one line what an event means for people, "" if it means nothing
// to them. s is the state that the event led to.
func Line(e loops.Event, s *loops.State) string {
	text := words(e, s)
	if text == "" {
		return ""
	}
	return e.At.Local().Format("15:04:05") + "  " + Printable(text)
}

func words(e loops.Event, s *loops.State) string {
	switch e.Kind {
	case loops.Started:
		if s.Planning() || s.Documenting() {
			return fmt.Sprintf("run %s: %s", s.Start.Run, s.Start.Plan.Title)
		}
		text := fmt.Sprintf("run %s: %s (%s, mode %s)", s.Start.Run, or(s.Start.Plan.Title, s.Start.Plan.Name), text.Count(len(s.Start.Plan.Chunks), "chunk"), s.Start.Mode)
		return strings.Join(append([]string{text}, s.Start.Notes...), "; ")
	case loops.Began:
		if c := e.Command; c != nil {
			return begun(*c, s)
		}
	case loops.WorktreeReady:
		return fmt.Sprintf("works in %s on %s", e.Worktree.Path, e.Worktree.Branch)
	case loops.RoleEnded:
		return ended(e.Role)
	case loops.GatesEnded:
		return gates(e.Gates)
	case loops.RolledBack:
		if e.Patch != "" {
			return "rolled back; the changes are kept in " + e.Patch
		}
		return "rolled back"
	case loops.Committed:
		if len(e.Breaches) > 0 {
			return "not committed: " + e.Breaches[0].What + " changed after it was judged"
		}
		return fmt.Sprintf("committed %.12s", e.Commit)
	case loops.Asked:
		return "waiting for approval: " + e.Why
	case loops.Proposed:
		return "proposes " + strings.Join(e.Files, ", ")
	case loops.PutAside:
		if len(e.Files) == 0 {
			return ""
		}
		return "only proposed, as people changed it: " + strings.Join(e.Files, ", ") + "; proposed in " + e.Patch
	case loops.Withdrawn:
		text := "removed the proposed plans"
		if len(e.Files) > 0 {
			text += ", except " + strings.Join(e.Files, ", ")
		}
		return text
	case loops.Discarded:
		return "nothing is published; its changes are kept in " + e.Patch
	case loops.Published:
		return "opened " + e.PullRequest
	case loops.Broken:
		return "failed: " + e.Fault.Message
	case loops.Answered:
		word := "rejected"
		if e.Answer.Approve {
			word = "approved"
		}
		return word + " by " + e.Answer.By
	case loops.StopAsked:
		return "stopped: " + e.Why
	case loops.Resumed:
		return "resumed"
	case loops.Noted:
		return "note: " + e.Why
	case loops.Finished, loops.Parked:
		return strings.TrimSpace(fmt.Sprintf("%s  %s", e.Status, e.Why))
	}
	return ""
}

// begun returns what a command does.
func begun(c loops.Command, s *loops.State) string {
	where := place(c, s)
	switch c.Kind {
	case loops.RunRole:
		cast, _ := s.Start.Cast(c)
		who := strings.TrimSpace(cast.Agent + " " + cast.Model)
		return fmt.Sprintf("%s: %s (%s) started", where, c.Caller(), who)
	case loops.RunGates:
		return fmt.Sprintf("%s: gates, %s", where, strings.TrimSpace(string(c.Stage)+" "+c.Part))
	case loops.WaitUntil:
		return fmt.Sprintf("%s, until %s", c.Why, c.Until.Local().Format(time.DateTime))
	}
	return ""
}

// place returns where in its plan a run is.
func place(c loops.Command, s *loops.State) string {
	switch {
	case s.Documenting():
		return "pages"
	case c.Chunk < 0:
		return "plan"
	}
	if s.Declares() {
		return fmt.Sprintf("iteration %d", c.Attempt)
	}
	return fmt.Sprintf("chunk %s, attempt %d", s.Start.Plan.Chunks[c.Chunk].ID, c.Attempt)
}

func ended(r *loops.RoleResult) string {
	if r.Report.Usage.Cost == loops.CostNone {
		return "  not called: " + r.Report.Summary
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  %s after %v", r.Report.Outcome, time.Duration(r.Exit.Took).Round(time.Second))
	if v := r.Report.Verdict; v != nil {
		fmt.Fprintf(&b, ": %s", v.Decision)
	}
	if n := len(r.Changes); n > 0 {
		b.WriteString(", " + text.Count(n, "file") + " changed")
	}
	fmt.Fprintf(&b, ", $%.2f", r.Report.Usage.USD)
	if r.Report.Usage.Cost == loops.CostEstimated {
		b.WriteString(" (estimated)")
	}
	if len(r.Breaches) > 0 {
		fmt.Fprintf(&b, "; touched %s", r.Breaches[0].What)
	}
	if r.Report.Detail != "" {
		fmt.Fprintf(&b, "; %s", oneLine(r.Report.Detail))
	}
	return b.String()
}

func gates(results []loops.GateResult) string {
	worst := loops.Worst(results)
	if worst <= loops.Note {
		return "  " + text.Count(len(results), "gate") + " passed"
	}
	var bad []string
	for _, r := range results {
		if r.Effect > loops.Note {
			text := r.Gate + " " + r.Effect.String()
			if len(r.Reason) > 0 {
				text += ": " + oneLine(r.Reason[0].String())
			}
			bad = append(bad, text)
		}
	}
	return "  " + strings.Join(bad, "; ")
}

func oneLine(s string) string {
	s = text.Collapse(s)
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}

// Now says in one line what a run does at this moment: where it is, for how
// long, and what is spent and left.
func Now(s *loops.State, at time.Time) string {
	var b strings.Builder
	doing := string(s.Phase)
	if len(s.Pending) > 0 {
		c := s.Pending[0].Command
		doing = place(c, s)
		if c.Role != "" {
			doing += ", " + c.Caller()
		} else {
			doing += ", " + string(c.Kind)
		}
	}
	fmt.Fprintf(&b, "%s  %v", doing, at.Sub(s.Last).Round(time.Second))
	fmt.Fprintf(&b, "  $%.2f spent", s.Spend.USD)
	if limit := s.Start.Limits.Budget.USD; limit > 0 {
		fmt.Fprintf(&b, ", $%.2f left", max(0, limit-s.Spend.USD))
	}
	return b.String()
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// NextStep returns what a person can do next about a run, "" if nothing.
func NextStep(r schema.RunSummary) string {
	switch loops.Status(r.Status) {
	case loops.Waiting:
		if !r.WaitingUntil.IsZero() {
			return "resume after " + r.WaitingUntil.Local().Format(time.DateTime) + ": wiki loop resume " + r.ID
		}
		if loops.Proposes(r) {
			return "read the plans; then carry them out with wiki loop approve " + r.ID + ", or remove them with wiki loop reject " + r.ID
		}
		return "decide: wiki loop show " + r.ID + ", then wiki loop approve " + r.ID + ", or reject it"
	case loops.Interrupted:
		return "resume it: wiki loop resume " + r.ID
	case loops.GoalMet:
		if r.Loop == loops.PlanLoop || r.Branch == "" {
			return ""
		}
		return "review it: git diff HEAD..." + r.Branch + "; wiki loop approve " + r.ID + " accepts it"
	case loops.Stopped, loops.GoalNotMet, loops.OverBudget:
		return "see why: wiki loop show " + r.ID
	}
	return ""
}
