//go:build server && linux

package dev

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// cutFor is how long the link between worker and server is cut.
const cutFor = 60 * time.Second

// TestRunsSurviveACutLink cuts the link between the hosts of server and worker in each
// phase of a run. What the worker does goes on meanwhile; the run goes on afterwards.
func TestRunsSurviveACutLink(t *testing.T) {
	want := embedded(t)[0]
	for phase, during := range map[string]string{"role": "maker", "gates": "gate", "commit": "push", "waiting": "doubt"} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			f, h := apart(t)
			name := f.Names[0]
			hold := func() {
				if err := f.Hold(during); err != nil {
					t.Fatal(err)
				}
			}
			if phase != "commit" {
				hold()
			}
			run := f.begin(name, 0)
			if phase == "commit" { // starting a run pushes, too
				hold()
			}
			if phase == "waiting" {
				f.ends(name, run, patience, "waiting")
			} else {
				f.until(during+" is reached", patience, func() bool { return f.Held(during) })
			}
			if err := h.Cut(); err != nil {
				t.Fatal(err)
			}
			f.Interrupted()
			time.Sleep(cutFor / 3)
			if err := f.Release(during); err != nil {
				t.Fatal(err)
			}
			if phase == "waiting" {
				argv := append(h.On(h.Server), filepath.Join(f.Programs, "wiki"), "loop", "approve", run, "--by", "ada")
				approval, err := rig.Start("approve", f.Home(name), f.Dir, f.Env, argv...) // it follows the run to its end
				if err != nil {
					t.Fatal(err)
				}
				defer approval.Kill()
			}
			time.Sleep(cutFor - cutFor/3)
			mended := time.Now()
			if err := h.Mend(); err != nil {
				t.Fatal(err)
			}
			f.Interrupted()
			o := f.ends(name, run, patience, "met", "not-met", "stopped", "environment", "budget")
			t.Logf("it ended %s after the link was mended", time.Since(mended).Round(time.Second))
			calls, err := f.Calls()
			if err != nil {
				t.Fatal(err)
			}
			again := rig.Again(calls)
			if again > 1 || again == 1 && phase != "role" {
				t.Errorf("%d calls of agents were made again", again)
			}
			want := want
			if again == 1 && o.Spend.Calls == want.Spend.Calls+1 { // the call that gave no sign of life costs its estimate
				want.Spend = o.Spend
			}
			if phase == "waiting" { // the checker was not sure before
				want.Spend, want.Chunks = o.Spend, o.Chunks
			}
			if o.String() != want.String() {
				t.Errorf("it ends as\n%s, and with the embedded driver as\n%s", o, want)
			}
			f.nothingDoubled(2)
		})
	}
}

// apart is a fleet with its server on one host and its worker on another. The server
// listens on its own host only, so there is a relay beside it.
func apart(t *testing.T) (*fleet, *rig.Hosts) {
	t.Helper()
	h, err := rig.NewHosts()
	if err != nil {
		t.Skipf("no hosts of its own: %v; run it as root, with iproute2", err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	f := newFleet(t, 1, 1, 0, 0, h.On(h.Server)...)
	address := net.JoinHostPort(h.ServerAddress, "7233")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(rig.Environ(f.Dir), relayVariable+"="+address+"="+f.Server.Address)
	relay, err := rig.Start("relay", "/", f.Dir, env, append(h.On(h.Server), self)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Kill)
	if _, err := relay.Await("relay: ", 30*time.Second, 0); err != nil {
		t.Fatal(err)
	}
	f.Place(0, address, h.On(h.Worker)...)
	if err := f.Work(0); err != nil {
		t.Fatal(err)
	}
	return f, h
}
