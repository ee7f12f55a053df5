package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/declared"
	runs "github.com/loopwiki/wiki/loops/run"
)

// writingLoop has a worker that adds a line with its name, until there are so many of a name.
const writingLoop = `loop_name: NAME
version: 1.0.0
objective: Write lines into text.txt
inputs: {schema: {task: {type: string, description: What to do, default: Write}}}
memory: {type: ephemeral}
workers:
  - {id: WORKER, role: Write a line, model: {provider: x_wiki, name: maker}, inputs: [{from: inputs.task}], outputs: {name: Line, format: text}}
evaluators:
  - {id: check, type: deterministic, runs_after: [WORKER], implementation: sh check.sh LINES}
feedback_channels:
  - {id: back, source: evaluators.check, destination: workers.WORKER, format: structured, fields: [raw_output]}
optimization_strategy: {type: prompt_refinement, max_steps: 5}
termination_conditions:
  success: [{metric: quality, operator: gte, value: 1}]
  failure: [{type: max_iterations, value: 3, action: halt}]
metrics: [{name: quality, primary: true, definition: Whether the lines are there, source: evaluators.check, unit: ratio}]
safety_constraints: []
cost_limits: {per_iteration_usd: 1, cumulative_usd: 9, on_exceed: {action: halt}}
`

const nestedChildren = `composition:
  type: nested
  children:
    - {id: draft, ref: draft.yaml, role: outer}
    - {id: repair, ref: repair.yaml, role: inner, trigger: children.draft.evaluators.check.failed}
  adapters: [{from: children.draft.outputs.writer, to: children.repair.inputs.task}]
`

const parallelChildren = `composition:
  type: parallel
  children:
    - {id: left, ref: branch.yaml, role: branch}
    - {id: middle, ref: branch.yaml, role: branch}
    - {id: right, ref: branch.yaml, role: branch}
  merge: {strategy: synthesize, min_branches_pass: 3}
`

// composedShop is a shop with a composition that somebody approved. Its files are a name, a
// worker, and the lines that make it succeed; the composition is the first of them.
func composedShop(t *testing.T, composition string, files [][3]string) *shop {
	t.Helper()
	s := newShop(t)
	s.write(s.dir+"/beside", "writer.sh", `. BESIDE/block.sh
echo "$WIKI_LOOP_PART" >> text.txt
block "$WIKI_LOOP_PART-$(grep -c . text.txt)"
echo "wrote as $WIKI_LOOP_PART"
echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`)
	s.write(s.top, "wiki.yaml", "loops:\n  roles:\n    maker: {agent: command, argv: [sh, BESIDE/writer.sh]}\n  timeouts: {grace: 1s}\n  estimate: {usd_per_call: 0.25}\n")
	s.write(s.top, "check.sh", "test \"$(grep -c \"$1\" text.txt)\" -ge \"$2\"\n")
	var sources [][]byte
	for i, f := range files {
		text := strings.NewReplacer("NAME", f[0], "WORKER", f[1], "LINES", f[2]).Replace(writingLoop)
		if i == 0 {
			text += composition
		}
		s.write(s.top, f[0]+".yaml", text)
		sources = append(sources, []byte(text))
	}
	for range strings.Count(composition, "branch.yaml") - 1 {
		sources = append(sources, sources[1]) // a file of several children is part of the hash for each
	}
	s.commit("second")
	if err := runs.NewStore(s.top).Make(); err != nil {
		t.Fatal(err)
	}
	if err := declared.Approve(s.top, declared.Hash(sources[0], sources[1:]...), "whole.yaml", "Robin", time.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// composedRun is what such a run comes to, whatever happens to its runner.
type composedRun struct{ log, text, iterations string }

func (s *shop) composed(checkout string) composedRun {
	s.t.Helper()
	state, _ := s.finished(checkout)
	var o composedRun
	for _, it := range state.Rounds.History {
		o.iterations += fmt.Sprintf("%d: %v\n", it.N, it.Values)
	}
	o.log = s.git("log", "--format=%s", "main..loop/whole")
	o.text = s.git("show", "loop/whole:text.txt")
	return o
}

// called are the parts of the loop whose agents were called, in order.
func called(events []loops.Event) (parts []string) {
	for _, e := range events {
		if e.Kind == loops.Began && e.Command.Kind == loops.RunRole {
			parts = append(parts, e.Command.Part)
		}
	}
	return parts
}

// TestResumeAfterKilledComposition kills the runner of loops within a loop while a child's
// worker works, while the files go back between branches, and between other commands, and
// resumes: it comes to what it does undisturbed, and calls nobody again but who was cut off.
func TestResumeAfterKilledComposition(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every place where its runner dies")
	}
	t.Parallel()
	for _, row := range []struct {
		name, composition string
		files             [][3]string
		during            string // what blocks, when the runner is killed
		calls, text       string
	}{
		{"nested", nestedChildren, [][3]string{{"whole", "closer", "closer 1"}, {"draft", "writer", "repairer 2"}, {"repair", "repairer", "repairer 2"}},
			"draft.repair.repairer-3", "draft.writer draft.repair.repairer draft.repair.repairer closer", "draft.writer\ndraft.repair.repairer\ndraft.repair.repairer\ncloser\n"},
		{"parallel", parallelChildren, [][3]string{{"whole", "closer", "closer 1"}, {"branch", "writer", "writer 1"}},
			"middle.writer-1", "left.writer middle.writer right.writer closer", "left.writer\ncloser\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			args := []string{"loop", "run", "whole.yaml", "--json"}
			s := composedShop(t, row.composition, row.files)
			before := s.checkout()
			s.must(0, args...)
			want, events := s.composed(before), s.events()
			if got := strings.Join(called(events), " "); got != row.calls || want.text != row.text {
				t.Fatalf("calls %q, and wrote %q; want %q, %q", got, want.text, row.calls, row.text)
			}
			resume := func(s *shop, before string) {
				s.t.Helper()
				at := s.events()
				last := at[len(at)-1]
				s.must(0, "loop", "resume", "latest", "--json")
				if got := s.composed(before); got != want {
					s.t.Errorf("it came to %+v, and not to %+v", got, want)
				}
				calls := called(events)
				if last.Kind == loops.Began && last.Command.Kind == loops.RunRole { // it was cut off
					i := len(called(at))
					calls = slices.Insert(calls, i, calls[i-1])
				}
				if got := called(s.events()); !slices.Equal(got, calls) {
					s.t.Errorf("calls %q, want %q", got, calls)
				}
			}
			t.Run("during", func(t *testing.T) {
				t.Parallel()
				s := composedShop(t, row.composition, row.files)
				before := s.checkout()
				s.block(row.during)
				r := s.start(nil, args...)
				s.until("the worker works", func() bool { return s.asleep() == 2 })
				r.signal(syscall.SIGKILL)
				if code := r.wait(); code != -9 {
					t.Fatalf("exit status %d:\n%s", code, r.said())
				}
				s.unblock(row.during)
				resume(s, before)
			})
			for n := 2; n <= len(events); n++ {
				e := events[n-1]
				goesBack := e.Kind == loops.Began && e.Command.Kind == loops.Rollback
				if !goesBack && n%every() != 0 {
					continue
				}
				t.Run(fmt.Sprint("between ", n), func(t *testing.T) {
					t.Parallel()
					s := composedShop(t, row.composition, row.files)
					before := s.checkout()
					r := s.start([]string{fmt.Sprint("DIES_AFTER=", n)}, args...)
					if code := r.wait(); code != -9 || len(s.events()) != n {
						t.Fatalf("exit status %d after %d events:\n%s", code, len(s.events()), strings.TrimSpace(r.said()))
					}
					resume(s, before)
				})
			}
		})
	}
}
