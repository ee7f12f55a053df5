package repo

import (
	"runtime"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// FindRun returns the run that is named, the latest if none is.
func (r *Repo) FindRun(args []string) (string, error) {
	given := ""
	if len(args) > 0 {
		given = args[0]
	}
	return r.Store.Find(given)
}

// Alive reports whether somebody runs a plan now.
func (r *Repo) Alive(plan string) bool {
	_, ok := r.Owner(plan)
	return ok
}

// Owner returns the process that holds a plan's lock.
func (r *Repo) Owner(plan string) (int, bool) {
	_, pid, held := contain.Holder(r.Store.Lock(plan))
	return pid, held
}

// Summaries returns what became of all runs.
func (r *Repo) Summaries() ([]schema.RunSummary, error) { return r.Store.Summaries(r.Alive) }

// Current returns the runs that are not over, and the last one.
func (r *Repo) Current() ([]schema.RunSummary, error) { return r.Store.Current(r.Alive) }

// Latest returns the last run of a plan that was not lost, by the plan's path.
func (r *Repo) Latest(path string) (schema.RunSummary, bool) {
	all, err := r.Summaries()
	if err != nil {
		return schema.RunSummary{}, false
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Plan == path && !r.Lost(&all[i]) {
			return all[i], true
		}
	}
	return schema.RunSummary{}, false
}

// Lost reports whether a run was left unfinished by another clone. Nobody can resume it
// here, so it does not stand in the way of the next one, unless it asked a person.
func (r *Repo) Lost(sum *schema.RunSummary) bool {
	if _, remote, _ := r.Store.Engine(sum.ID); remote { // its workers go on with it
		return false
	}
	return !loops.Status(sum.Status).Over() && sum.WaitingFor != string(loops.ForPerson) && r.Store.Elsewhere(sum.ID)
}

// Over reports whether a run is at its end.
func (r *Repo) Over(id string) bool {
	s, _, err := r.Store.Read(id)
	return err == nil && s.Status.Over()
}

// Failed reports whether a run ended and did not reach its goal, or a person does
// not want what it made.
func (r *Repo) Failed(id string) bool {
	s, _, err := r.Store.Read(id)
	return err == nil && s.Status.Over() && s.Status != loops.GoalMet
}

// Proposed returns the paths that no person has approved yet, by the run that wrote them.
func (r *Repo) Proposed() (map[string]string, error) {
	all, err := r.Summaries()
	if err != nil {
		return nil, err
	}
	out := make(map[string]string)
	for _, sum := range all {
		if !loops.Proposes(sum) || sum.WaitingFor != string(loops.ForPerson) {
			continue
		}
		s, _, err := r.Store.Read(sum.ID)
		if err != nil {
			return nil, err
		}
		for _, path := range s.Proposed {
			out[path] = sum.ID
		}
	}
	return out, nil
}

// Supported reports why agents can't be run on this system.
func Supported() error {
	if runtime.GOOS == "windows" {
		return &run.MissingError{What: "loops do not run on Windows, which can't keep track of an agent's processes", Hint: "use WSL"}
	}
	return nil
}
