package rules

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "encoding",
	Group:    linter.Hygiene,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page is not plain UTF-8 text with consistent line endings.",
	Doc: `- **Byte order mark:** it hides the front matter from many tools and has no meaning in UTF-8. The safe fix
  removes it.
- **Invalid bytes and NUL:** they are shown as ` + "`�`" + ` and can't be searched or quoted. Save the file as UTF-8.
  The safe fix removes NUL bytes from a file that is otherwise valid.
- **Mixed line endings:** the whole file changes with the next editor that saves it. The safe fix uses the
  more frequent ending.
- **Decomposed accents** (Unicode NFD, as in macOS file names): a search for the letter doesn't find them. The
  safe fix converts them to NFC, except in code and link destinations.

Switch it off if your editor insists on a byte order mark.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if bytes.HasPrefix(page.Source, byteOrderMark) {
			at := schema.Span{Start: 0, End: len(byteOrderMark)}
			d := p.ReportCause("mark", page.Path, at, "the page begins with a byte order mark, which hides its front matter from many tools; remove it")
			d.Fixes = []schema.Fix{{Title: "remove the byte order mark", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: at}}}}
		}
		wrongBytes(p, page)
		lineEnds(p, page)
		accentsApart(p, page)
	},
})

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// wrongBytes reports what the compiler could not read.
func wrongBytes(p *linter.Pass, page *schema.Page) {
	for _, f := range page.Faults {
		if f.Kind != schema.FaultEncoding {
			continue
		}
		d := p.Report(page.Path, f.Span, "%s", f.Message)
		if string(f.Span.In(page.Source)) == "\x00" && utf8.Valid(page.Source) {
			fix := schema.Fix{Title: "remove every NUL", Safe: true}
			for i, c := range page.Source {
				if c == 0 && len(fix.Edits) < mostEdits {
					fix.Edits = append(fix.Edits, schema.Edit{Path: page.Path, Span: schema.Span{Start: i, End: i + 1}})
				}
			}
			d.Fixes = []schema.Fix{fix}
		}
	}
}

// lineEnds reports a page that ends its lines in more than one way, at the
// first that ends as fewer do.
func lineEnds(p *linter.Pass, page *schema.Page) {
	src := page.Source
	if bytes.IndexByte(src, '\r') < 0 {
		return
	}
	all, both := bytes.Count(src, []byte{'\n'}), bytes.Count(src, []byte("\r\n"))
	if both == 0 || both == all || !utf8.Valid(src) {
		return // a CR alone is not an end that anyone writes
	}
	few, name, want, other := both, "CR LF", "\n", "LF"
	if both*2 > all {
		few, name, want, other = all-both, "LF", "\r\n", "CR LF"
	}
	fix := schema.Fix{Title: "end every line with " + other, Safe: true}
	for i, c := range src {
		if c != '\n' || len(fix.Edits) == mostEdits {
			continue
		}
		end := schema.Span{Start: i, End: i + 1}
		if i > 0 && src[i-1] == '\r' {
			end.Start--
		}
		if string(end.In(src)) != want {
			fix.Edits = append(fix.Edits, schema.Edit{Path: page.Path, Span: end, Text: want})
		}
	}
	d := p.ReportCause("ends", page.Path, fix.Edits[0].Span, "mixed line endings: %d of %d lines %s with %s, the others with %s; use %s for all", few, all, verb(few), name, other, other)
	d.Fixes = []schema.Fix{fix}
}

func verb(n int) string {
	if n == 1 {
		return "ends"
	}
	return "end"
}

// accentsApart reports decomposed letters.
func accentsApart(p *linter.Pass, page *schema.Page) {
	src := page.Source
	if !scanFact.Of(p, page).accents || norm.NFC.IsNormal(src) || !utf8.Valid(src) {
		return
	}
	fix := schema.Fix{Title: "convert to NFC", Safe: true}
	links := linkSpans(page)
	for i := 0; i < len(src) && len(fix.Edits) < mostEdits; {
		i += norm.NFC.QuickSpan(src[i:])
		if i >= len(src) {
			break
		}
		n := max(1, norm.NFC.NextBoundary(src[i:], true))
		text := string(norm.NFC.Bytes(src[i : i+n]))
		// A single character with another normal form, such as the Kelvin sign, is left
		// alone: only compositions are reported.
		if utf8.RuneCountInString(text) < utf8.RuneCount(src[i:i+n]) && !inCode(p, page, i) && !within(links, i) {
			fix.Edits = append(fix.Edits, schema.Edit{Path: page.Path, Span: schema.Span{Start: i, End: i + n}, Text: text})
		}
		i += n
	}
	if len(fix.Edits) == 0 {
		return
	}
	first := fix.Edits[0]
	d := p.ReportCause("accents", page.Path, first.Span, "%s decomposed (Unicode NFD), so a search for %q does not find it; convert to NFC",
		letters(len(fix.Edits)), first.Text)
	d.Fixes = []schema.Fix{fix}
}

func letters(n int) string {
	if n == 1 {
		return "1 letter is"
	}
	return itoa(n) + " letters are"
}

// linkSpans returns the spans of a page's links, in order: their addresses must stay as
// written.
func linkSpans(page *schema.Page) []schema.Span {
	var out []schema.Span
	for i := range page.Links {
		out = append(out, page.Links[i].Span, page.Links[i].Dest)
	}
	return merged(out)
}
