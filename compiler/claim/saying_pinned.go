package claim

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

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

// image is a container's image of a well-known tool by its version: postgres:16.2-alpine, docker.io/library/node:20.
var image = schema.Expression(`^(?:[a-z0-9.-]+/)*([a-z][a-z0-9+-]*):v?([0-9]+(?:\.[0-9]+){0,3})(?:-[a-z0-9.-]+)?$`)

// imageOf returns the version of the tool that an image holds.
func (x *sayer) imageOf(span schema.Span) (SaidValue, bool) {
	return x.pinOf(span, image().FindSubmatch(bytes.TrimSpace(bytes.ToLower(span.In(x.page.Source)))))
}

// releaseKeys are words by which the name of a setting says that it gives the version of a product, and not
// something else of it.
var releaseKeys = wordSet(`version versions release min max minimum maximum oldest newest required supported runtime image target least value what`)

// released are the classes of products of which versions are spoken of by a bare number.
var released = wordSet(`system language database runtime broker cache orchestrator`)

// release makes the version of a product of the number that a setting or a row gives it, whose name is that of the
// product, or says besides only that it is a version: min_android: 11, postgres_version: 15. A sentence says the
// product with the number.
func (x *sayer) release(s *Saying, name string) {
	if len(s.Values) != 1 || s.Values[0].Value.Kind != schema.ValueQuantity && s.Values[0].Value.Kind != schema.ValueVersion {
		return
	}
	v, product, bound := &s.Values[0], "", schema.Exactly
	var said []string // the words that the version says
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		tool := toolName(w)
		said = append(said, x.words.concept(w))
		switch class := x.words.classes[tool]; {
		case released[class] && product == "" && len(tool) > 1:
			product = tool
		case !releaseKeys[w]:
			return
		case wordIn(w, "min", "minimum", "oldest", "least"):
			bound = schema.AtLeast
		case wordIn(w, "max", "maximum", "newest"):
			bound = schema.AtMost
		}
	}
	number := strings.Trim(v.Text, "\"'`")
	for _, more := range []string{"+", " or newer", " or later", " and newer", " and later", " or higher", " and above", " and up"} {
		if least, cut := strings.CutSuffix(number, more); cut {
			number, bound = least, schema.AtLeast
		}
	}
	lo, hi, ok := versionInterval(number)
	if product == "" || !ok {
		return
	}
	v.Class = "version"
	v.Value = schema.Value{Kind: schema.ValueVersion, Words: []string{product}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi, Bound: bound}}
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool { return w.Label && slices.Contains(said, w.Concept) })
	if len(s.Words) == 0 {
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("version"), Link: -1, At: -1, Label: true})
	}
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
