package rules

import (
	"bytes"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// code are a page's references to files and commands of the repository, in code spans
// and blocks.
type code struct {
	paths    []namedPath
	commands []command
}

var codeFact = linter.NewPageFact(func(page *schema.Page) code {
	spans := codeSpans(page)
	return code{namedPaths(page, spans), commandsOf(page, spans)}
})

// readCode reads the code on a page while its text is at hand; the rules that
// need it look at all pages once they know the repository.
func readCode(p *linter.Pass, page *schema.Page) { codeFact.Of(p, page) }

// codeSpans returns the spans in backticks in running text, without the backticks.
func codeSpans(page *schema.Page) []schema.Span {
	if bytes.IndexByte(page.Source[page.Body:], '`') < 0 {
		return nil
	}
	var out []schema.Span
	fence := 0
	for _, s := range linter.Code(page) {
		for fence < len(page.Fences) && page.Fences[fence].Span.End <= s.Start {
			fence++
		}
		block := fence < len(page.Fences) && page.Fences[fence].Content.Overlaps(s)
		for s.Start < s.End && page.Source[s.Start] == ' ' {
			s.Start++
		}
		for s.Start < s.End && page.Source[s.End-1] == ' ' {
			s.End--
		}
		if !block && s.Len() > 0 {
			out = append(out, s)
		}
	}
	return out
}
