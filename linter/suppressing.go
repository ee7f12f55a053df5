package linter

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// Suppressing returns the fix that suppresses a finding on its page: by a comment above its
// line or behind it, or for the whole page where such a comment would change the text. needsReason writes the place of a reason too; see [Rule].NeedsReason.
func Suppressing(p *schema.Page, d *schema.Diagnostic, needsReason bool) schema.Fix {
	reason := ""
	if needsReason {
		reason = " -- explain why"
	}
	directive := func(verb string) string { return "<!-- wiki-lint-" + verb + " " + d.Rule + reason + " -->" }
	number := p.Lines.LineOf(d.Span.Start)
	line := p.Lines.Line(number)
	fix := func(where string, at int, text string) schema.Fix {
		return schema.Fix{Title: "suppress " + d.Rule + " " + where, Edits: []schema.Edit{{Path: p.Path, Span: schema.Span{Start: at, End: at}, Text: text}}}
	}
	alone := p.Outline || d.Span.Len() == 0 || !inText(p, d.Span.Start) || blank(p.Source, line) || first(p, number)
	switch {
	case !alone && beginsBlock(p, number):
		return fix("on this line", line.Start, directive("disable-next-line")+"\n")
	case !alone && !needsReason: // a claim would be another one with a comment behind it
		return fix("on this line", lineEnd(p, line), " "+directive("disable-line"))
	}
	return fix("on this page", max(p.Body, p.Lines.Line(1).Start), directive("disable-file")+"\n\n")
}

// inText reports whether an offset is in running text, where a comment can stand.
func inText(p *schema.Page, at int) bool {
	in := func(s schema.Span) bool { return s.Start <= at && at < s.End }
	row := bytes.IndexByte(p.Lines.Line(p.Lines.LineOf(at)).In(p.Source), '|') >= 0 // of what may be a table
	return at >= p.Body && !row &&
		!slices.ContainsFunc(p.Tables, func(t schema.Table) bool { return in(t.Span) }) &&
		!slices.ContainsFunc(p.Fences, func(f schema.Fence) bool { return in(f.Span) }) &&
		!slices.ContainsFunc(p.Math, func(m schema.Math) bool { return m.Display && in(m.Span) }) &&
		!slices.ContainsFunc(p.Definitions, func(x schema.Definition) bool { return in(x.Span) })
}

// first reports whether a line is the first of the body, at which findings about the whole
// page stand.
func first(p *schema.Page, number int) bool {
	return len(bytes.TrimSpace(schema.Span{Start: p.Body, End: p.Lines.Line(number).Start}.In(p.Source))) == 0
}

// beginsBlock reports whether a heading or a paragraph that is in nothing else begins with
// a line, so that a comment can stand above it.
func beginsBlock(p *schema.Page, number int) bool {
	line := p.Lines.Line(number)
	text := line.In(p.Source)
	if bytes.HasPrefix(text, []byte("#")) {
		return true
	}
	letter, _ := utf8.DecodeRune(text)
	return blank(p.Source, p.Lines.Line(number-1)) && (unicode.IsLetter(letter) || letter == '[' || letter == '`')
}

func blank(src []byte, line schema.Span) bool { return len(bytes.TrimSpace(line.In(src))) == 0 }

// lineEnd is where the text of a line ends, before the id of its block and spaces that
// break the line.
func lineEnd(p *schema.Page, line schema.Span) int {
	end := line.End
	trim := func() {
		end = line.Start + len(bytes.TrimRightFunc(schema.Span{Start: line.Start, End: end}.In(p.Source), unicode.IsSpace))
	}
	trim()
	for _, b := range p.Blocks {
		if b.Span.End == end {
			end = b.Span.Start
			trim()
			break
		}
	}
	return end
}
