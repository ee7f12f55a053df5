package linter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

var day = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// words is a page per list of words, each of which is a finding.
func words(lists ...[]string) string {
	var b strings.Builder
	for i, list := range lists {
		fmt.Fprintf(&b, "-- p%d.md --\nFirst.\n%s\n", i, strings.Join(list, "\n"))
	}
	return b.String()
}

// everyFlag reports every word with a ! before it.
func everyFlag() *Rule {
	r := rule("flag", schema.Warning, nil)
	r.CheckPage = func(p *Pass, page *schema.Page) {
		for at := 0; at < len(page.Source); at++ {
			if page.Source[at] == '!' {
				end := at + strings.IndexAny(string(page.Source[at:])+"\n", " \n")
				p.ReportCause("flags", page.Path, schema.Span{Start: at, End: end}, "at %d", at)
			}
		}
	}
	return r
}

func lintText(t testing.TB, text string, cfg Config) *Result {
	t.Helper()
	cfg.Rules = []*Rule{everyFlag()}
	if cfg.Today.IsZero() {
		cfg.Today = day
	}
	return run(t, compilertest.Compile(t, compilertest.Write(t, text)), cfg)
}

// TestBaselineHidesOnlyItsFindings is what a baseline is for: two hundred findings that were
// there are no said, and one that was not is.
func TestBaselineHidesOnlyItsFindings(t *testing.T) {
	t.Parallel()
	var old []string
	for i := range 200 {
		old = append(old, fmt.Sprintf("!w%d", i%150))
	}
	first := lintText(t, words(old), Config{AcceptNew: true})
	b := first.Baseline.Next
	if len(first.Findings) != 0 || first.Stats.Baseline != 200 || first.Baseline.Accepted != 200 || len(b.Entries) != 150 {
		t.Fatalf("%d findings, %+v, %d entries", len(first.Findings), first.Stats, len(b.Entries))
	}
	again := lintText(t, words(old), Config{Baseline: b, Today: day.AddDate(0, 1, 0)})
	if len(again.Findings) != 0 || len(again.Baseline.Stale) != 0 || again.Stats.Oldest != "2026-01-02" || again.Worst() != schema.Off {
		t.Errorf("the second time: %+v, %+v", again.Findings, again.Stats)
	}
	if diff := cmp.Diff(b, again.Baseline.Next); diff != "" {
		t.Errorf("it changes by being used:\n%s", diff)
	}
	for _, one := range []string{"!new", "!w3"} { // the second is one more of those that were there
		more := lintText(t, words(append([]string{one}, old...)), Config{Baseline: b})
		if len(more.Findings) != 1 || more.Findings[0].Severity != schema.Warning || more.Findings[0].Count != 1 {
			t.Errorf("%s: %+v", one, more.Findings)
		}
	}
}

// TestBaselineProperties compares a baseline with counting: whatever order
// lines have, as many findings alike are hidden as there were, and no more.
func TestBaselineProperties(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"!a", "!b", "!c", "!A", "plain", ""})
	rapid.Check(t, func(rt *rapid.T) {
		before := rapid.SliceOfN(word, 0, 30).Draw(rt, "before")
		after := rapid.SliceOfN(word, 0, 30).Draw(rt, "after")
		shuffled := rapid.Permutation(before).Draw(rt, "shuffled")
		b := lintText(t, words(before, after), Config{AcceptNew: true}).Baseline.Next

		read, err := ReadBaseline("b.json", b.JSON())
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(b.Entries, read.Entries); diff != "" {
			rt.Fatalf("what is read is not what was written:\n%s", diff)
		}
		if res := lintText(t, words(shuffled, after), Config{Baseline: b}); len(res.Findings)+len(res.Baseline.Stale) > 0 {
			rt.Errorf("order matters: %+v, %+v", res.Findings, res.Baseline.Stale)
		}

		res := lintText(t, words(after, after), Config{Baseline: b})
		had, has := tally(before), tally(after)
		fresh, gone := 0, 0
		for _, w := range []string{"!a", "!b", "!c"} {
			fresh += max(0, has[w]-had[w])
			gone += max(0, had[w]-has[w])
		}
		shown := 0
		for _, d := range res.Findings {
			shown += d.Count
		}
		if shown != fresh || total(res.Baseline.Stale) != gone || total(res.Baseline.Next.Entries) != total(b.Entries)-gone {
			rt.Errorf("%d shown, %d gone, %d of %d stay; want %d and %d", shown, total(res.Baseline.Stale), total(res.Baseline.Next.Entries), total(b.Entries), fresh, gone)
		}
	})
}

func tally(words []string) map[string]int {
	n := map[string]int{}
	for _, w := range words {
		n[strings.ToLower(w)]++
	}
	return n
}

func total(entries []BaselineEntry) int {
	n := 0
	for _, e := range entries {
		n += max(1, e.Count)
	}
	return n
}

// TestBaselineEntriesOfSkippedRulesAreNotStale: what was not looked at may still be there.
func TestBaselineEntriesOfSkippedRulesAreNotStale(t *testing.T) {
	t.Parallel()
	b := lintText(t, words([]string{"!a"}, []string{"!b"}), Config{AcceptNew: true}).Baseline.Next
	gone := words([]string{"a"}, []string{"!b"})
	if res := lintText(t, gone, Config{Baseline: b}); total(res.Baseline.Stale) != 1 || res.Baseline.Stale[0].Path != "p0.md" {
		t.Errorf("stale: %+v", res.Baseline.Stale)
	}
	for name, cfg := range map[string]Config{
		"some rules":   {Only: []string{"flag"}},
		"some paths":   {Within: []string{"p1.md"}},
		"without some": {Except: []string{"flag"}},
	} {
		cfg.Baseline = b
		if res := lintText(t, gone, cfg); len(res.Baseline.Stale) != 0 || total(res.Baseline.Next.Entries) != 2 {
			t.Errorf("%s: stale: %+v, next %+v", name, res.Baseline.Stale, res.Baseline.Next)
		}
	}
	skipping := rule("flag", schema.Warning, func(p *Pass) { p.Skip("not today; wait") })
	w := compilertest.Compile(t, compilertest.Write(t, gone))
	if res := run(t, w, Config{Rules: []*Rule{skipping}, Baseline: b}); len(res.Baseline.Stale) != 0 {
		t.Errorf("a rule that was skipped: stale: %+v", res.Baseline.Stale)
	}
	if res := run(t, w, Config{Rules: []*Rule{}, Baseline: b}); total(res.Baseline.Stale) != 2 {
		t.Errorf("a rule that is no longer there: stale: %+v", res.Baseline.Stale)
	}
}

func TestReadBaselineErrors(t *testing.T) {
	t.Parallel()
	entry := func(s string) string { return "{\"version\":1,\n\"findings\":[\n" + s + "\n]}" }
	for _, c := range []struct{ src, want string }{
		{"", "b.json:1:1: invalid JSON: unexpected end of JSON input; resolve a merge conflict, or recreate the file with --baseline-write"},
		{"[]", "b.json:1:1: invalid JSON array; expected an object"},
		{"{}", `b.json:1:1: not a baseline ("version" is missing); expected a file written by wiki lint --baseline-write`},
		{`{"version": "1"}`, `b.json:1:1: "version" is a JSON string; expected int`},
		{`{"version": 0}`, "b.json:1:1: the baseline has version 0; expected 1"},
		{`{"findings": 7, "version": 2}`, "b.json:1:1: the baseline has version 2, this program reads up to 1; upgrade wiki to a newer release"},
		{`{"version": 1, "findings": 7}`, `b.json:1:28: "findings": expected a list`},
		{entry("7"), "b.json:3:1: invalid JSON number; expected an object"},
		{entry(`{"rule":7}`), `b.json:3:1: "rule" is a JSON number; expected string`},
		{entry(` {"rule":"a"}`), `b.json:3:2: an entry without "rule" or "path"`},
		{entry(`{"rule":"a","path":"a.md","text":"zz"}`), `b.json:3:1: invalid "text" "zz"; expected 16 hexadecimal digits`},
		{entry(`{"rule":"a","path":"a.md","text":"0123456789abcdef","count":-1}`), `b.json:3:1: invalid "count" -1; expected a number above 0`},
		{entry(`{"rule":"a","path":"a.md","text":"0123456789abcdef"},` + "\n" + `{"rule":"a","path":"a.md","text":"0123456789abcdef","since":"soon"}`),
			`b.json:4:1: invalid "since" "soon"; expected a date such as 2006-01-02`},
		{entry("{},"), "b.json:4:1: invalid JSON: invalid character ']' looking for beginning of value; resolve a merge conflict, or recreate the file with --baseline-write"},
	} {
		_, err := ReadBaseline("b.json", []byte(c.src))
		var wrong *BaselineError
		if err == nil || err.Error() != c.want || !errors.As(err, &wrong) {
			t.Errorf("%q:\ngot  %v\nwant %s", c.src, err, c.want)
		}
	}
	newer := entry(`{"rule":"a","path":"a.md","text":"0123456789abcdef","mood":"good"}`)
	if b, err := ReadBaseline("b.json", []byte("\ufeff"+newer)); err != nil || len(b.Entries) != 1 {
		t.Errorf("a field of a later release: %v, %v", b, err)
	}
}
