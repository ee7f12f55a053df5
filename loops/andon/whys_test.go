package andon

import (
	"strings"
	"testing"
)

// table returns a document whose whys are a table.
func table(verifications ...string) string {
	var b strings.Builder
	b.WriteString("| # | Why | Verification |\n|---|---|---|\n")
	for n, v := range verifications {
		b.WriteString("| " + string(rune('1'+n)) + " | it broke | " + v + " |\n")
	}
	return b.String() + goodWhys[strings.Index(goodWhys, "## Root cause"):]
}

func TestReadWhys(t *testing.T) {
	t.Parallel()
	const v = "go test says so"
	for _, c := range []struct {
		name, text string
		faults     string // all of them, joined
		warnings   int
	}{
		{"expanded", goodWhys, "", 0},
		{"a table", table(v, v, v, v, v), "", 0},
		{"six", table(v, v, v, v, v, v), "", 0},
		{"four", table(v, v, v, v), "4 of 5 whys are written", 0},
		{"a gap", strings.Replace(goodWhys, "### Why 3", "### Why 7", 1), "2 of 5 whys are written", 0},
		{"empty", table(v, "", v, v, v), "why 2 is not verified", 0},
		{"TBD", table(v, "TBD", v, v, v), "why 2 is not verified", 0},
		{"to do, in small letters", table(v, "todo", v, v, v), "why 2 is not verified", 0},
		{"N/A", table(v, "N/A", v, v, v), "why 2 is not verified", 0},
		{"a hyphen", table(v, "-", v, v, v), "why 2 is not verified", 0},
		{"a dash", table(v, "—", v, v, v), "why 2 is not verified", 0},
		{"dots", table(v, "...", v, v, v), "why 2 is not verified", 0},
		{"brackets", table(v, "[how it was verified]", v, v, v), "why 2 is not verified", 0},
		{"a link is no placeholder", table(v, "[the run](https://example.org/1)", v, v, v), "", 0},
		{"human error", strings.Replace(goodWhys, "tickets name cases and no invariants", "human error", 1), "", 1},
		{"forgot to", strings.Replace(goodWhys, "tickets name cases and no invariants", "we forgot to ask", 1), "", 1},
		{"didn't notice", strings.Replace(goodWhys, "tickets name cases and no invariants", "nobody looked; we didn't notice", 1), "", 1},
		{"human error on the way", strings.Replace(goodWhys, "nobody asked for a type", "human error", 1), "", 0},
		{"no such category", strings.Replace(goodWhys, "process defect", "bad luck", 1), "unknown category (want one of process defect, tool gap, knowledge gap, design flaw, spec omission)", 0},
		{"L3 and L4 alone", strings.NewReplacer("| L1 |", "| L4 |").Replace(goodWhys), "", 1},
		{"no level", strings.NewReplacer("| L1 |", "| L0 |").Replace(goodWhys), `the measure "make Price a type that refuses negative numbers" has no level (L1 to L4)`, 1},
		{"no measure", goodWhys[:strings.Index(goodWhys, "| 1 |")] + goodWhys[strings.Index(goodWhys, "## Horizontal"):], "no preventive measure", 0},
		{"no sweep", goodWhys[:strings.Index(goodWhys, "Quantity")], "no horizontal sweep", 0},
		{"whys in a block of code", "```\n" + goodWhys + "```\n", "0 of 5 whys are written; no root cause; unknown category (want one of process defect, tool gap, knowledge gap, design flaw, spec omission); no horizontal sweep; no preventive measure", 0},
	} {
		w := ReadWhys(c.text)
		if got := strings.Join(w.Faults, "; "); got != c.faults || len(w.Warnings) != c.warnings {
			t.Errorf("%s: %q, warnings %q", c.name, got, w.Warnings)
		}
	}
	w := ReadWhys(goodWhys)
	if w.Problem != "prices below zero pass the checkout" || w.Category != "process defect" || len(w.Measures) != 2 || w.Measures[0].Location != "price.go" || w.Whys[1].Hypothesis != "the type is a plain int" {
		t.Errorf("%+v", w)
	}
}

func TestTheTemplateIsNotComplete(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	w := ReadWhys(whysTemplate(mustOpen(t, s, aFailure("r1"))))
	if len(w.Whys) != Depth || len(w.Faults) < 2*Depth || w.Problem != "the gate test is red" {
		t.Errorf("%d whys, %q, faults %q", len(w.Whys), w.Problem, w.Faults)
	}
}

func FuzzReadWhys(f *testing.F) {
	f.Add(goodWhys)
	f.Add(table("a", "b"))
	f.Add("### Why 999999999999999999999\n| 0 | | |\n||\n|")
	f.Fuzz(func(t *testing.T, text string) {
		w := ReadWhys(text)
		if len(w.Faults) == 0 && (len(w.Whys) < Depth || len(w.Measures) == 0 || w.RootCause == "") {
			t.Errorf("complete without %+v", w)
		}
		firstPlaceholder(text)
		for _, name := range MetaArtifacts {
			checkMeta(name, text)
		}
	})
}

func TestGotcha(t *testing.T) {
	t.Parallel()
	g := Gotcha{ID: "g-1", Name: "a: \"name\" #1", Pattern: "- x", Severity: "high", Prevention: "é <b> & \\", Discovered: "2026-07-04", Source: "INC-1", Tags: []string{"yes", "a b"}, References: []string{"x.md"}}
	got, err := ReadGotcha(g.yaml())
	if err != nil || got.Name != g.Name || got.Prevention != g.Prevention || len(got.Tags) != 2 || got.Tags[0] != "yes" || got.Pattern != g.Pattern {
		t.Errorf("%+v, %v from\n%s", got, err, g.yaml())
	}
	whole := "id: a\nname: b\npattern: c\nseverity: low\nprevention: d\ndiscovered: 2026-07-04\nsource: e\n"
	if _, err := ReadGotcha([]byte(whole)); err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(whole) {
		name, _, _ := strings.Cut(line, ":")
		if _, err := ReadGotcha([]byte(strings.Replace(whole, line, "", 1))); err == nil || err.Error() != name+" is missing" {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for bad, want := range map[string]string{
		strings.Replace(whole, "low", "mild", 1): "severity \"mild\"",
		whole + "tag: [x]\n":                     "line 8: ",
		"id: [":                                  "line 1: ",
	} {
		if _, err := ReadGotcha([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, pattern string
		tags          []string
		text          string
		want          Match
	}{
		{"a part of a word is exact", "price valid", nil, "Price Validation", Exact},
		{"case and spaces", "Negative  PRICE", nil, "a negative price", Exact},
		{"exact is asked first", "negative price", []string{"price"}, "negative price", Exact},
		{"two of five", "alpha beta gamma delta epsilon", nil, "beta, and alpha", Partial},
		{"one of five", "alpha beta gamma delta epsilon", nil, "alpha", NoMatch},
		{"one of two", "alpha beta", nil, "beta", Partial},
		{"stop-words do not count", "the with alpha beta gamma", nil, "the with", NoMatch},
		{"short words do not count", "go to it alpha beta gamma", nil, "go to it", NoMatch},
		{"a category", "alpha beta gamma", []string{"checkout"}, "the checkout page", Category},
		{"a category of two words", "alpha beta gamma", []string{"path_missing"}, "missing is the path", Category},
		{"half a category", "alpha beta gamma", []string{"path_missing"}, "a path", NoMatch},
		{"part of a word is no category", "alpha beta gamma", []string{"check"}, "checkout", NoMatch},
		{"nothing", "", nil, "text", NoMatch},
	} {
		g := Gotcha{Pattern: c.pattern, Tags: c.tags}
		if got := g.Match(c.text); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLessonsAreOrdered(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	err := s.change(func(d disk) error {
		for id, g := range map[string]Gotcha{
			"a": {Pattern: "x y z", Tags: []string{"prices"}, Severity: "critical"},
			"b": {Pattern: "check prices twice quickly", Severity: "low"},
			"c": {Pattern: "check prices", Severity: "low"},
			"d": {Pattern: "check", Severity: "high"},
			"e": {Pattern: "elsewhere", Severity: "critical"},
		} {
			g.ID, g.Name, g.Prevention, g.Discovered, g.Source = id, id, "p", "2026-07-04", "s"
			if err := d.replace(gotchasFolder+"/"+id+".yaml", g.yaml()); err != nil {
				return err
			}
		}
		return d.replace(gotchasFolder+"/broken.yaml", []byte("id: x\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range s.Lessons("Check prices of orders") {
		names = append(names, l[2:3])
	}
	if got := strings.Join(names, ""); got != "dcba" {
		t.Errorf("order %s", got)
	}
	if _, err := s.Gotchas(); err == nil || !strings.Contains(err.Error(), "broken.yaml") {
		t.Errorf("nobody hears of the broken one: %v", err)
	}
}

func FuzzReadGotcha(f *testing.F) {
	f.Add([]byte("id: a\nname: b\npattern: c\nseverity: low\nprevention: d\ndiscovered: e\nsource: f\ntags: [x]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		g, err := ReadGotcha(src)
		if err != nil {
			return
		}
		again, err := ReadGotcha(g.yaml())
		if err != nil || again.Pattern != g.Pattern || again.Prevention != g.Prevention {
			t.Errorf("%+v became %+v, %v", g, again, err)
		}
	})
}
