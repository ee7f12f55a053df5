package temporal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// stage plays the hosts of a workflow: it answers commands as a journal says that they were
// answered, and does to the workflow what was done to the run.
type stage struct {
	t    *testing.T
	want []loops.Event // of the journal
	env  *testsuite.TestWorkflowEnvironment
	// absent is set where nobody answers.
	absent bool

	mu  sync.Mutex
	got []loops.Event
	end schema.RunSummary
}

// play runs the workflow of a journal to where the journal ends.
func play(t *testing.T, want []loops.Event) *stage {
	t.Helper()
	s := &stage{t: t, want: want}
	s.play()
	return s
}

func (s *stage) play() {
	t, want := s.t, s.want
	t.Helper()
	in := Input{Submission: run.Submission{Version: run.StepVersion, Start: *want[0].Start, Repository: "/repo", Name: "repo", Engine: run.Engine{TaskQueue: "q"}}}
	for n := 0; ; n++ {
		if n > 50 {
			t.Fatal("the workflow is continued as new for ever")
		}
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(quiet{})
		s.env = suite.NewTestWorkflowEnvironment()
		s.env.SetStartTime(want[0].At)
		s.env.SetTestTimeout(5 * time.Minute)
		s.env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute})
		s.env.RegisterWorkflowWithOptions(Loop, workflow.RegisterOptions{Name: WorkflowName})
		s.env.RegisterActivityWithOptions(s.step, activity.RegisterOptions{Name: StepName})
		s.env.ExecuteWorkflow(WorkflowName, in)
		err := s.env.GetWorkflowError()
		var again *workflow.ContinueAsNewError
		if !errors.As(err, &again) {
			if err != nil && !temporal.IsCanceledError(err) {
				t.Fatal(err)
			}
			if err == nil {
				if err := s.env.GetWorkflowResult(&s.end); err != nil {
					t.Fatal(err)
				}
			}
			return
		}
		in = Input{}
		if err := converter.GetDefaultDataConverter().FromPayloads(again.Input, &in); err != nil {
			t.Fatal(err)
		}
	}
}

// step takes the events that an activity is told, and answers its command.
func (s *stage) step(ctx context.Context, w Work) (Done, error) {
	s.mu.Lock()
	if w.Step.First != len(s.got)+1 {
		s.t.Errorf("event %d follows %d events", w.Step.First, len(s.got))
	}
	s.got = append(s.got, w.Step.Events...)
	state, followed := loops.Fold(s.got), s.followed()
	s.mu.Unlock()
	done := Done{Host: "ada"}
	c := w.Step.Command
	if c == nil {
		s.next(followed, &state)
		return done, nil
	}
	if len(followed) > 0 {
		switch e := followed[0]; {
		case e.Key == c.Key:
			done.Outcome.Event = e
			done.Outcome.Event.At = time.Time{}
			return done, nil
		case e.Kind == loops.StopAsked:
			s.env.SignalWorkflow(StopSignal, Stop{By: "ada"})
			<-ctx.Done()
			return done, temporal.NewCanceledError()
		}
	}
	return done, lost(errors.New("the worker died"))
}

// followed returns what the journal holds behind what was seen, notes aside.
func (s *stage) followed() []loops.Event {
	return plain(s.want)[min(len(plain(s.got)), len(plain(s.want))):]
}

// next does to a run that waits what was done to it.
func (s *stage) next(followed []loops.Event, state *loops.State) {
	switch {
	case state.Status.Over():
	case len(followed) == 0:
		s.env.CancelWorkflow()
	case followed[0].Kind == loops.Answered && s.absent:
	case followed[0].Kind == loops.Answered:
		a := followed[0].Answer
		s.env.SignalWorkflow(AnswerSignal, Answer{Approve: !a.Approve, By: "eve", Digest: "another question"})
		s.env.SignalWorkflow(AnswerSignal, Answer{Approve: a.Approve, By: a.By, Reason: a.Reason, Digest: Digest(state)})
	case followed[0].Kind == loops.Resumed && state.Until.IsZero():
		s.env.SignalWorkflow(ResumeSignal, nil)
	}
}

// plain returns events without notes, which each driver makes its own.
func plain(all []loops.Event) []loops.Event {
	var out []loops.Event
	for _, e := range all {
		if e.Kind != loops.Noted {
			out = append(out, e)
		}
	}
	return out
}

// bare is an event without what differs from run to run: times, and who stopped.
func bare(t *testing.T, e loops.Event) string {
	e.At = time.Time{}
	if e.Command != nil {
		c := *e.Command
		c.Until = time.Time{}
		e.Command = &c
	}
	if e.Kind == loops.StopAsked {
		e.Why = ""
	}
	e.Why = resumes.ReplaceAllString(e.Why, "resume later")
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var resumes = regexp.MustCompile(`resume after [-0-9TZ:]+`)

// compare holds two sequences against each other.
func compare(t *testing.T, got, want []loops.Event) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = bare(t, got[i])
		}
		if i < len(want) {
			w = bare(t, want[i])
		}
		if g != w {
			t.Fatalf("event %d is\n%.600s\nwant\n%.600s", i+1, g, w)
		}
	}
}

func readEvents(t *testing.T, file string) []loops.Event {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []loops.Event
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e loops.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// The golden traces of the kernel: the workflow issues the same commands, and the kernel
// sees the same events.
func TestGoldenTraces(t *testing.T) {
	files, err := filepath.Glob("../testdata/trace/*.jsonl")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d traces: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			want := readEvents(t, file)
			s := play(t, driven(want))
			var kernel []loops.Event
			var commands strings.Builder
			for _, e := range s.got {
				switch e.Kind {
				case loops.Began:
					c := e.Command
					fmt.Fprintln(&commands, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", c.Key, c.Kind, c.Tree, c.Why)))
				case loops.Parked, loops.Finished:
				default:
					kernel = append(kernel, e)
				}
			}
			compare(t, kernel, want)
			golden, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			state := loops.Fold(want)
			fmt.Fprintf(&commands, "%s %s\n", state.Status, state.End.Why+state.Question)
			if commands.String() != string(golden) {
				t.Errorf("the commands are\n%swant\n%s", &commands, golden)
			}
		})
	}
}

// An approval that never comes ends the run by its deadline.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, want: readEvents(t, "testdata/runs/person-approves.jsonl"), absent: true}
	s.play()
	state := loops.Fold(s.got)
	if last := s.got[len(s.got)-1]; state.Status != loops.Rejected || last.Kind != loops.Finished {
		t.Fatalf("%s after %+v", state.Status, last)
	}
	for _, e := range s.got {
		if e.Kind == loops.Answered && (e.Answer.By != "deadline" || e.Answer.Approve) {
			t.Errorf("%+v", e.Answer)
		}
	}
}

// driven adds to the events of the kernel those that every driver adds.
func driven(kernel []loops.Event) []loops.Event {
	out := kernel[:1:1]
	state, queue := loops.Step(loops.State{}, kernel[0])
	for _, e := range kernel[1:] {
		c := queue[0]
		began := loops.Event{Kind: loops.Began, At: e.At, Key: c.Key, Command: &c}
		state, _ = loops.Step(state, began)
		var more []loops.Command
		state, more = loops.Step(state, e)
		out, queue = append(out, began, e), append(queue[1:], more...)
	}
	exit := state.Status.Exit()
	if state.Status.Over() {
		return append(out, loops.Event{Kind: loops.Finished, Status: state.Status, Exit: &exit, Why: state.End.Why})
	}
	return append(out, loops.Event{Kind: loops.Parked, Status: state.Status, Exit: &exit, Why: state.Question})
}

// Runs that the embedded driver recorded with scripted agents, see testdata/record: the
// workflow gives the same events, when hosts answer and people act as they did then.
func TestRecordedRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.jsonl")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d runs: %v", len(files), err)
	}
	ends := make(map[loops.Status]int)
	for _, file := range files {
		want := readEvents(t, file)
		ends[loops.Fold(want).Status]++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			s := play(t, want)
			compare(t, plain(s.got), plain(want))
			if got, want := loops.Fold(s.got).Status, loops.Fold(want).Status; got != want {
				t.Errorf("it ended as %s, not as %s", got, want)
			}
		})
	}
	for _, status := range []loops.Status{loops.GoalMet, loops.GoalNotMet, loops.Interrupted, loops.Stopped, loops.OverBudget, loops.Waiting, loops.NoGround, loops.Rejected} {
		if ends[status] == 0 {
			t.Errorf("no run ends as %s", status)
		}
	}
}
