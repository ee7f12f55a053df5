package audit

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/schema/yaml"
)

// FindingsFile is the name of the block of an answer that lists the findings.
const FindingsFile = "findings.json"

// findingsVersion is that of the list.
const findingsVersion = 1

// The bounds of what an auditor may say.
const (
	mostFindings  = 100
	mostCitations = 20  // of one finding
	mostTitle     = 200 // bytes
	mostWhy       = 4 << 10
	mostQuote     = 2 << 10
)

// Categories are what a finding can be about.
var Categories = loops.AuditCategories

// Efforts and Risks are the words of a plan, the least first.
var (
	Efforts = []string{"S", "M", "L"}
	Risks   = []string{"LOW", "MED", "HIGH"}
)

// Finding is one thing that an auditor says is not as it should be.
type Finding struct {
	Title    string
	Category string
	Cites    []Citation // at least one
	Impact   int        // 1 to 5
	Effort   string     // S, M or L
	Risk     string     // of fixing it: LOW, MED or HIGH
	// Confidence is how sure the auditor is, from 0 to 1.
	Confidence float64
	Why        string
	// Plan is the file of the answer that fixes it, "" if none is proposed.
	Plan string
	// Line is where the list has it.
	Line int
}

// Citation is a place that shows a finding.
type Citation struct {
	Path  string // below the repository
	Line  int    // from 1
	Quote string // what is there, word for word; it may be empty
	// Symbol is the declaration around the line, as the runner found it; "" if
	// there is none. It stays when lines move.
	Symbol string
}

// String is path:line.
func (c Citation) String() string { return c.Path + ":" + strconv.Itoa(c.Line) }

// Where returns the first place that shows the finding.
func (f *Finding) Where() string { return f.Cites[0].String() }

// Reason says something of a finding, at its first place.
func (f *Finding) Reason(format string, args ...any) loops.Reason {
	return loops.Reason{Path: f.Cites[0].Path, Line: f.Cites[0].Line, Message: fmt.Sprintf("%q %s", f.Title, fmt.Sprintf(format, args...))}
}

// written is the list as it is written.
type written struct {
	Version  *int             `yaml:"version"`
	Findings []writtenFinding `yaml:"findings"`
}

type writtenFinding struct {
	Title      string         `yaml:"title"`
	Category   string         `yaml:"category"`
	Cites      []writtenPlace `yaml:"cites"`
	Impact     int            `yaml:"impact"`
	Effort     string         `yaml:"effort"`
	Risk       string         `yaml:"risk"`
	Confidence *float64       `yaml:"confidence"`
	Why        string         `yaml:"why"`
	Plan       string         `yaml:"plan"`
}

type writtenPlace struct {
	At    string `yaml:"at"`
	Quote string `yaml:"quote"`
}

// Findings reads the list of an answer, strictly: a key that is not known, a value
// that is missing or out of its bounds is a fault at its line, and nothing of a list
// with a fault may be taken. root is the document that src holds. The pages that it
// asks for are [Tree.Pages].
func Findings(src []byte, root *schema.Node) ([]Finding, []loops.Reason) {
	r := &reader{lines: schema.NewLineIndex(src)}
	var doc written
	root = withoutPages(root)
	for _, f := range yaml.Decode(root, &doc) {
		r.fault(f.Span, "%s", f.Message)
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	items := root.Get("findings")
	switch {
	case doc.Version == nil || *doc.Version != findingsVersion:
		r.fault(root.Span, `the list has no "version": %d`, findingsVersion)
	case items == nil || items.Kind != schema.KindList:
		r.fault(root.Span, `no list of "findings"; use an empty list if there are none`)
	case len(items.Items) > mostFindings:
		r.fault(items.Items[mostFindings].Span, "%d findings, more than %d: drop the least important", len(items.Items), mostFindings)
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	out := make([]Finding, 0, len(doc.Findings))
	for i := range doc.Findings {
		out = append(out, r.finding(&doc.Findings[i], items.Items[i]))
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return out, nil
}

// reader judges what a list says.
type reader struct {
	lines  *schema.LineIndex
	faults []loops.Reason
}

// mostFaults is how many faults of a list are said.
const mostFaults = 50

func (r *reader) fault(at schema.Span, format string, args ...any) {
	if len(r.faults) < mostFaults {
		r.faults = append(r.faults, loops.Reason{Path: FindingsFile, Line: r.lines.LineOf(at.Start), Message: fmt.Sprintf(format, args...)})
	}
}

// finding judges one entry; n is where it stands.
func (r *reader) finding(w *writtenFinding, n *schema.Node) Finding {
	at := func(key string) schema.Span {
		if v := n.Get(key); v != nil {
			return v.Span
		}
		return n.Span
	}
	f := Finding{
		Title: plain(w.Title), Category: w.Category, Impact: w.Impact, Effort: w.Effort, Risk: w.Risk, Why: strings.TrimSpace(w.Why),
		Plan: home(w.Plan), Line: r.lines.LineOf(n.Span.Start),
	}
	switch {
	case f.Title == "":
		r.fault(at("title"), "the finding has no title")
	case len(f.Title) > mostTitle:
		r.fault(at("title"), "the title has %d bytes, more than %d", len(f.Title), mostTitle)
	}
	if !slices.Contains(Categories, f.Category) {
		r.fault(at("category"), "the category is %q: expected %s", f.Category, oneOf(Categories))
	}
	if f.Impact < 1 || f.Impact > 5 {
		r.fault(at("impact"), "the impact is %d: expected 1 to 5", f.Impact)
	}
	if !slices.Contains(Efforts, f.Effort) {
		r.fault(at("effort"), "the effort is %q: expected %s", f.Effort, oneOf(Efforts))
	}
	if !slices.Contains(Risks, f.Risk) {
		r.fault(at("risk"), "the risk is %q: expected %s", f.Risk, oneOf(Risks))
	}
	if w.Confidence == nil || !(*w.Confidence >= 0 && *w.Confidence <= 1) {
		r.fault(at("confidence"), "the confidence is missing, or not a number from 0 to 1")
	} else {
		f.Confidence = *w.Confidence
	}
	if f.Why == "" || len(f.Why) > mostWhy {
		r.fault(at("why"), "\"why\" has %d bytes: expected 1 to %d", len(f.Why), mostWhy)
	}
	switch {
	case len(w.Cites) == 0:
		r.fault(n.Span, `the finding cites nothing: expected "cites": [{"at": "path:line"}]`)
	case len(w.Cites) > mostCitations:
		r.fault(at("cites"), "the finding cites %d places, more than %d", len(w.Cites), mostCitations)
	}
	if f.Plan != "" && !planPath().MatchString(f.Plan) {
		r.fault(at("plan"), "the plan is %q: expected a file plans/YYYY-MM-slug.md of the answer", w.Plan)
	}
	for i, c := range w.Cites {
		f.Cites = append(f.Cites, r.citation(c, n.Get("cites").Items[i].Span))
	}
	return f
}

// planPath is what the path of a plan is made of.
var planPath = schema.Expression(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$`)

// plain is text in one line, without what a terminal would take for an order.
func plain(s string) string {
	return text.Collapse(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}

// home returns where the file of a plan belongs that is named without its folder.
func home(plan string) string {
	plan = strings.TrimPrefix(plan, "./")
	if plan != "" && !strings.Contains(plan, "/") {
		return "plans/" + plan
	}
	return plan
}

// citation reads path:line.
func (r *reader) citation(w writtenPlace, at schema.Span) Citation {
	file, number, _ := cutLast(w.At, ":")
	line, err := strconv.Atoi(number)
	c := Citation{Path: strings.TrimPrefix(file, "./"), Line: line, Quote: strings.Trim(w.Quote, "\r\n")}
	switch {
	case err != nil || line < 1 || file == "":
		r.fault(at, `the citation is %q: expected "path:line", with a line from 1`, w.At)
	case !fs.ValidPath(c.Path) || c.Path == "." || strings.ContainsFunc(c.Path, unicode.IsControl) || strings.Contains(c.Path, `\`):
		r.fault(at, "the citation %q is not a path below the repository's root, with slashes", w.At)
	case len(c.Quote) > mostQuote:
		r.fault(at, "the quotation has %d bytes, more than %d", len(c.Quote), mostQuote)
	}
	return c
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func oneOf(words []string) string { return "one of " + strings.Join(words, ", ") }

// effortCost is what an effort divides an impact by.
var effortCost = map[string]float64{"S": 1, "M": 2, "L": 4}

// Leverage returns what a finding brings for its effort: impact by effort (S 1, M 2,
// L 4), times the auditor's confidence.
func (f *Finding) Leverage() float64 { return float64(f.Impact) / effortCost[f.Effort] * f.Confidence }

// Rank orders findings: by leverage; then the one of more impact, then the one of
// less risk; then by place and title, so that the order never hangs on the answer's.
func Rank(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Leverage(), a.Leverage()), cmp.Compare(b.Impact, a.Impact),
			cmp.Compare(slices.Index(Risks, a.Risk), slices.Index(Risks, b.Risk)),
			cmp.Compare(a.Cites[0].Path, b.Cites[0].Path), cmp.Compare(a.Cites[0].Line, b.Cites[0].Line), cmp.Compare(a.Title, b.Title),
		)
	})
}
