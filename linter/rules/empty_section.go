package rules

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "empty-section",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A section has a heading but no content, or only a placeholder.",
	Doc: `A reader who follows a link or a search result to the section finds nothing, and an agent assumes that the
topic is covered. The same is true if the section contains only ` + "`TODO`, `TBD`" + ` or "coming soon".

Write the section, or remove the heading until there is content. An open question deserves a sentence.
A heading that holds a link says where its content is. Indexes, logs, raw sources, templates and boards are not checked.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d sections share one cause: %s", n, first.Message)
	},
	CheckPage: emptySections,
})

func emptySections(p *linter.Pass, page *schema.Page) {
	if len(page.Headings) == 0 || page.Layer == schema.LayerSource || page.Reserved() || template(page) || board(page) || grows(page) {
		return
	}
	headings := outline(page)
	for i, h := range headings {
		end := len(page.Source)
		if i+1 < len(headings) {
			if end = headings[i+1].Span.Start; headings[i+1].Level > h.Level {
				continue // its subsections are what it says
			}
		}
		body := bytes.TrimSpace(page.Source[min(h.Span.End, end):end])
		if len(body) > longestPlaceholder && body[0] != '<' && body[0] != '%' {
			continue
		}
		if body = withoutComments(page, schema.Span{Start: min(h.Span.End, end), End: end}); stacked(headings, i) || unmeant(page, h) || i > 0 && strings.EqualFold(h.Text, "none") {
			continue
		}
		switch said := text.Collapse(string(body)); {
		case said == "" && linked(page, h):
		case said == "" && i == 0 && len(headings) == 1:
			d := p.ReportCause("page", page.Path, h.Span, "the page has a title, %q, but no content; write it, or remove the page", shown(h))
			if page.Front != nil && page.Front.Root != nil && len(page.Front.Root.Pairs) > 0 {
				d.Severity = schema.Info // its fields may be all it has to say
			}
		case said == "":
			d := p.ReportCause("empty:"+fold(h.Text), page.Path, h.Span, "the section %q is empty; write it, or remove the heading", shown(h))
			if codeName(h.Text) {
				d.Severity = schema.Info // the name of a type or an option may be all there is to say
			}
		case toCome(body):
			p.ReportCause("to come:"+fold(h.Text), page.Path, h.Span, "the section %q contains only %q; write it, or remove the section", shown(h), short(said))
		}
	}
}

// unmeant reports whether a heading is an accident: lines of text above a line of
// dashes, such as metadata between two of them, which Markdown reads as a heading.
func unmeant(page *schema.Page, h *schema.Heading) bool {
	return bytes.Count(bytes.TrimSpace(h.Span.In(page.Source)), []byte("\n")) > 1
}

// board reports whether a page is a Kanban board, whose lists may be empty.
func board(page *schema.Page) bool { return page.Front.Get("kanban-plugin") != nil }

// stacked reports whether a heading shares what the next one says, as those of
// a function that can be called in several ways, or of options in a row: it
// names something of code, and so does the next, of the same level.
func stacked(headings []*schema.Heading, i int) bool {
	return i+1 < len(headings) && headings[i].Level == headings[i+1].Level && codeName(headings[i].Text) && codeName(headings[i+1].Text) ||
		i > 0 && headings[i-1].Level == headings[i].Level && strings.HasPrefix(headings[i].Text, "-") && strings.HasPrefix(headings[i-1].Text, "-")
}

// linked reports whether a heading contains a link, which leads to its content.
func linked(page *schema.Page, h *schema.Heading) bool {
	src := h.Span.In(page.Source)
	return bytes.Contains(src, []byte("](")) || bytes.Contains(src, []byte("[["))
}

func codeName(text string) bool {
	return strings.HasPrefix(text, "-") || strings.HasPrefix(text, "`") || strings.Contains(text, "(") || !strings.Contains(text, " ") && strings.ContainsAny(text, "._/:")
}

// withoutComments returns the text of a span without the page's comments, but
// for those that a program writes between.
func withoutComments(page *schema.Page, span schema.Span) []byte {
	text := span.In(page.Source)
	if !bytes.Contains(text, []byte("<!--")) && !bytes.Contains(text, []byte("%%")) {
		return text
	}
	lower := bytes.ToLower(text)
	for _, mark := range []string{"generated", "begin", "start", "include", "insert"} {
		if bytes.Contains(lower, []byte(mark)) {
			return text
		}
	}
	var out []byte
	for i := span.Start; i < span.End; i++ {
		if !within(page.Comments, i) {
			out = append(out, page.Source[i])
		}
	}
	return out
}

// longestPlaceholder is the longest text that only stands for another, in bytes.
const longestPlaceholder = 200

// toCome reports whether every line of text says that something is to come.
func toCome(text []byte) bool {
	if len(bytes.TrimSpace(text)) > longestPlaceholder {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if strings.HasPrefix(line, "- [") || strings.HasPrefix(line, "* [") {
			return false // a task or a link
		}
		plain := strings.Trim(line, " \t*_`~>-+#.:!\u2026()[]")
		word, _, _ := strings.Cut(plain, " ")
		switch strings.TrimRight(word, ":.,-") {
		case "TODO", "TBD", "FIXME", "TBA", "TBC", "WIP":
			continue
		}
		if !promises[strings.ToLower(plain)] {
			return false
		}
	}
	return true
}

// promises are placeholders for missing text.
var promises = map[string]bool{"todo": true, "to do": true, "tbd": true, "fixme": true, "tba": true, "tbc": true, "wip": true, "coming soon": true,
	"to be done": true, "to be determined": true, "to be decided": true, "to be written": true, "to be added": true, "to be completed": true,
	"to be filled": true, "to be filled in": true, "work in progress": true, "placeholder": true, "under construction": true, "fill in": true,
	"fill me in": true, "write me": true, "content here": true, "add content here": true, "xxx": true, "???": true, "\u2026": true}
