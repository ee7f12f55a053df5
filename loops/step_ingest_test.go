package loops

import "testing"

// TestPagesOfSources plays what a writer makes of raw sources.
func TestPagesOfSources(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		writer  []RoleResult
		gates   [][]GateResult
		status  Status
		calls   int
		commits int
		rolled  int
		stops   bool // with an incident
	}{
		{name: "writes pages", status: GoalMet, calls: 1, commits: 1},
		{name: "writes nothing once", writer: []RoleResult{said(OK)}, status: GoalMet, calls: 2, commits: 1},
		{name: "writes nothing", writer: []RoleResult{said(OK), said(NoChange), said(OK)}, status: GoalNotMet, calls: 3},
		{name: "fails", writer: []RoleResult{said(Failed), said(Failed), said(WallTimeout)}, status: GoalNotMet, calls: 3},
		{name: "cites what is not there once", gates: [][]GateResult{red("citation")}, status: GoalMet, calls: 2, commits: 1},
		{name: "mends nothing of what is refused", writer: []RoleResult{changed("t1"), changed("t1"), changed("t1")}, gates: [][]GateResult{red("wiki"), red("wiki"), red("wiki")}, status: GoalNotMet, calls: 3},
		{name: "writes elsewhere once", gates: [][]GateResult{effect("scope", Unscoped, 1)}, status: GoalMet, calls: 2, commits: 1, rolled: 1},
		{name: "changes a source", gates: [][]GateResult{effect("wiki", Violation, 1)}, status: Stopped, calls: 1, rolled: 1, stops: true},
		{name: "is not logged in", writer: []RoleResult{said(NotAuthenticated)}, status: NoGround, calls: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			start := oneChunk()
			start.Loop, start.Plan.Chunks = IngestLoop, nil
			start.Ingest = &IngestRequest{Sources: []IngestSource{{Path: "wiki/raw/a.md"}}}
			start.Roles = map[Role]Casting{Writer: {Agent: "command"}}
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Writer: row.writer}
			b.gates = map[Stage][][]GateResult{StageWiki: row.gates}
			b.run(start)
			rolled := 0
			for _, c := range b.issued {
				if c.Kind == Rollback {
					rolled++
				}
			}
			if b.s.Status != row.status || b.s.Spend.Calls != row.calls || b.commit != row.commits || rolled != row.rolled || (len(b.s.Incidents) > 0) != row.stops {
				t.Errorf("%s after %d calls, %d commits, %d rollbacks, incidents %v: %s", b.s.Status, b.s.Spend.Calls, b.commit, rolled, b.s.Incidents, b.s.End.Why)
			}
		})
	}
}
