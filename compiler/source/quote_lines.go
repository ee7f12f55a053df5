package source

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// speaksOfPast reports whether the sections that a fence stands in tell what was: those of a
// moment, of a migration or of a history, or the first half of before and after, which the
// fence may say itself in its first line.
func speaksOfPast(page *schema.Page, records *claim.Records, fence *schema.Fence) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(string(fence.Content.In(page.Source))), "\n")
	return claim.PastComment(first) || records.At(fence.Span.Start) || slices.ContainsFunc(claim.Section(page, fence.Span.Start), func(heading string) bool {
		return claim.PastHeading(heading) || strings.EqualFold(strings.Trim(heading, " :*_"), "before")
	})
}

// quotedLines returns, for each of a page's fences, the lines that say enough to be told
// from others.
func quotedLines(page *schema.Page) [][]int {
	out, records := make([][]int, len(page.Fences)), claim.NewRecords(page)
	for i := range page.Fences {
		f := &page.Fences[i]
		if f.Content.Len() == 0 || speaksOfPast(page, records, f) {
			continue
		}
		last := page.Lines.Position(f.Content.End - 1).Line
		for n := page.Lines.Position(f.Content.Start).Line; n <= last; n++ {
			if tellingLine(string(page.Lines.Line(n).In(page.Source))) {
				out[i] = append(out[i], n)
			}
		}
	}
	return out
}

// tellingLine reports whether a line of code is long enough to be a quotation.
func tellingLine(line string) bool {
	marks, words := 0, 0
	for _, r := range line {
		if !unicode.IsSpace(r) {
			marks++
		}
		if wordRune(r) || r == '_' {
			words++
		}
	}
	return marks >= 12 && words >= 6
}

// mostByChance is how many lines of a block that stood in a file are no chance.
const mostByChance = 4

// quoted leaves the lines of blocks of which several or at least half stood in the files
// of their page: of others a line is there by chance, as in an example.
func (q *quoting) quoted(p *quotingPage, stale []StaleQuote) []StaleQuote {
	var out []StaleQuote
	for _, lines := range quotedLines(p.page) {
		here := slices.DeleteFunc(slices.Clone(stale), func(s StaleQuote) bool { return !slices.Contains(lines, s.Line) })
		stood := len(here)
		for _, n := range lines {
			text := (&pageLine{page: p.page, line: n}).text()
			if slices.ContainsFunc(p.files, func(f string) bool { return q.text(f).has(text) }) {
				stood++
			}
		}
		if slices.IndexFunc(here, func(s StaleQuote) bool { return !entry().MatchString(textOf(s)) }) < 0 {
			continue // of an answer or a message, not of code
		}
		if len(here) == 1 && testFile(here[0].File) {
			continue // a test uses what the page is about as its readers do
		}
		if 2*stood >= len(lines) || len(here) >= mostByChance {
			out = append(out, here...)
		}
	}
	return out
}

// textOf returns a quoted line as the page has it.
func textOf(s StaleQuote) string {
	return strings.TrimSpace(string(s.Page.Lines.Line(s.Line).In(s.Page.Source)))
}

// entry is one key of an object with a plain value, as any request and response has.
var entry = schema.Expression(`^"[^"]*": *(?:"[^"]*"|[\w.+-]+),?$`)

// testFile reports whether a file holds tests, by its name or a folder's.
func testFile(file string) bool {
	for part := range strings.SplitSeq(strings.ToLower(file), "/") {
		part = strings.TrimSuffix(part, path.Ext(part))
		if part == "test" || part == "tests" || strings.HasPrefix(part, "test_") || strings.HasSuffix(part, "_test") ||
			strings.HasSuffix(part, ".test") || strings.HasSuffix(part, ".spec") || part == "__tests__" {
			return true
		}
	}
	return false
}

// mayQuote reports whether a line of a page can be a quotation of a file: JSON on a page is
// a request or a response, unless the file holds JSON.
func mayQuote(page *schema.Page, line int, file string) bool {
	at := page.Lines.Line(line).Start
	i := slices.IndexFunc(page.Fences, func(f schema.Fence) bool { return f.Span.Contains(at) })
	return i < 0 || !strings.HasPrefix(page.Fences[i].Language, "json") || strings.HasPrefix(strings.ToLower(path.Ext(file)), ".json")
}

var attribute = schema.Expression(`(?m)#!?\[[^\]\n]*\]|^[ \t]*@[A-Za-z][\w.]*(?:\([^)\n]*\))?[ \t]*$`)

// squeeze returns code without attributes, annotations, white space and the commas that a
// formatter puts behind the last item: however it is wrapped it reads the same.
func squeeze(code string) string {
	code = strings.Join(strings.Fields(attribute().ReplaceAllString(code, "")), "")
	return lastComma.Replace(code)
}

var lastComma = strings.NewReplacer(",)", ")", ",]", "]", ",}", "}")

// squeezed returns a file as it is, squeezed.
func (q *quoting) squeezed(file string) string {
	text, ok := q.plain[file]
	if !ok {
		text = squeeze(string(q.text(file).src))
		q.plain[file] = text
	}
	return text
}
