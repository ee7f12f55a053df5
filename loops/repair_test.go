package loops

import (
	"slices"
	"strings"
	"testing"
)

// What a repair finds on its base stays in the state of the run, and the work begins.
func TestBaseFailuresAreKept(t *testing.T) {
	t.Parallel()
	failed := []BaseFailure{{Gate: "test", Command: "go test", Test: "shop.TestTotal", File: "a_test.go", Body: "1f", Outcome: BaseFailed}, {Gate: "lint", Command: "make lint", Outcome: BaseFailed}}
	s := State{Start: Start{Run: "r", Repair: RepairAsked, Plan: Plan{Chunks: []Chunk{{ID: "1"}}}}, Chunks: []ChunkState{{ID: "1", Status: ChunkPending}}, Status: Running, Phase: Baselining}
	s, commands := s.gatesEnded(Command{Stage: StageBaseline}, []GateResult{{Gate: "baseline", Effect: Note, Failed: failed}})
	if len(s.Failures) != 2 || s.Phase == Reporting || len(commands) != 1 {
		t.Errorf("%+v, %+v", s.Failures, commands)
	}
	if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, "2 failures recorded") }) {
		t.Errorf("the report would not say it: %v", s.Warnings)
	}
	if got := failed[0].String() + "; " + failed[1].String(); got != "a_test.go: shop.TestTotal: failed; make lint: failed" {
		t.Error(got)
	}
}
