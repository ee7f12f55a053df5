package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// StepVersion is the version of what another driver and this program tell each other.
const StepVersion = 1

// StepRequest asks for one command of a run whose journal another driver writes.
type StepRequest struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Plan    string `json:"plan"` // its name, by which runs lock each other out
	// First is the number of the first of Events in the journal, from 1. All events
	// before it were sent earlier.
	First  int           `json:"first"`
	Events []loops.Event `json:"events,omitempty"`
	// Command is nil when the runner ends: the run is over, or waits.
	Command *loops.Command `json:"command,omitempty"`
	// Files are sealed in the run's folder, by name.
	Files map[string][]byte `json:"files,omitempty"`
}

// StepReply is one line of the answer. All but the last hold Progress alone.
type StepReply struct {
	Progress *Progress  `json:"progress,omitempty"`
	Outcome  *Outcome   `json:"outcome,omitempty"`
	Error    *StepError `json:"error,omitempty"`
}

// Progress is how far a call of an agent is.
type Progress struct {
	Output int64   `json:"output"` // bytes that it printed
	USD    float64 `json:"usd"`    // what the calls before it cost
}

// The kinds of a StepError.
const (
	StepInterrupted = "interrupted" // it was stopped, and has no result
	StepBehind      = "behind"      // events are missing here; all have to be sent
	StepFailed      = "failed"      // the command could not be tried: repeating it changes nothing
)

// StepError is why there is no outcome.
type StepError struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

func (e *StepError) Error() string { return e.Message }

// NewStepError gives an error its kind.
func NewStepError(err error) *StepError {
	kind := StepFailed
	var behind *BehindError
	switch {
	case errors.Is(err, ErrInterrupted):
		kind = StepInterrupted
	case errors.As(err, &behind):
		kind = StepBehind
	}
	return &StepError{kind, err.Error()}
}

// Submission is a run for workers of another engine.
type Submission struct {
	Version int         `json:"version"`
	Start   loops.Start `json:"start"`
	// Files are sealed in the run's folder, by name.
	Files map[string][]byte `json:"files,omitempty"`
	// Repository is what workers clone, without a login; Name is the repository's.
	Repository string `json:"repository"`
	Name       string `json:"name"`
	Engine     Engine `json:"engine"`
}

// EngineFile says in the folder of a run which engine carries it out, if that is not this
// program. The journal is then a copy.
const EngineFile = "engine.json"

// Engine is what carries out a run.
type Engine struct {
	Version   int    `json:"version"`
	Name      string `json:"engine"`
	Address   string `json:"address"`
	Namespace string `json:"namespace"`
	TaskQueue string `json:"task_queue"`
	// Workflow names the run there, and First the first execution of it.
	Workflow string `json:"workflow,omitempty"`
	First    string `json:"first,omitempty"`
}

// engineVersion is that of the file.
const engineVersion = 1

// SetEngine notes which engine carries a run out. Its worktree is not here.
func (s *Store) SetEngine(id string, e Engine) error {
	e.Version = engineVersion
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(replace(filepath.Join(s.Folder(id), EngineFile), append(text, '\n')), replace(filepath.Join(s.Folder(id), ElsewhereFile), nil))
}

// Engine returns what carries a run out; ok is false if that is this program.
func (s *Store) Engine(id string) (e Engine, ok bool, err error) {
	path := filepath.Join(s.Folder(id), EngineFile)
	text, err := files.ReadPath(path, files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	switch {
	case err != nil:
		return e, true, fmt.Errorf("read %s: %w", path, err)
	case e.Version > engineVersion:
		return e, true, fmt.Errorf("read %s: version %d is newer than this program supports (%d); upgrade wiki", path, e.Version, engineVersion)
	}
	return e, true, nil
}

// hasEngine reports whether another engine carries a run out.
func (s *Store) hasEngine(id string) bool {
	_, ok, _ := s.Engine(id)
	return ok
}
