// Package checkin renders the daily report on a repository's loops: checks that ran, and
// what they said. What is checked is up to the caller.
package checkin

import (
	"fmt"
	"strings"
	"time"
)

// Check is one check that ran.
type Check struct {
	Name    string
	Command string // that repeats it, "" if there was nothing to check
	OK      bool
	Detail  string // what it said, of any length
}

// Report is a check-in.
type Report struct {
	At               time.Time
	Checks           []Check
	Atomic, Composed int // specs of the repository
}

// OK reports whether every check passed.
func (r Report) OK() bool { return r.passed() == len(r.Checks) }

func (r Report) passed() (n int) {
	for _, c := range r.Checks {
		if c.OK {
			n++
		}
	}
	return n
}

// detailLength is how many letters of a check's output the table shows.
const detailLength = 120

// Markdown is the report as a page.
func (r Report) Markdown() string {
	var b strings.Builder
	status := "RED"
	if r.OK() {
		status = "GREEN"
	}
	fmt.Fprintf(&b, "# Daily check-in — %s UTC\n\n", r.At.UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "**Status:** %s (%d/%d checks passed)\n\n", status, r.passed(), len(r.Checks))
	fmt.Fprintf(&b, "**Loop library:** %d atomic + %d composed specs\n\n", r.Atomic, r.Composed)
	b.WriteString("## Checks\n\n| Check | Result | Detail |\n|---|---|---|\n")
	for _, c := range r.Checks {
		result := "**FAIL**"
		if c.OK {
			result = "pass"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, result, detail(c.Detail))
	}
	b.WriteString("\n## Reproduce locally\n\n```sh\n")
	for _, c := range r.Checks {
		if c.Command != "" {
			b.WriteString(c.Command + "\n")
		}
	}
	fmt.Fprintf(&b, "```\n\n_Generated %s by wiki loop checkin_\n", r.At.UTC().Format(time.RFC3339))
	return b.String()
}

// detail is text as one cell of a table.
func detail(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > detailLength {
		runes = append(runes[:detailLength-1], '…')
	}
	return strings.ReplaceAll(string(runes), "|", `\|`)
}
