package judge

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	one := prompt([][2]side{{{Text: "It keeps a reading for 30 days."}, {Text: "It keeps a reading for 90 days."}}})
	for role, part := range map[string]string{"right": "right", "garbage": "garbage", "empty": "empty"} {
		got, err := program(role).Ask(t.Context(), one)
		if want := parts[part](one); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", role, got, err, want)
		}
	}
	if got, err := program("deaf").Ask(t.Context(), strings.Repeat(one, 1000)); err != nil || len(got) > 0 {
		t.Errorf("one that reads nothing: %q, %v", got, err)
	}
	slow := program("slow")
	slow.Timeout = 200 * time.Millisecond
	for _, c := range []struct {
		run  *Command
		want string
	}{
		{program("failing"), "ended with exit status 3"},
		{program("huge"), "longer than 1048576 bytes"},
		{slow, "timed out after 200ms"},
		{&Command{Argv: []string{"no-such-program-anywhere"}, Timeout: time.Minute}, "program no-such-program-anywhere not found in PATH"},
		{&Command{Argv: []string{filepath.Join(t.TempDir(), "none")}, Timeout: time.Minute}, "could not start none"},
	} {
		if _, err := c.run.Ask(t.Context(), one); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.run.Argv[1:], err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program("right").Ask(ctx, one); !errors.Is(err, context.Canceled) {
		t.Errorf("when it was cancelled: %v", err)
	}
	if name := (&Command{Argv: []string{"/opt/bin/oracle.sh"}}).Name(); name != "oracle" {
		t.Errorf("a program is called %q", name)
	}
}

// A program that starts another and ends gives its answer although the other holds
// its output; and nothing that it started is left, whether it ended or took too long.
func TestCommandLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"leaving", "leading"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			run := program(role, l.Addr().String())
			if role == "leading" {
				run.Timeout = 2 * time.Second
			}
			ended := make(chan error, 1)
			go func() {
				c, err := l.Accept()
				if err == nil {
					defer c.Close()
					_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
					_, err = c.Read(make([]byte, 1)) // until it is gone
				}
				ended <- err
			}()
			got, err := run.Ask(t.Context(), prompt(nil))
			if role == "leaving" && (err != nil || string(got) != parts["right"](prompt(nil))) {
				t.Errorf("%q, %v", got, err)
			}
			if role == "leading" && !errors.Is(err, errTooSlow) {
				t.Errorf("%q, %v", got, err)
			}
			if runtime.GOOS == "windows" && role == "leaving" {
				return // nobody knows of the other any more
			}
			l.Close() // one that was ended before it called
			if err := <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("what it started is still there")
			}
		})
	}
}
