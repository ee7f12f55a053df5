package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "snippet-drift",
	Group:    linter.Sources,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A code block differs from the file that it quotes.",
	Doc: `Readers take the block for the current code, which has changed.

A block names its source in the info string (` + "`go file=src/a.go lines=3-9`, `ts title=\"src/a.ts#L3-L9\"`" + `,
` + "`3:9:src/a.go`" + `), or in a line above it that is only a citation, ` + "`src/a.go:3-9`" + `, if the block has that many
lines. Indentation, blank lines and marked omissions (` + "`// ...`" + `) are ignored. If only a file is named, the
block counts as a quotation only if at least half of its lines are in the file.

If the same text is now at other lines, the fix corrects the line numbers. If the first and last line still
occur once each, the fix inserts the current text between them. For an example, leave the file out of the info
string.

Other blocks are compared with the git history: a line that was in a file that the page names when the line was
written, and is in no file of the repository now, is a warning with the most similar line of the current file.
Examples of which only a line or two were in the code are not reported, nor are lines that only a test had, JSON of
files that hold none, and code that is only wrapped differently. Nor is what speaks of the past: pages and sections
that describe a moment on purpose, as ` + "`cited-lines-changed`" + ` lists them, sections about a history or a
migration, blocks that begin with a comment such as "before", and old versions of a manual. On pages that describe a
moment, blocks below a citation are not compared either; those with a file in the info string are.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) { quotationFact.Of(p, page) },
	Check: func(p *linter.Pass) {
		said := map[*schema.Fence]bool{}
		defer reportStaleQuotes(p, said)
		files := map[string]quotedFile{}
		refs, work := sourceFact.Of(p), 0
		for _, page := range p.Wiki.Pages() {
			if len(page.Fences) == 0 || historical(page) {
				continue
			}
			for _, q := range quotationFact.Of(p, page) {
				if !q.info && recordFact.Of(p, page).Page() {
					continue // an info string asks for the check
				}
				found, folder := refs.find(page, q.anchor.Path)
				if found == "" || folder {
					continue // source-missing reports that
				}
				file, read := files[found]
				if !read {
					raw, _ := refs.tree.Read(found, largestSource)
					file = quotedFile{string(raw), codeLines(string(raw))}
					files[found] = file
				}
				if work += len(file.lines); work > mostCompared {
					p.Skip("code blocks on %s and later pages were not compared: more than %d lines; quote shorter files", page.Path, mostCompared)
					return
				}
				if len(file.lines) > 0 {
					said[q.fence] = checkQuotation(p, page, &q, file)
				}
			}
		}
	},
})

// largestSource bounds the files that quotations are looked up in, in bytes;
// mostCompared how many lines of them are compared in all.
const (
	largestSource = 2 << 20
	mostCompared  = 50_000_000
)

// quotedFile is a file that pages quote.
type quotedFile struct {
	text  string
	lines []textLine
}

// checkQuotation compares a block with the file that it quotes, and reports whether that is
// reported.
func checkQuotation(p *linter.Pass, page *schema.Page, q *quotation, quotedFrom quotedFile) (reported bool) {
	file := quotedFrom.lines
	quoted := codeLines(string(q.fence.Content.In(page.Source)))
	if len(quoted) > 1 && strings.Contains(quoted[0].text, q.anchor.Path) {
		quoted = quoted[1:] // a comment that names the file
	}
	all := pieces(quoted)
	if len(all) == 0 {
		return false
	}
	if within := numbered(file, q.anchor.FromLine, q.anchor.ToLine); q.anchor.FromLine > 0 && containsInOrder(all, within) {
		return false
	}
	if containsInOrder(all, file) {
		if at := occurrences(all[0], file, 2); q.anchor.FromLine > 0 && len(all) == 1 && len(at) == 1 {
			reportMovedLines(p, page, q, file[at[0]].number, file[at[0]+len(quoted)-1].number)
			return true
		}
		return false
	}
	found, lines := commonLines(quoted, file)
	if lines == 0 || q.anchor.FromLine == 0 && (found*2 < lines || abridged(quoted, file)) {
		return false // an example that borrows the file's name, or an abridged quotation
	}
	where := q.anchor.Path
	if q.anchor.FromLine > 0 {
		where += fmt.Sprintf(":%d-%d", q.anchor.FromLine, q.anchor.ToLine)
	}
	d := p.Report(page.Path, q.at, "%d of %s quoted from %s no longer exist; quote the current code",
		lines-found, text.Count(lines, "line"), where)
	if found == lines {
		d.Message = fmt.Sprintf("the lines quoted from %s are no longer consecutive there; quote the current code", where)
	}
	d.Fixes = requote(page, q, quoted, quotedFrom)
	return true
}

// numbered returns the lines of a file from one number to another.
func numbered(file []textLine, from, to int) []textLine {
	start := 0
	for start < len(file) && file[start].number < from {
		start++
	}
	end := start
	for end < len(file) && file[end].number <= to {
		end++
	}
	return file[start:end]
}

func reportMovedLines(p *linter.Pass, page *schema.Page, q *quotation, from, to int) {
	d := p.Report(page.Path, q.at, "the code quoted from lines %d-%d of %s is now at lines %d-%d; correct the lines",
		q.anchor.FromLine, q.anchor.ToLine, q.anchor.Path, from, to)
	d.Severity = schema.Warning
	if q.lines.Len() > 0 {
		now := fmt.Sprintf("%d-%d", from, to)
		d.Fixes = []schema.Fix{{Title: "write lines " + now, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: q.lines, Text: now}}}}
	}
}

// requote returns a fix that replaces the quotation with the current code between its
// first and last line.
func requote(page *schema.Page, q *quotation, quoted []textLine, quotedFrom quotedFile) []schema.Fix {
	file := quotedFrom.lines
	first, last := only(quoted[0].text, file), only(quoted[len(quoted)-1].text, file)
	if first < 0 || last <= first || last-first > 3*len(quoted)+10 || len(pieces(quoted)) > 1 || page.Lines.Position(q.fence.Span.Start).Column > 1 {
		return nil
	}
	from, to := file[first].number, file[last].number
	lines := strings.Split(quotedFrom.text, "\n")[from-1 : to]
	was := string(q.fence.Content.In(page.Source))
	surplus := len(indentation(lines[0])) - len(indentation(was))
	if surplus < 0 {
		return nil
	}
	var b strings.Builder
	for _, l := range lines {
		l = strings.TrimRight(l, "\r")
		b.WriteString(l[min(surplus, len(indentation(l))):])
		b.WriteString(newline(page))
	}
	fix := schema.Fix{Title: fmt.Sprintf("quote lines %d-%d of %s", from, to, q.anchor.Path), Safe: true,
		Edits: []schema.Edit{{Path: page.Path, Span: q.fence.Content, Text: b.String()}}}
	if now := fmt.Sprintf("%d-%d", from, to); q.lines.Len() > 0 && string(q.lines.In(page.Source)) != now {
		fix.Edits = append([]schema.Edit{{Path: page.Path, Span: q.lines, Text: now}}, fix.Edits...)
	} else if q.lines.Len() == 0 && q.anchor.FromLine > 0 {
		return nil // its lines stand where no fix can correct them
	}
	return []schema.Fix{fix}
}

// indentation returns the white space that the first line of a text begins with.
func indentation(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}
