package andon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Categories are the kinds of root causes.
var Categories = []string{"process defect", "tool gap", "knowledge gap", "design flaw", "spec omission"}

// Depth is how many whys have to be asked.
const Depth = 5

// Why is one step from a problem to its root cause.
type Why struct {
	Hypothesis, Verification, Conclusion string
}

// Measure is one row of the prevention table.
type Measure struct {
	Text, Level, Location, Deadline string
}

// Whys is a Five Whys document.
type Whys struct {
	Problem, Impact     string
	Whys                []Why // the first is why 1
	RootCause, Category string
	Measures            []Measure
	Sweep               string
	// Faults keep the document from being complete, Warnings do not.
	Faults, Warnings []string
}

// whysTemplate returns the document that people begin with. It is not complete.
func whysTemplate(i *Incident) string {
	w := Whys{Impact: "[the cost, and to whom]", RootCause: "[one sentence]", Category: "[" + strings.Join(Categories, ", ") + "]"}
	w.Problem = i.Analysis.CauseLabel
	if n := len(i.Evidence.Failures); n > 0 {
		w.Problem = i.Evidence.Failures[n-1].Why
	}
	for range Depth {
		w.Whys = append(w.Whys, Why{"[why it happened]", "[the command or file that shows it, and what it shows]", "[what you know now]"})
	}
	w.Measures = []Measure{{"[measure]", "[L1]", "[file or gate]", "[date]"}}
	w.Sweep = "[other places with the same cause: how you searched, and what you found]"
	return w.document(i, "")
}

// document returns the whys as people edit them. note stands below the title.
func (w *Whys) document(i *Incident, note string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Five whys: %s\n%s\n## Problem definition\n\n- **Date:** %s\n- **Problem:** %s\n- **Impact:** %s\n\n## Whys\n", i.ID, note, i.Evidence.OpenedAt.Format(time.DateOnly), quiet(w.Problem), quiet(w.Impact))
	for n, y := range w.Whys {
		fmt.Fprintf(&b, "\n### Why %d\n\n- **Hypothesis:** %s\n- **Verification:** %s\n- **Conclusion:** %s\n", n+1, quiet(y.Hypothesis), quiet(y.Verification), quiet(y.Conclusion))
	}
	fmt.Fprintf(&b, "\n## Root cause\n\n- **Cause:** %s\n- **Category:** %s\n", quiet(w.RootCause), quiet(w.Category))
	b.WriteString("\n## Prevention\n\nL1 makes the failure impossible, L2 detects it, L3 documents it, L4 notifies somebody. Aim at L1 or L2.\n\n| # | Measure | Level | Location | Deadline |\n|---|---|---|---|---|\n")
	for n, m := range w.Measures {
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", n+1, quiet(m.Text), quiet(m.Level), quiet(m.Location), quiet(m.Deadline))
	}
	fmt.Fprintf(&b, "\n## Horizontal sweep\n\n%s\n", quiet(w.Sweep))
	return b.String()
}

var (
	whyHeading = schema.Expression(`(?i)^#{2,6}\s+why\s+#?(\d+)\b`)
	fieldLine  = schema.Expression(`^\s*(?:[-*+]\s+)?(?:\*\*|__)?([A-Za-z][A-Za-z ]*?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*)$`)
	anyHeading = schema.Expression(`^#{1,6}\s+(.*?)\s*#*\s*$`)
	person     = schema.Expression(`(?i)human error|forgot to|did(?:n['’]t| not) notice`)
	levelWord  = schema.Expression(`^L[1-4]$`)
)

// placeholders are words that stand where something is still to be said.
var placeholders = []string{"", "tbd", "todo", "tba", "n/a", "na", "none", "-", "--", "—", "–", "...", "…", "?", "??", "???", "xxx", "fixme"}

// isPlaceholder reports whether a text says nothing: one of the words above, or
// nothing but words in brackets.
func isPlaceholder(s string) bool {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), "*_`. "))
	if slices.Contains(placeholders, s) || s == "" {
		return true
	}
	return strings.HasPrefix(s, "[") && strings.IndexByte(s, ']') == len(s)-1
}

// firstPlaceholder returns what is in brackets alone in a line, a cell or a
// field, or "".
func firstPlaceholder(text string) string {
	for line := range strings.Lines(text) {
		parts := cellsOf(line)
		if parts == nil {
			parts = []string{strings.TrimSpace(strings.TrimLeft(line, "-*+ \t"))}
			if m := fieldLine().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
				parts = append(parts, m[2])
			}
		}
		for _, p := range parts {
			if strings.HasPrefix(p, "[") && isPlaceholder(p) {
				return p
			}
		}
	}
	return ""
}

// cellsOf returns the cells of a table's row, nil if the line is none.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' {
		return nil
	}
	var cells []string
	for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(c))
	}
	return cells
}

// ReadWhys reads a Five Whys document and says what it lacks. Each why is a
// heading "### Why N" with Hypothesis, Verification and Conclusion, or a row
// "| N | why | verification |" of a table.
func ReadWhys(text string) Whys {
	r := whysReader{whys: map[int]*Why{}}
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if mark := strings.TrimLeft(line, " "); strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~") {
			fenced = !fenced
			continue
		}
		if !fenced {
			r.line(line)
		}
	}
	for n := 1; r.whys[n] != nil; n++ {
		r.out.Whys = append(r.out.Whys, *r.whys[n])
	}
	r.out.RootCause, r.out.Sweep = strings.TrimSpace(r.out.RootCause), strings.TrimSpace(r.out.Sweep)
	r.out.judge()
	return r.out
}

type whysReader struct {
	out     Whys
	section string
	at      *Why    // the expanded why in work
	field   *string // what a line without a name goes on with
	whys    map[int]*Why
}

func (r *whysReader) line(line string) {
	if m := whyHeading().FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		r.at, r.field, r.section = &Why{}, nil, "whys"
		r.whys[n] = r.at
		if _, after, ok := strings.Cut(line, ":"); ok {
			r.at.Hypothesis = strings.TrimSpace(after)
		}
		return
	}
	if m := anyHeading().FindStringSubmatch(line); m != nil {
		r.at, r.field, r.section = nil, nil, strings.ToLower(m[1])
		return
	}
	if cells := cellsOf(line); cells != nil {
		r.row(cells)
		return
	}
	if m := fieldLine().FindStringSubmatch(line); m != nil {
		if to := r.named(strings.ToLower(m[1])); to != nil {
			*to, r.field = strings.TrimSpace(m[2]), to
			return
		}
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	switch {
	case r.field != nil:
		*r.field = strings.TrimSpace(*r.field + " " + strings.TrimSpace(line))
	case strings.Contains(r.section, "root cause"):
		r.out.RootCause += " " + strings.TrimSpace(line)
	case strings.Contains(r.section, "sweep"):
		r.out.Sweep += " " + strings.TrimSpace(line)
	}
}

// named returns where the value of a field goes, nil if nobody knows the field.
func (r *whysReader) named(field string) *string {
	if r.at != nil {
		switch field {
		case "hypothesis", "why", "because":
			return &r.at.Hypothesis
		case "verification", "verified", "evidence":
			return &r.at.Verification
		case "conclusion":
			return &r.at.Conclusion
		}
		return nil
	}
	switch field {
	case "problem":
		return &r.out.Problem
	case "impact":
		return &r.out.Impact
	case "category":
		return &r.out.Category
	case "cause", "root cause":
		return &r.out.RootCause
	}
	return nil
}

// row reads a row of the table of whys, or of measures.
func (r *whysReader) row(cells []string) {
	if strings.Contains(r.section, "sweep") {
		r.out.Sweep += " " + strings.Join(cells, " ")
		return
	}
	n, err := strconv.Atoi(cells[0])
	if err != nil || n < 1 || len(cells) < 3 {
		return
	}
	if strings.Contains(r.section, "prevention") {
		m := Measure{Text: cells[1], Level: strings.ToUpper(cells[2])}
		if len(cells) > 3 {
			m.Location = cells[3]
		}
		if len(cells) > 4 {
			m.Deadline = cells[4]
		}
		r.out.Measures = append(r.out.Measures, m)
		return
	}
	r.whys[n] = &Why{Hypothesis: cells[1], Verification: cells[2]}
}

// judge says what the document lacks.
func (w *Whys) judge() {
	fault := func(format string, args ...any) { w.Faults = append(w.Faults, fmt.Sprintf(format, args...)) }
	if len(w.Whys) < Depth {
		fault("%d of %d whys are written", len(w.Whys), Depth)
	}
	for n, y := range w.Whys {
		if isPlaceholder(y.Hypothesis) && isPlaceholder(y.Conclusion) {
			fault("why %d has no answer", n+1)
		}
		if isPlaceholder(y.Verification) {
			fault("why %d is not verified", n+1)
		}
	}
	if n := len(w.Whys); n > 0 && (person().MatchString(w.Whys[n-1].Hypothesis) || person().MatchString(w.Whys[n-1].Conclusion)) {
		w.Warnings = append(w.Warnings, "the last why blames a person; ask why the process allowed it")
	}
	if isPlaceholder(w.RootCause) {
		fault("no root cause")
	}
	if !slices.ContainsFunc(Categories, func(c string) bool { return strings.EqualFold(strings.Trim(w.Category, "*_`. "), c) }) {
		fault("unknown category (want one of %s)", strings.Join(Categories, ", "))
	}
	if isPlaceholder(w.Sweep) {
		fault("no horizontal sweep")
	}
	best := ""
	for _, m := range w.Measures {
		if isPlaceholder(m.Text) {
			fault("a preventive measure is empty")
		} else if !levelWord().MatchString(m.Level) {
			fault("the measure %q has no level (L1 to L4)", m.Text)
		} else if best == "" || m.Level < best {
			best = m.Level
		}
	}
	switch {
	case len(w.Measures) == 0:
		fault("no preventive measure")
	case best > string(Detected):
		w.Warnings = append(w.Warnings, "no measure prevents or detects the failure (L1 or L2)")
	}
}
