package compiler

import (
	"bytes"
	"context"
	"slices"
)

// Overlay replaces files on disk: with unsaved text of an editor, or with the result of
// a change. It maps a path below the wiki's root to the file's content; nil means that
// the file does not exist. Neither the map nor its contents may be changed after use.
type Overlay map[string][]byte

// Overlay returns what the wiki was compiled with over the files on disk, nil
// for nothing. It must not be changed.
func (w *Wiki) Overlay() Overlay { return w.overlay }

// WithOverlay returns the wiki for the files as in o, which replaces the overlay of w,
// if any. Only differing files are read again, and nothing is written. Later
// compilations of the result keep the overlay.
func (w *Wiki) WithOverlay(ctx context.Context, o Overlay) (*Wiki, error) {
	var changed []string
	for p, src := range w.overlay {
		if now, ok := o[p]; !ok || !sameContent(src, now) {
			changed = append(changed, p)
		}
	}
	for p := range o {
		if _, ok := w.overlay[p]; !ok {
			changed = append(changed, p)
		}
	}
	slices.Sort(changed)
	next := *w
	next.overlay = o
	return next.Recompile(ctx, changed)
}

func sameContent(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// overlaid returns the files that the overlay leaves, and adds those that it
// brings where a file on disk would be found.
func (ld *loader) overlaid(pages, files []entry) ([]entry, []entry) {
	if len(ld.overlay) == 0 {
		return pages, files
	}
	hidden := func(e entry) bool { _, ok := ld.overlay[e.path]; return ok }
	pages, files = slices.DeleteFunc(pages, hidden), slices.DeleteFunc(files, hidden)
	for p, src := range ld.overlay {
		if src == nil {
			continue
		}
		switch page, file := ld.place(p); {
		case page:
			pages = append(pages, entry{path: p})
		case file:
			files = append(files, entry{path: p})
		}
	}
	return pages, files
}

// place says what a regular file at a path below the root would be: a page,
// another file, or neither.
func (ld *loader) place(p string) (page, file bool) {
	templates := false
	for i := range len(p) {
		if p[i] != '/' {
			continue
		}
		dir := p[:i]
		if ld.tooDeep(dir) || skippedFolder(dir) || ld.ignored().Has(dir, true) || ld.leftOut(dir+"/") {
			return false, false
		}
		templates = templates || templateFolder(dir) || ld.vendored(dir)
	}
	if ld.ignored().Has(p, false) || ld.leftOut(p) {
		return false, false
	}
	return classify(p, templates)
}
