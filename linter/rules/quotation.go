package rules

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// quotation is a block of code that says which lines of a file it quotes.
type quotation struct {
	fence  *schema.Fence
	anchor schema.Anchor
	at     schema.Span // where it says so
	lines  schema.Span // the line numbers as written, empty when there are none
	info   bool        // said in the info string, else by a citation above the block
}

var quotationFact = linter.NewPageFact(quotations)

// quotations returns the blocks of a page that say what they quote: in their
// info string, or by a line above that is a citation and nothing else.
func quotations(page *schema.Page) []quotation {
	var out []quotation
	for i := range page.Fences {
		f := &page.Fences[i]
		if f.Unclosed || f.Content.Len() == 0 || f.Span.Start >= f.Content.Start {
			continue
		}
		q, ok := infoQuotation(page, f)
		if !ok {
			q, ok = citedQuotation(page, f)
		}
		if ok && filePath(q.anchor.Path) && q.anchor.Rev == "" {
			q.fence = f
			out = append(out, q)
		}
	}
	return out
}

// infoQuotation reads file=src/a.go lines=3-9, title="src/a.go", src/a.go#L3-L9, 3:9:src/a.go
// and go:src/a.go.
func infoQuotation(page *schema.Page, f *schema.Fence) (q quotation, ok bool) {
	q.info = true
	caption := false // which names the reader's own file as often as one of the repository
	line := schema.Span{Start: f.Span.Start, End: f.Content.Start}
	for _, word := range infoWords(page.Source, line) {
		text := string(word.In(page.Source))
		key, value, named := strings.Cut(text, "=")
		if !named {
			if a, found := bareQuotation(text); found {
				q.anchor, q.at, ok = a, word, true
			}
			continue
		}
		word.Start += len(key) + 1
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
			word.Start, word.End = word.Start+1, word.End-1
		}
		switch key = strings.ToLower(key); key {
		case "file", "path", "src", "source", "title", "filename":
			caption = key == "title" || key == "filename"
			a := schema.ParseAnchor(value)
			a.FromLine, a.ToLine = max(a.FromLine, q.anchor.FromLine), max(a.ToLine, q.anchor.ToLine)
			q.anchor, q.at, ok = a, word, a.Path != ""
		case "lines", "line", "range":
			if a := schema.ParseAnchor("f#L" + strings.TrimPrefix(value, "L")); a.FromLine > 0 {
				q.anchor.FromLine, q.anchor.ToLine, q.lines = a.FromLine, a.ToLine, word
			}
		}
	}
	return q, ok && (!caption || q.anchor.FromLine > 0)
}

// infoWords returns the words of an info string, quotes kept together, without
// the fence.
func infoWords(src []byte, line schema.Span) []schema.Span {
	var out []schema.Span
	i := line.Start
	for i < line.End && (src[i] == '`' || src[i] == '~') {
		i++
	}
	for i < line.End {
		from := i
		var quote byte
		for i < line.End && (quote != 0 || !strings.ContainsRune(" \t\r\n{},", rune(src[i]))) {
			switch {
			case quote == 0 && (src[i] == '"' || src[i] == '\''):
				quote = src[i]
			case src[i] == quote || src[i] == '\n':
				quote = 0
			}
			i++
		}
		if i > from {
			out = append(out, schema.Span{Start: from, End: i})
		} else {
			i++
		}
	}
	return out
}

// bareQuotation reads a word that is a file with its lines, or a language and a file.
func bareQuotation(text string) (a schema.Anchor, ok bool) {
	if parts := strings.SplitN(text, ":", 3); len(parts) == 3 { // 3:9:src/a.go
		b := schema.ParseAnchor(parts[2] + ":" + parts[0] + "-" + parts[1])
		if b.FromLine > 0 && b.ToLine >= b.FromLine && strings.Contains(b.Path, "/") {
			return b, true
		}
	}
	if language, file, found := strings.Cut(text, ":"); found && strings.Contains(file, "/") && !strings.ContainsAny(language, "/.") {
		text = file
	}
	a = schema.ParseAnchor(text)
	return a, strings.Contains(a.Path, "/") && filePath(a.Path)
}

// citedQuotation reads the line above a block: `src/a.go:3-9`: and the like. It
// counts only when the block has as many lines as it says.
func citedQuotation(page *schema.Page, f *schema.Fence) (q quotation, ok bool) {
	n := page.Lines.Position(f.Span.Start).Line
	above := schema.Span{}
	for _, back := range []int{1, 2} {
		if n-back < 1 {
			return q, false
		}
		if above = page.Lines.Line(n - back); len(bytes.TrimSpace(above.In(page.Source))) > 0 {
			break
		}
	}
	text := string(above.In(page.Source))
	inner := strings.Trim(text, " \t`*_()[]:>")
	if inner == "" || strings.ContainsAny(inner, " \t`") {
		return q, false
	}
	q.anchor = schema.ParseAnchor(inner)
	start := above.Start + strings.Index(text, inner)
	q.at = schema.Span{Start: start, End: start + len(inner)}
	lines := bytes.Count(bytes.TrimRight(f.Content.In(page.Source), "\r\n"), []byte("\n")) + 1
	return q, q.anchor.FromLine > 0 && q.anchor.ToLine-q.anchor.FromLine+1 == lines
}
