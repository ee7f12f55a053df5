package lsp

import (
	"bytes"
	"errors"
	"slices"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// workspaceEdit translates changes: the edits of files where they are, and then their new
// paths.
func (v *view) workspaceEdit(changes []edit.Change) (*workspaceEdit, error) {
	out := &workspaceEdit{}
	var moves []any
	for i := range changes {
		c := &changes[i]
		from := c.From
		if from == "" {
			from = c.To
			if !v.can("create") {
				return nil, errors.New("the editor can't create files, as this change asks for")
			}
			out.DocumentChanges = append(out.DocumentChanges, fileOperation{Kind: "create", URI: v.uriOf(from)})
		}
		if c.New != nil && !bytes.Equal(c.Old, c.New) {
			v.addEdits(out, from, c.Old, c.New)
		}
		if c.From != "" && c.From != c.To {
			if !v.can("rename") {
				return nil, errors.New("the editor can't rename files, as this change asks for: use wiki mv")
			}
			moves = append(moves, fileOperation{Kind: "rename", OldURI: v.uriOf(c.From), NewURI: v.uriOf(c.To)})
		}
	}
	out.DocumentChanges = append(out.DocumentChanges, moves...)
	return out, nil
}

// can reports whether the client can do an operation on files.
func (v *view) can(operation string) bool {
	return slices.Contains(v.caps.Workspace.Edit.Operations, operation)
}

// ordered reports whether the client takes edits and operations in an order. Some say so
// by their operations alone.
func (v *view) ordered() bool {
	e := &v.caps.Workspace.Edit
	return e.DocumentChanges || len(e.Operations) > 0
}

// addEdits adds what makes a new text of an old one.
func (v *view) addEdits(out *workspaceEdit, path string, old, now []byte) {
	t := text{old, schema.NewLineIndex(old), v.enc}
	var edits []textEdit
	for _, e := range differences(old, now) {
		edits = append(edits, textEdit{t.span(e.Span), e.Text})
	}
	uri := v.uriOf(path)
	if !v.ordered() {
		if out.Changes == nil {
			out.Changes = map[string][]textEdit{}
		}
		out.Changes[uri] = append(out.Changes[uri], edits...)
		return
	}
	d := documentEdit{Edits: edits}
	d.Document.URI = uri
	if open := v.open[path]; open != nil {
		d.Document.Version = &open.version
	}
	out.DocumentChanges = append(out.DocumentChanges, d)
}

// differences returns the edits between two texts: within each line if they have as many
// lines, as after the rewriting of links, else one.
func differences(old, now []byte) (edits []schema.Edit) {
	a, b := bytes.SplitAfter(old, []byte("\n")), bytes.SplitAfter(now, []byte("\n"))
	if len(a) != len(b) {
		a, b = [][]byte{old}, [][]byte{now}
	}
	at := 0
	for i := range a {
		if e := newEdited(a[i], b[i]); !bytes.Equal(a[i], b[i]) {
			e = e.whole(a[i], b[i])
			edits = append(edits, schema.Edit{Span: schema.Span{Start: at + e.start, End: at + e.oldEnd}, Text: string(b[i][e.start:e.newEnd])})
		}
		at += len(a[i])
	}
	return edits
}
