package writing

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestWait runs in a separate process, since nothing can be written afterwards.
func TestWait(t *testing.T) {
	if os.Getenv("WRITING_TEST") == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestWait$")
		c.Env = append(os.Environ(), "WRITING_TEST=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	end := Begin()
	written, waited := false, make(chan bool)
	Interrupt()
	if !Interrupted() {
		t.Error("an interrupt isn't reported")
	}
	go func() {
		Wait(time.Hour)
		waited <- written
	}()
	written = true
	end()
	if !<-waited {
		t.Error("Wait returned before the write ended")
	}
	go func() {
		Begin()
		t.Error("a write began after Wait")
	}()
	Wait(10 * time.Millisecond) // someone holds the gate for good: the limit counts
}
