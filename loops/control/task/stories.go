package task

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// iteration is one call of the maker, and what became of it.
type iteration struct {
	n, chunk  int // from 1; the chunk's index, -1 for the plan as a whole
	at        time.Time
	role      *loops.RoleResult
	gates     []loops.GateResult
	verdict   *loops.Verdict
	verdictAt time.Time
	commit    string
	over      bool // nothing more will become of it
}

// iterations reads a journal as the users of task files do.
func iterations(events []loops.Event) []*iteration {
	var out []*iteration
	var s loops.State
	commands := make(map[string]loops.Command)
	last := func() *iteration {
		if len(out) == 0 {
			return &iteration{}
		}
		return out[len(out)-1]
	}
	for _, e := range events {
		if e.Kind == loops.Began && e.Command != nil {
			commands[e.Key] = *e.Command
		}
		c := commands[e.Key]
		s, _ = loops.Step(s, e)
		switch {
		case e.Kind == loops.Began && c.Kind == loops.RunRole && c.Role == loops.Maker, e.Kind == loops.Finished:
			last().over = true
		case e.Role != nil && c.Role == loops.Maker:
			out = append(out, &iteration{n: s.Iterations, chunk: c.Chunk, at: e.At, role: e.Role})
		case e.Role != nil && c.Role == loops.Checker && e.Role.Report.Verdict != nil:
			last().verdict, last().verdictAt = e.Role.Report.Verdict, e.At
		case e.Kind == loops.GatesEnded && c.Stage == loops.StageChunk:
			last().gates = e.Gates
		case e.Kind == loops.Committed && e.Commit != "" && c.Chunk >= 0 && len(e.Breaches) == 0:
			last().commit, last().over = e.Commit, true
		}
	}
	return out
}

// failure reports why an iteration came to nothing, "" if it did not.
func (it *iteration) failure() string {
	if it.commit != "" {
		return ""
	}
	for _, g := range it.gates {
		if g.Effect >= loops.Red {
			return strings.TrimSpace("gate " + g.Gate + ":\n" + reasons(g.Reason) + g.Output)
		}
	}
	r := it.role.Report
	switch {
	case it.verdict != nil && !it.verdict.Approves():
		return "the checker rejects:\n" + reasons(it.verdict.Reasons)
	case r.Outcome != loops.OK && r.Outcome != loops.NoChange:
		return strings.TrimSpace(fmt.Sprintf("the agent ended: %s\n%s", r.Outcome, r.Detail))
	case len(it.role.Changes) == 0:
		return "the agent changed nothing"
	}
	return "not committed"
}

func reasons(all []loops.Reason) string {
	var b strings.Builder
	for _, r := range all {
		switch {
		case r.Path == "":
		case r.Line == 0:
			b.WriteString(r.Path + ": ")
		default:
			fmt.Fprintf(&b, "%s:%d: ", r.Path, r.Line)
		}
		b.WriteString(r.Message + "\n")
	}
	return b.String()
}

// mostFiles is how many files an entry of the progress names.
const mostFiles = 20

// entry returns an iteration as progress.md tells it.
func (it *iteration) entry(p *loops.Plan) plan.ProgressEntry {
	work := p.Work(it.chunk)
	e := plan.ProgressEntry{Iteration: it.n, At: it.at, Story: work.ID, What: it.role.Report.Summary, Failure: it.failure()}
	for _, c := range it.role.Changes {
		if len(e.Files) == mostFiles {
			e.Files = append(e.Files, fmt.Sprintf("and %d more", len(it.role.Changes)-mostFiles))
			break
		}
		e.Files = append(e.Files, c.Path)
	}
	at := slices.IndexFunc(it.gates, func(g loops.GateResult) bool { return g.Gate == "verify" })
	for _, command := range work.Verify {
		if at < 0 {
			break // they were not run
		}
		red := it.gates[at].Effect >= loops.Red && len(it.gates[at].Reason) > 0 && strings.HasPrefix(it.gates[at].Reason[0].Message, command+":")
		e.Verification = append(e.Verification, plan.Verified{Command: command, OK: !red})
		if red {
			break // later commands did not run
		}
	}
	if said := it.role.Report.Story; said != "" && said != work.ID {
		e.Learnings = append(e.Learnings, fmt.Sprintf("the agent reported %s as done, but was working on %s; only the gates decide what is done", said, work.ID))
	}
	return e
}

// mostNote is how many bytes of a rejection a story's notes take: they are part of
// every prompt that follows.
const mostNote = 1500

// note returns what an evaluator's rejection leaves in the story, "" if there is none.
func (it *iteration) note() string {
	if it.verdict == nil || it.verdict.Approves() {
		return ""
	}
	text := strings.TrimSpace(reasons(it.verdict.Reasons))
	if text == "" {
		text = "no reason given"
	}
	if len(text) > mostNote {
		text = strings.ToValidUTF8(text[:mostNote], "") + "…"
	}
	return fmt.Sprintf("iteration %d, %s: %s", it.n, it.verdictAt.UTC().Format(time.RFC3339), strings.ReplaceAll(text, "\n", "; "))
}
