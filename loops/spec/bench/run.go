package bench

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/spec/record"
)

// instances is how many instances of a task are run with each seed.
const instances = 3

// Simulate runs a spec on tasks in the simulated environment, and returns the runs and
// their scores as a submission. The same spec, tasks and seeds give the same submission.
func Simulate(s *spec.Spec, path string, src []byte, tasks []Task, seeds []uint64) (Submission, error) {
	out := Submission{
		Version: Version, LSS: LSSVersion, LES: LESVersion, SpecPath: path, SpecHash: Hash(src), Backend: "sim",
	}
	for _, task := range tasks {
		result := TaskResult{TaskID: task.ID, EnvID: task.EnvID}
		for i := range instances {
			name := fmt.Sprintf("%s-%03d", strings.ToLower(strings.Split(task.ID, "-")[1]), i+1)
			for _, seed := range seeds {
				run, err := simulate(s, record.Choice{Task: name, Seed: seed}, task)
				if err != nil {
					return out, err
				}
				result.Runs = append(result.Runs, run)
			}
		}
		out.Results = append(out.Results, result)
	}
	err := out.Fill()
	key := fmt.Sprint(out.SpecHash, out.Results)
	out.ID = fmt.Sprintf("sim-%x", sha256.Sum256([]byte(key)))[:20]
	return out, err
}

func simulate(s *spec.Spec, c record.Choice, task Task) (les.Run, error) {
	e, err := record.NewSimulation(s, c, "")
	if err != nil {
		return les.Run{}, err
	}
	r := e.Play("", nil)
	run := les.Run{
		Instance: c.Task, Seed: int(c.Seed), Success: r.Success && r.Quality >= task.Target, Final: r.Quality, First: r.Trajectory[0].Quality,
		Target: task.Target, Iterations: r.Steps, USD: e.USD(), Seconds: e.Seconds(), Reason: r.Reason,
	}
	for _, o := range r.Trajectory {
		run.Trace = append(run.Trace, o.Quality)
	}
	if run.Success {
		run.Reason = "goal_met"
	}
	return run, nil
}
