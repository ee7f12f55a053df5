package report

import (
	"io"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// The format is the report that GitLab shows in merge requests:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
var _ = register(Format{Name: "codequality", Summary: "for the code quality report of GitLab's merge requests", Write: writeCodeQuality})

type (
	codeQuality struct {
		Description string              `json:"description"`
		CheckName   string              `json:"check_name"`
		Fingerprint string              `json:"fingerprint"` // of which no two may be equal
		Severity    string              `json:"severity"`
		Location    codeQualityLocation `json:"location"`
	}
	codeQualityLocation struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end"`
		} `json:"lines"`
	}
)

// codeQualitySeverity has blocker and critical left over: a page does not stop
// anything from running.
var codeQualitySeverity = map[schema.Severity]string{schema.Error: "major", schema.Warning: "minor", schema.Info: "info"}

func writeCodeQuality(w io.Writer, r *Report) error {
	out := []codeQuality{}
	for i := range r.Findings {
		d := &r.Findings[i]
		e := newExtent(d.Path, d.From, d.To)
		c := codeQuality{Description: text.Line(d.Message), CheckName: d.Rule, Fingerprint: d.Fingerprint, Severity: codeQualitySeverity[d.Severity]}
		c.Location.Path = r.inRepository(d.Path)
		c.Location.Lines.Begin, c.Location.Lines.End = e.Line, e.EndLine
		out = append(out, c)
	}
	return writeDocument(w, out)
}
