package linter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// quarrel reports that the lines "says: X" of two pages differ.
func quarrel() *Rule {
	r := rule("quarrel", schema.Error, func(p *Pass) {
		var d *schema.Diagnostic
		for _, page := range p.Wiki.Pages() {
			at := bytes.Index(page.Source, []byte("says: "))
			if at < 0 {
				continue
			}
			span := schema.Span{Start: at, End: at + strings.IndexAny(string(page.Source[at:])+"\n", "\n")}
			if d == nil {
				d = p.Report(page.Path, span, "they differ")
				d.About = "what is said"
			} else {
				d.Related = append(d.Related, schema.Related{Path: page.Path, Span: span})
			}
		}
	})
	r.Group = Contradiction
	return r
}

// witness tells of acknowledgements that are void.
func witness() *Rule {
	r := rule("witness", schema.Warning, nil)
	r.Last = func(p *Pass, o *Outcome) {
		_, void := o.VoidAcknowledgements()
		for _, v := range void {
			p.Report(v.Finding.Path, v.Finding.Span, "void: expired %v, %d changed", v.Expired, len(v.Changed))
		}
	}
	return r
}

func lintQuarrel(t testing.TB, text string, a *Acknowledgements) *Result {
	t.Helper()
	return run(t, compilertest.Compile(t, compilertest.Write(t, text)), Config{Rules: []*Rule{quarrel(), witness()}, Today: day, Acknowledged: a})
}

// acknowledgedQuarrel is the acknowledgement of the first finding.
func acknowledgedQuarrel(t testing.TB, res *Result, until string) *Acknowledgements {
	t.Helper()
	e, ok := Acknowledge(&res.Findings[0], schema.Acknowledgement{Reason: "we know", By: "Ana", Since: "2026-01-01", Until: until})
	if !ok {
		t.Fatal("the finding is no contradiction")
	}
	return (&Acknowledgements{}).With(e, nil)
}

func quarrelText(above, a, b string) string {
	return "-- a.md --\n" + above + "says: " + a + "\n-- b.md --\n# B\n\n" + above + "says: " + b + "\n"
}

func TestAcknowledgedContradictionIsHidden(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		until, a, b           string
		open, void, suppessed int
	}{
		"as it was":           {"", "one", "two", 0, 0, 1},
		"white space":         {"", "  ONE", "two", 0, 0, 1},
		"its last day":        {"2026-01-02", "one", "two", 0, 0, 1},
		"over":                {"2026-01-01", "one", "two", 1, 1, 0},
		"one side changed":    {"", "one", "three", 1, 1, 0},
		"both sides changed":  {"", "four", "three", 1, 1, 0},
		"changed and too old": {"2026-01-01", "one", "three", 1, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := lintQuarrel(t, quarrelText("", "one", "two"), nil)
			res := lintQuarrel(t, quarrelText("New.\n\n", c.a, c.b), acknowledgedQuarrel(t, first, c.until))
			open, void := 0, 0
			for _, d := range res.Findings {
				if d.Rule == "quarrel" {
					open++
				} else {
					void++
				}
			}
			if open != c.open || void != c.void || res.Stats.Acknowledged != c.suppessed || len(res.Acknowledged.Resolved) != 0 {
				t.Errorf("%d open, %d void, %d acknowledged, %+v resolved", open, void, res.Stats.Acknowledged, res.Acknowledged.Resolved)
			}
			list := res.Contradictions()
			if len(list) != 1 || (list[0].Acknowledged != nil) != (c.suppessed == 1) || len(list[0].Sides) != 2 {
				t.Errorf("the contradictions are %+v", list)
			}
		})
	}
}

// What is settled is resolved, unless not everything was looked at.
func TestResolvedAcknowledgementsAreReported(t *testing.T) {
	t.Parallel()
	a := acknowledgedQuarrel(t, lintQuarrel(t, quarrelText("", "one", "two"), nil), "")
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n"))
	for except, want := range map[string]int{"": 1, "witness": 0} {
		cfg := Config{Rules: []*Rule{rule("quarrel", schema.Error, func(*Pass) {}), witness()}, Today: day, Acknowledged: a}
		if except != "" {
			cfg.Except = []string{except}
		}
		if res := run(t, w, cfg); len(res.Acknowledged.Resolved) != want || len(res.Findings) != 0 {
			t.Errorf("except %q: %d resolved, %d found", except, len(res.Acknowledged.Resolved), len(res.Findings))
		}
	}
}

// An acknowledgement holds whatever lines are put above a side, and no longer
// once what a side says is another.
func TestAcknowledgementsFollowTheText(t *testing.T) {
	t.Parallel()
	a := acknowledgedQuarrel(t, lintQuarrel(t, quarrelText("", "one", "two"), nil), "")
	rapid.Check(t, func(rt *rapid.T) {
		above := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-z #>|*]{0,12}`), 0, 5).Draw(rt, "above"), "\n") + "\n\n"
		said := rapid.StringMatching(`[a-z]{1,6}`).Draw(rt, "said")
		res := lintQuarrel(t, quarrelText(above, "one", said), a)
		if hidden := res.Stats.Acknowledged == 1; hidden != (said == "two") || hidden == (len(res.Findings) > 0) {
			rt.Fatalf("%q above, %q said: %d acknowledged, %d found", above, said, res.Stats.Acknowledged, len(res.Findings))
		}
	})
}

// The order in which entries are added does not show, and what is written is
// read again.
func TestAcknowledgementsAreSorted(t *testing.T) {
	t.Parallel()
	entry := func(n int) AcknowledgedEntry {
		return AcknowledgedEntry{Rule: "quarrel", Reason: fmt.Sprintf("it's \"%d\"", n), Sides: []AcknowledgedSide{{Page: fmt.Sprintf("p%d.md", n), Hash: hexText(uint64(n))}}}
	}
	one, two := &Acknowledgements{}, &Acknowledgements{}
	for i := range 9 {
		one, two = one.With(entry(i), keepAll), two.With(entry(8-i), keepAll)
	}
	if diff := cmp.Diff(string(one.YAML()), string(two.YAML())); diff != "" {
		t.Errorf("order shows:\n%s", diff)
	}
	got, err := ReadAcknowledged("x", one.YAML())
	if err != nil || len(got.Entries) != 9 || !slices.Equal(got.YAML(), one.YAML()) {
		t.Errorf("read again it is %v, %v", got, err)
	}
	if again := got.With(entry(3), keepAll); len(again.Entries) != 9 {
		t.Errorf("acknowledged twice it is there %d times", len(again.Entries)-8)
	}
}

func keepAll(*AcknowledgedEntry) bool { return false }

func TestReadAcknowledgedFaults(t *testing.T) {
	t.Parallel()
	const side = "    sides: [{page: a.md, hash: 00000000000000ff}]\n"
	for src, want := range map[string]string{
		"":                             "1:1: version is missing",
		"acknowledged: []\n":           "1:1: version is missing",
		"version: 3\n":                 "1:10: the acknowledgements have version 3, this program reads up to 1; upgrade",
		"version: 0\n":                 `1:10: version "0" is not supported; expected 1`,
		"version: [1]\n":               `1:10: version "" is not supported`,
		"version: 1\nacknowleged: []":  `2:1: unknown key "acknowleged": did you mean "acknowledged"?`,
		"version: 1\nacknowledged: x":  "2:15: acknowledged: found text \"x\": expected a list",
		"version: 1\nacknowledged: [~": "2:15: ",
		"version: 1\nacknowledged:\n  - rule: r\n" + side:                                                       "3:5: an entry without a reason",
		"version: 1\nacknowledged:\n  - reason: r\n" + side:                                                     "3:5: an entry without a rule",
		"version: 1\nacknowledged:\n  - rule: r\n    reason: x\n":                                               "3:5: an entry without sides",
		"version: 1\nacknowledged:\n  - rule: r\n    reason: x\n    until: soon\n" + side:                       "3:5: invalid until \"soon\"",
		"version: 1\nacknowledged:\n  - rule: r\n    reason: x\n    sides: [{page: a, hash: 12}]\n":             "3:5: invalid hash \"12\"",
		"version: 1\nacknowledged:\n  - rule: r\n    reason: x\n    sides: [{hash: 00000000000000ff}]\n":        "3:5: a side without a page",
		"version: 1\nacknowledged:\n  - rule: r\n    reason: x\n    who: me\n" + side:                           `5:5: unknown key "who"`,
		"version: 1\nacknowledged:\n<<<<<<< HEAD\n  - rule: r\n    reason: x\n" + side + "=======\n>>>>>>> x\n": "7:1: not valid YAML",
	} {
		_, err := ReadAcknowledged("f", []byte(src))
		if err == nil || !strings.HasPrefix(err.Error(), "f:"+want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

func FuzzReadAcknowledged(f *testing.F) {
	f.Add([]byte("version: 1\nacknowledged:\n  - rule: r\n    reason: \"it's\"\n    sides:\n      - {page: a.md, text: \"x: y\", hash: 00000000000000ff}\n    until: 2026-01-02\n"))
	f.Add([]byte("version: 1\nacknowledged: [{rule: true, reason: 'a\"b', by: \"\\u0085\", sides: [{page: \"#\", hash: \"0000000000000000\"}]}]\n"))
	f.Add([]byte("version: 2\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		a, err := ReadAcknowledged("f", src)
		if err != nil {
			if _, ok := err.(*AcknowledgedError); !ok || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: the error is %q", src, err)
			}
			return
		}
		text := a.YAML()
		again, err := ReadAcknowledged("f", text)
		if err != nil {
			t.Fatalf("%q was written as %q and can not be read: %v", src, text, err)
		}
		if !bytes.Equal(again.YAML(), text) || len(again.Entries) != len(a.Entries) {
			t.Fatalf("%q was written as %q and then as %q", src, text, again.YAML())
		}
	})
}
