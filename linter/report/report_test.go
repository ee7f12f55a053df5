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
	one.Fixes = []schema.Fix{{Title: "link to b", Safe: true, Edits: []schema.Edit{{Path: a.Path, Span: one.Span, Text: "b"}}}}
	two := at(b, "リンク", schema.Warning, "link-case", "wide\x1b[31m runes")
	two.Count = 12
	three := at(long, "gone.md", schema.Error, "broken-link", `the file "gone.md" does not exist`)
	info := at(b, "second line", schema.Info, "dead-end", "the page links to no other")
	return &Report{Findings: []schema.Diagnostic{one, two, info, three}, Root: "docs/wiki",
		Skipped:   []schema.Skipped{{Check: "history", Reason: "the clone is shallow; run git fetch --unshallow"}},
		Stats:     linter.Stats{Pages: 3, Links: 1412, Rules: 4, Errors: 2, Warnings: 1, Infos: 1, Timing: []linter.RuleTime{{Rule: "broken-link", Took: 1500 * time.Microsecond}}},
		Page:      func(path string) *schema.Page { return pages[path] },
		Summaries: map[string]string{"broken-wikilink": "A wikilink names a page that does not exist.", "dead-end": "A page | links."},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, format string
		change       func(*Report)
	}{
		{"text", "text", func(*Report) {}},
		{"text-frames", "text", func(r *Report) { r.Frames = true }},
		{"text-info-color", "text", func(r *Report) { r.Frames, r.Color, r.From = true, true, schema.Info }},
		{"json", "json", func(*Report) {}},
		{"github", "github", func(*Report) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := sample()
			c.change(r)
			var b bytes.Buffer
			if err := Write(c.format, &b, r); err != nil {
				t.Fatal(err)
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
			"2 pages, 3 links: no errors or warnings, 1 info hidden (--severity info shows them)\n"},
		{"errors only", Report{From: schema.Error, Findings: []schema.Diagnostic{finding(schema.Error), finding(schema.Warning), finding(schema.Info)},
			Stats: linter.Stats{Errors: 1, Warnings: 1, Infos: 1, Suppressed: 2}},
			"1 error, 1 warning hidden (--severity warning shows them), 1 info hidden (--severity info shows them), 2 suppressed\n"},
		{"many", Report{Findings: many, Stats: linter.Stats{Warnings: 25}},
			"25 warnings\ncauses: flood 40, r 24\nbegin with: wiki lint --rule flood\nwhat this wiki does not want to know: set the rule to off or info under lint.rules in wiki.yaml\n"},
		{"many of one rule", Report{Findings: same, Stats: linter.Stats{Warnings: 25}},
			"[r]\n25 warnings\nwhat this wiki does not want to know: set the rule to off or info under lint.rules in wiki.yaml\n"},
		{"brief", Report{Brief: true, Findings: many, Stats: linter.Stats{Warnings: 25}}, "[r]\n25 warnings\n"},
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
	} {
		p := page("a.md", "first\n"+c.line+"\nlast\n")
		d := at(p, c.place, schema.Error, "r", "m")
		var b bytes.Buffer
		frame(&printer{w: &b}, p, &d, colours(false))
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

// columnsOf returns what stands in the columns from..to of s.
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

func TestGitHubGroupsFloods(t *testing.T) {
	t.Parallel()
	p := page("a.md", "x\n")
	r := &Report{Root: "."}
	for range 60 {
		r.Findings = append(r.Findings, at(p, "x", schema.Warning, "orphan", "m"))
	}
	r.Findings = append(r.Findings, at(p, "x", schema.Error, "broken-link", "100%,\nsecond: line"))
	var b bytes.Buffer
	if err := Write("github", &b, r); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != annotationsPerRule+2 {
		t.Errorf("%d annotations for 61 findings of two rules", len(lines))
	}
	if want := "::error file=a.md,line=1,endLine=1,col=1,endColumn=2,title=broken-link::100%25,%0Asecond: line [broken-link]"; lines[10] != want {
		t.Errorf("got  %s\nwant %s", lines[10], want)
	}
	if !strings.Contains(lines[11], "50 more findings of this rule") {
		t.Errorf("the rest is not told: %s", lines[11])
	}
}

// TestJSONShape holds what programs rely on: the keys, and that no list is null.
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
	if want := `there is no report format "xml": expected github, json, text`; err == nil || err.Error() != want {
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
