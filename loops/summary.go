package loops

import (
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Summary returns what people and programs are told about a run.
func (s *State) Summary() schema.RunSummary {
	out := schema.RunSummary{
		ID: s.Start.Run, Loop: s.Start.Loop, Plan: s.plan().Path, Mode: string(s.Start.Mode), Status: string(s.Status), Exit: s.Status.Exit(),
		Branch: s.Place.Branch, Worktree: s.Place.Path, WaitingFor: string(s.WaitingFor), WaitingUntil: s.Until, Started: s.First,
		Chunks: []schema.RunChunk{}, Incidents: []schema.RunIncident{},
		Spend: schema.RunSpend{USD: s.Spend.USD, Tokens: s.Spend.Tokens, Calls: s.Spend.Calls, Estimated: s.Spend.Estimated},
	}
	if s.Planning() && s.Status.Over() && !s.Left() {
		out.Branch, out.Worktree = "", "" // both went with the run
	}
	out.Kind = s.kind()
	if s.Status.Over() {
		ended := s.Last
		out.Ended = &ended
	}
	for _, c := range s.Chunks {
		out.Chunks = append(out.Chunks, schema.RunChunk{ID: c.ID, Status: string(c.Status), Attempts: c.Attempts})
	}
	for _, i := range s.Incidents {
		out.Incidents = append(out.Incidents, schema.RunIncident{ID: i.ID, Class: i.Class, Confidence: i.Confidence})
	}
	return out
}

// kind returns what a run is besides the execution of a plan, "" if it is one.
func (s *State) kind() string {
	switch {
	case s.Executing():
		return ""
	case s.Declares():
		return DeclaredLoop
	case s.Auditing():
		return AuditLoop
	case s.Documenting():
		return DocumentationLoop
	case s.plan().Format != MarkdownPlan:
		return "task"
	case s.Start.Control != nil:
		return "item"
	}
	return s.Start.Loop // plan, ingest, query
}

// Fold returns what a run has come to by its events.
func Fold(events []Event) State {
	var s State
	for _, e := range events {
		s, _ = Step(s, e)
	}
	return s
}

// Elapsed returns the time from the first event to the last.
func (s *State) Elapsed() time.Duration { return s.Last.Sub(s.First) }
