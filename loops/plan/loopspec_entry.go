package plan

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// specEntry is one statement of a section: an item of a list, or a paragraph.
type specEntry struct {
	text      string // on one line, without its marker and its full stop
	span      schema.Span
	group     string // the heading or the introduction above it
	paragraph bool
	// from is where it is in a file that a section names, "" in the spec
	// itself; span is that of the name then.
	from string
}

var (
	entryMark = schema.Expression(`^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?`)
	named     = schema.Expression("^(?i:see |as in |in )?(?:\\[[^\\]]*\\]\\()?`?([A-Za-z0-9_][A-Za-z0-9_./-]*\\.md)`?\\)?$")
)

// reference returns the file that a paragraph names.
func reference(text string) (string, bool) {
	m := named().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// entries cuts lines into statements. A line below an item, without a blank one
// between, goes on with it.
func (d *specDocument) entries(lines []textLine, group string) []specEntry {
	var out []specEntry
	open := false
	for _, line := range lines {
		text := line.In(d.src)
		switch at := trimSpan(d.src, line.Span); {
		case line.level > 0:
			group, open = string(line.text.In(d.src)), false
		case at.Len() == 0:
			open = false
		case line.code:
			d.err("stray-text", at, "write lists and sentences", "code blocks are ignored here")
			open = false
		case entryMark().Match(text):
			at.Start = line.Start + len(entryMark().Find(text))
			if at.Start < at.End {
				out = append(out, specEntry{span: at, group: group})
				open = true
			}
		case open && !introduces(text):
			out[len(out)-1].span.End = at.End
		default:
			if introduces(text) {
				group, open = string(at.In(d.src)), false
				d.introduced(at)
				continue
			}
			out = append(out, specEntry{span: at, group: group, paragraph: true})
			open = true
		}
	}
	for i := range out {
		e := &out[i]
		e.text = strings.TrimRight(text.Collapse(string(e.span.In(d.src))), ".;")
	}
	return out
}

// introduces reports whether a line begins a list: it is at the margin and
// ends in a colon.
func introduces(line []byte) bool {
	return line[0] != ' ' && line[0] != '\t' && bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte(":"))
}

// introductions are the sentences that lists of a spec begin with.
var introductions = schema.Expression(`(?i)^(?:(?:the loop )?(?:may select|selects?|must skip and escalate|must skip|skips? and escalates?|skips?|must escalate|stops?|must stop|escalates?)(?: work)?(?: only)? (?:when|if)(?: (?:all|one|any) of (?:these|the following) (?:is|are) true)?|always escalate|escalate always):$`)

// introduced holds an introduction against those that mean something.
func (d *specDocument) introduced(at schema.Span) {
	text := text.Collapse(string(at.In(d.src)))
	if !introductions().MatchString(text) {
		d.err("unknown-introduction", at, `lists begin with "The loop may select work only when:", "The loop must skip and escalate when:", "Stop when one of these is true:" or "Escalate when:"`, "unknown introduction %q", text)
		return
	}
	d.bind(at, "what kind of list follows")
}

// include reads the file that stands for a section.
func (d *specDocument) include(section, file string, e specEntry) {
	if why := unsafePath(file); why != "" {
		d.fault("invalid-path", e, "name a file beside the spec", "the file %q %s", file, why)
		return
	}
	if d.read == nil {
		d.fault("missing-file", e, "write the section here", "the file %s can't be included here", file)
		return
	}
	src, err := d.read(file)
	if err != nil || len(src) > maxPlan {
		d.fault("missing-file", e, "write it, or write the section here", "can't read the file %s", path.Clean(file))
		return
	}
	in := &specDocument{document: document{collector: newCollector(src), src: src}}
	found := in.entries(in.textLines(), section)
	for _, f := range in.faults {
		d.fault(f.Code, e, f.Hint, "%s:%d:%d: %s", file, f.At.Line, f.At.Column, f.Message)
	}
	if len(found) == 0 {
		d.fault("empty-section", e, "fill it in", "%s is empty", file)
	}
	for _, f := range found {
		at := in.lines.Position(f.span.Start)
		f.from, f.span = fmt.Sprintf("%s:%d:%d", file, at.Line, at.Column), e.span
		d.entry(section, f)
	}
}

// fault is an error of a statement, where it stands.
func (d *specDocument) fault(code string, e specEntry, hint, format string, args ...any) {
	if e.from != "" {
		format = strings.ReplaceAll(e.from, "%", "%%") + ": " + format
	}
	d.err(code, e.span, hint, format, args...)
}
