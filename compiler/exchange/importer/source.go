package importer

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// conversion is a source that is being converted.
type conversion struct {
	wiki  *compiler.Wiki
	pages map[string]bool   // that are taken in
	files []string          // other files that are taken in
	to    map[string]string // paths below the target that differ from those below the source
	edits []schema.Edit
	links []Link
	keys  []Key
	notes []Note
}

func (c *conversion) edit(p *schema.Page, at schema.Span, text string) {
	c.edits = append(c.edits, schema.Edit{Path: p.Path, Span: at, Text: text})
}

// relink is an edit of a link that is listed.
func (c *conversion) relink(p *schema.Page, at schema.Span, text string) {
	c.edit(p, at, text)
	c.links = append(c.links, Link{p.Path, p.Lines.Position(at.Start).Line, string(at.In(p.Source)), text})
}

func (c *conversion) note(p *schema.Page, offset int, format string, args ...any) {
	line := 0
	if offset >= 0 {
		line = p.Lines.Position(offset).Line
	}
	c.notes = append(c.notes, Note{p.Path, line, fmt.Sprintf(format, args...)})
}

// each yields the pages that are taken in.
func (c *conversion) each(yield func(*schema.Page) bool) {
	for _, p := range c.wiki.Pages() {
		if c.pages[p.Path] && !yield(p) {
			return
		}
	}
}

// read compiles the source as a wiki of its dialect. Symbolic links are not followed.
func read(ctx context.Context, dir, format string) (*conversion, error) {
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		return nil, err
	}
	ws.Dialect, _ = schema.DialectByName(format)
	w, err := compiler.Compile(ctx, ws, compiler.Options{})
	if err != nil {
		return nil, err
	}
	c := &conversion{wiki: w, pages: map[string]bool{}, to: map[string]string{}}
	root, err := ws.OpenPages()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	linked := c.symlinks(ws.Root)
	plain := func(name string) bool {
		info, err := root.Lstat(name)
		return err == nil && info.Mode().IsRegular() && !root.Linked(name)
	}
	for _, p := range w.Pages() {
		if plain(p.Path) {
			c.pages[p.Path] = true
		} else if !linked[p.Path] {
			c.notes = append(c.notes, Note{p.Path, 0, "not taken in: it is behind a symbolic link or can't be read"})
		}
	}
	for _, name := range w.Files() {
		if name != compiler.ConfigName && plain(name) {
			c.files = append(c.files, name)
		}
	}
	for _, u := range w.Unread() {
		c.notes = append(c.notes, Note{u.Path, 0, "not taken in: " + u.Why})
	}
	return c, nil
}

// symlinks notes the symbolic links of a folder, which are refused.
func (c *conversion) symlinks(dir string) map[string]bool {
	out := map[string]bool{}
	_ = filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(dir, full)
		switch {
		case err != nil || relErr != nil:
			return nil // the compiler says what it could not read
		case e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return filepath.SkipDir
		case e.Type()&fs.ModeSymlink != 0:
			out[filepath.ToSlash(name)] = true
			c.notes = append(c.notes, Note{filepath.ToSlash(name), 0, "refused: it is a symbolic link"})
		}
		return nil
	})
	return out
}

// settle makes the edits so far: the source is what they leave.
func (c *conversion) settle(ctx context.Context) (err error) {
	byPath := map[string][]schema.Edit{}
	for _, e := range c.edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	o := compiler.Overlay{}
	maps.Copy(o, c.wiki.Overlay())
	for _, p := range c.wiki.Pages() {
		edits := byPath[p.Path]
		if len(edits) == 0 {
			continue
		}
		src, err := edit.Apply(p.Source, apart(edits))
		if err != nil {
			return err
		}
		o[p.Path] = src
	}
	c.edits = nil
	c.wiki, err = c.wiki.WithOverlay(ctx, o)
	return err
}

// apart leaves out edits in text that another one replaces.
func apart(edits []schema.Edit) []schema.Edit {
	slices.SortStableFunc(edits, func(a, b schema.Edit) int { return a.Span.Start - b.Span.Start })
	out := edits[:0]
	at := 0
	for _, e := range edits {
		if e.Span.Start >= at {
			out = append(out, e)
			at = e.Span.End
		}
	}
	return out
}

// compileTarget returns the wiki with the imported pages in it, before their links are
// written for it. A wiki that does not exist yet is laid out in a temporary folder, so
// that its dialect is found as it will be.
func compileTarget(ctx context.Context, opt Options, moves []schema.Move, contents map[string][]byte) (w *compiler.Wiki, done func(), err error) {
	done = func() {}
	if opt.Target != nil {
		if w, err = compiler.Compile(ctx, opt.Target, compiler.Options{}); err != nil {
			return nil, done, err
		}
		o := compiler.Overlay{}
		for _, m := range moves {
			o[m.To] = []byte{}
		}
		maps.Copy(o, contents)
		w, err = w.WithOverlay(ctx, o)
		return w, done, err
	}
	dir, err := os.MkdirTemp("", "wiki-import-")
	if err != nil {
		return nil, done, err
	}
	done = func() { os.RemoveAll(dir) }
	root, err := files.Open(dir)
	if err != nil {
		return nil, done, err
	}
	defer root.Close()
	for _, m := range moves {
		if err := root.Replace(m.To, contents[m.To], 0o600); err != nil {
			return nil, done, err
		}
	}
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		return nil, done, err
	}
	w, err = compiler.Compile(ctx, ws, compiler.Options{})
	return w, done, err
}
