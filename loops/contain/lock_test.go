//go:build unix

package contain

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// locker adds one to a number a few times, holding the lock; or holds it until
// it is killed.
func locker(path, what string) int {
	for range 5 {
		held, _, err := Lock(path, "locker "+strconv.Itoa(os.Getpid()))
		for busy := (*Busy)(nil); errors.As(err, &busy); held, _, err = Lock(path, "locker") {
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		if what == "hold" {
			fmt.Println("held")
			time.Sleep(time.Hour)
		}
		text, _ := os.ReadFile(path + ".n")
		n, _ := strconv.Atoi(string(text))
		time.Sleep(time.Millisecond)
		if err := os.WriteFile(path+".n", []byte(strconv.Itoa(n+1)), 0o600); err != nil {
			fmt.Println(err)
			return 1
		}
		if err := held.Release(); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	return 0
}

func TestOneHolderAmongMany(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	var all []*exec.Cmd
	for range 8 {
		cmd := exec.Command(os.Args[0], "__locker", path, "count")
		cmd.Stdout = os.Stdout
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if text, _ := os.ReadFile(path + ".n"); string(text) != "40" {
		t.Errorf("counted to %q, want 40", text)
	}
}

func TestLockOfADeadOwner(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0], "__locker", path, "hold")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	var busy *Busy
	if _, _, err := Lock(path, "me"); !errors.As(err, &busy) || busy.PID != cmd.Process.Pid || !strings.HasPrefix(busy.Owner, "locker ") {
		t.Errorf("a held lock: %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	held, note, err := Lock(path, "me")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("taken over from locker %d (process %d): it is no longer running", cmd.Process.Pid, cmd.Process.Pid); note != want {
		t.Errorf("note %q, want %q", note, want)
	}
	if _, _, err := Lock(path, "me again"); !errors.As(err, &busy) {
		t.Errorf("the same process twice: %v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if held, note, err = Lock(path, "me"); err != nil || note != "" {
		t.Errorf("after it was given back: %q, %v", note, err)
	}
	held.Release()
}

// TestLockWhileProcessesStart gives a lock back and takes it again while other
// processes are being started, each of which has a copy of the lock's file for a
// moment.
func TestLockWhileProcessesStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := exec.Command(os.Args[0], "-test.run=^$").Run(); err != nil {
				stopped <- err
				return
			}
		}
	}()
	for range 2000 {
		held, _, err := Lock(path, "me")
		if err != nil {
			t.Error(err)
			break
		}
		if err := held.Release(); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestLockOfAReusedNumber has files of holders whose number is alive, but as
// another process.
func TestLockOfAReusedNumber(t *testing.T) {
	t.Parallel()
	start, err := processStart(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	me := holder{holderVersion, "old run", os.Getpid(), start, bootID()}
	for name, c := range map[string]struct {
		change func(*holder)
		says   string // "" is busy
	}{
		"another start":  {func(h *holder) { h.Start += "1" }, "its process id now belongs to another process"},
		"another boot":   {func(h *holder) { h.Boot += "1" }, "the machine was restarted"},
		"the very owner": {func(*holder) {}, ""},
	} {
		h := me
		c.change(&h)
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "lock")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		held, note, err := Lock(path, "new run")
		var busy *Busy
		if c.says == "" {
			if !errors.As(err, &busy) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !strings.Contains(note, "old run") || !strings.Contains(note, c.says) {
			t.Errorf("%s: note %q, %v", name, note, err)
			continue
		}
		held.Release()
	}
}

func FuzzHolder(f *testing.F) {
	f.Add([]byte(`{"version":1,"owner":"a","pid":1,"start":"5","boot":"b"}`))
	f.Add([]byte(`{"ver`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if h, ok := parseHolder(text); ok && h.Owner == "" {
			t.Error("a holder without a name")
		}
	})
}
