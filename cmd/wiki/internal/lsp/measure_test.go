package lsp

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	measure = flag.String("measure", "", "measure the server on the wiki in `DIR`, which is not changed")
	strokes = flag.Int("strokes", 60, "with -measure, type `N` characters")
)

// TestMeasure prints how long an editor waits for the program, and what that takes:
//
//	go test ./cmd/wiki/internal/lsp -run TestMeasure -v -measure DIR
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("asked for by -measure DIR")
	}
	root, err := filepath.Abs(*measure)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "wiki")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program, "lsp", "-q")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, root, out, in)
	c.initialize(`{"textDocument": {"publishDiagnostics": {}}}`)
	var found []symbolInformation
	c.call("workspace/symbol", map[string]any{"query": ""}, &found)
	report(t, "start, until the first answer", time.Since(began))
	used := processorTime(cmd.Process.Pid)
	report(t, "processor time of it", used)
	// The longest of the pages that the first search names.
	page := ""
	size := 0
	for _, s := range found {
		path, _ := pathOf(s.Location.URI)
		if info, err := os.Stat(path); err == nil && int(info.Size()) > size && strings.HasSuffix(path, ".md") {
			page, size = path, int(info.Size())
		}
	}
	page, err = filepath.Rel(root, page)
	if err != nil {
		t.Fatal(err)
	}
	c.open(filepath.ToSlash(page))
	page = filepath.ToSlash(page)
	t.Logf("typing in %s, %d bytes", page, size)
	c.waitFor(page, "findings", func(p publishParams) bool { return p.Version != nil && *p.Version == 1 })
	report(t, "findings of an opened page", time.Since(began))
	var typed, completed []time.Duration
	used = processorTime(cmd.Process.Pid)
	at := len(strings.Split(c.read(page), "\n")) - 1
	c.change(page, 2, textRange{position{at, 0}, position{at, 0}}, "\n")
	at++
	text := "See [[missing page]] and [x](no/such.md#a) and more words. "
	for i := range *strokes {
		time.Sleep(120 * time.Millisecond) // as people type
		start := time.Now()
		c.change(page, i+3, textRange{position{at, i}, position{at, i}}, string(text[i%len(text)]))
		c.waitFor(page, "findings", func(p publishParams) bool { return *p.Version >= i+3 })
		typed = append(typed, time.Since(start))
		if i%6 == 0 {
			start = time.Now()
			var list completionList
			c.call("textDocument/completion", c.at(page, at, i+1), &list)
			completed = append(completed, time.Since(start))
		}
	}
	report(t, "processor time of a keystroke", (processorTime(cmd.Process.Pid)-used)/time.Duration(*strokes))
	spread(t, "findings after a keystroke", typed)
	spread(t, "completion", completed)
	time.Sleep(5 * time.Second) // the whole wiki is checked
	start := time.Now()
	c.change(page, *strokes+3, textRange{position{at, 0}, position{at, 0}}, "x")
	c.waitFor(page, "findings", func(p publishParams) bool { return *p.Version == *strokes+3 })
	report(t, "findings after a keystroke, after a pause", time.Since(start))
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err == nil {
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "VmRSS") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// processorTime is what a process has used, where the system says so. Unlike the time on
// the clock it hardly depends on what else runs.
func processorTime(pid int) time.Duration {
	src, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(src), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // ticks
}

func report(t *testing.T, what string, took time.Duration) {
	t.Logf("%-45s %v", what, took.Round(time.Millisecond))
}

func spread(t *testing.T, what string, all []time.Duration) {
	slices.Sort(all)
	t.Logf("%-45s median %v, p95 %v, most %v of %d", what, all[len(all)/2].Round(time.Millisecond), all[len(all)*95/100].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond), len(all))
}
