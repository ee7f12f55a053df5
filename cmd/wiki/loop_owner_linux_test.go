package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestOnlyOneRunnerPerPlan starts six at once: one of them runs, the others say so
// and end with 3.
func TestOnlyOneRunnerPerPlan(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.block("maker-1-1")
	var all []*reaped
	ended := make(chan int, 6)
	for range 6 {
		r := s.start(nil, "loop", "run", shopPlan)
		all = append(all, r)
		go func() { _ = r.Wait(); ended <- r.ProcessState.ExitCode() }()
	}
	for range 5 {
		select {
		case code := <-ended:
			if code != 3 {
				t.Errorf("exit status %d", code)
			}
		case <-time.After(time.Minute):
			t.Fatal("more than one runs")
		}
	}
	s.until("the maker works", func() bool { return s.asleep() == 2 })
	id := s.runID()
	if said := s.must(3, "loop", "resume", id); !strings.Contains(said, "is already running") || !strings.Contains(said, "wiki loop stop") {
		t.Errorf("to go on while it runs: %s", said)
	}
	if said := s.must(3, "loop", "reject", id, "--by", "ada"); !strings.Contains(said, "is already running") {
		t.Errorf("to reject it while it runs: %s", said)
	}
	s.must(0, "loop", "stop", id)
	if code := <-ended; code != 143 {
		t.Errorf("who was stopped ended with %d", code)
	}
	for _, r := range all {
		if said := r.said(); r.ProcessState.ExitCode() == 3 && (!strings.Contains(said, "plan "+shopPlan+" is already running") || strings.Contains(said, "panic")) {
			t.Errorf("it said %q", said)
		}
	}
	s.unblock("maker-1-1")
	s.must(0, "loop", "resume", id)
	s.must(2, "loop", "run", "no-such-plan")
}

// TestLockOfKilledRunnerIsTakenOver has locks of processes that are gone: taken over, with a note.
func TestLockOfKilledRunnerIsTakenOver(t *testing.T) {
	schematest.NeedThorough(t, "locks of dead processes in three forms")
	t.Parallel()
	s := newShop(t)
	s.block("maker-1-1")
	// killed lets a runner come to the maker, and kills it there.
	killed := func(command string) string {
		r := s.start(nil, "loop", command, shopPlan)
		s.until("the maker works", func() bool { return s.asleep() == 2 })
		r.signal(syscall.SIGKILL)
		if code := r.wait(); code != -9 {
			t.Fatalf("exit status %d:\n%s", code, r.said())
		}
		return r.said()
	}
	killed("run")
	for _, c := range []struct {
		note   string
		change func(holder map[string]any)
	}{
		{"it is no longer running", func(map[string]any) {}},
		{"its process id now belongs to another process", func(h map[string]any) { h["pid"], h["start"] = 1, "7" }},
		{"the machine was restarted since", func(h map[string]any) { h["boot"] = "another" }},
	} {
		s.changeLock(c.change)
		if got := s.summary().Status; got != string(loops.Interrupted) {
			t.Errorf("the status of a run without a runner is %s", got)
		}
		if said := killed("resume"); !strings.Contains(said, "taken over from wiki") || !strings.Contains(said, c.note) {
			t.Errorf("%s: no note of that in:\n%s", c.note, said)
		}
	}
	s.unblock("maker-1-1")
	s.must(0, "loop", "resume")
}

// changeLock changes what the plan's lock says of who holds it.
func (s *shop) changeLock(change func(holder map[string]any)) {
	s.t.Helper()
	lock := s.store().Lock(shopPlan)
	text, err := os.ReadFile(lock)
	if err != nil {
		s.t.Fatal(err)
	}
	var holder map[string]any
	if err := json.Unmarshal(text, &holder); err != nil {
		s.t.Fatal(err)
	}
	change(holder)
	if text, err = json.Marshal(holder); err != nil {
		s.t.Fatal(err)
	}
	s.write(filepath.Dir(lock), filepath.Base(lock), string(text))
}

// TestTornJournal cuts the journal at each byte of its last line.
func TestTornJournal(t *testing.T) {
	schematest.NeedThorough(t, "a journal that is cut at each byte of a line")
	t.Parallel()
	s := newShop(t)
	if r := s.start([]string{"DIES_AFTER=6"}, "loop", "run", shopPlan, "--json"); r.wait() != -9 {
		t.Fatal(r.said())
	}
	id := s.runID()
	name := filepath.Join(s.store().Folder(id), runs.JournalFile)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	from := strings.LastIndexByte(strings.TrimSuffix(string(whole), "\n"), '\n') + 1
	for n := from; n <= len(whole); n++ {
		events, size, err := readCut(t, whole[:n])
		want, at := 5, from
		if n == len(whole) {
			want, at = 6, n
		}
		if err != nil || len(events) != want || size != int64(at) {
			t.Fatalf("cut at %d of %d: %d events in %d bytes: %v", n, len(whole), len(events), size, err)
		}
	}
	s.write(filepath.Dir(name), filepath.Base(name), string(whole[:from+(len(whole)-from)/2]))
	s.must(0, "loop", "resume", id)
	s.outcome(s.checkout())

	// Of a run whose first line is torn nothing was done: it is run again.
	dead := strings.Replace(id, "Z-", "Z-dead-", 1)
	first := whole[:strings.IndexByte(string(whole), '\n')]
	s.write(s.store().Folder(dead), runs.JournalFile, string(first))
	if said := s.must(2, "loop", "resume", dead); !strings.Contains(said, "has not started") {
		t.Error(said)
	}

	lines := strings.SplitAfter(string(whole), "\n")
	for want, text := range map[string]string{
		runs.JournalFile + ":2: written by a newer version of wiki (version 99": lines[0] + strings.Replace(lines[1], `{"v":1,`, `{"v":99,`, 1),
		runs.JournalFile + ":3: event 3 is missing: this is event 4":            lines[0] + lines[1] + lines[3],
		runs.JournalFile + ":2: not an event":                                   lines[0] + "}\n" + lines[2],
	} {
		s.write(s.store().Folder(dead), runs.JournalFile, text)
		for _, command := range []string{"resume", "show", "logs", "replay"} {
			if said := s.must(2, "loop", command, dead); !strings.Contains(said, want) {
				t.Errorf("%s does not say %q: %s", command, want, said)
			}
		}
	}
}

func readCut(t *testing.T, text []byte) ([]loops.Event, int64, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "journal.jsonl")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return runs.ReadJournal(name)
}

// TestSignals interrupts a run at each kind of work by each signal.
func TestSignals(t *testing.T) {
	t.Parallel()
	places := []string{"maker-1-1", "test-1", "checker-1-1", "wait"}
	for i, place := range places {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			if !schematest.Long() && (i+int(sig))%2 == 0 {
				continue
			}
			t.Run(fmt.Sprint(place, sig), func(t *testing.T) {
				if place == "maker-1-1" || place == "checker-1-1" {
					schematest.NeedThorough(t, "a signal while an agent works, not a gate")
				}
				t.Parallel()
				s := newShop(t)
				before := s.checkout()
				s.blockOrWait(place)
				r := s.start(nil, "loop", "run", shopPlan)
				s.untilAt(place)
				r.signal(sig)
				if code := r.wait(); code != 128+int(sig) {
					t.Errorf("exit status %d\n%s", code, r.said())
				}
				if n := s.asleep(); n != 0 {
					t.Errorf("%d processes are left", n)
				}
				events := s.events()
				if last := events[len(events)-1]; last.Kind != loops.Parked || last.Status != loops.Interrupted || s.summary().Status != string(loops.Interrupted) {
					t.Errorf("the journal ends with %s %s, the status is %s", last.Kind, last.Status, s.summary().Status)
				}
				if place == "wait" { // it waits on
					r := s.start(nil, "loop", "resume")
					s.until("it waits again", func() bool { return len(s.events()) == len(events)+2 })
					s.must(0, "loop", "stop")
					if code := r.wait(); code != 143 {
						t.Errorf("who was stopped ended with %d", code)
					}
					return
				}
				s.unblock(place)
				s.must(0, "loop", "resume")
				s.outcome(before)
			})
		}
	}
}

// TestSecondInterrupt ends the runner at once.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.write(filepath.Join(s.dir, "beside"), "maker.sh", "trap '' INT TERM\nwhile :; do sleep 86399; done\n")
	s.write(s.top, "wiki.yaml", strings.Replace(shopFiles["wiki.yaml"], "grace: 1s", "grace: 1h", 1))
	s.commit("patience")
	r := s.start(nil, "loop", "run", shopPlan)
	s.until("the maker works", func() bool { return s.asleep() == 1 })
	r.signal(syscall.SIGINT)
	time.Sleep(100 * time.Millisecond) // both at once would be one
	r.signal(syscall.SIGINT)
	if code := r.wait(); code != 130 {
		t.Errorf("exit status %d\n%s", code, r.said())
	}
	if n := s.asleep(); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if got := s.summary().Status; got != string(loops.Interrupted) {
		t.Errorf("status %s", got)
	}
}

// blockOrWait is block, or lets the maker meet a rate limit.
func (s *shop) blockOrWait(place string) {
	s.t.Helper()
	s.block(place)
	if place == "wait" {
		s.write(filepath.Join(s.dir, "beside"), "maker.sh", `. BESIDE/block.sh
if [ -e BESIDE/block/wait ]; then
	echo '{"status": "rate-limited", "rate_limit": {"resets_at": "`+time.Now().Add(10*time.Minute).UTC().Format(time.RFC3339)+`"}, "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
	exit 1
fi
`+agentFiles["maker.sh"])
	}
}

func (s *shop) untilAt(place string) {
	s.t.Helper()
	s.until("it is at "+place, func() bool {
		if place != "wait" {
			return s.asleep() == 2
		}
		events := s.events()
		return len(events) > 0 && events[len(events)-1].Command != nil && events[len(events)-1].Command.Kind == loops.WaitUntil
	})
}
