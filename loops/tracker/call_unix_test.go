//go:build unix

package tracker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// aBoard returns a repository whose gh writes down what it is called with.
func aBoard(t *testing.T) (Place, schema.LoopConnector, string) {
	t.Helper()
	root, bin := t.TempDir(), t.TempDir()
	log := filepath.Join(bin, "gh.log")
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\necho \"$*\" >> "+log+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PATH": bin + ":" + os.Getenv("PATH")}
	return Place{Root: root, Getenv: func(name string) string { return env[name] }}, schema.LoopConnector{Kind: "github", Writes: []string{"close", "label"}}, log
}

// approve lets a tool be called.
func approve(t *testing.T, p Place, c schema.LoopConnector, tool string, scope Scope) {
	t.Helper()
	asked, err := AskWriting(t.Context(), p, "issues", tool, c, scope)
	if err != nil {
		t.Fatal(err)
	}
	a := Approval{Connector: "issues", Tool: tool, Digest: asked.Digest, By: "ada", Date: "2026-03-01", Arguments: scope.Arguments, Open: scope.Open, Calls: scope.Calls}
	if err := Approve(p.Root, a); err != nil {
		t.Fatal(err)
	}
}

// TestNoMoreCallsThanApproved checks that many calls at once spend an approval once.
func TestNoMoreCallsThanApproved(t *testing.T) {
	t.Parallel()
	p, c, log := aBoard(t)
	approve(t, p, c, "close", Scope{Open: []string{"issue"}, Calls: 3})
	var wg sync.WaitGroup
	refused := make(chan error, 16)
	for range 12 {
		wg.Go(func() {
			if _, err := Do(t.Context(), p, Call{"issues", "close", map[string]string{"issue": "12"}}, c, "ada"); err != nil {
				refused <- err
			}
		})
	}
	wg.Wait()
	close(refused)
	n := 0
	for err := range refused {
		if n++; !errors.As(err, new(*SpentError)) {
			t.Errorf("refused otherwise: %v", err)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil || strings.Count(string(text), "issue close 12\n") != 3 || n != 9 {
		t.Errorf("%d calls are refused, and gh was called so: %s (%v)", n, text, err)
	}
}

// TestWhoApprovesAgainAddsCalls checks that calls which were refused spend nothing.
func TestWhoApprovesAgainAddsCalls(t *testing.T) {
	t.Parallel()
	p, c, _ := aBoard(t)
	scope := Scope{Arguments: map[string]string{"issue": "12"}, Calls: 1}
	approve(t, p, c, "close", scope)
	all, err := approvals(p.Root)
	if err != nil {
		t.Fatal(err)
	}
	call := Call{"issues", "close", scope.Arguments}
	if _, err := p.begin(call, &all[0], 1, "ada"); err != nil { // its runner died
		t.Fatal(err)
	}
	if _, err := p.begin(call, &all[0], 1, "ada"); !errors.As(err, new(*SpentError)) {
		t.Errorf("two are at it: %v", err)
	}
	if _, err := Do(t.Context(), p, call, c, "ada"); !errors.As(err, new(*SpentError)) {
		t.Errorf("what may have been done is done again: %v", err)
	}
	approve(t, p, c, "close", scope)
	if _, err := Do(t.Context(), p, call, c, "ada"); err != nil {
		t.Error(err)
	}
}

// TestACallIsWithinItsApproval holds what an approval does not cover.
func TestACallIsWithinItsApproval(t *testing.T) {
	t.Parallel()
	p, c, log := aBoard(t)
	approve(t, p, c, "label", Scope{Arguments: map[string]string{"issue": "12"}, Open: []string{"label"}, Calls: 9})
	elsewhere := c
	elsewhere.Repository = "other/name"
	for name, call := range map[string]struct {
		conf      schema.LoopConnector
		arguments map[string]string
	}{
		"another value":      {c, map[string]string{"issue": "13", "label": "x"}},
		"another repository": {elsewhere, map[string]string{"issue": "12", "label": "x"}},
		"two labels":         {c, map[string]string{"issue": "12", "label": "x,y"}},
		"a missing argument": {c, map[string]string{"label": "x"}},
		"an unknown one":     {c, map[string]string{"issue": "12", "label": "x", "repo": "y"}},
		"too long":           {c, map[string]string{"issue": "12", "label": strings.Repeat("x", maxArgument+1)}},
		"no text":            {c, map[string]string{"issue": "12", "label": "\xff"}},
	} {
		if _, err := Do(t.Context(), p, Call{"issues", "label", call.arguments}, call.conf, "ada"); err == nil {
			t.Errorf("%s is let be", name)
		}
	}
	if _, err := os.Stat(log); err == nil {
		t.Error("gh was called")
	}
	if _, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(CallsFile))); err == nil {
		t.Error("what was refused before it began is in the journal")
	}
	if _, err := Do(t.Context(), p, Call{"issues", "label", map[string]string{"issue": "12", "label": "--web"}}, c, "ada"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(log); err != nil || string(text) != "issue edit 12 --add-label=--web\n" {
		t.Errorf("%q, %v", text, err)
	}
}
