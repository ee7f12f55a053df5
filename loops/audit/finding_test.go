package audit

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// one returns a list of one finding, with some of its text replaced.
func one(old ...string) string {
	return strings.NewReplacer(old...).Replace(`{"version": 1, "findings": [
  {"title": "A price  below zero is taken", "category": "bug", "impact": 4, "effort": "S", "risk": "LOW", "confidence": 0.5,
   "cites": [{"at": "./src/price.go:12", "quote": "return p"}],
   "why": "It pays the customer.", "plan": "./plans/2026-07-a.md"}
]}`)
}

func read(t *testing.T, text string) ([]Finding, []string) {
	t.Helper()
	root, faults := plan.ReadJSON([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%v in %s", faults, text)
	}
	found, wrong := Findings([]byte(text), root)
	var out []string
	for _, w := range wrong {
		out = append(out, w.String())
	}
	return found, out
}

func TestFindings(t *testing.T) {
	t.Parallel()
	want := Finding{
		Title: "A price below zero is taken", Category: "bug", Impact: 4, Effort: "S", Risk: "LOW", Confidence: 0.5, Why: "It pays the customer.",
		Cites: []Citation{{Path: "src/price.go", Line: 12, Quote: "return p"}}, Plan: "plans/2026-07-a.md", Line: 2,
	}
	got, wrong := read(t, one())
	if diff := cmp.Diff([]Finding{want}, got); diff != "" || wrong != nil {
		t.Errorf("%v (-want +got):\n%s", wrong, diff)
	}
	if got, wrong := read(t, `{"version": 1, "findings": []}`); len(got) != 0 || wrong != nil {
		t.Errorf("an empty list: %v, %v", got, wrong)
	}
	if got, _ := read(t, one(`A price  below`, `A \u001b[31mprice`)); got[0].Title != "A [31mprice zero is taken" {
		t.Errorf("a title is %q", got[0].Title)
	}
	if got, _ := read(t, one(`./plans/2026-07-a.md`, `2026-07-a.md`)); got[0].Plan != "plans/2026-07-a.md" {
		t.Errorf("a plan without its folder is %q", got[0].Plan)
	}
}

func TestReadFindingsRefusesInvalidFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`[]`, []string{"findings.json:1: found list: expected a map"}},
		{`{}`, []string{`findings.json:1: the list has no "version": 1`}},
		{`{"version": 2, "findings": []}`, []string{`findings.json:1: the list has no "version": 1`}},
		{`{"version": 1}`, []string{`findings.json:1: no list of "findings"; use an empty list if there are none`}},
		{`{"version": 1, "findings": null}`, []string{`findings.json:1: no list of "findings"; use an empty list if there are none`}},
		{one(`"category"`, `"categry"`), []string{`findings.json:2: unknown key "categry" under findings[0]: did you mean "category"?`}},
		{one(`"impact": 4`, `"impact": "4"`), []string{`findings.json:2: findings[0].impact: found text "4": expected a whole number`}},
		{one(`"bug"`, `"style"`), []string{`findings.json:2: the category is "style": expected one of bug, security, perf, tests, tech-debt, migration, dx, docs, direction`}},
		{one(`"impact": 4`, `"impact": 6`, `"S"`, `"XL"`, `"LOW"`, `"low"`), []string{
			`findings.json:2: the impact is 6: expected 1 to 5`, `findings.json:2: the effort is "XL": expected one of S, M, L`, `findings.json:2: the risk is "low": expected one of LOW, MED, HIGH`}},
		{one(`0.5`, `1.5`), []string{`findings.json:2: the confidence is missing, or not a number from 0 to 1`}},
		{one(`, "confidence": 0.5`, ``), []string{`findings.json:2: the confidence is missing, or not a number from 0 to 1`}},
		{one("A price  below zero is taken", " "), []string{`findings.json:2: the finding has no title`}},
		{one("It pays the customer.", long), []string{`findings.json:4: "why" has 5000 bytes: expected 1 to 4096`}},
		{one("return p", long), []string{`findings.json:3: the quotation has 5000 bytes, more than 2048`}},
		{one(`{"at": "./src/price.go:12", "quote": "return p"}`, ``), []string{`findings.json:2: the finding cites nothing: expected "cites": [{"at": "path:line"}]`}},
		{one(`price.go:12`, `price.go`), []string{`findings.json:3: the citation is "./src/price.go": expected "path:line", with a line from 1`}},
		{one(`price.go:12`, `price.go:0`), []string{`findings.json:3: the citation is "./src/price.go:0": expected "path:line", with a line from 1`}},
		{one(`./src/`, `/etc/`), []string{`findings.json:3: the citation "/etc/price.go:12" is not a path below the repository's root, with slashes`}},
		{one(`./src/`, `src/../../`), []string{`findings.json:3: the citation "src/../../price.go:12" is not a path below the repository's root, with slashes`}},
		{one(`./plans/2026-07-a.md`, `../x\u001b[2J`), []string{`findings.json:4: the plan is "../x\x1b[2J": expected a file plans/YYYY-MM-slug.md of the answer`}},
		{one(`./src/`, `\u001b[2J/`), []string{`findings.json:3: the citation "\x1b[2J/price.go:12" is not a path below the repository's root, with slashes`}},
		{`{"version": 1, "findings": [` + strings.TrimSuffix(strings.Repeat("{},", 101), ",") + `]}`, []string{`findings.json:1: 101 findings, more than 100: drop the least important`}},
	} {
		got, wrong := read(t, tt.text)
		if diff := cmp.Diff(tt.want, wrong); diff != "" || got != nil {
			t.Errorf("%.120s gives %d findings (-want +got):\n%s", tt.text, len(got), diff)
		}
	}
}

// The order of findings is theirs, and not that of the answer.
func TestRank(t *testing.T) {
	t.Parallel()
	f := func(title string, impact int, effort, risk string, confidence float64) Finding {
		return Finding{Title: title, Impact: impact, Effort: effort, Risk: risk, Confidence: confidence, Cites: []Citation{{Path: title + ".go", Line: 1}}}
	}
	want := []Finding{
		f("most for least", 5, "S", "LOW", 1),
		f("unsure", 5, "S", "LOW", 0.5),
		f("severe", 5, "M", "HIGH", 0.9),  // 2.25
		f("as much", 3, "S", "LOW", 0.75), // 2.25, of less impact
		f("a tie", 2, "S", "LOW", 1),
		f("b tie", 2, "S", "LOW", 1),
		f("risky", 2, "S", "MED", 1),
		f("dear", 4, "L", "LOW", 1),
	}
	for shift := range want {
		got := append(append([]Finding(nil), want[shift:]...), want[:shift]...)
		Rank(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("shifted by %d (-want +got):\n%s", shift, diff)
		}
	}
}

func FuzzFindings(f *testing.F) {
	f.Add(one())
	f.Add(`{"version": 1, "findings": [{"cites": [{}, null]}, null, []]}`)
	f.Fuzz(func(t *testing.T, text string) {
		root, _ := plan.ReadJSON([]byte(text))
		if root == nil {
			return
		}
		found, wrong := Findings([]byte(text), root)
		if len(wrong) > mostFaults || len(wrong) > 0 && found != nil {
			t.Fatalf("%d findings, %d faults", len(found), len(wrong))
		}
		Rank(found)
		for i := range found {
			x := &found[i]
			if x.Leverage() < 0 || x.Title == "" || len(x.Cites) == 0 || x.Cites[0].Line < 1 {
				t.Fatalf("%+v", x)
			}
			k := NewKnown(x)
			back := Notes([]byte("## Notes\n" + Note(x)))
			if len(back) != 1 || back[0].Fingerprint != k.Fingerprint || back[0].Category != k.Category {
				t.Fatalf("%+v is noted as %q and read as %+v", k, Note(x), back)
			}
			if !back[0].Same(x) {
				t.Fatalf("%+v is not known by its own note", x)
			}
		}
		for _, w := range wrong {
			if !utf8.ValidString(w.Message) || w.Line < 1 {
				t.Fatal(fmt.Sprint(loops.Reason(w)))
			}
		}
	})
}
