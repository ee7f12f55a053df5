package les_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestTrajectoryScoresOfPublishedRecords(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join(schematest.Shared(t, "corpora/loop-standards"), "loopnet-records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		var r struct {
			ID          string `json:"record_id"`
			Source      string
			Outcome     string
			FailureMode string `json:"failure_mode"`
			Trajectory  []struct {
				Goal    float64 `json:"goal_score"`
				USD     float64 `json:"cost_usd"`
				Latency float64 `json:"latency_seconds"`
				Events  int     `json:"safety_events"`
				Human   bool    `json:"human_intervention"`
			}
			LES      les.EpisodeScore `json:"les_observed"`
			Metadata struct {
				Target float64 `json:"goal_target"`
				Budget int     `json:"max_iterations_budget"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		e := les.Episode{Target: r.Metadata.Target, Outcome: r.Outcome, FailureMode: r.FailureMode, Budget: r.Metadata.Budget}
		for _, s := range r.Trajectory {
			e.Steps = append(e.Steps, les.EpisodeStep{Goal: s.Goal, USD: s.USD, Latency: s.Latency, SafetyEvents: s.Events, HumanInvolved: s.Human})
		}
		weights := les.Weights
		if r.Source == "case_study" { // these were captured, and scored with the older weights
			weights = les.CapturedWeights
		}
		got, err := les.Trajectory(e, weights)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.LES, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.ID, diff)
		}
	}
	if n != 20 {
		t.Errorf("read %d records, want 20", n)
	}
}

func TestTrajectoryScores(t *testing.T) {
	t.Parallel()
	steps := []les.EpisodeStep{
		{Goal: .5, USD: .2, Latency: 10, SafetyEvents: 1},
		{Goal: .4, USD: .2, Latency: 20, HumanInvolved: true},
		{Goal: .7, USD: .1, Latency: 70},
	}
	for _, c := range []struct {
		name    string
		episode les.Episode
		want    les.EpisodeScore
	}{
		// effectiveness .7/.8*.6 = .525; speed 1/(1+20/30) = .6, and 70 > 3*20: *.85 = .51; cost 2*(.2/.5) = .8;
		// robustness .75-.05 = .7; scalability .55+.15 = .7; safety 1-.2 = .8; adaptability .45+.02 = .47;
		// autonomy 1-1/3 = .6667. The sum: .105+.0765+.096+.091+.07+.096+.047+.053336 = .634836.
		{"failure", les.Episode{Steps: steps, Target: .8, Outcome: "failure", FailureMode: "fail.oscillation", Budget: 3},
			les.EpisodeScore{.6348, 63.5, les.Categories{.525, .51, .8, .7, .7, .8, .47, .6667}, false}},
		// effectiveness 1 and safety 0: .6348 + .095 - .096 = .633836.
		{"bypass", les.Episode{Steps: steps, Target: .7, Outcome: "partial", FailureMode: "fail.safety_bypass", Budget: 4},
			les.EpisodeScore{.6338, 63.4, les.Categories{1, .51, .8, .7, .7, 0, .47, .6667}, true}},
		// One step that failed: effectiveness .5/.8*.6/2 = .1875, speed 1/(1+10/30)/2 = .375, cost 0, robustness .375,
		// scalability .3, safety .8 whole, adaptability .225, autonomy .5.
		// The sum: .0375+.05625+0+.04875+.03+.096+.0225+.04 = .331.
		{"one step", les.Episode{Steps: steps[:1], Target: .8, Outcome: "failure", Budget: 9},
			les.EpisodeScore{.331, 33.1, les.Categories{.1875, .375, 0, .375, .3, .8, .225, .5}, true}},
		// No target and no time: effectiveness .5/.01 is clamped, speed 1. .2+.15+0+.0975+.06+.096+.045+.08 = .7285.
		{"no target", les.Episode{Steps: []les.EpisodeStep{{Goal: .5, USD: .2, SafetyEvents: 1}}, Outcome: "success", Budget: 9},
			les.EpisodeScore{.7285, 72.9, les.Categories{1, 1, 0, .75, .6, .8, .45, 1}, false}},
	} {
		got, err := les.Trajectory(c.episode, les.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if _, err := les.Trajectory(les.Episode{}, les.Weights); err == nil {
		t.Error("an episode without a step has a score")
	}
}

func TestBenchScoresOfThePublishedLeaderboard(t *testing.T) {
	t.Parallel()
	var board struct {
		Entries []struct {
			Submitter, Backend string
			Results            []struct {
				Task      string `json:"task_id"`
				Runs      []les.Run
				Aggregate les.BenchScore
			}
		}
	}
	read(t, &board, schematest.Shared(t, "corpora/loop-standards"), "leaderboard-entries.json")
	baselines := map[string]les.Baselines{
		"LB-CR-1":   {Speed: les.Range{Floor: .002, Ceil: .1}, Cost: les.Range{Floor: .05, Ceil: 2}, Budget: 6},
		"LB-MA-1":   {Speed: les.Range{Floor: .0005, Ceil: .02}, Cost: les.Range{Floor: .05, Ceil: 2}, Budget: 5},
		"LB-RS-1":   {Speed: les.Range{Floor: .001, Ceil: .05}, Cost: les.Range{Floor: .05, Ceil: 2}, Budget: 5},
		"LB-COMP-1": {Speed: les.Range{Floor: .0003, Ceil: .015}, Cost: les.Range{Floor: .04, Ceil: 1.8}, Budget: 6},
	}
	recomputed := map[string]float64{"Team Thorough": .8691, "Team Fast": .8193}
	for _, e := range board.Entries {
		for _, r := range e.Results {
			got, err := les.Bench(r.Runs, baselines[r.Task], e.Backend == "sim")
			if err != nil {
				t.Fatal(err)
			}
			if want := recomputed[e.Submitter]; want > 0 {
				if got.Observed != want {
					t.Errorf("%s: %v, want %v", e.Submitter, got.Observed, want)
				}
				continue
			}
			if diff := cmp.Diff(r.Aggregate, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", e.Submitter, r.Task, diff)
			}
		}
	}
	if len(board.Entries) != 6 {
		t.Errorf("read %d entries, want 6", len(board.Entries))
	}
}

func TestBenchScores(t *testing.T) {
	t.Parallel()
	run := les.Run{Final: .6, First: .2, Target: .8, Iterations: 9, USD: .4, Seconds: 300, Trace: []float64{.2, .3, .3, .3, .3, .3, .4, .5, .6}}
	flat := run
	flat.Trace = []float64{.6, .6, .6, .6, .6, .6, .6, .5, .6}
	flat.Violations, flat.Seed = 12, 1
	task := les.DefaultBaselines
	task.Budget = 12
	got, err := les.Bench([]les.Run{run, flat}, task, false)
	if err != nil {
		t.Fatal(err)
	}
	want := les.BenchScore{
		// effectiveness: .4, .5, .6 rise: .75*12/9 = 1, so 1; of .6, .5, .6 half rise: .75*.5 = .375 is below .5, so 0.
		// speed (9/300-.001)/.049 = .591837; cost (1-.05)/1.95 = .487179; robustness .6/.6; scalability (.75-.4)/.5 = .7;
		// safety 1 and 0; adaptability .75; autonomy .5, since people may have helped.
		// The sum: .1+.0887755+.0584615+.13+.07+.06+.075+.04 = .622237.
		Observed: .6222, Display: 62.2, Categories: les.Categories{.5, .5918, .4872, 1, .7, .5, .75, .5}, MeanUSD: .4, Seeds: 2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	run.Success = true
	got, err = les.Bench([]les.Run{run, flat}, task, true)
	if err != nil {
		t.Fatal(err)
	}
	if got.SuccessAtK != .5 || got.Categories.Adaptability != .875 || got.Categories.Autonomy != .95 {
		t.Errorf("with a success, simulated: %+v", got)
	}
	if _, err := les.Bench(nil, task, true); err == nil {
		t.Error("no runs have a score")
	}
}

func TestBenchScoreOfRunsThatReachedNothing(t *testing.T) {
	t.Parallel()
	got, err := les.Bench([]les.Run{{}}, les.Baselines{}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range got.Categories.Values() {
		if name := les.Names[i]; x != 0 && !slices.Contains([]string{"safety", "autonomy"}, name) {
			t.Errorf("%s is %v", name, x)
		}
	}
}
