package spec

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops/spec/schemas"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// Document is a spec as it was read; whether it is valid is not known yet.
type Document struct {
	// Path is the name of the file, for messages.
	Path   string
	Source []byte
	Root   *schema.Node
	// Value is Root as maps, lists and scalars: string, bool, int64, float64, nil.
	Value map[string]any

	lines *schema.LineIndex
}

// ReadError is a document that is no YAML or JSON, or no map.
type ReadError struct {
	Path    string
	At      schema.Position
	Message string
	More    int // further faults of the file
}

func (e *ReadError) Error() string {
	more := ""
	if e.More > 0 {
		more = fmt.Sprintf(" (and %d more)", e.More)
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", e.Path, e.At.Line, e.At.Column, e.Message, more)
}

// Hint says what a spec is.
func (e *ReadError) Hint() string {
	return "a spec is one YAML or JSON map; 'wiki loop spec new' writes one"
}

// Read reads a document. The error is a *[ReadError].
func Read(path string, src []byte) (*Document, error) {
	root, faults := yaml.Parse(src, 0)
	d := &Document{Path: path, Source: src, Root: root, lines: schema.NewLineIndex(src)}
	switch {
	case len(faults) > 0:
		return nil, &ReadError{path, d.lines.Position(faults[0].Span.Start), faults[0].Message, len(faults) - 1}
	case root == nil:
		return nil, &ReadError{Path: path, At: schema.Position{Line: 1, Column: 1}, Message: "the file is empty: expected a map"}
	case root.Kind != schema.KindMap:
		return nil, &ReadError{Path: path, At: d.lines.Position(root.Span.Start), Message: "found " + root.Kind.String() + ": expected a map"}
	}
	d.Value = value(root).(map[string]any)
	return d, nil
}

// value turns a node into maps, lists and scalars. An infinite number stays text,
// which no schema takes for a number.
func value(n *schema.Node) any {
	switch n.Kind {
	case schema.KindNull:
		return nil
	case schema.KindBool:
		return strings.EqualFold(n.Text, "true")
	case schema.KindInt:
		var i int64
		if len(yaml.Decode(n, &i)) == 0 {
			return i
		}
		fallthrough
	case schema.KindFloat:
		var f float64
		if len(yaml.Decode(n, &f)) == 0 && !strings.Contains(strings.ToLower(n.Text), ".inf") && f == f {
			return f
		}
		return n.Text
	case schema.KindList:
		out := make([]any, len(n.Items))
		for i, it := range n.Items {
			out[i] = value(it)
		}
		return out
	case schema.KindMap:
		out := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			if _, twice := out[p.Key]; !twice {
				out[p.Key] = value(p.Value)
			}
		}
		return out
	}
	return n.Text
}

// Name is the loop's name, or empty.
func (d *Document) Name() string { return d.Root.Get("loop_name").ScalarText() }

// Position is the place of the value that the keys and indexes lead to, or of the
// nearest value around it. The place of unknown is that key's.
func (d *Document) Position(at []string, unknown ...string) schema.Position {
	n := d.Root
	for _, key := range at {
		next := n.Get(key)
		if i, err := strconv.Atoi(key); err == nil && n.Kind == schema.KindList && i < len(n.Items) {
			next = n.Items[i]
		}
		if next == nil {
			break
		}
		n = next
	}
	start := n.Span.Start
	for _, p := range n.Pairs {
		if len(unknown) > 0 && p.Key == unknown[0] {
			start = p.KeySpan.Start
		}
	}
	return d.lines.Position(start)
}

// Composed reports whether the document has what only LSS 1.1 describes.
func (d *Document) Composed() bool {
	return d.Root.Get("composition") != nil || d.Root.Get("metadata").Get("schema_version").ScalarText() == "1.1"
}

// The schemas of a document, by their names in package schemas.
const (
	LSS10 = "lss-1.0"
	LSS11 = "lss-1.1" // judges the composition alone
)

// Validate judges the document by one schema.
func (d *Document) Validate(name string) []schemas.Fault {
	faults := schemas.Validate(name, d.Value)
	for i, f := range faults { // the most common mistake deserves more than a pattern
		if f.Path() == "version" {
			faults[i].Message = fmt.Sprintf("%s %s is not a semantic version: expected text such as 1.0.0", d.Root.Get("version").Kind, d.Root.Get("version").Text)
		}
	}
	return faults
}

// Spec is the document for whoever works with its parts; the error names the
// first fault if the document is not valid.
func (d *Document) Spec() (*Spec, error) {
	for _, name := range []string{LSS10, LSS11} {
		if faults := d.Validate(name); len(faults) > 0 {
			f := faults[0]
			at := d.Position(f.At, f.Unknown...)
			return nil, fmt.Errorf("%s:%d:%d: %s; 'wiki loop spec validate' lists every fault", d.Path, at.Line, at.Column, f)
		}
	}
	text, err := json.Marshal(d.Value)
	if err != nil {
		return nil, err
	}
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	return s, nil
}
