package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// Change is the result of one file. From and To are paths below the wiki's
// root: From is empty for a file that is made, and equal to To for one that
// keeps its name. A file that is only moved, and is not a page, has no content.
type Change struct {
	From, To string
	Old, New []byte
}

// moved reports whether the file gets another path.
func (c *Change) moved() bool { return c.From != "" && c.From != c.To }

// rewritten reports whether the file gets another content.
func (c *Change) rewritten() bool { return c.From == "" || !bytes.Equal(c.Old, c.New) }

// Changes are changes of a wiki's files that are not written yet: edits, files
// that are made, and files that get another path, each on top of those before.
// Nothing is written before [Changes.Write].
type Changes struct {
	root  string // of the wiki
	base  compiler.Overlay
	pages map[string][]byte
	files map[string]bool    // that are not pages
	now   map[string]*Change // by To
	gone  map[string]bool    // paths on disk that were moved away
}

// New returns no changes of w's files. Pages have the content that w was
// compiled from; what w's own overlay says counts as being on disk.
func New(w *compiler.Wiki) *Changes {
	c := &Changes{root: w.Workspace().Root, base: w.Overlay(), pages: map[string][]byte{}, files: map[string]bool{}, now: map[string]*Change{}, gone: map[string]bool{}}
	for _, p := range w.Pages() {
		c.pages[p.Path] = p.Source
	}
	for _, f := range w.Files() {
		c.files[f] = true
	}
	return c
}

// local refuses an invalid path, or one that leads out of the wiki.
func local(p string) error {
	if !fs.ValidPath(p) || p == "." || !filepath.IsLocal(filepath.FromSlash(p)) {
		return fmt.Errorf("%q is not a path below the wiki's root; other files can't be changed", p)
	}
	return nil
}

// at returns the change of the file that has this path now, or an error that
// is [fs.ErrNotExist].
func (c *Changes) at(p string) (*Change, error) {
	if err := local(p); err != nil {
		return nil, err
	}
	if ch := c.now[p]; ch != nil {
		return ch, nil
	}
	if !c.gone[p] {
		if src, ok := c.pages[p]; ok {
			return &Change{From: p, To: p, Old: src, New: src}, nil
		}
		if c.files[p] {
			return &Change{From: p, To: p}, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

// Exists reports whether a page or another file of the wiki has this path once
// the changes are made.
func (c *Changes) Exists(p string) bool { _, err := c.at(p); return err == nil }

// Content returns what a page will hold.
func (c *Changes) Content(p string) ([]byte, bool) {
	ch, err := c.at(p)
	if err != nil {
		return nil, false
	}
	return ch.New, ch.New != nil
}

// Edit adds edits, whose spans refer to the files after the changes so far. An edit of
// an empty span creates a missing file. On an error, nothing is changed.
func (c *Changes) Edit(edits ...schema.Edit) error {
	byPath := map[string][]schema.Edit{}
	var paths []string
	for _, e := range edits {
		if byPath[e.Path] == nil {
			paths = append(paths, e.Path)
		}
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	var done []*Change
	for _, p := range paths {
		ch, err := c.at(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			ch = &Change{To: p, New: []byte{}}
		case err != nil:
			return err
		}
		next := *ch
		if err := c.load(&next); err != nil {
			return err
		}
		if next.New, err = Apply(next.New, byPath[p]); err != nil {
			return err
		}
		done = append(done, &next)
	}
	for _, ch := range done {
		c.now[ch.To] = ch
	}
	return nil
}

// Check returns why the file can't be rewritten, nil when it can or does not
// exist yet.
func (c *Changes) Check(p string) error {
	ch, err := c.at(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	next := *ch
	return c.load(&next)
}

// load makes sure that a file can be rewritten, and reads one that is not a page.
func (c *Changes) load(ch *Change) error {
	if ch.From == "" || c.now[ch.To] != nil && ch.New != nil {
		return nil
	}
	root, err := files.Open(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	switch info, err := root.Lstat(filepath.FromSlash(ch.From)); {
	case errors.Is(err, fs.ErrNotExist) && ch.New != nil:
		return nil // it is in an overlay only
	case err != nil:
		return fmt.Errorf("can't change %s: %w", ch.From, err)
	case !info.Mode().IsRegular():
		return &NotRegularError{ch.From}
	}
	if ch.New == nil {
		if ch.Old, err = root.ReadFile(ch.From, files.Page); err != nil {
			return fmt.Errorf("can't change %s: %w", ch.From, err)
		}
		ch.New = ch.Old
	}
	return nil
}

// NotRegularError is a file that is a symbolic link or a device, which is never
// written through.
type NotRegularError struct{ Path string }

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%s is not a regular file, and was not changed", e.Path)
}

// Hint says what to do about it.
func (e *NotRegularError) Hint() string { return "if it is a symbolic link, change its target" }

// Create makes a file. One that is there already is an error that is
// [fs.ErrExist].
func (c *Changes) Create(p string, content []byte) error {
	if err := local(p); err != nil {
		return err
	}
	if c.Exists(p) {
		return fmt.Errorf("%s: %w", p, fs.ErrExist)
	}
	c.now[p] = &Change{To: p, New: append([]byte{}, content...)}
	return nil
}

// Move gives files other paths, all at once: two may change places. On an
// error nothing is changed.
func (c *Changes) Move(moves ...schema.Move) error {
	from, to := map[string]bool{}, map[string]bool{}
	for _, m := range moves {
		if from[m.From] || to[m.To] {
			return fmt.Errorf("%s and %s: the same file is moved twice, or two files to one path", m.From, m.To)
		}
		from[m.From], to[m.To] = true, true
	}
	var changed []*Change
	for _, m := range moves {
		ch, err := c.at(m.From)
		if err == nil {
			err = local(m.To)
		}
		if err != nil {
			return err
		}
		if c.Exists(m.To) && !from[m.To] {
			return fmt.Errorf("%s: %w", m.To, fs.ErrExist)
		}
		next := *ch
		next.To = m.To
		changed = append(changed, &next)
	}
	for _, m := range moves {
		delete(c.now, m.From)
		c.gone[m.From] = true
	}
	for _, ch := range changed {
		c.now[ch.To] = ch
		delete(c.gone, ch.To)
	}
	return nil
}

// List returns the changed files, in order of path.
func (c *Changes) List() []Change {
	var out []Change
	for _, ch := range c.now {
		if ch.moved() || ch.rewritten() {
			out = append(out, *ch)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.To, b.To) })
	return out
}

// Overlay returns the changes as an overlay of the wiki that they are for.
// A file that is not a page has a place in it, and no content.
func (c *Changes) Overlay() compiler.Overlay {
	o := compiler.Overlay{}
	maps.Copy(o, c.base)
	list := c.List()
	for _, ch := range list {
		if ch.moved() {
			o[ch.From] = nil
		}
	}
	for _, ch := range list {
		o[ch.To] = append([]byte{}, ch.New...)
	}
	return o
}

// folder is the folder of a path, "" at the root.
func folder(p string) string {
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}
