package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Fault is something wrong with a plan or a task file.
type Fault struct {
	// Code names the kind of fault. Codes are stable: scripts may count on them.
	Code     string
	Severity schema.Severity
	Span     schema.Span
	At       schema.Position // of Span's beginning
	Message  string
	// Hint is what to do about it.
	Hint string
}

// String writes the fault as compilers do, without the file's name.
func (f Fault) String() string {
	s := fmt.Sprintf("%d:%d: %s: %s", f.At.Line, f.At.Column, f.Severity, f.Message)
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s + " [" + f.Code + "]"
}

// MarshalJSON writes the fault with its line and column, from 1.
func (f Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Code     string          `json:"code"`
		Severity schema.Severity `json:"severity"`
		Line     int             `json:"line"`
		Column   int             `json:"column"`
		Message  string          `json:"message"`
		Hint     string          `json:"hint,omitempty"`
	}{f.Code, f.Severity, f.At.Line, f.At.Column, f.Message, f.Hint})
}

// Refused reports whether one of the faults is an error: such a plan is not run.
func Refused(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Severity == schema.Error })
}

// mostFaults is how many faults of each severity are collected of one file: one
// that is not a plan at all would give one per line. Warnings never crowd out an
// error.
const mostFaults = 100

// collector gathers the faults of one file.
type collector struct {
	lines  *schema.LineIndex
	faults []Fault
	given  [schema.Error + 1]int // by severity
}

func newCollector(src []byte) collector {
	return collector{lines: schema.NewLineIndex(src)}
}

func (c *collector) add(severity schema.Severity, code string, at schema.Span, hint, format string, args ...any) {
	if c.given[severity]++; c.given[severity] <= mostFaults {
		c.faults = append(c.faults, Fault{code, severity, at, c.lines.Position(at.Start), fmt.Sprintf(format, args...), hint})
	}
}

func (c *collector) err(code string, at schema.Span, hint, format string, args ...any) {
	c.add(schema.Error, code, at, hint, format, args...)
}

func (c *collector) warn(code string, at schema.Span, hint, format string, args ...any) {
	c.add(schema.Warning, code, at, hint, format, args...)
}

// sorted returns the faults in order of place.
func (c *collector) sorted() []Fault {
	slices.SortStableFunc(c.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Code, b.Code))
	})
	return c.faults
}

// nearest returns the hint for a word that is none of those known.
func nearest(word string, known []string) string {
	if near, ok := schema.Nearest(word, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "expected one of " + strings.Join(known, ", ")
}
