package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// textLine is a line of the body.
type textLine struct {
	schema.Span
	level int // of a heading, 0 for any other line
	text  schema.Span
	code  bool // within a code block or a comment: it is text, whatever it looks like
}

// textLines cuts the body into lines and finds its headings. Code blocks and
// HTML comments hold none.
func (d *document) textLines() []textLine {
	var out []textLine
	fence, comment := "", false
	for n := d.lines.LineOf(d.body); n <= d.lines.Lines(); n++ {
		line := textLine{Span: d.lines.Line(n)}
		if line.Start < d.body {
			continue
		}
		text := line.In(d.src)
		trimmed := bytes.TrimLeft(text, " ")
		indent := len(text) - len(trimmed)
		switch mark := fenceMark(trimmed); {
		case fence != "":
			line.code = true
			if mark != "" && indent < 4 && mark[0] == fence[0] && len(mark) >= len(fence) && len(bytes.TrimSpace(trimmed[len(mark):])) == 0 {
				fence = ""
			}
		case comment:
			line.code = true
			comment = !bytes.Contains(text, []byte("-->"))
		case mark != "" && indent < 4:
			fence, line.code = mark, true
		case bytes.HasPrefix(trimmed, []byte("<!--")):
			line.code = true
			comment = !bytes.Contains(trimmed, []byte("-->"))
		case indent < 4:
			line.level, line.text = heading(line.Start+indent, trimmed)
		}
		out = append(out, line)
	}
	return out
}

// fenceMark returns the run of ` or ~ that begins or ends a code block.
func fenceMark(s []byte) string {
	n := 0
	for n < len(s) && (s[n] == '`' || s[n] == '~') && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && bytes.IndexByte(s[n:], '`') >= 0 {
		return ""
	}
	return string(s[:n])
}

// heading reads a line as an ATX heading; start is its offset.
func heading(start int, line []byte) (level int, text schema.Span) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, text
	}
	rest := bytes.TrimRight(line[level:], " \t")
	if open := bytes.TrimRight(rest, "#"); len(open) < len(rest) && (len(open) == 0 || open[len(open)-1] == ' ' || open[len(open)-1] == '\t') {
		rest = open
	}
	left := bytes.TrimLeft(rest, " \t")
	at := start + level + len(rest) - len(left)
	return level, schema.Span{Start: at, End: at + len(bytes.TrimRight(left, " \t"))}
}

// sections reads the body.
func (d *document) sections() {
	lines := d.textLines()
	seen := map[string]bool{}
	titled := false
	i := 0
	for ; i < len(lines) && lines[i].level != 2; i++ {
		titled = d.preamble(lines[i], titled)
	}
	for i < len(lines) {
		head := lines[i]
		end := i + 1
		for end < len(lines) && lines[end].level != 2 && lines[end].level != 1 {
			end++
		}
		d.section(head, lines[i+1:end], seen)
		for ; end < len(lines) && lines[end].level != 2; end++ { // a second title, and what follows it
			titled = d.preamble(lines[end], titled)
		}
		i = end
	}
	if !seen["Chunks"] && len(d.src) > 0 {
		at := schema.Span{Start: len(d.src), End: len(d.src)}
		d.err("missing-section", at, "write ## Chunks, and below it ### 1. and the first thing to do", "the plan has no section Chunks")
	}
}

// preamble reads a line that is in no section.
func (d *document) preamble(line textLine, titled bool) bool {
	text := string(line.text.In(d.src))
	switch {
	case line.level == 1 && titled:
		d.err("stray-heading", line.text, "make it a section, with ##", "the plan has a second title %q", text)
	case line.level == 1:
		if t := d.plan.Title; t != "" && text != t {
			d.warn("title-differs", line.text, "make them the same", "the heading %q differs from the title %q", text, t)
		}
		return true
	case line.level > 2:
		d.err("stray-heading", line.text, "move it below one of ## "+strings.Join(sections, ", ## "), "heading %q outside any section", text)
	case !line.code && len(bytes.TrimSpace(line.In(d.src))) > 0:
		d.warn("stray-text", trimSpan(d.src, line.Span), "move it below ## Context", "text outside any section, which no agent gets")
	}
	return titled
}

// section reads one section.
func (d *document) section(head textLine, lines []textLine, seen map[string]bool) {
	name := string(head.text.In(d.src))
	if !slices.Contains(sections, name) {
		d.err("unknown-section", head.text, nearest(name, sections), "unknown section %q", name)
		if near, ok := schema.Nearest(name, sections); ok {
			seen[near] = true // misspelled, and not missing
		}
		return
	}
	if seen[name] {
		d.err("duplicate-section", head.text, "merge the two", "duplicate section %s", name)
		return
	}
	seen[name] = true
	switch name {
	case "Context":
		d.plan.Context = d.textOf(lines)
	case "Risks":
		d.plan.Risks = d.textOf(lines)
	case "Notes":
		d.plan.Notes = d.textOf(lines)
	case "Chunks":
		d.readChunks(head, lines)
	}
}

// textOf returns what lines say, without the blank ones around it.
func (d *document) textOf(lines []textLine) string {
	if len(lines) == 0 {
		return ""
	}
	whole := schema.Span{Start: lines[0].Start, End: lines[len(lines)-1].End}
	return strings.Trim(strings.TrimRight(string(whole.In(d.src)), " \t\r\n"), "\r\n")
}
