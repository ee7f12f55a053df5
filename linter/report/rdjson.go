package report

import (
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// The format is the DiagnosticResult of
// https://github.com/reviewdog/reviewdog/tree/master/proto/rdf: ends are
// exclusive, and columns count the bytes of a line from 1.
var _ = register(Format{Name: "rdjson", Summary: "for reviewdog: comments on a review, with suggested changes", Write: writeRDJSON})

type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        rdCode         `json:"code"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdLocation struct {
		Path  string  `json:"path"`
		Range rdRange `json:"range"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
)

func writeRDJSON(w io.Writer, r *Report) error {
	out := rdResult{Source: rdSource{"wiki lint", Home}, Diagnostics: []rdDiagnostic{}}
	l := newLocator(r)
	for i := range r.Findings {
		d := &r.Findings[i]
		out.Diagnostics = append(out.Diagnostics, rdDiagnostic{
			Message:     rdMessage(r, d),
			Location:    rdLocation{r.inRepository(d.Path), l.rdRange(d.Path, d.Span, d.From)},
			Severity:    strings.ToUpper(d.Severity.String()),
			Code:        rdCode{d.Rule, r.manual(d.Rule)},
			Suggestions: l.rdSuggestions(d),
		})
	}
	return writeDocument(w, out)
}

// rdMessage is the message, with the related places, since not all versions of reviewdog
// have a field for them.
func rdMessage(r *Report, d *schema.Diagnostic) string {
	var b strings.Builder
	b.WriteString(text.Line(d.Message))
	for _, rel := range d.Related {
		text.Fprintf(&b, "\n%s:%d: %s", r.inRepository(rel.Path), max(rel.From.Line, 1), rel.Message)
	}
	return b.String()
}

// rdRange returns where a span is: in a file whose text is not known, the line
// where it begins.
func (l *locator) rdRange(path string, span schema.Span, from schema.Position) rdRange {
	start, ok := l.find(path, span.Start)
	if !ok {
		return rdRange{Start: rdPosition{Line: max(from.Line, 1)}}
	}
	end, _ := l.find(path, span.End)
	return rdRange{rdPosition{start.line, start.byte}, &rdPosition{end.line, end.byte}}
}

// rdSuggestions returns the fixes that can be suggested: a suggestion changes one range,
// so all edits must be in the finding's file.
func (l *locator) rdSuggestions(d *schema.Diagnostic) []rdSuggestion {
	var out []rdSuggestion
	page := l.report.page(d.Path)
	for _, f := range d.Fixes {
		if e, ok := joinEdits(page, d.Path, f); ok && !l.report.hides(d.Path, e.Span) {
			out = append(out, rdSuggestion{l.rdRange(d.Path, e.Span, d.From), e.Text})
		}
	}
	return out
}

// hides reports whether a secret is in a part of a file.
func (r *Report) hides(path string, span schema.Span) bool {
	return slices.ContainsFunc(r.Findings, func(d schema.Diagnostic) bool {
		return d.Secret && d.Path == path && d.Span.Overlaps(span)
	})
}

// joinedBytes is how much of a page a suggestion may cover. More is no
// suggestion that a person could look through.
const joinedBytes = 4096

// joinEdits returns one edit that does what all edits of a fix do.
func joinEdits(page *schema.Page, path string, f schema.Fix) (schema.Edit, bool) {
	if page == nil || len(f.Edits) == 0 || len(f.Moves) > 0 {
		return schema.Edit{}, false
	}
	edits := slices.Clone(f.Edits)
	slices.SortStableFunc(edits, func(a, b schema.Edit) int { return a.Span.Start - b.Span.Start })
	first, last := edits[0].Span.Start, edits[len(edits)-1].Span.End
	if first < 0 || last > len(page.Source) || last-first > joinedBytes {
		return schema.Edit{}, false
	}
	var joined strings.Builder
	at := first
	for _, e := range edits {
		if e.Path != path || e.Span.Start < at || e.Span.End < e.Span.Start {
			return schema.Edit{}, false
		}
		joined.Write(page.Source[at:e.Span.Start])
		joined.WriteString(e.Text)
		at = e.Span.End
	}
	return schema.Edit{Path: path, Span: schema.Span{Start: first, End: last}, Text: joined.String()}, true
}
