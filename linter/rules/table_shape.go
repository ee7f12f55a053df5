package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "table-shape",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A table loses cells, or is not rendered as a table, because its rows don't match the header.",
	Doc: `A row with more cells than the header is cut off without notice. The usual cause is an unescaped ` + "`|`" + ` in a
cell, in code such as ` + "`a | b`" + ` or in ` + "`[[page|label]]`" + `: in a table write ` + "`\\|`" + `. MkDocs keeps a
` + "`|`" + ` in code, so it is not reported there. If the header and the delimiter row have different numbers of cells, readers see pipes instead of a table.

The safe fix escapes a ` + "`|`" + ` in code or a wikilink if the row fits then, and corrects the delimiter row if the
first row has as many cells as the header. A row with fewer cells than the header is info: the missing cells
are rendered empty.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d rows share one cause: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for i := range page.Tables {
			tableRows(p, page, &page.Tables[i])
		}
		for _, h := range scanFact.Of(p, page).of("table-shape") {
			noTable(p, page, h.Span)
		}
	},
})

func tableRows(p *linter.Pass, page *schema.Page, t *schema.Table) {
	for _, row := range t.Rows {
		switch k := len(row); {
		case k == 0 || k == 1 && len(t.Head) > 1:
			continue // a row that stands over others
		case k < len(t.Head):
			at := schema.Span{Start: row[0].Span.Start, End: row[k-1].Span.End}
			p.ReportCause("fewer", page.Path, at, "the row has %s, the header %d; add the missing cells, if any", text.Count(k, "cell"), len(t.Head)).Severity = schema.Info
		default:
			rowTail(p, page, t, row)
		}
	}
}

// rowTail reports the cells of a row beyond the number in the header.
func rowTail(p *linter.Pass, page *schema.Page, t *schema.Table, row []schema.Cell) {
	src := page.Source
	from := row[len(row)-1].Span.End
	end := len(src)
	if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
		end = from + i
	}
	tail := bytes.TrimRight(src[from:end], " \t\r")
	if len(bytes.Trim(tail, " \t|")) == 0 {
		return
	}
	lost := schema.Span{Start: from + bytes.IndexByte(tail, '|') + 1, End: from + len(tail)}
	for lost.Start < lost.End && (src[lost.Start] == ' ' || src[lost.Start] == '\t') {
		lost.Start++
	}
	line := schema.Span{Start: row[0].Span.Start, End: lost.End}
	if page.Python && escapePipes(page, line, len(row), appendCodeSpans(nil, line.In(src), schema.Span{End: line.Len()})) != nil {
		return // Python-Markdown ends no cell within code
	}
	text := strings.TrimRight(string(lost.In(src)), "| \t")
	cause := "more:" + page.Path + ":" + itoa(t.Span.Start)
	d := p.ReportCause(cause, page.Path, lost, "%q is not shown: the row has more cells than the header; escape a pipe in text as \\|, or add a column to the header", short(text))
	for _, f := range page.Faults {
		if f.Kind == schema.FaultMalformedWikilink && line.Contains(f.Span.Start) {
			d.Related = append(d.Related, schema.Related{Path: page.Path, Span: f.Span, Message: "this link is cut at its |"})
		}
	}
	if edits := escapePipes(page, line, len(row), pipesWithin(line.In(src))); edits != nil {
		d.Fixes = []schema.Fix{{Title: `escape the pipes in code and wikilinks as \|`, Safe: true, Edits: edits}}
	}
}

// escapePipes returns the edits that escape the pipes of a row within spans, code or
// wikilinks; nil if the row would still not have the right number of cells.
func escapePipes(page *schema.Page, row schema.Span, cells int, inside []schema.Span) []schema.Edit {
	src := row.In(page.Source)
	var edits []schema.Edit
	pipes := 0
	for i, c := range src {
		if c != '|' || i > 0 && src[i-1] == '\\' {
			continue
		}
		if within(inside, i) {
			at := row.Start + i
			edits = append(edits, schema.Edit{Path: page.Path, Span: schema.Span{Start: at, End: at}, Text: `\`})
			continue
		}
		pipes++
	}
	if bytes.HasSuffix(src, []byte("|")) {
		pipes--
	}
	if len(edits) == 0 || len(edits) > 100 || pipes != cells-1 {
		return nil
	}
	return edits
}

// pipesWithin returns the code spans and wikilinks of a line.
func pipesWithin(line []byte) []schema.Span {
	out := appendCodeSpans(nil, line, schema.Span{End: len(line)})
	for i := 0; i < len(line); {
		from := bytes.Index(line[i:], []byte("[["))
		if from < 0 {
			break
		}
		from += i
		to := bytes.Index(line[from:], []byte("]]"))
		if to < 0 {
			break
		}
		out = append(out, schema.Span{Start: from, End: from + to})
		i = from + to + 2
	}
	return merged(out)
}

var _ = watch("table-shape", 0, dashes, "\n|--", "\n| -", "\n|:-", "\n| :", "\n|-|", "\n|- ")

// dashes matches a line that is made of pipes, dashes and colons alone.
func dashes(src []byte, at int) (schema.Span, bool) {
	from := at + 1
	end := min(len(src), from+longestDashes)
	if i := bytes.IndexByte(src[from:end], '\n'); i >= 0 {
		end = from + i
	}
	line := bytes.TrimRight(src[from:end], " \t\r")
	if len(line) == longestDashes || len(bytes.Trim(line, "|:- \t")) > 0 || !bytes.Contains(line, []byte("--")) || bytes.Count(line, []byte("|")) < 2 {
		return schema.Span{}, false
	}
	return schema.Span{Start: from, End: from + len(line)}, true
}

// longestDashes is the longest line of dashes that is looked at, in bytes.
const longestDashes = 2000

// noTable reports a line of dashes that no table has.
func noTable(p *linter.Pass, page *schema.Page, line schema.Span) {
	if line.Start < page.Body || inTableSpan(page, line.Start) || inCode(p, page, line.Start) || commented(page, line.Start) {
		return
	}
	src := page.Source
	above := page.Lines.Line(page.Lines.Position(line.Start).Line - 1)
	head := bytes.TrimSpace(above.In(src))
	if line.Start == 0 || above.Start < page.Body || bytes.IndexByte(head, '|') < 0 {
		p.Report(page.Path, line, "not rendered as a table: no header row right above; add one")
		return
	}
	want, have := cellsOf(head), cellsOf(line.In(src))
	if want == have {
		return // something else, such as an indent, keeps it from being a table
	}
	d := p.Report(page.Path, line, "not rendered as a table: the header has %s, the delimiter row %d; make them equal", text.Count(want, "column"), have)
	next := page.Lines.Line(page.Lines.Position(line.Start).Line + 1)
	if row := bytes.TrimSpace(next.In(src)); bytes.IndexByte(row, '|') < 0 || cellsOf(row) == want {
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("write a delimiter row with %s", text.Count(want, "column")), Safe: true,
			Edits: []schema.Edit{{Path: page.Path, Span: line, Text: "|" + strings.Repeat(" --- |", want)}}}}
	}
}

// inTableSpan reports whether offset is in a table that is one.
func inTableSpan(page *schema.Page, offset int) bool {
	i, found := slices.BinarySearchFunc(page.Tables, offset, func(t schema.Table, at int) int { return t.Span.Start - at })
	return found || i > 0 && page.Tables[i-1].Span.Contains(offset)
}

// cellsOf counts the cells of a row.
func cellsOf(row []byte) int {
	row = bytes.TrimSuffix(bytes.TrimPrefix(row, []byte("|")), []byte("|"))
	n := 1
	for i, c := range row {
		if c == '|' && (i == 0 || row[i-1] != '\\') {
			n++
		}
	}
	return n
}
