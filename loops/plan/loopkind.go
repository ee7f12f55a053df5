package plan

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// LoopKind is what comes of a loop. It follows from its roles.
type LoopKind string

// The kinds.
const (
	CodeLoop   LoopKind = "code"   // each item is carried out as a plan is
	ReportLoop LoopKind = "report" // a classifier reads, and its report is kept
	AuditLoop  LoopKind = "audit"  // an auditor writes plans
	WikiLoop   LoopKind = "wiki"   // a writer maintains pages
)

// Traits say how a kind of loop differs from the others.
type Traits struct {
	Kind  LoopKind
	Role  loops.Role   // does the work; a spec that names it is of this kind
	Also  []loops.Role // may work beside it
	Gives string       // what comes of it, in words
	// Takes is set if the work is chosen from inputs by rules.
	Takes bool
	// Changes is set if each item becomes a change that commands and a checker judge.
	Changes bool
	// Whole is set if the list of work is taken as one, not item by item.
	Whole bool

	worker worker
	needs  []string // budgets without which it may spend without end
}

// loopKinds are all kinds, the one first whose role decides where a spec names several.
var loopKinds = []Traits{
	{Kind: CodeLoop, Role: loops.Maker, Gives: "a change", Takes: true, Changes: true, needs: []string{"max iterations", "max pull requests per run"}},
	{Kind: AuditLoop, Role: loops.Auditor, Also: []loops.Role{loops.Writer}, Gives: "plans", worker: ofFindings, needs: []string{"max iterations"}},
	{Kind: WikiLoop, Role: loops.Writer, Gives: "pages", Whole: true, worker: ofPages, needs: []string{"max iterations"}},
	{Kind: ReportLoop, Role: loops.Classifier, Gives: "a report", Takes: true, Whole: true},
}

// Traits returns those of the spec's kind.
func (s *LoopSpec) Traits() Traits {
	for _, t := range loopKinds {
		if t.Kind == s.Kind {
			return t
		}
	}
	return Traits{Kind: s.Kind}
}

// kindRoles lists the roles that do a loop's work, with what comes of it.
func kindRoles() string {
	var all []string
	for _, t := range loopKinds {
		all = append(all, fmt.Sprintf("%s (%s)", t.Role, t.Gives))
	}
	return strings.TrimSpace(text.List(all, "or"))
}
