package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// hostile holds everything that acts on a terminal, a log of CI or a renderer,
// and a line that looks like one of ours.
const hostile = "\x1b]52;c;QQ==\a\r\x7f\u009b31m\x9b\u202e\u2028\u2066\ufeff\U000e0041##[add-mask]\n::error::fake\nfake.md:1:1: error: fake\n" +
	"| <b> ![x](y) @me ]]> ``` &#x202e; |"

// hostileReport holds it in every part that a wiki fills.
func hostileReport() *Report {
	p := page("::error::"+hostile+".md", "# a \x1b[2J\u202e\U000e0041 b\xff ##[x]\n")
	d := at(p, "\u202e", schema.Error, "broken-link", hostile)
	d.Related = []schema.Related{{Path: p.Path, From: d.From, To: d.To, Message: hostile}}
	d.Fixes = []schema.Fix{{Title: hostile, Safe: true, Edits: []schema.Edit{{Path: p.Path, Span: d.Span, Text: hostile}}, Moves: []schema.Move{}},
		{Title: hostile, Edits: []schema.Edit{{Path: p.Path, Span: d.Span, Text: "x"}}, Moves: []schema.Move{{From: p.Path, To: hostile}}}}
	warning := d
	warning.Severity, warning.Rule = schema.Warning, "own-rule"
	return &Report{Findings: []schema.Diagnostic{d, warning}, Root: "docs/" + hostile, Base: hostile, Looked: hostile, Frames: true, First: true,
		Suppressed: []linter.Suppressed{{Diagnostic: d, By: linter.ByComment, Reason: hostile}},
		Rules:      []*linter.Rule{{ID: "own-rule", Severity: schema.Warning, Summary: hostile, Doc: hostile}},
		Skipped:    []schema.Skipped{{Check: hostile, Reason: hostile}},
		Stats:      linter.Stats{Pages: 1, Errors: 1, Warnings: 1, Oldest: "2025-01-02", Baseline: 1},
		Page:       func(string) *schema.Page { return p },
		Summaries:  map[string]string{"own-rule": hostile},
	}
}

// TestHostileReport writes each format of a report whose every value is hostile,
// to a log of CI.
func TestHostileReport(t *testing.T) {
	t.Parallel()
	formats := Formats()
	formats = append(formats, Format{Name: "step-summary", Write: StepSummary})
	for _, f := range formats {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			out := text.NewBuffered(&b)
			out.GuardCommands()
			if err := errors.Join(f.Write(out, hostileReport()), out.Close()); err != nil {
				t.Fatal(err)
			}
			golden(t, "hostile-"+f.Name, b.Bytes())
			if s := b.String(); strings.ContainsFunc(s, text.Hidden) || strings.Contains(s, "##[") && f.Name != "github" {
				t.Errorf("something acts in %q", s)
			}
			for l := range strings.Lines(b.String()) {
				if strings.HasPrefix(l, "fake") || strings.HasPrefix(strings.TrimSpace(l), "::error::") {
					t.Errorf("a value made a line of its own: %s", l)
				}
			}
			if b.Bytes()[0] == '{' || b.Bytes()[0] == '[' {
				if !json.Valid(b.Bytes()) {
					t.Error("not JSON")
				}
			}
			if f.Name == "junit" {
				d := xml.NewDecoder(&b)
				for {
					if _, err := d.Token(); err == io.EOF {
						break
					} else if err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// TestJSONKeepsHostileValues holds that the format json is exact all the same.
func TestJSONKeepsHostileValues(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Write("json", &b, hostileReport()); err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); d.Findings[0].Message != want {
		t.Errorf("the message is %q, want %q", d.Findings[0].Message, want)
	}
}
