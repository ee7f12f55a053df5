//go:build linux

package rig

import (
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestRepeatedCallsNeedAKillBetween(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	call := func(chunk string, began, ended int) Call {
		c := Call{Run: "r", Chunk: chunk, Attempt: "1", Role: "maker", Began: at(began)}
		if ended > 0 {
			c.Ended = at(ended)
		}
		return c
	}
	for name, c := range map[string]struct {
		calls []Call
		kills []time.Time
		want  int
	}{
		"once":                            {[]Call{call("1", 1, 2), call("2", 3, 4)}, nil, 0},
		"cut off, and made again":         {[]Call{call("1", 1, 0), call("1", 4, 5)}, []time.Time{at(3)}, 0},
		"ended without its runner":        {[]Call{call("1", 1, 2), call("1", 4, 5)}, []time.Time{at(3)}, 0},
		"again for nothing":               {[]Call{call("1", 1, 2), call("1", 4, 5)}, []time.Time{at(6)}, 1},
		"again beside the first":          {[]Call{call("1", 1, 7), call("1", 4, 5)}, []time.Time{at(3)}, 1},
		"cut off twice, killed only once": {[]Call{call("1", 1, 0), call("1", 4, 0), call("1", 6, 7)}, []time.Time{at(3)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Repeated(c.calls, c.kills); len(got) != c.want {
				t.Errorf("%d repeated, want %d: %s", len(got), c.want, strings.Join(got, "\n"))
			}
		})
	}
}

// TestHostsLoseWhatIsSentWhileCut sends over the link between two hosts.
func TestHostsLoseWhatIsSentWhileCut(t *testing.T) {
	h, err := NewHosts()
	if err != nil {
		t.Skipf("no network namespaces here: %v", err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	ping := func() error {
		return exec.Command("ip", append(h.On(h.Worker)[1:], "ping", "-c1", "-W2", h.ServerAddress)...).Run()
	}
	if _, err := exec.LookPath("ping"); err != nil {
		ping = func() error {
			// A connection is refused by a host that is reached, and by nobody else.
			out, err := exec.Command("ip", append(h.On(h.Worker)[1:], "timeout", "2", "bash", "-c", ": </dev/tcp/"+h.ServerAddress+"/9")...).CombinedOutput()
			if strings.Contains(string(out), "refused") {
				return nil
			}
			return err
		}
	}
	if err := ping(); err != nil {
		t.Fatalf("the hosts do not reach each other: %v", err)
	}
	if err := h.Cut(); err != nil {
		t.Fatal(err)
	}
	if ping() == nil {
		t.Error("the hosts reach each other over a cut link")
	}
	if err := h.Mend(); err != nil {
		t.Fatal(err)
	}
	if err := ping(); err != nil {
		t.Errorf("the hosts do not reach each other again: %v", err)
	}
}

func TestRelayPassesOn(t *testing.T) {
	t.Parallel()
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	go func() {
		c, err := target.Accept()
		if err == nil {
			_, _ = c.Write([]byte("hello"))
			_ = c.Close()
		}
	}()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	go func() { _ = Relay(address, target.Addr().String()) }()
	var c net.Conn
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if c, err = net.Dial("tcp", address); err == nil || time.Now().After(end) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := make([]byte, 5)
	if _, err := c.Read(got); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}
