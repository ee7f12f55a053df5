package bench_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/loopwiki/wiki/schema/schematest"
)

// FuzzVerify checks any document, and ranks it: a table keeps its columns.
func FuzzVerify(f *testing.F) {
	seeds := []string{
		`{"version": "1", "updated": "x", "entries": [{"submitter": "a", "spec_path": "b", "spec_hash": "sha256:00",
			"suite_scores": {"suite-repair": {"les_observed": 0.5, "rank_score": 0.5, "tasks": []}}, "composite": {"les_observed": 0.5},
			"results": [{"task_id": "LB-CR-1", "runs": [{"seed": 0, "g_final": 0.5}], "aggregate": {"les_observed": 0.5}}]}]}`,
		`{"submission_id": "12345678", "submitter": "a", "loopbench_version": "0.2.0", "lss_version": "1.0.0", "les_version": "1.0.0",
			"spec_path": "a", "spec_hash": "sha256:00", "results": [], "composite": {"les_observed": 1, "les_display": 100, "rank_score": 1}}`,
	}
	for _, s := range schematest.Vary(300, seeds...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var doc any
		if json.Unmarshal([]byte(src), &doc) != nil {
			return
		}
		bench.Verify(doc, []byte(src), nothing)
		board, err := bench.ReadLeaderboard([]byte(src))
		if err != nil {
			return
		}
		for line := range strings.Lines(board.Rank().Markdown()) {
			bare := strings.ReplaceAll(line, `\|`, "")
			if n := strings.Count(bare, "|"); strings.HasPrefix(line, "|") && (n < 5 || n > 6) {
				t.Errorf("%d bars in %q", n, line)
			}
		}
	})
}
