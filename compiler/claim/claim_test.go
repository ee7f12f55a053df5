package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// claims compiles an archive and writes its claims, one a line: subject |
// attribute | text | scope.
func claims(t *testing.T, archive string) string {
	t.Helper()
	w := compilertest.Compile(t, compilertest.Write(t, archive))
	var b strings.Builder
	for _, p := range w.Pages() {
		for _, c := range claim.Of(p) {
			link := ""
			if c.Subject.Link >= 0 {
				link = "->" + p.Links[c.Subject.Link].Target
			}
			context := ""
			if len(c.Attr.Context) > 0 {
				context = " of " + strings.Join(c.Attr.Context, " ")
			}
			if got := string(c.Span.In(p.Source)); !strings.Contains(got, c.Text) {
				t.Errorf("%s: the place of %q is %q", p.Path, c.Text, got)
			}
			fmt.Fprintf(&b, "%s %s: %s%s | %s%s | %s | %s\n", p.Path, c.From, strings.Join(c.Subject.Names, "/"), link, strings.Join(c.Attr.Words, " "), context,
				c.Text, strings.Join(c.Scope, ","))
		}
	}
	return b.String()
}

func TestOf(t *testing.T) {
	t.Parallel()
	got := claims(t, `
-- a.md --
---
title: Sensor node
author: Ana
tags: [x]
aliases: [leaf]
status: stable
calibration_interval: 12 months
component: ignored here
notes: "what is said at length is no value, since it goes on and on"
---
# Sensor node

Port:: 8080

| Part | Port | Version | Size (MB) |
|---|---|---|---|
| [[b]] | 9090 | 2.0 | 5 |
| twice | 1 | 1.0 | 1 |
| twice | 2 | 1.0 | 1 |

## In production, since 2025

| Key | Default | Notes |
|---|---|---|
| `+"`pool.size`"+` | 40 | size of the pool |

## Alternatives considered

| Part | Port |
|---|---|
| [[b]] | 1234 |
-- b.md --
---
component: sensor-node
---
# Calibrating the sensor node

interval:: 6 months
-- v1.2/c.md --
---
port: 1
---
# C
-- torn.md --
| Part | Port |
|---|---|
| [[b]] | 1 |

| Part | Port |
|---|---|
| [[b]] | 2 |
-- log.md --
port:: 7
-- raw/source.md --
---
status: draft
port: 1
---
# Source
-- old.md --
---
status: superseded
port: 1
---
# Old
`)
	want := `a.md frontmatter:  | status | stable | 
a.md frontmatter:  | calibr interval | 12 months | 
a.md frontmatter: ignored here | calibr interval | 12 months | 
a.md field: ignored here | port of node sensor | 8080 | 
a.md table: b->b | port | 9090 | version=2.0
a.md table: b->b | size | 5 | version=2.0
a.md table: pool.size/size of the pool | valu | 40 | 2025,production
a.md table:  | pool size | 40 | 2025,production
b.md field: sensor-node | interval of calibr | 6 months | 
old.md frontmatter:  | status | superseded | 
v1.2/c.md frontmatter:  | port | 1 | in v1.2
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A claim keeps its id when lines move, and gets another when it says something else.
func TestID(t *testing.T) {
	t.Parallel()
	ids := func(page string) (out []uint64) {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+page))
		for _, c := range claim.Of(w.Page(schema.PageID("a"))) {
			out = append(out, c.ID)
		}
		return out
	}
	first, moved, other := ids("port:: 1\n"), ids("More.\n\nport:: 1\n"), ids("port:: 2\n")
	if len(first) != 1 || len(moved) != 1 || len(other) != 1 || first[0] != moved[0] || first[0] == other[0] {
		t.Errorf("%x, moved %x, other %x", first, moved, other)
	}
}

// TestClaimsAreTheirOwn reads other pages into the buffers that the claims of one were read into.
func TestClaimsAreTheirOwn(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, `
-- pump.md --
# Pump

The pump runs on Debian 12 and is inspected every 3 weeks. It holds 40 litres. The filter is never cleaned by hand.

| Part | Weight | Count |
|---|---|---|
| Valve of the pump | 10 kg | 3 |
| Gate | about 12 kg in winter | 4 |
-- other.md --
# Other

The gate opens at 9:30 on Sundays, and the keeper waits for 5 minutes. Ships are not measured in the lock. It stores all logs in Postgres.

| Ship | Length |
|---|---|
| Rosa | 20 m |
`))
	for _, p := range w.Pages() {
		got := claim.Of(p)
		if len(got) < 4 {
			t.Fatalf("%s: %d claims", p.Path, len(got))
		}
		want := fmt.Sprintf("%+v", got)
		for range 8 {
			for _, other := range w.Pages() {
				claim.Of(other)
			}
		}
		if is := fmt.Sprintf("%+v", got); is != want {
			t.Errorf("%s: the claims became\n%s\nof\n%s", p.Path, is, want)
		}
	}
}
