package rules

import (
	"bytes"
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "open-question",
	Group:    linter.Gaps,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A page has open questions.",
	Doc: `Written-down questions are known gaps. This rule collects them as a list of what to look into next.

Each section headed ` + "`Open questions`, `Unanswered questions`" + ` or similar is one finding with the number of its
items, without those ticked or struck through. Answer the questions on the page and remove them from the list,
or remove what is no longer needed.

Switch it off if questions are kept on purpose, as in research notes.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d sections have open questions; answer or remove them. First: %s", n, first.Message)
	},
	CheckPage: openQuestion,
})

// questionHeadings are the headings of sections that list open questions,
// folded.
var questionHeadings = map[string]bool{
	"open-questions": true, "open-question": true, "unanswered-questions": true, "unresolved-questions": true, "outstanding-questions": true,
	"remaining-questions": true, "questions-to-answer": true, "offene-fragen": true, "questions-ouvertes": true, "preguntas-abiertas": true,
}

// longestQuestions is longer than any of them, in bytes.
const longestQuestions = 40

func openQuestion(p *linter.Pass, page *schema.Page) {
	if page.Layer == schema.LayerSource || template(page) || inactive(page) != "" {
		return
	}
	for i := range page.Headings {
		h := &page.Headings[i]
		if h.Level == 1 || len(h.Text) > longestQuestions || !questionHeadings[slug(h.Text)] {
			continue
		}
		end := len(page.Source)
		for _, next := range page.Headings[i+1:] {
			if next.Level <= h.Level {
				end = next.Span.Start
				break
			}
		}
		if n := openItems(page.Source[h.Span.End:end]); n > 0 {
			p.Report(page.Path, firstLine(page, h.Span), "%s in this section; answer or remove them", text.Count(n, "open question"))
		}
	}
}

// openItems counts the items of the lists in a section, those right in them
// only, or the lines that end in a question mark when there is no list. What
// is ticked or struck through is not open.
func openItems(section []byte) int {
	items, lines := 0, 0
	for line := range bytes.Lines(section) {
		text := bytes.TrimRight(line, " \t\r\n")
		if len(text) > 0 && text[len(text)-1] == '?' {
			lines++
		}
		if len(text) == 0 || text[0] == ' ' || text[0] == '\t' {
			continue
		}
		rest, ok := listItem(text)
		done := bytes.HasPrefix(rest, []byte("~~")) || len(rest) > 2 && rest[0] == '[' && rest[2] == ']' && rest[1] != ' '
		none := len(rest) < 12 && bytes.HasPrefix(bytes.ToLower(rest), []byte("none"))
		if ok && len(rest) > 0 && !done && !none {
			items++
		}
	}
	if items > 0 {
		return items
	}
	if bytes.Contains(section, []byte("\n- ")) || bytes.Contains(section, []byte("\n* ")) {
		return 0 // all of the list is done
	}
	return lines
}

// listItem returns what follows the marker of a list item.
func listItem(text []byte) (rest []byte, ok bool) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n+1 >= len(text) || text[n+1] != ' ' {
		return nil, false
	}
	if n == 0 && (text[0] == '-' || text[0] == '*' || text[0] == '+') || n > 0 && (text[n] == '.' || text[n] == ')') {
		return bytes.TrimLeft(text[n+2:], " "), true
	}
	return nil, false
}
