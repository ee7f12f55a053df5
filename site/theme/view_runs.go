package theme

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// Runs is the list of loop specifications and, in a live preview, of the runs of loops.
type Runs struct {
	Frame
	W          *RunWords
	Intro      string
	Specs      []SpecRow
	BoardHref  string // of the leaderboard, empty when there is none
	Rows       []RunRow
	Older      int // runs that are not listed
	Plans      []PlanRow
	Incidents  []IncidentRow
	ChartsHref string // empty in a build, which has no runs
	FleetHref  string // of the plans of many repositories, empty when they are not shown
}

// PlanRow is a plan in the list.
type PlanRow struct {
	schema.LoopPlan
	Href string
}

// IncidentRow is an incident in the list.
type IncidentRow struct {
	schema.LoopIncident
	Href string
}

// LoopNote is the page of a plan or of an incident: what people and agents wrote,
// as text.
type LoopNote struct {
	Frame
	W           *RunWords
	Status, Why string
	Path        string // of a plan
	Cause       string // of an incident
	Confidence  float64
	At          time.Time
	Run         Link // that it is of, or the last of a plan
	Parts       []schema.LoopPart
}

// Of links the note to a run, unless it is "".
func (n LoopNote) Of(run, href string) LoopNote {
	if run != "" {
		n.Run = Link{Title: run, Href: href}
	}
	return n
}

// RunRow is a run in the list.
type RunRow struct {
	schema.RunSummary
	Href string
	Plan string // without its folder
	Done int    // chunks
}

// Run is the page of one run.
type Run struct {
	Frame
	W *RunWords
	*schema.RunDetail
	Decisions []string // commands that a person may want now
	// MoreFiles counts the files that are not listed, since a run may leave very many.
	MoreFiles int
}

// RunText is a file of a run, shown as text.
type RunText struct {
	Frame
	W *RunWords
	*schema.RunText
	BackHref string
}

// RunCharts is the result of runs over time.
type RunCharts struct {
	Frame
	W       *RunWords
	Charts  []Chart
	Rows    []RunRow
	Points  []schema.RunPoint
	Scores  []schema.LoopScore
	Summary string
}

// Fleet is how the plans of many repositories stand.
type Fleet struct {
	Frame
	W *RunWords
	*schema.FleetReport
}

// Chart is a drawing in an SVG of Width by Height units.
type Chart struct {
	ID, Title, Text string
	Width, Height   int
	Left, Right     float64 // of the area in which values stand
	Ticks           []ChartTick
	Labels          []ChartLabel
	Bars            []ChartBar
	Dots            []ChartDot
	Line            string // of SVG's polyline, empty when there is none
}

// ChartTick is a line across the chart, with its value at the left.
type ChartTick struct {
	Y     float64
	Label string
}

// ChartLabel is a text below the chart.
type ChartLabel struct {
	X      float64
	Anchor string // start, middle or end
	Text   string
}

// ChartBar is a bar with its label.
type ChartBar struct {
	X, Y, Width, Height float64
	Hollow              bool
	Says                string
}

// ChartDot is a dot with its label.
type ChartDot struct {
	X, Y float64
	Kind string
	Says string
}

// runFunctions are the functions of the templates of runs. They return text, which the
// templates escape.
var runFunctions = map[string]any{
	"usd":     func(v float64) string { return fmt.Sprintf("$%.2f", v) },
	"took":    took,
	"at":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"size":    Size,
	"visible": func(b any) string { return Visible(fmt.Sprintf("%s", b)) },
	"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	"short":   func(s string) string { return s[:min(len(s), 12)] },
	"failed":  func(effect string) bool { return effect != "passed" && effect != "note" },
	"passes":  passes,
	"pathurl": func(name string) string { return escapeSegments(name) },
}

func took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// Size is a number of bytes as people read it.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// passes counts the gates that have nothing against a tree.
func passes(gates []schema.RunGate) (n int) {
	for _, g := range gates {
		if g.Effect == "passed" || g.Effect == "note" {
			n++
		}
	}
	return n
}

// Visible shows what would otherwise move, hide or reorder text: control
// characters as their pictures, and what sets the direction of writing as a mark.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\r':
			return -1
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unicode.Is(unicode.Bidi_Control, r), r >= 0x80 && r < 0xa0:
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// escapeSegments is a path as a relative address.
func escapeSegments(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c == '/' || c == '-' || c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
