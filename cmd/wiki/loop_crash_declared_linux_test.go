package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/control/declared"
	runs "github.com/loopwiki/wiki/loops/run"
)

// declaredLoop counts to two: a worker, then a command that scores what it left.
const declaredLoop = `loop_name: counting
version: 1.0.0
objective: Count to two in count.txt
inputs: {schema: {task: {type: string, description: What to do, default: Count}}}
memory: {type: session}
workers:
  - {id: counter, role: Count up by one, model: {provider: x_wiki, name: maker}, inputs: [{from: inputs.task}, {from: memory.counts}], outputs: {name: Count, format: text}}
evaluators:
  - {id: check, type: deterministic, runs_after: [counter], implementation: sh check.sh}
feedback_channels:
  - {id: back, source: evaluators.check, destination: workers.counter, format: structured, fields: [raw_output]}
optimization_strategy: {type: prompt_refinement, max_steps: 5}
termination_conditions:
  success: [{metric: quality, operator: gte, value: 1}]
  failure: [{type: max_iterations, value: 5, action: halt}]
metrics: [{name: quality, primary: true, definition: Whether it counted to two, source: evaluators.check, unit: ratio}]
safety_constraints: []
cost_limits: {per_iteration_usd: 0.5, cumulative_usd: 2, on_exceed: {action: halt}}
`

// newCountingShop is a shop with a declared loop that somebody approved.
func newCountingShop(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	s.write(s.dir+"/beside", "counter.sh", `. BESIDE/block.sh
n=$(cat count.txt 2>/dev/null || echo 0)
echo $((n + 1)) > count.txt
block counter-$WIKI_LOOP_ATTEMPT
echo "counted to $((n + 1))"
echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`)
	s.write(s.top, "wiki.yaml", "loops:\n  roles:\n    maker: {agent: command, argv: [sh, BESIDE/counter.sh]}\n  timeouts: {grace: 1s}\n  estimate: {usd_per_call: 0.25}\n")
	s.write(s.top, "check.sh", "test \"$(cat count.txt)\" = 2\n")
	s.write(s.top, "loop.yaml", declaredLoop)
	s.commit("second")
	if err := runs.NewStore(s.top).Make(); err != nil {
		t.Fatal(err)
	}
	if err := declared.Approve(s.top, declared.Hash([]byte(declaredLoop)), "loop.yaml", "Robin", time.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// countedRun is what such a run comes to, whatever happens to its runner.
type countedRun struct {
	log, count, scores string
	events, calls      int
}

func (s *shop) counted(checkout string) countedRun {
	s.t.Helper()
	state, calls := s.finished(checkout)
	o := countedRun{calls: calls, events: len(s.events())}
	for _, it := range state.Rounds.History {
		v, _ := it.Of("quality")
		o.scores += fmt.Sprintf("%d: %g\n", it.N, v)
	}
	o.log = s.git("log", "--format=%s", "main..loop/counting")
	o.count = s.git("show", "loop/counting:count.txt")
	return o
}

// TestResumeAfterKilledDeclaredRun kills the runner of a declared loop while its worker works,
// and between its commands, and resumes: it comes to what it does undisturbed.
func TestResumeAfterKilledDeclaredRun(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every place where its runner dies")
	}
	t.Parallel()
	args := []string{"loop", "run", "loop.yaml"}
	s := newCountingShop(t)
	before := s.checkout()
	s.must(0, args...)
	want := s.counted(before)
	if want.calls != 2 || want.count != "2\n" || want.scores != "1: 0\n2: 1\n" {
		t.Fatalf("%+v", want)
	}
	resume := func(s *shop, before string) {
		s.t.Helper()
		s.must(0, "loop", "resume", "latest", "--json")
		got := s.counted(before)
		if got.log != want.log || got.count != want.count || got.scores != want.scores || got.calls > want.calls+1 {
			s.t.Errorf("it came to %+v, and not to %+v", got, want)
		}
	}
	t.Run("during", func(t *testing.T) {
		t.Parallel()
		s := newCountingShop(t)
		before := s.checkout()
		s.block("counter-2")
		r := s.start(nil, args...)
		s.until("the worker works", func() bool { return s.asleep() == 2 })
		r.signal(syscall.SIGKILL)
		if code := r.wait(); code != -9 {
			t.Fatalf("exit status %d:\n%s", code, r.said())
		}
		if n := s.asleep(); n != 0 {
			t.Errorf("%d processes are left", n)
		}
		s.unblock("counter-2")
		resume(s, before)
	})
	for n := 2; n <= want.events; n += every() - every()/4 {
		t.Run(fmt.Sprint("between ", n), func(t *testing.T) {
			t.Parallel()
			s := newCountingShop(t)
			before := s.checkout()
			r := s.start([]string{fmt.Sprint("DIES_AFTER=", n)}, append(slices.Clone(args), "--json")...)
			if code := r.wait(); code != -9 || len(s.events()) != n {
				t.Fatalf("exit status %d after %d events:\n%s", code, len(s.events()), strings.TrimSpace(r.said()))
			}
			resume(s, before)
		})
	}
}
