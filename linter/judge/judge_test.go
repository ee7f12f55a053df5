package judge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// pages hold a contradiction that only a judge sees, one that the rules see, a
// link that leads nowhere, and a suppression that suppresses nothing.
const pages = `-- gateway.md --
---
port: 8080
---
# Gateway

The gateway keeps a copy of every reading for 30 days. See [[nowhere]].
-- audit.md --
# Audit

See [[gateway]]. The gateway keeps a copy of every reading for 90 days.
The gateway is cleaned every spring.

<!-- wiki-lint-disable-next-line -- an old one -->
| Device | Port |
|---|---|
| [[gateway]] | 9090 |
-- index.md --
# Index

- [[gateway]]
- [[audit]]
`

// lintWith runs all rules, with a judge unless it is nil.
func lintWith(t *testing.T, w *compiler.Wiki, j linter.Judge) *linter.Result {
	t.Helper()
	res, err := linter.Run(t.Context(), w, linter.Config{Judge: j, Today: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// split tells what a judge said from the rest.
func split(res *linter.Result) (others []string, judged map[string]int) {
	judged = map[string]int{}
	for i := range res.Findings {
		d := &res.Findings[i]
		if strings.HasPrefix(d.Rule, "judge") {
			judged[d.Rule]++
		} else {
			others = append(others, fmt.Sprintf("%s:%d:%d %s %s %s", d.Path, d.From.Line, d.From.Column, d.Severity, d.Rule, d.Message))
		}
	}
	return others, judged
}

func newJudge(b Backend) *Judge { return &Judge{Backend: b, Budget: 10, Title: titles} }

// Whatever a judge does, everything else is found as without it, and a run that
// fails without it fails with it.
func TestJudgeChangesNoOtherFinding(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, pages))
	without := lintWith(t, w, nil)
	want, _ := split(without)
	if without.Worst() != schema.Error || len(want) < 3 {
		t.Fatalf("found without a judge: %v", want)
	}
	backends := map[string]Backend{
		"program failing": program("failing"),
		"program deaf":    program("deaf"),
		"program missing": &Command{Argv: []string{"no-such-program-anywhere"}, Timeout: time.Minute},
		"program slow":    &Command{Argv: program("slow").Argv, Timeout: 100 * time.Millisecond},
		"useless":         failing{},
	}
	for role, part := range parts {
		backends["program "+role] = program(role)
		backends["server "+role] = endpoint(t, serve(t, func(w http.ResponseWriter, r *http.Request) { chat(w, part(promptOf(r))) }))
	}
	backends["server down"] = endpoint(t, "http://127.0.0.1:1/v1")
	for name, b := range backends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newJudge(b)
			res := lintWith(t, w, c)
			got, judged := split(res)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the other findings differ: %s", diff)
			}
			if res.Worst() != without.Worst() {
				t.Errorf("the worst finding is of severity %s", res.Worst())
			}
			_, role, _ := strings.Cut(name, " ")
			expected := map[string]int{"judge-unavailable": 1, "judge-pending": 1}
			switch role {
			case "right", "fenced":
				expected = map[string]int{"judged-contradiction": 1}
			case "lying":
				expected = map[string]int{"judged-contradiction": c.Judged}
			case "flipping":
				expected = map[string]int{}
			}
			if diff := cmp.Diff(expected, judged); diff != "" {
				t.Errorf("of the judge it says (failure %q): %s", c.Failure, diff)
			}
		})
	}
}

// failing is a backend that is no use at all.
type failing struct{}

func (failing) Name() string { return "none" }

func (failing) Ask(context.Context, string) ([]byte, error) { return nil, errors.New("out of order") }

// What tells of the run is never why it fails, whatever severity it is given.
func TestNoticesDoNotCount(t *testing.T) {
	t.Parallel()
	config := "-- wiki.yaml --\nlint: {rules: {judge-pending: error, judge-unavailable: error, broken-wikilink: off, numeric-conflict: off, unused-suppression: off}}\n"
	w := compilertest.Compile(t, compilertest.Write(t, config+pages))
	without, with := lintWith(t, w, nil), lintWith(t, w, newJudge(failing{}))
	_, judged := split(with)
	if with.Worst() != without.Worst() || with.Worst() == schema.Error || judged["judge-unavailable"] != 1 {
		t.Errorf("worst %s without and %s with a judge that fails: %v", without.Worst(), with.Worst(), judged)
	}
	res, err := linter.Run(t.Context(), w, linter.Config{Judge: newJudge(failing{}), AcceptNew: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Baseline.Next.Entries {
		if strings.HasPrefix(e.Rule, "judge") {
			t.Errorf("the baseline holds %s", e.Rule)
		}
	}
}

// many returns doubts about different statements.
func many(n int) []schema.Doubt {
	out := make([]schema.Doubt, n)
	for i := range out {
		out[i] = doubt(fmt.Sprintf("Tank %d holds much.", i), fmt.Sprintf("Tank %d holds little.", i))
	}
	return out
}

func TestBudget(t *testing.T) {
	t.Parallel()
	guilty := func(a, b side) ruled {
		if strings.Contains(a.Text, "Tank 3 ") {
			return accuses(a, b)
		}
		return holds(a, b)
	}
	for _, c := range []struct {
		name                  string
		budget, calls, judged int
		left, contradictions  int
		rule                  func(a, b side) ruled
	}{
		{"none", 0, 0, 0, 50, 0, guilty},
		{"one is not enough for a contradiction", 1, 1, 19, 31, 0, guilty},
		{"the last call is the second question", 2, 2, 20, 30, 1, guilty},
		{"enough", 10, 4, 50, 0, 1, guilty},
		{"enough for a judge that accuses all", 6, 6, 50, 0, 50, accuses},
		{"all but the last", 5, 5, 40, 10, 40, accuses},
		{"one that changes its mind", 10, 6, 50, 0, 0, func(a, b side) ruled {
			if a.Text < b.Text {
				return accuses(a, b)
			}
			return ruled{Ruling: "cannot-tell", QuoteA: a.Text, QuoteB: b.Text}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := &asking{rule: c.rule}
			judge := &Judge{Backend: b, Budget: c.budget, Title: titles}
			got := judge.Judge(t.Context(), many(50))
			n := 0
			for _, v := range got.Verdicts {
				if v.Ruling == linter.Contradictory {
					n++
				}
			}
			if c.name == "one that changes its mind" {
				c.calls, n = b.calls, 0 // which sides come first is by their hashes
				if got.Pending() > 0 || slices.ContainsFunc(got.Verdicts, func(v linter.Verdict) bool { return v.Ruling == linter.Contradictory }) {
					t.Errorf("%+v", got.Verdicts)
				}
			}
			if b.calls != c.calls || judge.Calls != c.calls || judge.Judged != c.judged || judge.Left != c.left || n != c.contradictions {
				t.Errorf("%d calls, %d judged, %d left, %d contradictions; want %d, %d, %d, %d", b.calls, judge.Judged, judge.Left, n, c.calls, c.judged, c.left, c.contradictions)
			}
		})
	}
}

// Who is asked is told about how many pairs, in how many calls at most, once and
// before the first call.
func TestAskingIsAnnounced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ budget, doubts, pairs, calls int }{{10, 50, 50, 6}, {4, 50, 50, 4}, {10, 20, 20, 2}, {10, 21, 21, 4}, {0, 50, 0, 0}, {10, 0, 0, 0}} {
		var pairs, calls int
		b := &asking{rule: accuses}
		court := &Judge{Backend: b, Budget: c.budget, Title: titles, Asking: func(p, n int) {
			if pairs > 0 || b.calls > 0 {
				t.Error("it is told twice, or after it was asked")
			}
			pairs, calls = p, n
		}}
		court.Judge(t.Context(), many(c.doubts))
		if pairs != c.pairs || calls != c.calls || b.calls > calls {
			t.Errorf("%+v: %d pairs in %d calls, %d made", c, pairs, calls, b.calls)
		}
	}
}

// What was judged is not asked again, whatever moved; what changed is.
func TestUnchangedWikiMakesNoCalls(t *testing.T) {
	t.Parallel()
	first := newJudge(program("right"))
	res := lintWith(t, compilertest.Compile(t, compilertest.Write(t, pages)), first)
	if _, judged := split(res); judged["judged-contradiction"] != 1 || first.Calls != 2 {
		t.Fatalf("%v in %d calls: %s", judged, first.Calls, first.Failure)
	}
	known, err := ReadVerdicts("v", first.Next.JSONL())
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.NewReplacer("# Gateway\n", "# Gateway\n\nLook here first.\n", "-- audit.md --", "-- reviews/audit.md --").Replace(pages)
	for _, archive := range []string{pages, moved} {
		again := &asking{rule: knows}
		c := newJudge(again)
		c.Known = known
		res := lintWith(t, compilertest.Compile(t, compilertest.Write(t, archive)), c)
		if _, judged := split(res); judged["judged-contradiction"] != 1 || archive == pages && again.calls > 0 {
			t.Errorf("%v in %d calls", judged, again.calls)
		}
		if archive == pages && string(c.Next.JSONL()) != string(first.Next.JSONL()) {
			t.Error("the file is another although nothing changed")
		}
	}
	cached := &Judge{Known: known, Title: titles}
	changed := strings.Replace(pages, "for 30 days", "for 31 days", 1)
	res = lintWith(t, compilertest.Compile(t, compilertest.Write(t, changed)), cached)
	if _, judged := split(res); judged["judged-contradiction"] != 0 || judged["judge-pending"] != 1 || cached.Calls != 0 {
		t.Errorf("after one side changed: %v in %d calls", judged, cached.Calls)
	}
}

// A verdict is found again whichever of its sides comes first in the file.
func TestVerdictsAreFoundInEitherOrder(t *testing.T) {
	t.Parallel()
	first := &Judge{Backend: &asking{rule: accuses}, Budget: 10, Title: titles}
	given := first.Judge(t.Context(), many(20))
	known, err := ReadVerdicts("v", first.Next.JSONL())
	if err != nil {
		t.Fatal(err)
	}
	again := &Judge{Known: known, Title: titles}
	if diff := cmp.Diff(given, again.Judge(t.Context(), many(20))); diff != "" || again.Before != 20 {
		t.Errorf("%d of 20 are known: %s", again.Before, diff)
	}
}

// Pages that the configuration excludes are shown to nobody.
func TestExcludedPagesAreNotShown(t *testing.T) {
	t.Parallel()
	b := &asking{rule: func(a, b side) ruled {
		if strings.Contains(a.Text+b.Text, "90 days") {
			t.Errorf("shown: %q, %q", a.Text, b.Text)
		}
		return holds(a, b)
	}}
	w := compilertest.Compile(t, compilertest.Write(t, "-- wiki.yaml --\njudge: {exclude: [\"aud*\"]}\n"+pages))
	lintWith(t, w, newJudge(b))
	if b.pairs > 0 {
		t.Logf("%d pairs of other pages", b.pairs)
	}
}

// What somebody accepted or acknowledged is not taken for gone because no judge
// was asked, or because it failed; once it was asked and says otherwise, it is.
func TestAcceptedVerdictsStay(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, pages))
	first := newJudge(&asking{rule: knows})
	found := lintWith(t, w, first)
	i := slices.IndexFunc(found.Findings, func(d schema.Diagnostic) bool { return d.Rule == "judged-contradiction" })
	if i < 0 {
		t.Fatal("nothing was judged")
	}
	entry, ok := linter.Acknowledge(&found.Findings[i], schema.Acknowledgement{Reason: "it is known"})
	if !ok {
		t.Fatal("it can not be acknowledged")
	}
	accepted, err := linter.Run(t.Context(), w, linter.Config{Judge: newJudge(&asking{rule: knows}), AcceptNew: true})
	if err != nil {
		t.Fatal(err)
	}
	innocent := holds
	for _, c := range []struct {
		name  string
		judge linter.Judge
		gone  int
	}{
		{"no judge", nil, 0},
		{"one that fails", newJudge(failing{}), 0},
		{"verdicts that are known", &Judge{Known: first.Next, Title: titles}, 0},
		{"one that says otherwise", newJudge(&asking{rule: innocent}), 1},
	} {
		res, err := linter.Run(t.Context(), w, linter.Config{Judge: c.judge, Baseline: accepted.Baseline.Next})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(res.Baseline.Stale); got != c.gone {
			t.Errorf("%s: %d entries of the baseline are gone, want %d: %v", c.name, got, c.gone, res.Baseline.Stale)
		}
		res, err = linter.Run(t.Context(), w, linter.Config{Judge: c.judge, Acknowledged: (&linter.Acknowledgements{}).With(entry, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(res.Acknowledged.Resolved); got != c.gone {
			t.Errorf("%s: %d acknowledgements are resolved, want %d", c.name, got, c.gone)
		}
		if _, judged := split(res); judged["judged-contradiction"] > 0 {
			t.Errorf("%s: what is acknowledged is reported", c.name)
		}
	}
}
