package run

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// mostListed is how many findings, and how many of what was dropped, an entry lists;
// the run's report has all of them.
const mostListed = 40

// mostSaid is how many bytes of one of them are kept.
const mostSaid = 400

// audited says in one sentence what became of an audit.
func audited(s *loops.State) string {
	text := fmt.Sprintf("An auditor read the repository, in %d agent calls; plans: %d, pages: %d.", s.Spend.Calls, len(s.Proposed), len(s.Pages))
	if n := len(s.Dropped); n > 0 {
		text += fmt.Sprintf(" %d of what it answered was dropped.", n)
	}
	if s.End.Why != "" {
		text += " " + sentence(quiet(s.End.Why))
	}
	return text
}

// auditList lists what an audit came to: plans and pages by their path, the findings
// that plans were made of, and what was dropped, and why. Paths are no links: plans are
// not of this branch, and a person may have taken them away.
func auditList(s *loops.State) string {
	var b strings.Builder
	for _, p := range s.Proposed {
		fmt.Fprintf(&b, "- the plan `%s`\n", quiet(p))
	}
	for _, p := range s.Pages {
		fmt.Fprintf(&b, "- the page `%s`\n", quiet(p))
	}
	if len(s.Proposed)+len(s.Pages) == 0 {
		b.WriteString("- neither plans nor pages\n")
	}
	b.WriteString(listed("Findings", s.Findings))
	b.WriteString(listed("Dropped", s.Dropped))
	return b.String()
}

// listed returns a section of an entry.
func listed(title string, all []loops.Reason) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", title)
	for _, r := range all[:min(len(all), mostListed)] {
		text := quiet(r.String())
		if len(text) > mostSaid {
			text = strings.ToValidUTF8(text[:mostSaid], "") + "…"
		}
		fmt.Fprintf(&b, "- %s\n", text)
	}
	if more := len(all) - mostListed; more > 0 {
		fmt.Fprintf(&b, "- and %d more, in the report of the run\n", more)
	}
	return b.String()
}
