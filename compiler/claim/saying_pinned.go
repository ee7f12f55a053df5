package claim

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// pin is a line of a file that pins the versions of tools, as .tool-versions does: nodejs 20.11.1.
var pin = schema.Expression(`^([a-z][a-z0-9.+-]*)[ =:]+v?([0-9]+(?:\.[0-9]+){0,3})$`)

// pinned reads a block without a language in which each line but for comments is a well-known tool with
// its version. The comment at its head says of what.
func (x *sayer) pinned(f *schema.Fence, intro string) {
	if f.Language != "" && f.Language != "text" && f.Language != "txt" {
		return
	}
	head, lines := "", 0
	var out []SaidValue
	for at := f.Content.Start; at < f.Content.End; {
		end := f.Content.End
		if i := bytes.IndexByte(x.page.Source[at:end], '\n'); i >= 0 {
			end = at + i
		}
		line := schema.Span{Start: at, End: end}
		at = end + 1
		text := bytes.TrimSpace(line.In(x.page.Source))
		if len(text) == 0 {
			continue
		}
		if text[0] == '#' {
			if lines == 0 {
				head += " " + string(text[1:])
			}
			continue
		}
		lines++
		v, ok := x.pinOf(line, pin().FindSubmatch(text))
		if !ok {
			return
		}
		out = append(out, v)
	}
	for _, v := range out {
		s := x.begin(schema.OriginCode, v.Span)
		if s == nil || anyWord(head, exemplary) {
			return
		}
		for _, w := range x.words.Concepts(head) {
			s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
		}
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("version"), Link: -1, At: -1, Label: true})
		s.Near = x.words.Concepts(intro)
		s.Values = append(s.Values, v, x.productOf(&v))
		x.end(s)
	}
}

// pinOf returns the version that a line pins.
func (x *sayer) pinOf(line schema.Span, m [][]byte) (SaidValue, bool) {
	if m == nil {
		return SaidValue{}, false
	}
	tool := toolName(string(m[1]))
	lo, hi, ok := versionInterval(string(m[2]))
	if !ok || x.words.classes[tool] == "" {
		return SaidValue{}, false
	}
	q := schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}
	return SaidValue{Span: line, Text: string(bytes.TrimSpace(line.In(x.page.Source))), Class: "version", Value: schema.Value{Kind: schema.ValueVersion, Words: []string{tool}, Quantity: q}}, true
}

// toolNames are other spellings of the names of tools.
var toolNames = map[string]string{"nodejs": "node", "node.js": "node", "golang": "go", "postgres": "postgresql"}

// toolName returns the name of a tool as others write it.
func toolName(name string) string {
	if known := toolNames[strings.ToLower(name)]; known != "" {
		return known
	}
	return strings.ToLower(name)
}
