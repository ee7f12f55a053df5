package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// rdDocument has the fields of
// https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
// that every version of reviewdog knows. It refuses others.
type rdDocument struct {
	Source      struct{ Name, URL string }
	Severity    string
	Diagnostics []struct {
		Message  string
		Location struct {
			Path  string
			Range rdSpan
		}
		Severity        string
		Source          *struct{ Name, URL string }
		Code            struct{ Value, URL string }
		Suggestions     []rdChange
		Original_output string
	}
}

type rdChange struct {
	Range rdSpan
	Text  string
}

type rdSpan struct {
	Start rdPoint
	End   *rdPoint
}

type rdPoint struct{ Line, Column int }

// offset is the byte that a point means: its column counts the bytes of the
// line from 1.
func (p rdPoint) offset(src string) int {
	lines := strings.SplitAfter(src, "\n")
	at := 0
	for _, l := range lines[:p.Line-1] {
		at += len(l)
	}
	return at + p.Column - 1
}

func readRD(t *testing.T, r *Report) rdDocument {
	t.Helper()
	var b bytes.Buffer
	if err := Write("rdjson", &b, r); err != nil {
		t.Fatal(err)
	}
	var doc rdDocument
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	for _, d := range doc.Diagnostics {
		if !slices.Contains([]string{"ERROR", "WARNING", "INFO"}, d.Severity) {
			t.Errorf("severity %q", d.Severity)
		}
		if d.Message == "" || d.Location.Path == "" || d.Location.Range.Start.Line < 1 {
			t.Errorf("a diagnostic has no message or place: %+v", d)
		}
	}
	return doc
}

// TestRDColumnsAreBytes has the example of the definition: in a𐐀b, the column
// of b is 6.
func TestRDColumnsAreBytes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src, text string
		want      rdSpan
	}{
		"documented":  {"a𐐀b\n", "b", rdSpan{rdPoint{1, 6}, &rdPoint{1, 7}}},
		"second line": {"日本\r\n語 x", "x", rdSpan{rdPoint{2, 5}, &rdPoint{2, 6}}},
		"two lines":   {"ab\ncd\n", "b\nc", rdSpan{rdPoint{1, 2}, &rdPoint{2, 2}}},
		"with a mark": {"\ufeffab\n", "b", rdSpan{rdPoint{1, 5}, &rdPoint{1, 6}}},
		"to the end":  {"ab\ncd\n", "cd\n", rdSpan{rdPoint{2, 1}, &rdPoint{3, 1}}},
	} {
		p := page("a.md", c.src)
		doc := readRD(t, &Report{Findings: []schema.Diagnostic{at(p, c.text, schema.Error, "r", "m")}, Page: func(string) *schema.Page { return p }})
		if diff := cmp.Diff(c.want, doc.Diagnostics[0].Location.Range); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// TestRDSuggestions applies suggestions as reviewdog does, by lines and bytes, and
// expects the result of the fix by offsets.
func TestRDSuggestions(t *testing.T) {
	t.Parallel()
	src := "\ufeff日本 [[one]]\nand [[two]] here\n"
	p := page("a.md", src)
	edit := func(path, text, by string) schema.Edit {
		i := strings.Index(src, text)
		return schema.Edit{Path: path, Span: schema.Span{Start: i, End: i + len(text)}, Text: by}
	}
	insert := edit("a.md", "here", "over ")
	insert.Span.End = insert.Span.Start
	for name, c := range map[string]struct {
		fix  schema.Fix
		want string
	}{
		"one edit":      {schema.Fix{Edits: []schema.Edit{edit("a.md", "one", "語")}}, "\ufeff日本 [[語]]\nand [[two]] here\n"},
		"several edits": {schema.Fix{Edits: []schema.Edit{edit("a.md", "two", "2"), edit("a.md", "one", "1")}}, "\ufeff日本 [[1]]\nand [[2]] here\n"},
		"insertion":     {schema.Fix{Edits: []schema.Edit{insert}}, "\ufeff日本 [[one]]\nand [[two]] over here\n"},
		"another file":  {schema.Fix{Edits: []schema.Edit{edit("a.md", "one", "1"), edit("b.md", "two", "2")}}, ""},
		"a move":        {schema.Fix{Edits: []schema.Edit{edit("a.md", "one", "1")}, Moves: []schema.Move{{From: "b.md", To: "c.md"}}}, ""},
		"overlapping":   {schema.Fix{Edits: []schema.Edit{edit("a.md", "[one", "1"), edit("a.md", "one]", "2")}}, ""},
		"outside":       {schema.Fix{Edits: []schema.Edit{{Path: "a.md", Span: schema.Span{Start: 0, End: 900}}}}, ""},
		"nothing to do": {schema.Fix{}, ""},
	} {
		d := at(p, "one", schema.Error, "r", "m")
		d.Fixes = []schema.Fix{c.fix}
		got := readRD(t, &Report{Findings: []schema.Diagnostic{d}, Page: func(string) *schema.Page { return p }}).Diagnostics[0].Suggestions
		if c.want == "" {
			if len(got) > 0 {
				t.Errorf("%s is suggested: %+v", name, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Range.End == nil {
			t.Errorf("%s: %d suggestions", name, len(got))
			continue
		}
		if out := src[:got[0].Range.Start.offset(src)] + got[0].Text + src[got[0].Range.End.offset(src):]; out != c.want {
			t.Errorf("%s: gives %q, want %q", name, out, c.want)
		}
	}
}

// TestRDOutsideTheWiki has only a line of files whose text is not known.
func TestRDOutsideTheWiki(t *testing.T) {
	t.Parallel()
	d := schema.Diagnostic{Rule: "r", Severity: schema.Error, Path: "../src/a.go", Message: "m", From: schema.Position{Line: 7, Column: 2}}
	got := readRD(t, &Report{Root: "wiki", Findings: []schema.Diagnostic{d}}).Diagnostics[0].Location
	if got.Path != "src/a.go" || got.Range.Start != (rdPoint{Line: 7}) || got.Range.End != nil {
		t.Errorf("got %+v", got)
	}
}
