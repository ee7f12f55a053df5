package report

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

func writeAs(t testing.TB, format string, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(format, &b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// draft04 makes the official schema, which is written in a draft that the
// library doesn't read, say the same in draft 7. The formats become patterns,
// because the library doesn't check formats.
var draft04 = strings.NewReplacer(
	"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#",
	`"format": "date-time"`, `"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"`,
	`"format": "uri"`, `"pattern": "^`+uriScheme+uriRest+`$"`,
	`"format": "uri-reference"`, `"pattern": "^(`+uriScheme+`|`+uriSegment+`([/?#]|$))`+uriRest+`$"`,
)

const (
	uriScheme  = `[A-Za-z][A-Za-z0-9+.-]*:`
	uriSegment = `([!$&-.0-9;=@-Z_a-z~]|%[0-9A-Fa-f]{2})*` // without the colon, which would end a scheme
	uriRest    = `([!#$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*`
)

// validator returns a function that validates documents against the official
// schema of SARIF 2.1.0.
func validator(t *testing.T) func(doc []byte) error {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(draft04.Replace(string(text))), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(doc []byte) error {
		var v any
		if err := json.Unmarshal(doc, &v); err != nil {
			return err
		}
		return resolved.Validate(v)
	}
}

func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	validate := validator(t)
	for name, r := range map[string]*Report{"sample": sample(), "empty": {}} {
		for _, format := range []string{"sarif", "code-scanning"} {
			if err := validate(writeAs(t, format, r)); err != nil {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
	// The check itself must be able to fail.
	doc := string(writeAs(t, "sarif", sample()))
	for _, c := range [][2]string{
		{`"level":"error"`, `"level":"fatal"`}, {`"startLine":3`, `"startLine":0`}, {`"kind":"inSource"`, `"kind":"comment"`},
		{`"text":"A link leads nowhere."`, `"words":"A link leads nowhere."`}, {`"executionSuccessful":true,`, ``}, {`"columnKind":"unicodeCodePoints"`, `"columnKind":"bytes"`},
		{`"informationUri":"https:`, `"informationUri":"`}, {`"uri":"docs/wiki/`, `"uri":"docs wiki/`}, {`"uri":"docs/wiki/`, `"uri":"1:/`},
	} {
		broken := strings.Replace(doc, c[0], c[1], 1)
		if broken == doc || validate([]byte(broken)) == nil {
			t.Errorf("%s in place of %s is not found", c[1], c[0])
		}
	}
}

func readSARIF(t testing.TB, doc []byte) sarifRun {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(doc, &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}

// TestSARIFForGitHub checks what GitHub documents and the schema does not ask
// for: descriptions of limited length, help, a place for every result that lies
// below the repository, and no suppressed results.
func TestSARIFForGitHub(t *testing.T) {
	t.Parallel()
	run := readSARIF(t, writeAs(t, "code-scanning", sample()))
	for i, rule := range run.Tool.Driver.Rules {
		if rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %s has an empty description", rule.ID)
		}
		if n := len(rule.FullDescription.Text); n > sarifText+3 {
			t.Errorf("rule %s is described by %d characters", rule.ID, n)
		}
		if slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == rule.ID }) != i {
			t.Errorf("rule %s is there twice", rule.ID)
		}
	}
	if len(run.Results) != 4 {
		t.Errorf("%d results, want the 4 that are not suppressed", len(run.Results))
	}
	for _, res := range run.Results {
		if run.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID {
			t.Errorf("%s points at rule %d", res.RuleID, res.RuleIndex)
		}
		if len(res.Locations) != 1 || len(res.Fingerprints) != 1 || res.Suppressions != nil {
			t.Errorf("%s has %d locations, %d fingerprints, suppressions %v", res.RuleID, len(res.Locations), len(res.Fingerprints), res.Suppressions)
		}
	}
	if got, want := run.Results[0].Locations[0].Physical.Artifact.URI, "docs/wiki/notes/a%2C%20b.md"; got != want && got != "docs/wiki/notes/a,%20b.md" {
		t.Errorf("the URI is %s, want %s", got, want)
	}
}

func TestSARIFCuts(t *testing.T) {
	t.Parallel()
	p := page("a.md", "x\n")
	mild, bad := at(p, "x", schema.Info, "mild", "m"), at(p, "x", schema.Error, "bad", "m")
	bad.Related = make([]schema.Related, sarifLocations+4)
	r := &Report{Findings: slices.Repeat([]schema.Diagnostic{mild}, sarifResults)}
	r.Findings = append(r.Findings, bad)
	r.Suppressed = []linter.Suppressed{{Diagnostic: bad, By: linter.ByBaseline}}
	doc := writeAs(t, "sarif", r)
	run := readSARIF(t, doc)
	last := run.Results[len(run.Results)-1]
	if len(run.Results) != sarifResults || last.RuleID != "bad" || last.Suppressions != nil {
		t.Errorf("%d results, the last is %s", len(run.Results), last.RuleID)
	}
	if n := 1 + len(last.Related); n != sarifLocations {
		t.Errorf("a result has %d locations", n)
	}
	var said []string
	for _, n := range run.Invocations[0].Notifications {
		said = append(said, n.Message.Text)
	}
	want := []string{"2 findings left out because of GitHub's limits; use the format json for all findings",
		"5 related places left out because of GitHub's limits; use the format json for all findings"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// TestSARIFFits has text that does not compress: first the fixes go, then the
// mildest findings.
func TestSARIFFits(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses 80 MB")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(' ' + 1 + random.IntN(94))
		}
		return string(b)
	}
	p := page("a.md", "x\n")
	d := at(p, "x", schema.Error, "r", "m")
	d.Fixes = []schema.Fix{{Title: "t", Edits: []schema.Edit{{Path: "a.md", Span: d.Span, Text: noise(13 << 20)}}}}
	r := &Report{Findings: []schema.Diagnostic{d, d}, Page: func(string) *schema.Page { return p }}
	run := readSARIF(t, writeAs(t, "sarif", r))
	if len(run.Results) != 2 || run.Results[0].Fixes != nil || !strings.HasPrefix(run.Invocations[0].Notifications[0].Message.Text, "2 suggested edits left out") {
		t.Errorf("%d results with %d fixes; %v", len(run.Results), len(run.Results[0].Fixes), run.Invocations)
	}
	r.Findings[0].Message, r.Findings[0].Severity = noise(13<<20), schema.Info
	if run = readSARIF(t, writeAs(t, "sarif", r)); len(run.Results) != 1 || run.Results[0].Level != "error" {
		t.Errorf("%d results, the first is %s", len(run.Results), run.Results[0].Level)
	}
}

// TestSARIFRegions checks lines, columns and characters of fixes against the
// text that they mean.
func TestSARIFRegions(t *testing.T) {
	t.Parallel()
	run := readSARIF(t, writeAs(t, "sarif", sample()))
	got := map[string][]sarifReplacement{}
	for _, res := range run.Results {
		for _, f := range res.Fixes {
			for _, c := range f.Changes {
				got[f.Description.Text+" in "+c.Artifact.URI] = c.Replacements
			}
		}
	}
	num, text := func(n int) *int { return &n }, func(s string) *string { return &s }
	want := map[string][]sarifReplacement{
		"link to b in docs/wiki/notes/a,%20b.md": {{sarifRegion{StartLine: 3, StartColumn: 8, EndLine: 3, EndColumn: 15, CharOffset: num(12), CharLength: num(7)}, sarifContent{Text: text("b")}}},
		"link to it (review the result) in docs/wiki/notes/b.md": {
			{sarifRegion{StartLine: 1, StartColumn: 21, EndLine: 1, EndColumn: 23, CharOffset: num(20), CharLength: num(2)}, sarifContent{Text: text("](b.md)")}},
			{sarifRegion{StartLine: 1, StartColumn: 16, EndLine: 1, EndColumn: 18, CharOffset: num(15), CharLength: num(2)}, sarifContent{Text: text("[")}},
		},
		"write the page (review the result) in docs/wiki/Missing.md": {{sarifRegion{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1, CharOffset: num(0), CharLength: num(0)}, sarifContent{Text: text("# Missing\n")}}},
		"write the page (review the result) in docs/src/a.go":        {{sarifRegion{ByteOffset: num(3), ByteLength: num(2)}, sarifContent{Binary: text("w6k=")}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFingerprintsStayWhenLinesMove lints a page, inserts fifty lines above the
// findings, and lints it again.
func TestFingerprintsStayWhenLinesMove(t *testing.T) {
	t.Parallel()
	rule := &linter.Rule{ID: "every-bracket", Group: linter.Links, Severity: schema.Error, Since: "0.1.0", Summary: "S.", Doc: "D.", Check: func(p *linter.Pass) {
		for _, page := range p.Wiki.Pages() {
			for i, c := range page.Source {
				if c == '[' {
					p.Report(page.Path, schema.Span{Start: i, End: i + 4}, "a bracket")
				}
			}
		}
	}}
	prints := func(above int) (lines []int, out []string) {
		w := compilertest.Compile(t, compilertest.Write(t, "-- wiki/a.md --\n# A\n\n"+strings.Repeat("More text.\n\n", above/2)+"See [x] and [y].\n\nAnd [x] too.\n"))
		res, err := linter.Run(t.Context(), w, linter.Config{Rules: []*linter.Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range readSARIF(t, writeAs(t, "sarif", New(w, res))).Results {
			lines = append(lines, result.Locations[0].Physical.Region.StartLine)
			out = append(out, result.Fingerprints[sarifPrint])
		}
		return lines, out
	}
	before, want := prints(0)
	after, got := prints(50)
	if len(want) != 3 || after[0] != before[0]+50 {
		t.Fatalf("found in lines %v, then in %v", before, after)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the fingerprints changed (-want +got):\n%s", diff)
	}
	if want[0] == want[1] || want[0] == want[2] {
		t.Errorf("two findings have one fingerprint: %v", want)
	}
}

func TestPascal(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"broken-wikilink": "BrokenWikilink", "orphan": "Orphan", "a--b-": "AB", "": ""} {
		if got := pascal(in); got != want {
			t.Errorf("pascal(%q) = %q, want %q", in, got, want)
		}
	}
}
