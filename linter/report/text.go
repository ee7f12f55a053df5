package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = register(Format{Name: "text", Summary: "for people: a line per finding, and the source under it", Write: writeText})

// manyFindings is how many warnings and errors are too many to read without a
// word on where to begin.
const manyFindings = 20

func writeText(w io.Writer, r *Report) error {
	p, done := text.Open(w)
	from := r.From
	if from == schema.Off {
		from = schema.Warning
	}
	paint := colours(r.Color)
	shown, hidden := 0, map[schema.Severity]int{}
	secret := secrets(r.Findings)
	for i := range r.Findings {
		d := &r.Findings[i]
		if d.Severity < from {
			hidden[d.Severity]++
			continue
		}
		shown++
		textFinding(p, r, d, secret[d.Path], paint)
	}
	for _, s := range r.Skipped {
		p.Printf("%s %s: %s\n", paint.dim("skipped"), s.Check, s.Reason)
	}
	summary(p, r, shown, hidden)
	if r.First && !r.Brief {
		firstContact(p, r)
	}
	return done()
}

func textFinding(p *text.Writer, r *Report, d *schema.Diagnostic, secret []schema.Span, paint painter) {
	p.Printf("%s:%d:%d: %s: %s %s\n", paint.bold(r.here(d.Path)), d.From.Line, d.From.Column,
		paint.severity(d.Severity), d.Message, paint.dim("["+d.Rule+"]"))
	if !r.Frames {
		return
	}
	frame(p, r.page(d.Path), d, secret, paint)
	for i, rel := range d.Related {
		if i == 3 {
			p.Printf("  %s\n", paint.dim("and "+count(len(d.Related)-3, "other place")))
			break
		}
		p.Printf("  %s\n", paint.dim(r.place(rel)+": "+rel.Message))
	}
	for _, f := range d.Fixes[:min(len(d.Fixes), 1)] {
		kind := "fix"
		if !f.Safe {
			kind = "possible fix"
		}
		p.Printf("  %s %s\n", paint.good(kind+":"), f.Title)
	}
}

func (r *Report) place(rel schema.Related) string {
	if rel.From.Line == 0 {
		return r.here(rel.Path)
	}
	return r.here(rel.Path) + ":" + thousands(rel.From.Line)
}

// summary is the last line: what was found, and what is not shown.
func summary(p *text.Writer, r *Report, shown int, hidden map[schema.Severity]int) {
	st := r.Stats
	var parts []string
	if len(r.Findings) == 0 {
		parts = append(parts, r.looked()+": no findings")
	}
	for _, s := range []struct {
		sev  schema.Severity
		n    int
		noun string
	}{{schema.Error, st.Errors, "error"}, {schema.Warning, st.Warnings, "warning"}, {schema.Info, st.Infos, "info"}} {
		if n := s.n - hidden[s.sev]; n > 0 {
			if s.sev == schema.Info {
				parts = append(parts, thousands(n)+" info")
			} else {
				parts = append(parts, count(n, s.noun))
			}
		}
	}
	if shown == 0 && len(r.Findings) > 0 {
		parts = append(parts, r.looked()+": no errors or warnings")
	}
	for _, s := range []schema.Severity{schema.Warning, schema.Info} {
		if hidden[s] > 0 {
			parts = append(parts, thousands(hidden[s])+" "+s.String()+" hidden (--severity "+s.String()+" shows them)")
		}
	}
	p.Printf("%s\n", strings.Join(append(parts, unsaid(r)...), ", "))
}

// looked is what was looked at.
func (r *Report) looked() string {
	if r.Looked != "" {
		return r.Looked
	}
	return count(r.Stats.Pages, "page") + ", " + count(r.Stats.Links, "link")
}

// unsaid counts the findings that are not among those of the report.
func unsaid(r *Report) []string {
	st := r.Stats
	var parts []string
	if st.Suppressed > 0 {
		parts = append(parts, thousands(st.Suppressed)+" suppressed")
	}
	if st.Acknowledged > 0 {
		parts = append(parts, thousands(st.Acknowledged)+" acknowledged")
	}
	if st.Baseline > 0 {
		oldest := ""
		if st.Oldest != "" {
			oldest = " (the oldest since " + st.Oldest + ")"
		}
		parts = append(parts, thousands(st.Baseline)+" in the baseline"+oldest)
	}
	if st.Unchanged > 0 {
		parts = append(parts, thousands(st.Unchanged)+" not in what changed")
	}
	return parts
}

// tally is how often a rule reported.
type tally struct {
	rule  string
	n     int
	worst schema.Severity
}

// causes counts the findings at or above a severity by rule, worst and most first.
func causes(findings []schema.Diagnostic, from schema.Severity) []tally {
	at := map[string]int{}
	var out []tally
	for i := range findings {
		d := &findings[i]
		if d.Severity < from {
			continue
		}
		k, ok := at[d.Rule]
		if !ok {
			k = len(out)
			at[d.Rule] = k
			out = append(out, tally{rule: d.Rule})
		}
		out[k].n += max(1, d.Count)
		out[k].worst = max(out[k].worst, d.Severity)
	}
	slices.SortStableFunc(out, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(b.n, a.n), cmp.Compare(a.rule, b.rule))
	})
	return out
}

// firstContact ends a long list, for those who see one for the first time, with
// three lines: what is behind it, how to begin without it, and how to
// understand most of it.
func firstContact(p *text.Writer, r *Report) {
	all := causes(r.Findings, schema.Warning)
	total := 0
	var parts []string
	for i, t := range all {
		total += t.n
		if i < 5 {
			parts = append(parts, t.rule+" "+thousands(t.n))
		}
	}
	if total < manyFindings {
		return
	}
	if more := len(all) - len(parts); more > 0 {
		parts = append(parts, count(more, "other rule"))
	}
	top := all[0].rule
	about := ""
	if s := r.Summaries[top]; s != "" {
		about = " (" + strings.TrimSuffix(strings.ToLower(s[:1])+s[1:], ".") + ")"
	}
	p.Printf("causes: %s\n", strings.Join(parts, ", "))
	p.Printf("to start clean: wiki lint --baseline-write (accepts what is there, and from then on shows what is new)\n")
	p.Printf("to understand the first: wiki lint --explain %s%s\n", top, about)
}
