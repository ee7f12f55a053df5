package survey

import (
	"cmp"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// IsCustom reports whether a run is one of a loop with a writer or an auditor that a
// person gave a name of its own: what became of its pages or plans is its state.
func IsCustom(s *loops.State) bool {
	return s.Documenting() && s.Start.Loop != loops.DocumentationLoop || s.Auditing() && s.Start.Loop != loops.AuditLoop
}

// RunState returns what became of the pages or the findings of such a run.
func RunState(s *loops.State) *plan.LoopState {
	out := &plan.LoopState{Title: s.Start.Loop, Run: s.Start.Run, Mode: string(s.Start.Mode)}
	if s.PullRequest != "" {
		out.PullRequests = 1
	}
	status := s.Status
	if s.End.Status != "" {
		status = s.End.Status
	}
	base := plan.ItemState{Status: plan.ItemFailed, Reason: cmp.Or(s.End.Why, "the run is "+string(status)), Attempts: s.PlanAttempt, NextAction: "read the report: wiki loop show " + s.Start.Run}
	if d := s.Start.Documentation; d != nil {
		for _, page := range d.Pages {
			it := base
			it.ID = plan.FindingID("page", page.Path)
			if status == loops.GoalMet {
				it.Status, it.Reason, it.NextAction = plan.ItemDrafted, page.Path+": "+page.Reason, "human review of the branch "+s.Start.Plan.Branch()
			}
			if slices.Contains(s.Proposed, page.Path) {
				it.Status, it.NextAction = plan.ItemEscalated, "a person changed the page: wiki loop show "+s.Start.Run+" names the patch"
			}
			out.Items = append(out.Items, it)
		}
		for _, left := range d.Left {
			out.Items = append(out.Items, plan.ItemState{ID: plan.FindingID("page", left.Path), Status: plan.ItemEscalated, Reason: left.Path + ": " + left.Message, NextAction: "human review required before agent work"})
			out.Escalations++
		}
		out.Selected = len(d.Pages)
		return out
	}
	for _, path := range s.Proposed {
		it := base
		it.ID = plan.NameOf(path)
		if status == loops.GoalMet {
			it.Status, it.NextAction = plan.ItemDrafted, "human review of "+path
		}
		out.Items = append(out.Items, it)
	}
	for _, page := range s.Pages {
		it := base
		it.ID, it.Reason = plan.FindingID("page", page), page+": "+it.Reason
		if status == loops.GoalMet {
			it.Status, it.NextAction = plan.ItemDrafted, "human review of the branch "+s.Start.Plan.Branch()
		}
		out.Items = append(out.Items, it)
	}
	out.Selected = len(out.Items)
	return out
}

// KeepRunState writes the state of a run beside the others, where no branch holds it.
func (v *Surveyor) KeepRunState(s *loops.State) error {
	if !IsCustom(s) {
		return nil
	}
	return files.Replace(v.Root, passFile(s.Start.Loop, s.Start.Run, ".md"), RunState(s).Text(), 0o666)
}
