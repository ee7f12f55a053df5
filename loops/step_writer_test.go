package loops

import (
	"strings"
	"testing"
)

// TestTheWritersWork plays what a writer does when the goal is reached.
func TestTheWritersWork(t *testing.T) {
	t.Parallel()
	idle := RoleResult{Report: Report{Outcome: NoChange, Usage: Usage{Cost: CostNone}}}
	missing := [][]GateResult{red("decision")}
	for _, row := range []struct {
		name     string
		decision bool
		nobody   bool // plays the writer
		writer   []RoleResult
		gates    [][]GateResult
		calls    int
		commits  int
		warns    string
	}{
		{name: "writes", calls: 2, commits: 2},
		{name: "has nothing to do", writer: []RoleResult{idle}, calls: 1, commits: 1},
		{name: "finds the pages right", writer: []RoleResult{said(OK)}, calls: 2, commits: 1},
		{name: "finds the decision written", decision: true, writer: []RoleResult{said(OK)}, calls: 2, commits: 1},
		{name: "forgets the decision once", decision: true, writer: []RoleResult{said(OK)}, gates: missing, calls: 3, commits: 2},
		{name: "forgets the decision for ever", decision: true, writer: []RoleResult{said(OK), said(OK), said(OK)}, gates: [][]GateResult{red("decision"), red("decision"), red("decision")}, calls: 4, commits: 1, warns: "wiki not updated: gate decision"},
		{name: "is nobody", decision: true, nobody: true, calls: 1, commits: 1, warns: "no agent is configured for the role writer"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			start := oneChunk()
			start.Plan.Decision = row.decision
			start.Roles = map[Role]Casting{Maker: {Agent: "command"}}
			if !row.nobody {
				start.Roles[Writer] = Casting{Agent: "command"}
			}
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Writer: row.writer}
			b.gates = map[Stage][][]GateResult{StageWiki: row.gates}
			b.run(start)
			if b.s.Status != GoalMet || b.s.Spend.Calls != row.calls || b.commit != row.commits {
				t.Errorf("%s after %d calls and %d commits", b.s.Status, b.s.Spend.Calls, b.commit)
			}
			if warned := strings.Join(b.s.Warnings, "\n"); !strings.Contains(warned, row.warns) || (warned != "") != (row.warns != "") {
				t.Errorf("warnings %q, want %q", warned, row.warns)
			}
		})
	}
}
