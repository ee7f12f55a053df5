package rules

import (
	"bytes"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "conflict-marker",
	Group:    linter.Hygiene,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page contains markers of an unresolved merge conflict.",
	Doc: `Between ` + "`<<<<<<<` and `>>>>>>>`" + ` are two versions of the same text, and readers and agents take both as true.
Keep one version and remove the marker lines.

A line of ` + "`=======`" + ` alone underlines a heading and is not reported, nor are markers in code blocks.`,
	CheckPage: conflictMarkers,
})

// The first and the last marker of a conflict, as git writes them.
const (
	markerOurs = iota
	markerTheirs
)

var _ = watch("conflict-marker", markerOurs, marker('<'), "<<<<") && watch("conflict-marker", markerTheirs, marker('>'), ">>>>")

// marker returns a matcher for a line that begins with seven of a character, followed by
// a space or the end.
func marker(sign byte) func(src []byte, at int) (schema.Span, bool) {
	return func(src []byte, at int) (schema.Span, bool) {
		if at > 0 && src[at-1] != '\n' {
			return schema.Span{}, false
		}
		line, _, _ := bytes.Cut(src[at:min(len(src), at+nearby)], []byte("\n"))
		line = bytes.TrimRight(line, " \r")
		if len(line) < 7 || bytes.Count(line[:7], []byte{sign}) != 7 || len(line) > 7 && line[7] != ' ' {
			return schema.Span{}, false
		}
		return schema.Span{Start: at, End: at + len(line)}, true
	}
}

func conflictMarkers(p *linter.Pass, page *schema.Page) {
	var open *schema.Diagnostic
	for _, h := range scanFact.Of(p, page).of("conflict-marker") {
		if inCode(p, page, h.Start) {
			continue
		}
		switch {
		case h.by.n == markerOurs:
			open = p.Report(page.Path, h.Span, "unresolved merge conflict: two versions of the text follow; keep one, and remove the markers up to >>>>>>>")
		case open != nil:
			open.Related = append(divider(page, open.Span.End, h.Start), schema.Related{Path: page.Path, Span: h.Span, Message: "the other version ends here"})
			open = nil
		case h.Len() > 8 && !besideQuote(page.Source, h.Span):
			p.Report(page.Path, h.Span, "the end of an unresolved merge conflict; check which version of the text above is right, and remove the marker")
		}
	}
}

// divider returns where, between the markers, the first version ends.
func divider(page *schema.Page, from, to int) []schema.Related {
	i := bytes.Index(page.Source[from:to], []byte("\n======="))
	if i < 0 {
		return nil
	}
	at := schema.Span{Start: from + i + 1, End: from + i + 8}
	return []schema.Related{{Path: page.Path, Span: at, Message: "the other version begins here"}}
}

// besideQuote reports whether the line before or after is a quote: seven
// signs are then the seventh answer in a mail.
func besideQuote(src []byte, line schema.Span) bool {
	before, _ := lineOfText(src, max(0, line.Start-1))
	after := bytes.TrimLeft(src[line.End:min(len(src), line.End+3)], "\r\n")
	return line.Start > 0 && bytes.HasPrefix(before, []byte(">")) || bytes.HasPrefix(after, []byte(">"))
}
