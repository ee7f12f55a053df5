package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = register(Format{Name: "text", Summary: "for people: one line per finding, with the source below", Write: writeText})

// manyFindings is how many warnings and errors are too many to read without a
// word on where to begin.
const manyFindings = 20

func writeText(w io.Writer, r *Report) error {
	p, done := text.Open(w)
	from := r.From
	if from == schema.Off {
		from = schema.Warning
	}
	if r.Counts {
		from = schema.Info
	}
	paint := colours(r.Color)
	hidden := map[schema.Severity]int{}
	secret := secrets(r.Findings)
	show := r.foremost(from)
	shown, left := 0, 0
	for i := range r.Findings {
		d := &r.Findings[i]
		switch {
		case d.Severity < from:
			hidden[d.Severity]++
		case r.Counts:
			shown++
		case !show[i]:
			left++
		default:
			shown++
			textFinding(p, r, d, secret[d.Path], paint)
		}
	}
	for _, s := range r.Skipped {
		p.Printf("%s %s: %s\n", paint.dim("skipped"), s.Check, s.Reason)
	}
	if r.Counts || shown+left >= manyFindings && !r.Brief {
		byRule(p, r, from, paint)
	}
	if left > 0 && !r.Brief {
		p.Printf("%s not shown (use --all)\n", count(left, "finding"))
	}
	summary(p, r, shown+left, hidden)
	if r.First && !r.Brief && !r.Counts {
		firstContact(p, r)
	}
	return done()
}

// foremost selects the findings of each rule for text: those with the most places, and
// of these the first.
func (r *Report) foremost(from schema.Severity) []bool {
	show := make([]bool, len(r.Findings))
	ofRule := map[string][]int{}
	for i := range r.Findings {
		if d := &r.Findings[i]; d.Severity >= from {
			ofRule[d.Rule] = append(ofRule[d.Rule], i)
		}
	}
	for _, list := range ofRule {
		if r.Limit > 0 && len(list) > r.Limit {
			slices.SortStableFunc(list, func(i, j int) int {
				a, b := &r.Findings[i], &r.Findings[j]
				return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count))
			})
			list = list[:r.Limit]
		}
		for _, i := range list {
			show[i] = true
		}
	}
	return show
}

// mostRules is how many rules the table of them lists, so that it fits a screen.
const mostRules = 16

// byRule prints how often each rule reported.
func byRule(p *text.Writer, r *Report, from schema.Severity, paint painter) {
	all := causes(r.Findings, from)
	if len(all) == 0 {
		return
	}
	width := 0
	for _, t := range all[:min(len(all), mostRules)] {
		width = max(width, len(t.rule))
	}
	p.Printf("\n")
	for _, t := range all[:min(len(all), mostRules)] {
		places := ""
		if t.places > t.n {
			places = " in " + count(t.places, "place")
		}
		fixable := ""
		if t.fixable > 0 {
			fixable = ", " + text.Thousands(t.fixable) + " fixed by --fix"
		}
		p.Printf("  %s%s  %-*s  %s%s%s\n", paint.severity(t.worst), strings.Repeat(" ", len("warning")-len(t.worst.String())), width, t.rule,
			count(t.n, "finding"), places, fixable)
	}
	if more := len(all) - mostRules; more > 0 {
		p.Printf("  and %s (--statistics -f json lists every finding)\n", count(more, "other rule"))
	}
}

func textFinding(p *text.Writer, r *Report, d *schema.Diagnostic, secret []schema.Span, paint painter) {
	p.Printf("%s:%d:%d: %s: %s %s\n", paint.bold(r.displayPath(d.Path)), d.From.Line, d.From.Column,
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
		return r.displayPath(rel.Path)
	}
	return r.displayPath(rel.Path) + ":" + text.Thousands(rel.From.Line)
}

// summary is the last line: the number of findings, and of hidden ones.
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
				parts = append(parts, text.Thousands(n)+" info")
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
			parts = append(parts, text.Thousands(hidden[s])+" "+s.String()+" hidden (use --severity "+s.String()+")")
		}
	}
	p.Printf("%s\n", strings.Join(append(parts, hiddenCounts(r)...), ", "))
	if n := fixable(r); r.Fixable && n != "" {
		p.Printf("%s\n", n)
	}
}

// fixable says how many of the findings that are reported can be fixed.
func fixable(r *Report) string {
	from := r.From
	if from == schema.Off {
		from = schema.Warning
	}
	safe, unsafe := 0, 0
	for i := range r.Findings {
		switch d := &r.Findings[i]; {
		case d.Severity < from:
		case safelyFixed(d):
			safe++
		case len(d.Fixes) > 0:
			unsafe++
		}
	}
	switch {
	case safe > 0 && unsafe > 0:
		return count(safe, "finding") + " can be fixed with --fix, " + text.Thousands(unsafe) + " more with --fix-unsafe"
	case safe > 0:
		return count(safe, "finding") + " can be fixed with --fix"
	case unsafe > 0:
		return count(unsafe, "finding") + " can be fixed with --fix-unsafe"
	}
	return ""
}

// safelyFixed reports whether --fix fixes a finding.
func safelyFixed(d *schema.Diagnostic) bool {
	return slices.ContainsFunc(d.Fixes, func(f schema.Fix) bool { return f.Safe })
}

// looked describes what was checked.
func (r *Report) looked() string {
	if r.Looked != "" {
		return r.Looked
	}
	return count(r.Stats.Pages, "page") + ", " + count(r.Stats.Links, "link")
}

// hiddenCounts counts the findings that are not among those of the report.
func hiddenCounts(r *Report) []string {
	st := r.Stats
	var parts []string
	if st.Suppressed > 0 {
		parts = append(parts, text.Thousands(st.Suppressed)+" suppressed")
	}
	if st.Acknowledged > 0 {
		parts = append(parts, text.Thousands(st.Acknowledged)+" acknowledged")
	}
	if st.Baseline > 0 {
		oldest := ""
		if st.Oldest != "" {
			oldest = " (the oldest since " + st.Oldest + ")"
		}
		parts = append(parts, text.Thousands(st.Baseline)+" in the baseline"+oldest)
	}
	if st.Unchanged > 0 {
		parts = append(parts, text.Thousands(st.Unchanged)+" outside the changed lines")
	}
	return parts
}

// tally is how often a rule reported.
type tally struct {
	rule    string
	n       int // findings
	places  int // that they stand for
	fixable int // findings that --fix fixes
	worst   schema.Severity
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
		out[k].n++
		out[k].places += max(1, d.Count)
		if safelyFixed(d) {
			out[k].fixable++
		}
		out[k].worst = max(out[k].worst, d.Severity)
	}
	slices.SortStableFunc(out, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(b.places, a.places), cmp.Compare(a.rule, b.rule))
	})
	return out
}

// firstContact ends a long list, for those who see one for the first time, with
// two lines: how to begin without it, and how to understand most of it.
func firstContact(p *text.Writer, r *Report) {
	all := causes(r.Findings, schema.Warning)
	total := 0
	for _, t := range all {
		total += t.places
	}
	if total < manyFindings {
		return
	}
	top := all[0].rule
	about := ""
	if s := r.Summaries[top]; s != "" {
		about = " (" + strings.TrimSuffix(strings.ToLower(s[:1])+s[1:], ".") + ")"
	}
	p.Printf("to adopt lint on this wiki: wiki lint --baseline-write (hides existing findings, reports new ones)\n")
	p.Printf("about the first rule: wiki lint --explain %s%s\n", top, about)
}
