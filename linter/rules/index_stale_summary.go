package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "index-stale-summary",
	Group:    linter.IndexAndLog,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "An index shows an outdated summary of a page.",
	Doc: `Readers choose what to read from the index. The summary was copied from the page, and the page's summary
changed later.

Many indexes describe pages in their own words, and nothing is reported there. Only if at least three entries,
and three in four, copy the page's summary word for word (apart from a final full stop or a shortened end), an
entry that differs is reported as outdated.

The safe fix copies the current summary.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d summaries in this index are outdated; copy them from the pages. First: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for _, x := range indexFact.Of(p).all {
			staleSummaries(p, x)
		}
	},
})

const fewestCopies = 3 // entries that give the page's summary, from which on an index copies them

func staleSummaries(p *linter.Pass, x *index) {
	type stale struct {
		page *schema.Page
		at   schema.Span
		row  bool
	}
	copies := 0
	var others []stale
	for i := range x.entries {
		page := x.entries[i].page(p.Wiki)
		if page == nil || page.Meta.Summary == "" {
			continue
		}
		at, ok := x.summary(&x.entries[i])
		if !ok {
			continue
		}
		text := strings.ReplaceAll(string(at.In(x.page.Source)), `\|`, "|")
		if sameSummary(text, page.Meta.Summary) {
			copies++
		} else {
			others = append(others, stale{page, at, x.entries[i].cells != nil})
		}
	}
	if copies < fewestCopies || copies < 3*len(others) {
		return
	}
	for _, o := range others {
		now := text.Collapse(o.page.Meta.Summary)
		if o.row {
			now = cellText(now)
		}
		d := p.ReportCause("index:"+x.page.Path, x.page.Path, o.at, "outdated summary: %q now has %q; copy it", o.page.Path, short(text.Collapse(o.page.Meta.Summary)))
		if pair := o.page.Front.Lookup(schema.FieldSummary); pair != nil {
			d.Related = []schema.Related{{Path: o.page.Path, Span: pair.Value.Span, Message: "its summary"}}
		}
		d.Fixes = []schema.Fix{{Title: "copy the summary of " + o.page.Path, Safe: true, Edits: []schema.Edit{{Path: x.page.Path, Span: o.at, Text: now}}}}
	}
}

// summary returns where an entry says what its page is about, when that is on
// one line.
func (x *index) summary(e *indexEntry) (schema.Span, bool) {
	src := x.page.Source
	if e.cells != nil {
		for i, c := range e.head {
			if schema.FieldOf(strings.ToLower(strings.TrimSpace(c.Text))) == schema.FieldSummary && i < len(e.cells) {
				return e.cells[i].Span, e.cells[i].Span.Len() > 0
			}
		}
		return schema.Span{}, false
	}
	end := e.links[0].Link.Span.End
	for _, s := range e.links[1:] {
		if s.Res.Kind != schema.TargetPage || s.Res.Page != e.links[0].Res.Page {
			return schema.Span{}, false // the text holds links of its own
		}
		end = s.Link.Span.End
	}
	after := src[end:e.line.End]
	skip := len(after) - len(strings.TrimLeft(string(after), "*_)"))
	_, at := separator(after[skip:])
	if at == 0 {
		return schema.Span{}, false
	}
	text := strings.TrimRight(string(after[skip+at:]), " \t")
	next := lineOf(x.page, min(lineOf(x.page, e.line.Start).End, len(src)))
	if below := string(next.In(src)); strings.TrimSpace(below) != "" && (below[0] == ' ' || below[0] == '\t') && !begins([]byte(below[:len(below)-len(strings.TrimLeft(below, " \t-*+"))])) {
		return schema.Span{}, false // it goes on below
	}
	start := end + skip + at
	return schema.Span{Start: start, End: start + len(text)}, text != ""
}

// sameSummary reports whether an index gives a page's summary: all of it, or
// its beginning.
func sameSummary(given, summary string) bool {
	norm := func(s string) string {
		return strings.TrimRight(text.Collapse(fold(s)), ".…")
	}
	g, s := norm(given), norm(summary)
	return g == s || len(g) >= 20 && strings.HasPrefix(s, g)
}
