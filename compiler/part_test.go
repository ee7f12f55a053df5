package compiler_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

const sectioned = `
-- a.md --
---
title: A
---
Before.

# A

Of A.

## Limits

Of limits.

### Burst

Of burst.

## Retries > waits

Of retries.

### Burst

Again.

## Limits

Twice.
-- plain.md --
No heading.
`

func TestPartsAreTheBody(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, sectioned))
	for _, p := range w.Pages() {
		var all strings.Builder
		for _, part := range compiler.Parts(p) {
			all.Write(part.Span.In(p.Source))
		}
		if body := string(p.Source[p.Body:]); strings.TrimSpace(all.String()) != strings.TrimSpace(body) {
			t.Errorf("%s: %q, want %q", p.Path, all.String(), body)
		}
	}
}

func TestFindPart(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, sectioned))
	p := w.Page("a")
	for _, c := range []struct {
		name      string
		full      bool
		want      string // the text below the heading, or the error
		hint      string
		ambiguous bool
	}{
		{name: "A > Limits > Burst", full: true, want: "Of burst."},
		{name: "A>Retries > waits", want: "a.md: section \"A>Retries > waits\" not found"},
		{name: "A > Retries > waits", full: true, want: "Of retries."},
		{name: "#retries--waits", full: true, want: "Of retries."},
		{name: "burst-1", want: "Again."},
		{name: "limits > burst", want: "Of burst."},
		{name: "limits > burst", full: true, want: "a.md: section \"limits > burst\" not found"},
		{name: "Burst", want: "a.md: 2 sections are called \"Burst\"", hint: "#burst (line 14)", ambiguous: true},
		{name: "A > Limits", full: true, want: "a.md: 2 sections are called \"A > Limits\"", hint: "#limits-1 (line 26)", ambiguous: true},
		{name: "A > Limitz > Burst", full: true, want: "a.md: section \"A > Limitz > Burst\" not found", hint: "did you mean \"A > Limits > Burst\"?"},
		{name: "", want: "a.md: section \"\" not found"},
	} {
		part, err := compiler.FindPart(p, c.name, c.full)
		var named *compiler.PartError
		got := ""
		if errors.As(err, &named) {
			got = named.Error()
			if !strings.Contains(named.Hint(), c.hint) || (len(named.Fit) > 0) != c.ambiguous {
				t.Errorf("%q: hint %q", c.name, named.Hint())
			}
		} else {
			_, got, _ = strings.Cut(strings.TrimSpace(string(part.Span.In(p.Source))), "\n\n")
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}
