package compiler

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// frontBlock is where a file's front matter lies.
type frontBlock struct {
	span     schema.Span // from the opening fence to the end of the closing one
	yaml     schema.Span // the lines between them
	body     int         // offset of the first byte after it
	found    bool
	unclosed bool
	toml     bool // between +++, as in Hugo and Zola
}

const byteOrderMark = "\xef\xbb\xbf"

// splitFrontmatter finds the front matter of a file: lines between --- at its
// head, after a byte order mark and blank lines, and --- or ... . Both fences
// stand at the very beginning of their line, so that a --- inside a block
// scalar ends nothing.
//
// A page may as well begin with a thematic break. The lines up to the next
// fence are front matter when most of them look so; an opening fence above a
// key with no end is front matter as far as its lines look so.
func splitFrontmatter(src []byte) frontBlock {
	start := 0
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	none := frontBlock{body: start}
	open, openEnd, first, ok := nextLine(src, start)
	for ok && len(bytes.TrimSpace(src[open:openEnd])) == 0 {
		open, openEnd, first, ok = nextLine(src, first)
	}
	if ok && isFence(src[open:openEnd], "+++") {
		return tomlBlock(src, open, first, none)
	}
	if !ok || !isFence(src[open:openEnd], "---") {
		return none
	}
	looks := 0   // lines that look like YAML, less those that do not
	last := open // end of the last line that unclosed front matter may hold
	lastNext, running, keyFirst, content := first, true, false, false
	for at := first; ; {
		from, end, next, ok := nextLine(src, at)
		if !ok {
			break
		}
		ln := src[from:end]
		if isFence(ln, "---") || isFence(ln, "...") {
			if content && looks < 0 {
				break
			}
			return frontBlock{span: schema.Span{Start: open, End: end}, yaml: schema.Span{Start: first, End: from}, body: next, found: true}
		}
		kind := lineKind(ln)
		if !content && kind != lineBlank {
			content, keyFirst = true, kind == lineKey
		}
		switch kind {
		case lineKey:
			looks++
		case lineText:
			looks--
		}
		running = running && (kind == lineKey || kind == lineInner)
		if running {
			last, lastNext = end, next
		}
		at = next
	}
	if !keyFirst {
		return none
	}
	return frontBlock{span: schema.Span{Start: open, End: last}, yaml: schema.Span{Start: first, End: lastNext}, body: lastNext, found: true, unclosed: true}
}

// tomlBlock finds the end of front matter between +++.
func tomlBlock(src []byte, open, first int, none frontBlock) frontBlock {
	for at := first; ; {
		from, end, next, ok := nextLine(src, at)
		if !ok {
			return none
		}
		if isFence(src[from:end], "+++") {
			return frontBlock{span: schema.Span{Start: open, End: end}, yaml: schema.Span{Start: first, End: from}, body: next, found: true, toml: true}
		}
		at = next
	}
}

// nextLine returns the line at offset at without its ending, and where the
// next one begins; ok is false at the end of src.
func nextLine(src []byte, at int) (start, end, next int, ok bool) {
	if at >= len(src) {
		return at, at, at, false
	}
	i := bytes.IndexAny(src[at:min(len(src), at+1024)], "\r\n")
	if i < 0 {
		i = bytes.IndexAny(src[at:], "\r\n")
	}
	if i < 0 {
		return at, len(src), len(src), true
	}
	end = at + i
	next = end + 1
	if src[end] == '\r' && next < len(src) && src[next] == '\n' {
		next++
	}
	return at, end, next, true
}

func isFence(line []byte, fence string) bool {
	return bytes.HasPrefix(line, []byte(fence)) && len(bytes.Trim(line[len(fence):], " \t")) == 0
}

// What a line after the opening fence looks like.
const (
	lineBlank = iota // blank or a comment
	lineInner        // indented, or an item: part of the value above
	lineKey          // key: value
	lineText         // anything else
)

func lineKind(ln []byte) int {
	trimmed := bytes.TrimSpace(ln)
	switch {
	case len(trimmed) == 0 || ln[0] == '#':
		return lineBlank
	case ln[0] == ' ' || ln[0] == '\t' || ln[0] == '-' && (len(trimmed) == 1 || ln[1] == ' '),
		ln[0] == ']' || ln[0] == '}':
		return lineInner
	case ln[0] == '{' || bytes.HasPrefix(ln, []byte("<%")) || bytes.HasPrefix(ln, []byte("? ")):
		return lineKey // a flow map, a template
	}
	i := bytes.IndexByte(ln, ':')
	for i > 0 && i+1 < len(ln) && ln[i+1] != ' ' && ln[i+1] != '\t' {
		j := bytes.IndexByte(ln[i+1:], ':')
		if j < 0 {
			return lineText
		}
		i += 1 + j
	}
	// Keys are words; a sentence with a colon isn't a key.
	if i <= 0 || i > 64 || bytes.Count(ln[:i], []byte{' '}) > 4 || bytes.IndexByte([]byte("*>|[!`"), ln[0]) >= 0 {
		return lineText
	}
	return lineKey
}

// readFrontmatter reads the frontmatter of p.Source into p: Front, Body, Meta,
// Title, Tags, and its links and faults, which are appended. Values of an
// unexpected type are passed over; they stay in Front for the rules.
func readFrontmatter(p *schema.Page) {
	fb := splitFrontmatter(p.Source)
	p.Body = fb.body
	if fb.found {
		readBlock(p, fb)
	}
	readVisibility(p, fb)
}

// readBlock reads the YAML that was found.
func readBlock(p *schema.Page, fb frontBlock) {
	p.Front = &schema.Frontmatter{Span: fb.span, TOML: fb.toml}
	var root *schema.Node
	var faults []schema.Fault
	if fb.toml {
		root, faults = parseTOML(p.Source, fb.yaml)
	} else {
		root, faults = yaml.Parse(fb.yaml.In(p.Source), fb.yaml.Start)
	}
	if fb.unclosed {
		p.Faults = append(p.Faults, schema.Fault{
			Kind: schema.FaultFrontmatterUnclosed, Span: schema.Span{Start: fb.span.Start, End: fb.span.Start + 3},
			Message: "the front matter is not closed; add a line --- after its last key",
		})
	}
	p.Faults = append(p.Faults, faults...)
	if root == nil || root.Kind == schema.KindNull {
		return
	}
	if root.Kind != schema.KindMap {
		if len(faults) == 0 {
			p.Faults = append(p.Faults, schema.Fault{Kind: schema.FaultFrontmatterInvalid, Span: root.Span,
				Message: "the front matter is a " + root.Kind.String() + "; expected lines of the form `key: value`"})
		}
		return
	}
	p.Front.Root = root
	readMeta(p)
	readFrontLinks(p)
}

// textSpan returns the place of a scalar's text without its quotes, and
// whether the text stands there as it is, without escapes or folding.
func textSpan(src []byte, n *schema.Node) (schema.Span, bool) {
	s := n.Span
	if n.Quoted && s.Len() >= 2 && (src[s.Start] == '"' || src[s.Start] == '\'') {
		s.Start++
		s.End--
	}
	return s, string(s.In(src)) == n.Text
}
