package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// TestProgressLineFitsTerminal draws while a run goes on: the line fits, and holds what the
// agent printed without its escape sequences.
func TestProgressLineFitsTerminal(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "stdout"), []byte("thinking\n\x1b[2Jreading price.go "+strings.Repeat("x", 500)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	b := &bottomLine{out: text.New(&out), columns: func() int { return 72 }}
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	b.draw(at)
	if out.Len() > 0 {
		t.Errorf("drawn before there is a run: %q", &out)
	}
	start := loops.Start{Run: "r", Limits: loops.DefaultLimits(), Plan: loops.Plan{Name: "p", Chunks: []loops.Chunk{{ID: "1"}}}, Roles: map[loops.Role]loops.Casting{loops.Maker: {Agent: "command"}}}
	s, commands := loops.Step(loops.State{}, loops.Event{Kind: loops.Started, At: at, Start: &start})
	drawn := make(chan struct{})
	b.now(s)
	b.calling(folder)
	go func() {
		defer close(drawn)
		for n := range 50 {
			b.draw(at.Add(time.Duration(n) * time.Second))
		}
	}()
	for n, e := range []loops.Event{
		{Kind: loops.Began, Key: commands[0].Key},
		{Kind: loops.WorktreeReady, Key: commands[0].Key, Worktree: &loops.PlaceResult{Head: "h", Tree: "t"}},
		{Kind: loops.StopAsked, Why: "interrupt"}, {Kind: loops.Resumed},
	} {
		e.At = at.Add(time.Duration(n+1) * time.Second)
		s, _ = loops.Step(s, e)
		b.now(s)
		b.say("an event")
	}
	<-drawn
	b.calling(folder)
	out.Reset()
	b.draw(at.Add(time.Minute))
	line, ok := strings.CutPrefix(out.String(), wipe.String())
	if !ok || strings.ContainsAny(line, "\x1b\n\r") || len([]rune(line)) != 71 || !strings.HasSuffix(line, "…") {
		t.Errorf("%d columns: %q", len([]rune(line)), line)
	}
	for _, want := range []string{"$0.00 spent, $5.00 left", "[2Jreading"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}

// TestPlainLinesWithoutTerminal holds who gets plain lines.
func TestPlainLinesWithoutTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		live bool
		env  map[string]string
		want bool
	}{{live: true, want: true}, {}, {live: true, env: map[string]string{"NO_COLOR": "1"}}, {live: true, env: map[string]string{"TERM": "dumb"}}} {
		p := &program{live: tt.live, env: func(name string) string { return tt.env[name] }}
		if got := p.redraws(); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
