package rules

import (
	"cmp"
	"fmt"
	"strings"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// reportStaleQuotes reports blocks with lines that were in a file that the page names,
// and are nowhere now. Blocks that name their file are left to checkQuotation.
func reportStaleQuotes(p *linter.Pass, judged map[*schema.Fence]bool) {
	quotes, _ := src.StaleQuotes(p, p.Wiki, p.Verdicts().Code) // it fails with the context only, and so does the run
	for len(quotes) > 0 {
		fence := fenceAt(quotes[0].Page, quotes[0].Line)
		n := 1
		for n < len(quotes) && quotes[n].Page == quotes[0].Page && fenceAt(quotes[n].Page, quotes[n].Line) == fence {
			n++
		}
		if fence != nil && !judged[fence] {
			reportStaleQuote(p, quotes[:n])
		}
		quotes = quotes[n:]
	}
}

// fenceAt returns the block that a line of a page is in.
func fenceAt(page *schema.Page, line int) *schema.Fence {
	at := page.Lines.Line(line).Start
	for i := range page.Fences {
		if page.Fences[i].Span.Contains(at) {
			return &page.Fences[i]
		}
	}
	return nil
}

func reportStaleQuote(p *linter.Pass, quotes []src.StaleQuote) {
	first := &quotes[0]
	line := func(q *src.StaleQuote) schema.Span {
		at := first.Page.Lines.Line(q.Line)
		text := string(at.In(first.Page.Source))
		at.Start += len(indentation(text))
		at.End -= len(text) - len(strings.TrimRight(text, " \t\r\n"))
		return at
	}
	of := cmp.Or(first.File, "code that the page names")
	what := "this line is quoted from " + of + " and no longer exists there"
	if len(quotes) > 1 {
		what = fmt.Sprintf("%d lines of this block are quoted from %s and no longer exist there", len(quotes), of)
	}
	now := ""
	if first.Near != "" {
		now = fmt.Sprintf(" (line %d is now %q)", first.At, clippedCode(first.Near))
	}
	d := p.Report(first.Page.Path, line(first), "%s%s; quote the current code", what, now)
	d.Severity = schema.Warning
	for i := 1; i < min(len(quotes), 10); i++ {
		q := &quotes[i]
		message := "no longer exists"
		if q.Near != "" {
			message = fmt.Sprintf("line %d of %s is now %q", q.At, q.File, clippedCode(q.Near))
		}
		d.Related = append(d.Related, schema.Related{Path: q.Page.Path, Span: line(q), Message: message})
	}
}
