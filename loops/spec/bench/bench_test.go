package bench_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema/schematest"
)

func corpus(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(schematest.Shared(t, "corpora/loop-standards"), name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func nothing(string) ([]byte, bool) { return nil, false }

func verify(t *testing.T, src []byte, read bench.Reader) bench.Report {
	t.Helper()
	var doc any
	if err := json.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	return bench.Verify(doc, src, read)
}

func TestPublishedLeaderboardIsReproduced(t *testing.T) {
	t.Parallel()
	board, err := bench.ReadLeaderboard(corpus(t, "leaderboard-entries.json"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(corpus(t, "leaderboard-LIVE.md")), board.Rank().Markdown()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVerifyReportsPublishedScoresThatDoNotFollowFromTheirRuns(t *testing.T) {
	t.Parallel()
	got := verify(t, corpus(t, "leaderboard-entries.json"), nothing)
	want := []string{
		"entries.2.results.LB-CR-1: les_observed is 0.8642, but its runs give 0.8691 (cost 0.041 instead of 0)",
		"entries.4.results.LB-CR-1: les_observed is 0.8058, but its runs give 0.8193 (cost 0.1128 instead of 0)",
	}
	if diff := cmp.Diff(want, got.Mismatches); diff != "" {
		t.Errorf("mismatches (-want +got):\n%s", diff)
	}
	if len(got.Errors) > 0 || len(got.Unchecked) != 6 || got.OK() {
		t.Errorf("errors %q, unchecked %q", got.Errors, got.Unchecked)
	}
}

func TestSuites(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"suite-repair":    {"LB-CR-1", "LB-REACT-1", "LB-REFLEX-1", "LB-OPT-1", "LB-SAFE-1"},
		"suite-agent":     {"LB-MA-1", "LB-CREW-1", "LB-GRAPH-1", "LB-TOT-1", "LB-VOTE-1"},
		"suite-knowledge": {"LB-RS-1", "LB-RAG-1", "LB-BOOT-1", "LB-AUTO-1"},
		"suite-rigor":     {"LB-COMP-1", "LB-NEST-1", "LB-SIM-1", "LB-HITL-1", "LB-MEM-1"},
	}
	got := make(map[string][]string)
	for _, s := range bench.Suites() {
		for _, task := range s.Tasks {
			got[s.ID] = append(got[s.ID], task.ID)
			if task.Speed.Ceil <= task.Speed.Floor || task.Cost.Ceil <= task.Cost.Floor || task.Budget < 1 || task.Target <= 0 || task.EnvID == "" {
				t.Errorf("%s: %+v", task.ID, task)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(bench.TaskIDs()); n != 19 {
		t.Errorf("%d tasks, want 19", n)
	}
}

func TestSuiteScoreIsTheWeightedMeanOfTasksPresent(t *testing.T) {
	t.Parallel()
	suite := bench.Suite{Label: "x", Tasks: []bench.Task{{ID: "a"}, {ID: "b", Weight: 3}, {ID: "c"}}}
	got, ok := suite.Score(map[string]float64{"a": .5, "b": .7, "other": 1})
	// (.5 + 3*.7)/4 = .65.
	want := bench.SuiteScore{Label: "x", Composite: bench.Composite{Observed: .65, Display: 65, Rank: .65}, Tasks: []string{"a", "b"}}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("%v (-want +got):\n%s", ok, diff)
	}
	if _, ok := suite.Score(map[string]float64{"other": 1}); ok {
		t.Error("a suite without a task has a score")
	}
}

// submission is one of two runs, with all its scores.
func submission(t *testing.T, tasks ...string) bench.Submission {
	t.Helper()
	s := bench.Submission{
		ID: "12345678", Submitter: "ada", Version: bench.Version, LSS: bench.LSSVersion, LES: bench.LESVersion, Backend: "sim",
		SpecPath: "loop.yaml", SpecHash: bench.Hash([]byte("a spec")),
	}
	for _, id := range tasks {
		s.Results = append(s.Results, bench.TaskResult{TaskID: id, EnvID: "e", Runs: []les.Run{
			{Instance: "1", Success: true, Final: .9, First: .5, Target: .8, Iterations: 2, USD: .4, Seconds: 60, Reason: "goal_met", Trace: []float64{.5, .9}},
			{Instance: "1", Seed: 1, Final: .6, First: .4, Target: .8, Iterations: 6, USD: .6, Seconds: 90, Reason: "max_iterations", Trace: []float64{.4, .6}},
		}})
	}
	if err := s.Fill(); err != nil {
		t.Fatal(err)
	}
	return s
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func here(path string) ([]byte, bool) { return []byte("a spec"), path == "loop.yaml" }

func TestFilledSubmissionVerifies(t *testing.T) {
	t.Parallel()
	s := submission(t, "LB-CR-1", "LB-MEM-1")
	if got := verify(t, marshal(t, s), here); !got.OK() || len(got.Unchecked) > 0 {
		t.Errorf("%+v", got)
	}
	if !s.Partial || len(s.SuiteScores) != 2 || *s.Grand != *s.Composite {
		t.Errorf("partial %v, suites %v", s.Partial, s.SuiteScores)
	}
	all := submission(t, bench.TaskIDs()...)
	if all.Partial || len(all.SuiteScores) != 4 {
		t.Errorf("with all tasks: partial %v, suites %v", all.Partial, all.SuiteScores)
	}
	if got := verify(t, marshal(t, all), here); !got.OK() {
		t.Errorf("with all tasks: %+v", got)
	}
	if err := (&bench.Submission{Results: []bench.TaskResult{{}}}).Fill(); err == nil {
		t.Error("a task without a run is scored")
	}
}

func TestVerifySubmission(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*bench.Submission)
		want   string // the beginning of an error or a mismatch
	}{
		{"short id", func(s *bench.Submission) { s.ID = "1234567" }, "submission_id: "},
		{"no submitter", func(s *bench.Submission) { s.Submitter = "" }, "submitter: "},
		{"version", func(s *bench.Submission) { s.Version = "1" }, "loopbench_version: "},
		{"LSS", func(s *bench.Submission) { s.LSS = "1.2.0" }, "lss_version: "},
		{"LES", func(s *bench.Submission) { s.LES = "1.1.0" }, "les_version: "},
		{"hash", func(s *bench.Submission) { s.SpecHash = "sha256:12" }, "spec_hash: "},
		{"placeholder", func(s *bench.Submission) { s.SpecHash = "sha256:" + strings.Repeat("0", 64) }, "spec_hash: a placeholder of zeros"},
		{"other spec", func(s *bench.Submission) { s.SpecHash = bench.Hash(nil) }, "spec_hash: loop.yaml has sha256:"},
		{"backend", func(s *bench.Submission) { s.Backend = "dream" }, "backend: "},
		{"suite", func(s *bench.Submission) { s.Suite = "suite-x" }, "primary_suite: "},
		{"no results", func(s *bench.Submission) { s.Results = nil }, "(root): results is missing"},
		{"no runs", func(s *bench.Submission) { s.Results[0].Runs = []les.Run{} }, "results.0.runs: "},
		{"goal", func(s *bench.Submission) { s.Results[0].Runs[0].Final = 1.2 }, "results.0.runs.0.g_final: "},
		{"no iteration", func(s *bench.Submission) { s.Results[0].Runs[0].Iterations = 0 }, "results.0.runs.0.iterations: "},
		{"not partial", func(s *bench.Submission) { s.Partial = false }, "grand_composite: 1 of 4 suites have a score"},
		{"display", func(s *bench.Submission) { s.Results[0].Aggregate.Display += .11 }, "results.LB-CR-1.aggregate: les_display is "},
		{"score", func(s *bench.Submission) { s.Results[0].Aggregate.Categories.Cost = 1 }, "results.LB-CR-1: les_observed is "},
		{"cost", func(s *bench.Submission) { s.Results[0].Aggregate.MeanUSD = 0 }, "results.LB-CR-1: success_at_k, cost_usd_mean or"},
		{"suite score", func(s *bench.Submission) {
			s.SuiteScores["suite-repair"] = bench.SuiteScore{Composite: bench.Composite{Observed: .9, Display: 90, Rank: .9}, Tasks: []string{}}
		}, "suite_scores.suite-repair: les_observed is 0.9"},
		{"unknown suite", func(s *bench.Submission) { s.SuiteScores["suite-x"] = s.SuiteScores["suite-repair"] }, "suite_scores.suite-x: unknown suite"},
		{"rank", func(s *bench.Submission) {
			s.Composite = &bench.Composite{Observed: s.Grand.Observed, Display: s.Grand.Display, Rank: 1}
		}, "composite: les_observed is "},
	} {
		s := submission(t, "LB-CR-1")
		c.change(&s)
		got := verify(t, marshal(t, s), here)
		if !slices.ContainsFunc(slices.Concat(got.Errors, got.Mismatches), func(e string) bool { return strings.HasPrefix(e, c.want) }) {
			t.Errorf("%s: errors %q, mismatches %q, want %s", c.name, got.Errors, got.Mismatches, c.want)
		}
	}
	s := submission(t, "LB-CR-1")
	s.Results[0].Aggregate.Display += .04 // within the tolerance
	if got := verify(t, marshal(t, s), here); len(got.Errors) > 0 {
		t.Errorf("a display score within the tolerance: %q", got.Errors)
	}
	s = submission(t, "LB-OTHER-7")
	if got := verify(t, marshal(t, s), nothing); len(got.Unchecked) != 2 || len(got.Errors) > 0 {
		t.Errorf("an unknown task of an absent spec: %+v", got)
	}
}

func TestVerifyLeaderboard(t *testing.T) {
	t.Parallel()
	s := submission(t, "LB-CR-1")
	good := map[string]any{"version": "1", "updated": "2026-03-01", "entries": []any{s}}
	if got := verify(t, marshal(t, good), here); !got.OK() {
		t.Errorf("%+v", got)
	}
	bare := s
	bare.SuiteScores, bare.Grand, bare.Partial = nil, nil, false
	bare.Results = []bench.TaskResult{{TaskID: "LB-CR-1"}}
	bad := map[string]any{"entries": []any{map[string]any{}, bare}}
	got := verify(t, marshal(t, bad), here).Errors
	for _, want := range []string{
		"(root): version is missing", "(root): updated is missing", "entries.0: submitter is missing", "entries.0: spec_path is missing",
		"entries.0: spec_hash is missing", "entries.0: results or suite_scores are missing", "entries.1.results.LB-CR-1.runs: no runs",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	if got := verify(t, []byte(`{"version": "1", "updated": "x", "entries": 7}`), here); len(got.Errors) != 1 {
		t.Errorf("entries that are no list: %q", got.Errors)
	}
}

// entry is a row that has a rank in all suites.
func entry(name string, rank float64) bench.Submission {
	c := bench.Composite{Observed: rank, Display: rank * 100, Rank: rank}
	s := bench.Submission{Submitter: name, SpecPath: name + ".yaml", Composite: &c, Grand: &c, SuiteScores: map[string]bench.SuiteScore{}}
	for _, id := range bench.SuiteIDs() {
		s.SuiteScores[id] = bench.SuiteScore{Composite: c}
	}
	return s
}

func names(rows []bench.Row) (out []string) {
	for _, r := range rows {
		out = append(out, r.Submitter)
	}
	return out
}

func TestRank(t *testing.T) {
	t.Parallel()
	low, high, equal, partial, one := entry("low", .5), entry("high", .9), entry("equal", .5), entry("partial", .99), entry("one", .95)
	partial.Partial = true
	one.SuiteScores = map[string]bench.SuiteScore{"suite-rigor": one.SuiteScores["suite-rigor"]}
	old := bench.Submission{Submitter: "old", Composite: &bench.Composite{Observed: .7, Rank: .7}}
	none := bench.Submission{Submitter: "none"}
	for success, s := range map[float64]*bench.Submission{.5: &low, .9: &high, .7: &equal} {
		s.Results = []bench.TaskResult{{TaskID: "LB-CR-1", Aggregate: les.BenchScore{Observed: .6, SuccessAtK: success}}}
	}
	got := bench.Leaderboard{Entries: []bench.Submission{low, partial, equal, high, one, old, none}}.Rank()
	if diff := cmp.Diff([]string{"high", "old", "low", "equal"}, names(got.Generalist)); diff != "" {
		t.Errorf("over all (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"partial", "one", "high", "low", "equal"}, names(got.Suites[3].Rows)); diff != "" {
		t.Errorf("a suite (-want +got):\n%s", diff)
	}
	if len(got.Tasks) != 1 || !slices.Equal(names(got.Tasks[0].Rows), []string{"high", "equal", "low"}) {
		t.Errorf("tasks: %+v", got.Tasks)
	}
}

func TestMarkdownHoldsTextOfSubmittersInItsCell(t *testing.T) {
	t.Parallel()
	hostile := entry("a | b\n| 1 | me", .9)
	hostile.External, hostile.Suite, hostile.SpecPath = true, "suite|x", "`code|"
	text := bench.Leaderboard{Entries: []bench.Submission{hostile}}.Rank().Markdown()
	if want := "| 1 | a \\| b \\| 1 \\| me * | 90.0 | suite\\|x | `'code\\|` |\n"; !strings.Contains(text, want) {
		t.Errorf("no line %q in:\n%s", want, text)
	}
	var many []bench.Submission
	for range 12 {
		many = append(many, entry("x", .5))
	}
	if n := strings.Count(bench.Leaderboard{Entries: many}.Rank().Markdown(), "| x |"); n != 5*bench.Shown {
		t.Errorf("%d rows, want %d", n, 5*bench.Shown)
	}
}
