package loops

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// DocumentationLoop is the loop that keeps a wiki true of what was merged. Its run
// has one role: a writer corrects the pages of a work list, gates judge them, and
// the runner commits. A run whose list is empty calls nobody.
const DocumentationLoop = "documentation"

// MostFindings is how many findings there may be on the pages of a work list: a
// writer is called for these. Beyond it a person is asked first, as so many say
// that the wiki, and not a page, is what is wrong.
const MostFindings = 10

// DocumentationRequest is what a run that documents is about. It is made of the
// base before the run begins, and no agent has a part in it.
type DocumentationRequest struct {
	// Since is the commit after which changes count, From says how it was chosen.
	Since string `json:"since"`
	From  string `json:"from"`
	// Pages is the work list, the most pressing first.
	Pages []DocumentationPage `json:"pages"`
	// Findings are those of the linter on these pages, warnings and errors, before
	// any writer. Found is their number, of which there may be more than are kept.
	Findings []Reason `json:"findings,omitempty"`
	Found    int      `json:"found"`
	// Edited are the pages that people changed since: what a writer makes of them
	// is proposed and not committed. Sorted.
	Edited []string `json:"edited,omitempty"`
	// Ask is why a person is asked before any writer by a rule of the loop's spec, ""
	// if none is.
	Ask string `json:"ask,omitempty"`
	// Left are pages that the spec leaves to a person, with its rule.
	Left []Reason `json:"left,omitempty"`
	// Moved are the pages with citations of code that only moved. The runner corrects
	// these when the run ends; no writer is called for them. Sorted.
	Moved []string `json:"moved,omitempty"`
}

// DocumentationPage is a page that must be compared with what changed.
type DocumentationPage struct {
	Path    string   `json:"path"` // relative to the repository's root
	Reason  string   `json:"reason"`
	Targets []string `json:"targets,omitempty"` // what changed: paths, some with #symbol
	// Wrong is set if the page names what is gone, or states a value that the code
	// has no more: it can't be right as it is.
	Wrong bool `json:"wrong,omitempty"`
	// Edited is set if the page is one that people changed.
	Edited bool `json:"edited,omitempty"`
}

// Documenting reports whether the run documents.
func (s *State) Documenting() bool { return s.Start.Documentation != nil }

// onlyPages reports that nothing but pages is left to be committed.
func (s *State) onlyPages() bool {
	return s.GoalIsMet || s.Documenting() || s.Ingesting() || s.Auditing()
}

// beginDocumentation begins a run that documents, in a worktree if there is
// something to write and nobody has to be asked.
func (s State) beginDocumentation() (State, []Command) {
	s.Chunk = -1
	switch d := s.Start.Documentation; {
	case s.onlyMoved():
		return s.makeWorktree()
	case len(d.Pages) == 0 && len(d.Left) > 0:
		return s.finish(GoalMet, "", fmt.Sprintf("%s left to a person, and no other page is about changes since %s", text.Count(len(d.Left), "page"), d.From))
	case len(d.Pages) == 0:
		return s.finish(GoalMet, "", "no page is about changes since "+d.From)
	case d.Found > MostFindings:
		return s.ask(fmt.Sprintf("%d findings on the pages of the work list, more than the %d a writer may fix", d.Found, MostFindings))
	case d.Ask != "":
		return s.ask(d.Ask)
	}
	return s.makeWorktree()
}

// onlyMoved reports whether there is nothing to do but to correct citations whose code
// moved, which needs no writer.
func (s *State) onlyMoved() bool {
	d := s.Start.Documentation
	return d != nil && len(d.Pages) == 0 && len(d.Moved) > 0
}

// allowed notes that a person lets a writer begin who had to be asked first.
func (s *State) allowed(by string) {
	d := s.Start.Documentation
	what := fmt.Sprintf("on pages with %d findings", d.Found)
	if d.Found <= MostFindings {
		what = "although " + d.Ask
	}
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s let a writer work %s", by, what))
}

// documented takes what a writer did. A page may be right as it is: whether
// something had to change is for the gates to say.
func (s State) documented(c Command, r RoleResult) (State, []Command) {
	if why, undo := s.beyond(r); why != "" {
		return s.escalate(why, undo)
	}
	if f, bad := unusable(c.Role, r, r.Tree != s.Before.Tree || len(r.Changes) > 0); bad {
		return s.failed(f)
	}
	s.Phase = WikiGating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageWiki, -1, r.Tree)
}

// pagesPassed goes on with pages that the gates let pass. What people changed is
// taken out of them once, and the rest is judged again.
func (s State) pagesPassed() (State, []Command) {
	switch {
	case s.Candidate == s.Tree && s.Documenting():
		return s.finish(GoalMet, "", "the pages are up to date")
	case s.Candidate == s.Tree:
		return s.finishMet() // there is nothing to commit
	}
	if s.Documenting() && !s.Aside && len(s.Start.Documentation.Edited) > 0 {
		s.Aside = true
		s.Serial++
		return s.issue(Command{Kind: SetAside, Key: s.key(fmt.Sprintf("set-aside-%d", s.Serial)), Chunk: -1, Attempt: s.Attempt, Role: Writer, Tree: s.Candidate})
	}
	return s.commit()
}

// setAside takes what is left of a writer's tree without the pages of people.
func (s State) setAside(c Command, e Event) (State, []Command) {
	if e.Tree == c.Tree || len(e.Files) == 0 {
		return s.commit()
	}
	for _, f := range e.Files {
		s.proposePage(f)
	}
	s.Proposals = append(s.Proposals, e.Patch)
	s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: strings.Join(e.Files, ", ") +
		": a person changed this since the last run. Your version is kept as a proposal and was removed from the worktree; do not write it again"})
	s.Candidate, s.Green = e.Tree, false
	if e.Tree == s.Tree {
		return s.finish(GoalMet, "", "all changes are proposed only")
	}
	return s.gates(StageWiki, -1, e.Tree)
}

// proposePage notes a page that is proposed, once.
func (s *State) proposePage(path string) {
	for _, p := range s.Proposed {
		if p == path {
			return
		}
	}
	s.Proposed = append(s.Proposed, path)
}
