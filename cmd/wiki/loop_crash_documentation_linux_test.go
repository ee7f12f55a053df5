package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// newDocumentedShop is a shop whose price has changed, and a page that is about it.
func newDocumentedShop(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	s.write(s.dir+"/beside", "writer.sh", `. BESIDE/block.sh
sed 's/twice/three times/' wiki/price.md > new && mv new wiki/price.md
block writer-$WIKI_LOOP_ATTEMPT
echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`)
	s.write(s.top, "wiki.yaml", "loops:\n  roles:\n    writer: {agent: command, argv: [sh, BESIDE/writer.sh]}\n  timeouts: {grace: 1s}\n  estimate: {usd_per_call: 0.25}\n")
	s.write(s.top, "wiki/price.md", "---\ntitle: Price\nsources: [price.sh]\n---\n# Price\n\nA price is twice that of one, see [[index]].\n")
	s.commit("second")
	s.write(s.top, "price.sh", "echo $(($1 * 3))\n")
	s.commit("third")
	return s
}

// documented is what a run that documents comes to, whatever happens to its runner.
type documented struct {
	tree, log     string
	events, calls int
}

// documented returns what must be equal for all such runs that are met.
func (s *shop) documented(checkout string) documented {
	s.t.Helper()
	state, calls := s.finished(checkout)
	o := documented{calls: calls, events: len(s.events())}
	branch := strings.TrimSpace(s.git("for-each-ref", "--format=%(refname)", "refs/heads/loop/"))
	o.tree = s.git("diff", "main", branch, "--", "wiki/price.md")
	o.log = s.git("log", "--format=%s", "main.."+branch)
	if n := strings.Count(s.git("show", branch+":wiki/log.md"), " loop | Documentation since"); n != 1 {
		s.t.Errorf("%d entries in the log", n)
	}
	if out := s.git("-C", state.Place.Path, "status", "--porcelain"); out != "" {
		s.t.Errorf("the worktree is not its branch's:\n%s", out)
	}
	return o
}

// goneOn resumes a run that documents, and compares.
func (s *shop) goneOn(want documented, checkout string) {
	s.t.Helper()
	s.must(0, "loop", "resume", "latest", "--json")
	got := s.documented(checkout)
	if got.tree != want.tree || got.log != want.log || got.calls > want.calls+1 {
		s.t.Errorf("it came to\n%s%s, %d calls, and not to\n%s%s, %d calls", got.tree, got.log, got.calls, want.tree, want.log, want.calls)
	}
}

// TestResumeAfterKilledDocumentationRun kills the runner of a run that documents while its writer
// works, and between its commands, and resumes: it comes to what it does undisturbed.
func TestResumeAfterKilledDocumentationRun(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every place where its runner dies")
	}
	t.Parallel()
	args := []string{"loop", "run", "documentation", "--since", "HEAD~1"}
	s := newDocumentedShop(t)
	before := s.checkout()
	s.must(0, args...)
	want := s.documented(before)
	if want.calls != 1 || !strings.Contains(want.tree, "+A price is three times that of one") {
		t.Fatalf("%d calls:\n%s", want.calls, want.tree)
	}
	t.Run("during", func(t *testing.T) {
		t.Parallel()
		s := newDocumentedShop(t)
		before := s.checkout()
		s.block("writer-1")
		r := s.start(nil, args...)
		s.until("the writer works", func() bool { return s.asleep() == 2 })
		r.signal(syscall.SIGKILL)
		if code := r.wait(); code != -9 {
			t.Fatalf("exit status %d:\n%s", code, r.said())
		}
		if n := s.asleep(); n != 0 {
			t.Errorf("%d processes are left", n)
		}
		s.unblock("writer-1")
		s.goneOn(want, before)
	})
	for n := 2; n <= want.events; n += every() - every()/4 {
		t.Run(fmt.Sprint("between ", n), func(t *testing.T) {
			t.Parallel()
			s := newDocumentedShop(t)
			before := s.checkout()
			r := s.start([]string{fmt.Sprint("DIES_AFTER=", n)}, append(slices.Clone(args), "--json")...)
			if code := r.wait(); code != -9 || len(s.events()) != n {
				t.Fatalf("exit status %d, %d events:\n%s", code, len(s.events()), r.said())
			}
			s.goneOn(want, before)
		})
	}
}
