package run

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// lost is the outcome of a call whose result nobody learnt.
const lost = "lost"

// Detail says all that is shown of a run, except for what it does now and for its
// report. sum is its summary, files are those of its folder.
func Detail(s *loops.State, events []loops.Event, sum schema.RunSummary, files []schema.RunFile) *schema.RunDetail {
	d := &schema.RunDetail{
		RunSummary: sum, Name: or(s.Start.Plan.Title, s.Start.Plan.Name), Why: or(s.End.Why, s.Question),
		Base: s.Start.Base, Head: s.Head, PullRequest: s.PullRequest, Worked: time.Duration(s.Worked), Warnings: s.Warnings,
	}
	for _, p := range s.Start.Players() {
		d.Cast = append(d.Cast, schema.RunCast{Role: p.Name, Agent: p.Agent, Model: p.Model, USD: s.RoleUSD[loops.Role(p.Name)], SameVendor: p.SameVendor})
	}
	for _, i := range s.Incidents {
		d.Stops = append(d.Stops, schema.RunStop{
			RunIncident: schema.RunIncident{ID: i.ID, Class: i.Class, Confidence: i.Confidence}, At: i.At, Why: i.Why, Meta: i.Meta,
		})
	}
	t := teller{start: &s.Start, files: files, told: make(map[string]bool), open: make(map[string]*began), parts: make(map[int]*schema.RunPart)}
	t.tell(events, sum.Status == string(loops.Running))
	for i, c := range s.Chunks {
		p := t.part(i)
		p.Status, p.Commit, p.USD = string(c.Status), c.Commit, c.USD
	}
	for _, i := range t.order {
		d.Parts = append(d.Parts, *t.parts[i])
	}
	for _, f := range files {
		if !t.told[f.Path] {
			d.Files = append(d.Files, f)
		}
	}
	return d
}

// teller sorts what happened by chunk and attempt.
type teller struct {
	start *loops.Start
	files []schema.RunFile
	told  map[string]bool   // files that a step shows
	open  map[string]*began // commands by key
	parts map[int]*schema.RunPart
	order []int
	whole int // times that the run came back to the plan as a whole
	state loops.State
}

// began is a command that was begun, and where the step of its call stands.
type began struct {
	loops.Command
	call *schema.RunCall // of a role, nil when it was answered
}

// tell adds all events. running is set while the runner is at work.
func (t *teller) tell(events []loops.Event, running bool) {
	last := loops.Command{Chunk: -1}
	for _, e := range events {
		t.state, _ = loops.Step(t.state, e)
		if e.Kind == loops.Began && e.Command != nil {
			last = *e.Command
			if b := t.open[e.Key]; b != nil && b.call != nil {
				b.call.Outcome = lost // it is made again
			}
			b := &began{Command: last}
			t.open[e.Key] = b
			if last.Kind == loops.RunRole {
				cast, _ := t.start.Cast(last)
				b.call = &schema.RunCall{Role: last.Caller(), Agent: cast.Agent, Model: cast.Model}
				t.add(last, schema.RunStep{At: e.At, Call: b.call})
			}
			continue
		}
		b, ok := t.open[e.Key]
		if !ok {
			b = &began{Command: last}
		}
		t.answer(e, b)
	}
	// What no event tells of lies in the folder of a call that goes on, or whose
	// result was lost.
	for _, key := range slices.Sorted(maps.Keys(t.open)) {
		if b := t.open[key]; b.call != nil {
			b.call.Files = t.below(t.folder(b.Command))
			if !running {
				b.call.Outcome = lost
			}
		}
	}
}

// answer adds what an event says of a command.
func (t *teller) answer(e loops.Event, b *began) {
	step := schema.RunStep{At: e.At}
	switch e.Kind {
	case loops.RoleEnded:
		if e.Role == nil {
			return
		}
		if b.call == nil {
			b.call = &schema.RunCall{Role: b.Command.Caller()}
			t.add(b.Command, schema.RunStep{At: e.At, Call: b.call})
		}
		t.call(b.call, b.Role, e.Role)
		b.call = nil
		return
	case loops.GatesEnded:
		step.Stage, step.Gates = string(b.Stage), gatesOf(e.Gates)
	case loops.RolledBack, loops.Committed, loops.Asked, loops.Published, loops.Discarded, loops.Broken, loops.Answered, loops.StopAsked, loops.Resumed, loops.Noted:
		step.Note = strings.TrimSpace(words(e, &t.state))
		if at := slices.IndexFunc(t.files, func(f schema.RunFile) bool { return f.Path == e.Patch }); at >= 0 {
			step.Patch = &t.files[at]
			t.told[e.Patch] = true
		}
	default:
		return
	}
	t.add(b.Command, step)
}

// part returns the part of a chunk, or for a negative number of the plan.
func (t *teller) part(chunk int) *schema.RunPart {
	if p := t.parts[chunk]; p != nil {
		return p
	}
	p := &schema.RunPart{Title: or(t.start.Plan.Title, t.start.Plan.Name)}
	if chunk >= 0 && chunk < len(t.start.Plan.Chunks) {
		c := t.start.Plan.Chunks[chunk]
		p.ID, p.Title = c.ID, c.Title
	}
	t.parts[chunk] = p
	t.order = append(t.order, chunk)
	return p
}

func (t *teller) add(c loops.Command, step schema.RunStep) {
	at := c.Chunk
	if at < 0 {
		// What is done before the chunks and after them are two parts.
		if n := len(t.order); n > 0 && t.order[n-1] >= 0 {
			t.whole++
		}
		at = -1 - t.whole
	}
	p := t.part(at)
	if n := len(p.Attempts); n == 0 || p.Attempts[n-1].Number != c.Attempt {
		p.Attempts = append(p.Attempts, schema.RunAttempt{Number: c.Attempt})
	}
	a := &p.Attempts[len(p.Attempts)-1]
	a.Steps = append(a.Steps, step)
}

// call fills in what a call came to.
func (t *teller) call(into *schema.RunCall, role loops.Role, r *loops.RoleResult) {
	rep := r.Report
	into.Outcome, into.Summary, into.Detail, into.Assessment = string(rep.Outcome), rep.Summary, rep.Detail, string(rep.Assessment)
	into.Model = or(rep.Model, into.Model)
	into.USD, into.Cost, into.Tokens, into.Took = rep.Usage.USD, string(rep.Usage.Cost), rep.Usage.Tokens(), time.Duration(r.Exit.Took)
	into.Changed = len(r.Changes)
	for _, b := range r.Breaches {
		into.Breaches = append(into.Breaches, b.What)
	}
	if v := rep.Verdict; v != nil {
		into.Verdict, into.Reasons = string(v.Decision), reasonsOf(v.Reasons)
		for _, name := range slices.Sorted(maps.Keys(v.Checks)) {
			into.Checks = append(into.Checks, schema.RunCheck{Name: name, Result: v.Checks[name]})
		}
	}
	into.Files = t.below(r.Evidence)
}

// folder returns the first folder that a call may have left its evidence in; see
// [Driver.evidence].
func (t *teller) folder(c loops.Command) string {
	chunk := "plan"
	if c.Chunk >= 0 && c.Chunk < len(t.start.Plan.Chunks) {
		chunk = "chunk-" + t.start.Plan.Chunks[c.Chunk].ID
	}
	dir := attemptFolder(chunk, c.Attempt)
	names := make(map[string]bool)
	for _, f := range t.files {
		if rest, ok := strings.CutPrefix(f.Path, dir+"/"+string(c.Role)); ok && !t.told[f.Path] && strings.Contains(rest, "/") {
			names[path.Dir(f.Path)] = true
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(slices.Collect(maps.Keys(names)))
}

// below returns the files of a folder, and remembers that they are told about.
func (t *teller) below(dir string) []schema.RunFile {
	var out []schema.RunFile
	for _, f := range t.files {
		if dir != "" && strings.HasPrefix(f.Path, dir+"/") {
			out = append(out, f)
			t.told[f.Path] = true
		}
	}
	return out
}

func gatesOf(results []loops.GateResult) []schema.RunGate {
	var out []schema.RunGate
	for _, r := range results {
		out = append(out, schema.RunGate{
			Name: r.Gate, Effect: r.Effect.String(), Took: time.Duration(r.Duration), Reasons: reasonsOf(r.Reason), Output: r.Output,
		})
	}
	return out
}

func reasonsOf(list []loops.Reason) []schema.RunReason {
	var out []schema.RunReason
	for _, r := range list {
		out = append(out, schema.RunReason{Path: r.Path, Line: r.Line, Message: r.Message})
	}
	return out
}

// Point returns a run as one of many.
func Point(s *loops.State, events []loops.Event, sum schema.RunSummary) schema.RunPoint {
	p := schema.RunPoint{ID: sum.ID, Plan: s.Start.Plan.Name, Loop: sum.Loop, Mode: sum.Mode, Status: sum.Status, Started: sum.Started, USD: sum.Spend.USD, Estimated: sum.Spend.Estimated}
	for _, c := range sum.Chunks {
		if c.Status == string(loops.ChunkDone) {
			p.Committed++
		}
	}
	p.Verdicts, p.Rejections = verdicts(events)
	return p
}
