package report

import (
	"io"

	"github.com/loopwiki/wiki/schema"
)

var _ = register(Format{Name: "json", Summary: "for programs: every finding, versioned", Write: writeJSON})

// JSONVersion is the version of the format json. It grows only if a field is removed or
// changes its meaning.
const JSONVersion = 1

// document is the whole of it. Lists are never null.
type document struct {
	Version  int              `json:"version"`
	Root     string           `json:"root"` // of the wiki, below the repository
	Findings []jsonFinding    `json:"findings"`
	Skipped  []schema.Skipped `json:"skipped"`
	Stats    jsonStats        `json:"stats"`
}

// extent is a place as people count it: from 1, columns in code points, the
// end exclusive.
type extent struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	extent
	Message     string        `json:"message"`
	Count       int           `json:"count"`
	Fingerprint string        `json:"fingerprint"`
	Related     []jsonRelated `json:"related"`
	Fixes       []jsonFix     `json:"fixes"`
}

type jsonRelated struct {
	extent
	Message string `json:"message"`
}

type jsonFix struct {
	Title string     `json:"title"`
	Safe  bool       `json:"safe"`
	Edits []jsonEdit `json:"edits"`
	Moves []jsonMove `json:"moves,omitempty"` // files that get another path once the edits are made
}

type jsonMove struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// jsonEdit replaces the bytes from Start to End of the file as on disk.
type jsonEdit struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

type jsonStats struct {
	Pages      int `json:"pages"`
	Links      int `json:"links"`
	Rules      int `json:"rules"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Infos      int `json:"infos"`
	Suppressed int `json:"suppressed"` // by the pages
	// Acknowledged counts acknowledged contradictions.
	Acknowledged int        `json:"acknowledged"`
	Baseline     int        `json:"baseline"`
	Oldest       string     `json:"oldest,omitempty"` // since when the oldest of these is in the baseline
	Unchanged    int        `json:"unchanged"`
	Timing       []jsonTime `json:"timing,omitempty"`
}

type jsonTime struct {
	Rule         string `json:"rule"`
	Microseconds int64  `json:"microseconds"`
}

func newExtent(path string, from, to schema.Position) extent {
	from.Line, from.Column = max(from.Line, 1), max(from.Column, 1)
	if to.Line < from.Line {
		to = from
	}
	return extent{path, from.Line, from.Column, to.Line, max(to.Column, 1)}
}

func writeJSON(w io.Writer, r *Report) error {
	root := r.Root
	if root == "" {
		root = "."
	}
	st := r.Stats
	doc := document{Version: JSONVersion, Root: root, Findings: []jsonFinding{}, Skipped: []schema.Skipped{},
		Stats: jsonStats{Pages: st.Pages, Links: st.Links, Rules: st.Rules, Errors: st.Errors, Warnings: st.Warnings, Infos: st.Infos, Suppressed: st.Suppressed,
			Acknowledged: st.Acknowledged, Baseline: st.Baseline, Oldest: st.Oldest, Unchanged: st.Unchanged}}
	for _, t := range st.Timing {
		doc.Stats.Timing = append(doc.Stats.Timing, jsonTime{t.Rule, t.Took.Microseconds()})
	}
	doc.Skipped = append(doc.Skipped, r.Skipped...)
	for i := range r.Findings {
		doc.Findings = append(doc.Findings, newJSONFinding(&r.Findings[i]))
	}
	return writeDocument(w, doc)
}

func newJSONFinding(d *schema.Diagnostic) jsonFinding {
	f := jsonFinding{Rule: d.Rule, Severity: d.Severity.String(), extent: newExtent(d.Path, d.From, d.To), Message: d.Message,
		Count: max(1, d.Count), Fingerprint: d.Fingerprint, Related: []jsonRelated{}, Fixes: []jsonFix{}}
	for _, rel := range d.Related {
		f.Related = append(f.Related, jsonRelated{newExtent(rel.Path, rel.From, rel.To), rel.Message})
	}
	for _, fix := range d.Fixes {
		jf := jsonFix{Title: fix.Title, Safe: fix.Safe, Edits: []jsonEdit{}}
		for _, e := range fix.Edits {
			jf.Edits = append(jf.Edits, jsonEdit{e.Path, e.Span.Start, e.Span.End, e.Text})
		}
		for _, m := range fix.Moves {
			jf.Moves = append(jf.Moves, jsonMove(m))
		}
		f.Fixes = append(f.Fixes, jf)
	}
	return f
}

// Document is the document of the format json.
type Document = document
