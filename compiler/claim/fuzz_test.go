package claim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// FuzzOf extracts the claims of whatever a page may hold: every place must lie in the
// page, and the same page must always claim the same.
func FuzzOf(f *testing.F) {
	for _, seed := range schematest.Vary(300,
		"The pump runs on Debian 12, and holds between 40 and 90 litres.", "In winter mode it reports every 10 minutes.\n\n- a\n- b\n",
		"Modes of it:\n\n- idle\n- busy\n", "| Key | Default |\n|---|---|\n| `a.max_b` | 5 s |", "**Port:** 80\n\nTerm\n: At most 5 [[x|y z]]s per day.",
		"It is on 3 May", "No more than", "half a", "between 1 and", "every second", "is 5 and 6 or 7, with 8 of 9", "一台机器每 5 分钟报告一次。", "a `b` is 5 `5`", "- [[x]] — keeps 5 days",
		"one of these states: a, b, c", "$5 to €6 at ±3 %", "**Listens on:** port 80\n**Size:** 5 MB, and 6 more. It holds 7.", "Requires iOS 15. Written in Go. Port 80.",
		"| Version | Date |\n|---|---|\n| App 5.x | 2026-03-12 |", "| Key | Value | Meaning |\n|---|---|---|\n| `a.b` | `0 2 * * 1` | when a, b run (UTC) |\n| `c` | 5 | seconds between |",
		"| Team | Owns |\n|---|---|\n| A | [[b]], c |", "It is from −5 °C to 3 °C", "from 15 June to", "It runs every Sunday at six in the morning", "- Run of x: Sunday, 04:00", "x is limited to", "The x, y and z are", "- **x:** the as, b and", "It has no", "works without", "is not", "there is no x in y, or z", "is weighed before", "x is done after", "The x was built in 1999 and 2000",
		"The as, which are b, c and d, so that e is", "- `a.b: 8MB` c", "| Day | What |\n|---|---|\n| 3 May | a is b |", "```\n# c\nnodejs 20.1\n```", "a year and a half", "Node.js 22 to 24 is used until", "5 kg/h, because",
		"Ann Bell approves a", "| Bucket | Holds |\n|---|---|\n| `a` | b of c |", "Load a before the b", "If a cost 5, it would", "- on weekdays, Monday to Friday", "do not a: b is closed 5", "100 times per minute",
		"First the a, then the b", "Weigh it first, then move b", "a runs b, c and d, in this order", "in the order a, b, c", "**A:** b, c or d; its status is beta", "**How long?** Ten years.", "Q: a b?\nA: 5 s",
		"It is made of steel and sent to Ann Bell", "free of charge, at no cost", "returns 429 when full", "4 cents every second Friday", "at ten in the evening", "03:30 Central European Time", "All a are logged", "Only b a are logged",
		"There is no way to open a", "```dockerfile\nFROM debian:11\nEXPOSE 80\n```", "```json\n{\"a\": {\"b\": {\"c\": \"1Gi\"}}}\n```", "```c\n#define A_B 5\n/* a is kept for b */\n```", "half past two in the morning, quarter to", "- [[a]]: Team B", "a single b shares its own", "```\nA_B_C=60\n```", "```yaml\nimage: a/postgres:15\nmin: 15m # °C\n```", "**B (turned down).** a", "**Owner:** Ann Bell", "in peak weeks, belongs to Ann Bell",
		"Only the head of x may open it by A B, so", "Stored in AbC, or by the team", "Signed by HMAC-SHA-256 with 256-bit AES/2", "| Region | Owner |\n|---|---|\n| a | head of |",
	) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Contains(body, "-- ") || len(body) > 2000 {
			t.Skip()
		}
		dir := compilertest.Write(t, "-- a.md --\n# Pump\n\n"+body+"\n")
		p := compilertest.Compile(t, dir).Pages()[0]
		first := claim.Of(p)
		for _, c := range first {
			if c.Span.Start < 0 || c.Span.End > len(p.Source) || c.Span.Start >= c.Span.End {
				t.Errorf("%q is at %v of %d bytes", c.Text, c.Span, len(p.Source))
			}
			if c.Value.Quantity.Lo > c.Value.Quantity.Hi {
				t.Errorf("%q is from %v to %v", c.Text, c.Value.Quantity.Lo, c.Value.Quantity.Hi)
			}
		}
		sayings := claim.English().Sayings(p)
		for _, said := range sayings {
			for _, f := range said.Facts {
				if f.Span.Start < 0 || f.Span.End > len(p.Source) || f.Span.Start >= f.Span.End || f.Concept == "" {
					t.Errorf("%q is at %v of %d bytes", f.Concept, f.Span, len(p.Source))
				}
			}
			for _, v := range slices.Concat(said.Values, said.Lists) {
				if v.Span.Start < 0 || v.Span.End > len(p.Source) || v.Span.Start >= v.Span.End || v.Value.Quantity.Lo > v.Value.Quantity.Hi {
					t.Errorf("%q at %v of %d bytes is %v", v.Text, v.Span, len(p.Source), v.Value)
				}
			}
		}
		if diff := cmp.Diff(sayings, claim.English().Sayings(p)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(first, claim.Of(p)); diff != "" {
			t.Error(diff)
		}
		for _, c := range claim.English().Passages(p) {
			if c.Span.Start < 0 || c.Span.End > len(p.Source) || c.Span.Start >= c.Span.End || c.Text == "" || len(c.Terms) == 0 {
				t.Errorf("%q is at %v of %d bytes, %d terms", c.Text, c.Span, len(p.Source), len(c.Terms))
			}
		}
	})
}
