package lsp

import (
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// document is a file as an editor has it. It is never changed: a change makes another.
type document struct {
	uri     string
	path    string // absolute
	version int
	text
}

func newDocument(uri, path string, version int, src []byte, enc encoding) *document {
	return &document{uri, path, version, text{src, schema.NewLineIndex(src), enc}}
}

// with returns the document after changes, each of which counts from the one before.
func (d *document) with(version int, changes []contentChange) *document {
	t := d.text
	for _, c := range changes {
		src := []byte(c.Text)
		if c.Range != nil {
			at := t.bytes(*c.Range)
			src = slices.Concat(t.src[:at.Start], src, t.src[at.End:])
		}
		t = text{src, schema.NewLineIndex(src), t.enc}
	}
	return &document{d.uri, d.path, version, t}
}

// documents are the open files by their absolute path. They are never changed either.
type documents map[string]*document

// set returns the documents with another state of one; nil takes it away.
func (ds documents) set(path string, d *document) documents {
	next := maps.Clone(ds)
	if next == nil {
		next = documents{}
	}
	if d == nil {
		delete(next, path)
	} else {
		next[path] = d
	}
	return next
}

// pages returns the open files that lie below the wiki's root and are pages, by their
// paths there.
func (ds documents) pages(ws *compiler.Workspace) map[string]*document {
	open := map[string]*document{}
	for path, d := range ds {
		if p, ok := below(ws.Root, path); ok && isPage(p) && len(d.src) <= schema.MaxPageFile {
			open[p] = d
		}
	}
	return open
}

func overlay(open map[string]*document) compiler.Overlay {
	o := compiler.Overlay{}
	for p, d := range open {
		o[p] = d.src
	}
	return o
}

// isPage reports whether a path has the extension of a page.
func isPage(p string) bool {
	lower := strings.ToLower(p)
	return strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown")
}
