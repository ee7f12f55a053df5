package rules

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "unclosed-fence",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A code block is not closed, so the rest of the page is code.",
	Doc: `Headings and links below it are lost, and neither search nor rules see them. Either the closing fence is
missing, or an earlier block that shows markdown ends at the first fence inside it, which swaps code and text
in the rest of the page.

Close the block; fence a block that contains fences with four backticks.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for i := range page.Fences {
			f := &page.Fences[i]
			if !f.Unclosed {
				continue
			}
			opening := page.Lines.Line(page.Lines.Position(f.Span.Start).Line)
			opening.Start = f.Span.Start
			if cause, line := insideOut(page, page.Fences[:i]); cause != nil {
				at := page.Lines.Line(page.Lines.Position(cause.Span.Start).Line)
				at.Start = cause.Span.Start
				d := p.Report(page.Path, at, "the code block contains a fence, %q, and ends at the next one, so code and text are swapped below; open and close it with four backticks", short(string(line.In(page.Source))))
				d.Related = []schema.Related{{Path: page.Path, Span: line, Message: "the fence inside"}, {Path: page.Path, Span: opening, Message: "the block that is left open"}}
				continue
			}
			if len(bytes.TrimSpace(f.Content.In(page.Source))) == 0 {
				p.Report(page.Path, opening, "this fence opens an empty code block; remove it, or open the block it should close")
				continue
			}
			lines := page.Lines.Lines() - page.Lines.Position(f.Content.Start).Line
			p.Report(page.Path, opening, "the code block is not closed (%s to the end of the page); close it with %s where the code ends", text.Count(max(lines, 0), "line"), fenceOf(page, f))
		}
	},
})

// fenceOf returns the backticks or tildes that a block opens with.
func fenceOf(page *schema.Page, f *schema.Fence) string {
	src := page.Source[f.Span.Start:]
	n := 0
	for n < len(src) && n < 10 && src[n] == src[0] {
		n++
	}
	return string(src[:n])
}

// insideOut returns the first block that holds a line which opens another by
// the same fence, and that line.
func insideOut(page *schema.Page, fences []schema.Fence) (*schema.Fence, schema.Span) {
	for i := range fences {
		f := &fences[i]
		mark := fenceOf(page, f)
		if !strings.HasPrefix(mark, "```") && !strings.HasPrefix(mark, "~~~") {
			continue // indented
		}
		at := f.Content.Start
		for line := range bytes.Lines(f.Content.In(page.Source)) {
			text := strings.TrimSpace(string(line[:min(len(line), nearby)]))
			info, opens := strings.CutPrefix(text, mark)
			if info = strings.TrimLeft(info, mark[:1]); opens && info != "" && !strings.ContainsAny(info, " `") {
				from := at + bytes.Index(line, []byte(mark))
				return f, schema.Span{Start: from, End: from + len(text)}
			}
			at += len(line)
		}
	}
	return nil, schema.Span{}
}
