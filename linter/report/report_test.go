package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, -update accepts):\n%s", file, diff)
	}
}

// page makes a page out of its source.
func page(path, src string) *schema.Page {
	return &schema.Page{Path: path, Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
}

// at makes a finding on the nth-first occurrence of text in a page.
func at(p *schema.Page, text string, sev schema.Severity, rule, message string) schema.Diagnostic {
	i := bytes.Index(p.Source, []byte(text))
	if i < 0 {
		panic(text + " is not in " + p.Path)
	}
	d := schema.Diagnostic{Rule: rule, Severity: sev, Path: p.Path, Span: schema.Span{Start: i, End: i + len(text)}, Message: message, Count: 1,
		Fingerprint: "00112233445566" + fmt.Sprintf("%02d", i%100)}
	d.From, d.To = p.Lines.Position(d.Span.Start), p.Lines.Position(d.Span.End)
	return d
}

// sample is a report with every part of one.
func sample() *Report {
	a := page("notes/a, b.md", "# A\n\n\tSee [[Missing]] and more.\n")
	b := page("notes/b.md", "\ufeff# 日本語 is wide: [[リンク]] here\n\nsecond line\n")
	long := page("z.md", strings.Repeat("word ", 4000)+"[x](gone.md)"+strings.Repeat(" tail", 600)+"\n")
	pages := map[string]*schema.Page{a.Path: a, b.Path: b, long.Path: long}
	one := at(a, "Missing", schema.Error, "broken-wikilink", `no page is named "Missing"; 100% sure: look`)
	one.Related = []schema.Related{{Path: b.Path, Span: schema.Span{}, From: schema.Position{Line: 1, Column: 1}, To: schema.Position{Line: 1, Column: 1}, Message: "is like it"}}
	one.Fixes = []schema.Fix{
		{Title: "link to b", Safe: true, Edits: []schema.Edit{{Path: a.Path, Span: one.Span, Text: "b"}}},
		{Title: "write the page", Edits: []schema.Edit{{Path: "Missing.md", Text: "# Missing\n"}, {Path: "../src/a.go", Span: schema.Span{Start: 3, End: 5}, Text: "é"}}},
		{Title: "give b the name", Edits: []schema.Edit{{Path: a.Path, Span: one.Span, Text: "b"}}, Moves: []schema.Move{{From: b.Path, To: "Missing.md"}}},
	}
	two := at(b, "リンク", schema.Warning, "link-case", "wide\x1b[31m runes, see https://example.org and [x](y)")
	two.Count = 12
	two.Fixes = []schema.Fix{{Title: "link to it", Edits: []schema.Edit{
		{Path: b.Path, Span: schema.Span{Start: two.Span.End, End: two.Span.End + 2}, Text: "](b.md)"}, {Path: b.Path, Span: schema.Span{Start: two.Span.Start - 2, End: two.Span.Start}, Text: "["}}}}
	three := at(long, "gone.md", schema.Error, "broken-link", `the file "gone.md" does not exist`)
	info := at(b, "second line", schema.Info, "dead-end", "the page links to no other")
	suppressed := []linter.Suppressed{
		{Diagnostic: at(a, "more", schema.Warning, "link-case", "case"), By: linter.ByComment, Reason: "the name is a quotation"},
		{Diagnostic: at(b, "wide", schema.Error, "broken-link", "old"), By: linter.ByBaseline},
		{Diagnostic: at(b, "here", schema.Info, "dead-end", "alone"), By: linter.ByFrontmatter, Reason: "a list"},
	}
	return &Report{Findings: []schema.Diagnostic{one, two, info, three}, Suppressed: suppressed, Root: "docs/wiki", Version: "v1.2.3", Rules: sampleRules(),
		Skipped:   []schema.Skipped{{Check: "history", Reason: "the clone is shallow; run git fetch --unshallow"}},
		Stats:     linter.Stats{Pages: 3, Links: 1412, Rules: 4, Errors: 2, Warnings: 1, Infos: 1, Suppressed: 3, Timing: []linter.RuleTime{{Rule: "broken-link", Took: 1500 * time.Microsecond}}},
		Page:      func(path string) *schema.Page { return pages[path] },
		Summaries: map[string]string{"broken-wikilink": "A wikilink names a page that does not exist.", "dead-end": "A page | links."},
		Manual:    func(rule string) string { return map[string]string{"broken-link": Home + "/broken-link"}[rule] },
	}
}

// sampleRules ran for the sample: one that found nothing and one that is off
// by default among them. That of broken-wikilink is not known.
func sampleRules() []*linter.Rule {
	return []*linter.Rule{
		{ID: "broken-link", Group: linter.Links, Severity: schema.Error, Summary: "A link leads nowhere.", Doc: "A reader who clicks\ngets an `error`.\n\nCorrect it."},
		{ID: "dead-end", Group: linter.GraphRules, Severity: schema.Info, Summary: "A page | links.", Doc: strings.Repeat("very long ", 200)},
		{ID: "external-link", Group: linter.Links, Severity: schema.Off, Summary: "A URL is dead.", Doc: "Asks the web."},
		{ID: "link-case", Group: linter.Links, Severity: schema.Warning, Summary: "Case differs.", Doc: "Some readers are strict."},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	type variant struct {
		name, format string
		change       func(*Report)
	}
	var all []variant
	for _, f := range Formats() {
		all = append(all, variant{f.Name, f.Name, func(*Report) {}})
	}
	all = append(all,
		variant{"text-frames", "text", func(r *Report) { r.Frames = true }},
		variant{"text-info-color", "text", func(r *Report) { r.Frames, r.Color, r.From = true, true, schema.Info }},
		variant{"junit-fail-on-info", "junit", func(r *Report) { r.FailOn = schema.Info }},
		variant{"markdown-clean", "markdown", func(r *Report) { *r = Report{Stats: linter.Stats{Pages: 2, Links: 9}} }},
	)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := sample()
			c.change(r)
			var b bytes.Buffer
			if err := Write(c.format, &b, r); err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(b.Bytes(), []byte(`{"$schema"`)) { // is written on one line
				var lines bytes.Buffer
				if err := json.Indent(&lines, b.Bytes(), "", "  "); err != nil {
					t.Fatal(err)
				}
				b = lines
			}
			golden(t, c.name, b.Bytes())
		})
	}
}

func TestStepSummary(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := StepSummary(&b, sample()); err != nil {
		t.Fatal(err)
	}
	golden(t, "step-summary", b.Bytes())
}

func TestTextEnds(t *testing.T) {
	t.Parallel()
	p := page("a.md", "x\n")
	finding := func(sev schema.Severity) schema.Diagnostic { return at(p, "x", sev, "r", "m") }
	many := make([]schema.Diagnostic, 25)
	for i := range many {
		many[i] = finding(schema.Warning)
	}
	same := slices.Clone(many)
	many[3].Rule, many[3].Count = "flood", 40
	for _, c := range []struct {
		name string
		r    Report
		want string
	}{
		{"clean", Report{Stats: linter.Stats{Pages: 60, Links: 1412}}, "60 pages, 1,412 links: no findings\n"},
		{"one page", Report{Stats: linter.Stats{Pages: 1, Links: 1}}, "1 page, 1 link: no findings\n"},
		{"only info", Report{Findings: []schema.Diagnostic{finding(schema.Info)}, Stats: linter.Stats{Pages: 2, Links: 3, Infos: 1}},
			"2 pages, 3 links: no errors or warnings, 1 info hidden (use --severity info)\n"},
		{"errors only", Report{From: schema.Error, Findings: []schema.Diagnostic{finding(schema.Error), finding(schema.Warning), finding(schema.Info)},
			Stats: linter.Stats{Errors: 1, Warnings: 1, Infos: 1, Suppressed: 2}},
			"1 error, 1 warning hidden (use --severity warning), 1 info hidden (use --severity info), 2 suppressed\n"},
		{"clean but for what is hidden", Report{Stats: linter.Stats{Pages: 60, Links: 12, Suppressed: 3, Baseline: 1212, Oldest: "2026-01-02", Unchanged: 4}},
			"60 pages, 12 links: no findings, 3 suppressed, 1,212 in the baseline (the oldest since 2026-01-02), 4 outside the changed lines\n"},
		{"many", Report{First: true, Findings: many, Stats: linter.Stats{Warnings: 25}, Summaries: map[string]string{"flood": "Too much."}},
			"[r]\n\n  warning  flood  1 finding in 40 places\n  warning  r      24 findings\n25 warnings\n" +
				"to adopt lint on this wiki: wiki lint --baseline-write (hides existing findings, reports new ones)\n" +
				"about the first rule: wiki lint --explain flood (too much)\n"},
		{"one that stands for many", Report{First: true, Findings: many[3:4], Stats: linter.Stats{Warnings: 1}},
			"about the first rule: wiki lint --explain flood\n"},
		{"few", Report{First: true, Findings: same[:19], Stats: linter.Stats{Warnings: 19}}, "[r]\n19 warnings\n"},
		{"not the first", Report{Findings: many, Stats: linter.Stats{Warnings: 25}}, "  warning  r      24 findings\n25 warnings\n"},
		{"at most three of a rule", Report{Findings: many[2:], Limit: 3, Stats: linter.Stats{Warnings: 23}},
			"[flood]\na.md:1:1: warning: m [r]\na.md:1:1: warning: m [r]\n\n  warning  flood  1 finding in 40 places\n  warning  r      22 findings\n19 findings not shown (use --all)\n23 warnings\n"},
		{"ten of few", Report{Findings: same[:11], Limit: 10, Stats: linter.Stats{Warnings: 11}},
			"[r]\n1 finding not shown (use --all)\n11 warnings\n"},
		{"counts alone", Report{Findings: append(many[3:4:4], finding(schema.Info)), Counts: true, Stats: linter.Stats{Warnings: 1, Infos: 1}},
			"\n  warning  flood  1 finding in 40 places\n  info     r      1 finding\n1 warning, 1 info\n"},
		{"brief", Report{First: true, Brief: true, Findings: many, Stats: linter.Stats{Warnings: 25}}, "[r]\n25 warnings\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write("text", &b, &c.r); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(b.String(), c.want) || c.name == "clean" && b.String() != c.want {
				t.Errorf("got:\n%swant at the end:\n%s", b.String(), c.want)
			}
		})
	}
}

func TestFrameOfAnyLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, place string }{
		"tab":        {"\t\tx [[y]]", "[[y]]"},
		"wide":       {"日本 [[y]] 語", "[[y]]"},
		"combining":  {"e\u0301e\u0301 [[y]]", "[[y]]"},
		"long":       {strings.Repeat("ab ", 9000) + "[[y]]" + strings.Repeat(" cd", 9000), "[[y]]"},
		"long place": {strings.Repeat("y", 23000), strings.Repeat("y", 23000)},
		"long wide":  {strings.Repeat("語", 9000) + "[[y]]" + strings.Repeat("語", 900), "[[y]]"},
		"invalid":    {"\xff\xfe [[y]]", "[[y]]"},
		"escaped":    {"\x1b[2J\u202e\U000e0041 [[y]]", "[[y]]"},
	} {
		p := page("a.md", "first\n"+c.line+"\nlast\n")
		d := at(p, c.place, schema.Error, "r", "m")
		var b bytes.Buffer
		frame(text.New(&b), p, &d, nil, colours(false))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 2 {
			t.Errorf("%s: %d lines:\n%s", name, len(lines), b.String())
			continue
		}
		source, marks := strings.TrimPrefix(lines[0], " 2 | "), strings.TrimPrefix(lines[1], "   | ")
		if columns(source) > frameWidth {
			t.Errorf("%s: the source is %d columns wide", name, columns(source))
		}
		start := strings.IndexByte(marks, '^')
		if got, want := columnsOf(source, start, len(marks)), strings.TrimRight(c.place, ""); got != want && !strings.HasPrefix(want, strings.TrimSuffix(got, "…")) {
			t.Errorf("%s: the carets are under %q:\n%s", name, got, b.String())
		}
	}
}

// columns is how wide s is on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += show(r).wide
	}
	return n
}

// columnsOf returns columns from..to of s.
func columnsOf(s string, from, to int) string {
	var b strings.Builder
	at := 0
	for _, r := range s {
		w := show(r).wide
		if at >= from && at < to && w > 0 {
			b.WriteRune(r)
		}
		at += w
	}
	return b.String()
}

// TestJSONShape checks what programs rely on: the keys, and that no list is null.
func TestJSONShape(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write("json", &b, &Report{Findings: []schema.Diagnostic{{Rule: "r", Severity: schema.Error, Path: "../src/a.go"}}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("a list is null:\n%s", b.String())
	}
	var doc struct {
		Version  int
		Root     string
		Findings []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != 1 || doc.Root != "." {
		t.Errorf("version %d, root %q", doc.Version, doc.Root)
	}
	for _, key := range []string{"rule", "severity", "path", "line", "column", "endLine", "endColumn", "message", "fingerprint", "related", "fixes", "count"} {
		if _, ok := doc.Findings[0][key]; !ok {
			t.Errorf("a finding has no %q", key)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	_, err := Lookup("xml")
	if want := `unknown report format "xml": expected code-scanning, codequality, `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// failing is a writer that fails, as a full disk or a closed pipe does.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		if err := f.Write(failing{}, sample()); err == nil {
			t.Errorf("%s does not say that writing failed", f.Name)
		}
	}
}

// TestFramesHideSecrets shows two findings on a line that holds two secrets.
func TestFramesHideSecrets(t *testing.T) {
	t.Parallel()
	p := page("a.md", "id = hunter2, key = swordfish end\n")
	one := at(p, "hunter2", schema.Error, "secret", "a password")
	two := at(p, "swordfish", schema.Error, "secret", "another")
	one.Secret, two.Secret = true, true
	r := &Report{Findings: []schema.Diagnostic{one, two, at(p, "end", schema.Warning, "other", "a word")}, Frames: true,
		Page: func(string) *schema.Page { return p }}
	var b bytes.Buffer
	if err := Write("text", &b, r); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "hunter2") || strings.Contains(got, "swordfish") || strings.Count(got, "id = *******, key = ********* end") != 3 {
		t.Errorf("got\n%s", got)
	}
}

// TestNoFormatPrintsASecret has another finding's fix enclose a secret.
func TestNoFormatPrintsASecret(t *testing.T) {
	t.Parallel()
	p := page("a.md", "one id = hunter2, two end\n")
	hidden := at(p, "hunter2", schema.Error, "secret", "a password")
	hidden.Secret = true
	other := at(p, "one", schema.Warning, "other", "two words")
	other.Fixes = []schema.Fix{{Title: "write both", Safe: true, Edits: []schema.Edit{
		{Path: "a.md", Span: at(p, "one", schema.Info, "", "").Span, Text: "1"}, {Path: "a.md", Span: at(p, "two", schema.Info, "", "").Span, Text: "2"}}}}
	r := &Report{Findings: []schema.Diagnostic{hidden, other}, Frames: true, Page: func(string) *schema.Page { return p }}
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := Write(f.Name, &b, r); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "hunter2") {
			t.Errorf("%s prints the secret:\n%s", f.Name, b.String())
		}
	}
}
