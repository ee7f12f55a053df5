package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

func sorted(all []string) []string { slices.Sort(all); return all }

// mk returns a finding of a plan at a line of price.go; the smaller n, the better.
func mk(n int, title, plan string) Finding {
	return Finding{Title: title, Category: "bug", Impact: 5, Effort: "S", Risk: "LOW", Confidence: 1 - float64(n)/100, Why: "w", Plan: plan, Line: n,
		Cites: []Citation{{Path: "price.go", Line: 4}}}
}

func said(all []loops.Reason) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.String())
	}
	return out
}

func kept(o *Outcome) []string {
	var out []string
	for _, p := range o.Kept {
		for _, f := range p.Findings {
			out = append(out, p.Plan+": "+f.Title)
		}
	}
	return out
}

func TestChoose(t *testing.T) {
	t.Parallel()
	tooLong := func(bad ...string) func([]Proposal) map[string][]loops.Reason {
		return func(all []Proposal) map[string][]loops.Reason {
			out := map[string][]loops.Reason{}
			for _, p := range all {
				if slices.Contains(bad, p.Plan) {
					out[p.Plan] = []loops.Reason{{Path: p.Plan, Line: 9, Message: "the plan has 11 chunks; split it"}}
				}
			}
			return out
		}
	}
	names := strings.Fields("a b c d e f g")
	var seven []Finding
	for i, n := range names {
		seven = append(seven, mk(i, "defect "+n, "plans/"+n+".md"))
	}
	gone := mk(0, "rumour", "plans/a.md")
	gone.Cites[0].Line = 99
	again := mk(0, "Defects of the sum", "plans/a.md")
	was := NewKnown(&Finding{Title: "the sum's defect", Category: "bug", Cites: []Citation{{Path: "price.go", Symbol: "Total"}}})
	was.Why = "rejected by ada: as it should be"
	for _, tt := range []struct {
		name     string
		findings []Finding
		c        Chooser
		kept     []string
		dropped  []string
		refused  []string
	}{
		{name: "five of seven", findings: seven, kept: []string{"plans/a.md: defect a", "plans/b.md: defect b", "plans/c.md: defect c", "plans/d.md: defect d", "plans/e.md: defect e"},
			dropped: []string{`price.go:4: "defect f" is not among the best 5: impact 5, effort S, confidence 0.95`, `price.go:4: "defect g" is not among the best 5: impact 5, effort S, confidence 0.94`}},
		{name: "what is too long is asked for again", findings: seven[:2], c: Chooser{Ask: true, Judge: tooLong("plans/b.md")}, refused: []string{"plans/b.md:9: the plan has 11 chunks; split it"}},
		{name: "what comes after the best is not", findings: seven, c: Chooser{Ask: true, Judge: tooLong("plans/g.md")},
			kept:    []string{"plans/a.md: defect a", "plans/b.md: defect b", "plans/c.md: defect c", "plans/d.md: defect d", "plans/e.md: defect e"},
			dropped: []string{`price.go:4: "defect g" is not among the best 5`, `price.go:4: "defect f" is not among the best 5: impact 5, effort S, confidence 0.95`}},
		{name: "what is too long again makes room", findings: seven[:6], c: Chooser{Judge: tooLong("plans/b.md")},
			kept:    []string{"plans/a.md: defect a", "plans/c.md: defect c", "plans/d.md: defect d", "plans/e.md: defect e", "plans/f.md: defect f"},
			dropped: []string{`price.go:4: "defect b" lost its plan plans/b.md: the plan has 11 chunks; split it`}},
		{name: "what is not there", findings: []Finding{gone, mk(2, "defect b", "plans/b.md")}, kept: []string{"plans/b.md: defect b"},
			dropped: []string{`price.go:99: "rumour" cites price.go:99, but the file has 13 lines`, "plans/a.md: no remaining finding refers to this plan"}},
		{name: "what was rejected", findings: []Finding{again}, c: Chooser{Rejected: []Known{was}},
			dropped: []string{`price.go:4: "Defects of the sum" was rejected by ada: as it should be`, "plans/a.md: no remaining finding refers to this plan"}},
		{name: "what is planned", findings: []Finding{again}, c: Chooser{Planned: []Known{was}},
			dropped: []string{`price.go:4: "Defects of the sum" is already planned: rejected by ada: as it should be`, "plans/a.md: no remaining finding refers to this plan"}},
		{name: "without a plan", findings: []Finding{mk(0, "defect", "")}, dropped: []string{`price.go:4: "defect" has no plan`}},
		{name: "of a plan that is nowhere", findings: []Finding{mk(7, "defect", "plans/x.md")}, c: Chooser{Ask: true},
			refused: []string{`findings.json:7: the plan "plans/x.md" is not in the answer, or not allowed; name a file plans/YYYY-MM-slug.md of the answer`}},
		{name: "two of one plan", findings: []Finding{mk(2, "worse", "plans/a.md"), mk(1, "better", "plans/a.md")}, kept: []string{"plans/a.md: better", "plans/a.md: worse"}},
		{name: "nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := tt.c
			c.Tree, c.Most = treeOf(map[string]string{"price.go": priceGo}), 5
			if c.Judge == nil {
				c.Judge = tooLong()
			}
			for _, f := range tt.findings {
				if f.Plan != "" && f.Plan != "plans/x.md" && !slices.Contains(c.Plans, f.Plan) {
					c.Plans = append(c.Plans, f.Plan)
				}
			}
			o := c.Choose(t.Context(), tt.findings)
			if diff := cmp.Diff(tt.refused, said(o.Refused)); diff != "" {
				t.Errorf("refused (-want +got):\n%s", diff)
			}
			if len(tt.refused) > 0 {
				return
			}
			if diff := cmp.Diff(tt.kept, kept(o)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.dropped, said(o.Dropped)); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}

// A plan that depends on one that is not kept gives its place away.
func TestPlansStandBesideEachOther(t *testing.T) {
	t.Parallel()
	c := Chooser{Tree: treeOf(map[string]string{"price.go": priceGo}), Most: 2, Plans: []string{"plans/a.md", "plans/b.md", "plans/c.md"}}
	c.Judge = func(all []Proposal) map[string][]loops.Reason {
		has := func(plan string) bool {
			return slices.ContainsFunc(all, func(p Proposal) bool { return p.Plan == plan })
		}
		if has("plans/a.md") && !has("plans/c.md") {
			return map[string][]loops.Reason{"plans/a.md": {{Message: "depends on c"}}}
		}
		return nil
	}
	o := c.Choose(t.Context(), []Finding{mk(1, "first", "plans/a.md"), mk(2, "second", "plans/b.md"), mk(3, "third", "plans/c.md")})
	if diff := cmp.Diff([]string{"plans/b.md: second", "plans/c.md: third"}, kept(o)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	base := Finding{Title: "Total takes a price below zero", Category: "bug", Cites: []Citation{{Path: "price.go", Line: 4, Symbol: "Total"}, {Path: "x.go", Line: 1}}}
	k := NewKnown(&base)
	for _, tt := range []struct {
		name string
		edit func(*Finding)
		want bool
	}{
		{"itself", func(*Finding) {}, true},
		{"at another line", func(f *Finding) { f.Cites[0].Line = 40 }, true},
		{"in other words", func(f *Finding) { f.Title = "A price below zero is taken by Total" }, true},
		{"cited the other way round", func(f *Finding) { f.Cites[0], f.Cites[1] = f.Cites[1], f.Cites[0] }, true},
		{"of another symbol", func(f *Finding) { f.Cites = []Citation{{Path: "price.go", Line: 4, Symbol: "Sum"}} }, false},
		{"of another category", func(f *Finding) { f.Category = "tests" }, false},
		{"of something else there", func(f *Finding) { f.Title = "Total rounds each time" }, false},
	} {
		f := base
		f.Cites = slices.Clone(base.Cites)
		tt.edit(&f)
		if got := k.Same(&f); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestRejectedIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	a := NewKnown(&Finding{Title: "one", Category: "bug", Cites: []Citation{{Path: "a.go", Line: 1}}})
	b := NewKnown(&Finding{Title: "two", Category: "docs", Cites: []Citation{{Path: "b`.go", Line: 1}}})
	a.Why, b.Why = "rejected by ada: no", "rejected by bob"
	text, err := WriteRejected([]Known{b, a, b})
	if err != nil {
		t.Fatal(err)
	}
	again, err := WriteRejected([]Known{a, b})
	if err != nil || string(again) != string(text) {
		t.Errorf("the order decides:\n%s\n%s", text, again)
	}
	got, err := ReadRejected(text)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v %v", got, err)
	}
	for text, want := range map[string]string{
		`{"version": 2}`: `.loopwiki/rejected.json: version 2 is not supported (want 1); was it written by a newer version of wiki?`,
		"{\n,":           `.loopwiki/rejected.json:2:1: invalid character ',' looking for beginning of object key string; fix it, or remove the file to forget rejected findings`,
	} {
		if _, err := ReadRejected([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzNotes(f *testing.F) {
	f.Add([]byte("## Notes\n- finding `0123456789abcdef`, bug at `a.go#F`, `b.go`: it is so\r\n"))
	f.Fuzz(func(t *testing.T, plan []byte) {
		for _, k := range Notes(plan) {
			if len(k.Places) == 0 || k.Title == "" || len(k.Fingerprint) != 16 {
				t.Fatalf("%+v", k)
			}
		}
	})
}

func FuzzRejected(f *testing.F) {
	f.Add([]byte(`{"version": 1, "findings": [{"fingerprint": "x", "places": ["a"], "title": "t"}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		all, err := ReadRejected(src)
		if err != nil {
			return
		}
		text, err := WriteRejected(all)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRejected(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	})
}
