// Package importer takes the pages of other tools into a wiki: an OKF bundle, an Obsidian
// vault, a Logseq graph or a Foam workspace becomes pages of our layout whose links lead to
// the same pages. It is planned in memory; no file that is there is ever changed, and
// nothing outside of the target is written.
package importer

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// converters turn what a dialect alone has into what every wiki has.
var converters = []struct {
	name    string
	convert func(context.Context, *conversion) error
}{
	{"foam", fromFoam}, {"logseq", fromLogseq}, {"obsidian", fromObsidian}, {"okf", fromOKF},
}

// Formats returns the formats of [Plan], by name.
func Formats() []string {
	var names []string
	for _, c := range converters {
		names = append(names, c.name)
	}
	return names
}

// Options say what is taken in, and where to.
type Options struct {
	Format string              // see [Formats]
	Source string              // the folder of the other tool
	Target *compiler.Workspace // the wiki, nil when there is none yet
	Root   string              // absolute path of the wiki's root, which may not exist yet
	Into   string              // folder below it for the pages, "." for the root
}

// Import is a planned import.
type Import struct {
	Files   []File        // in order of path
	Renamed []schema.Move // pages and files with another path below the target than in the source
	Links   []Link        // that are written otherwise
	Keys    []Key         // of front matter, that have another name or place
	Notes   []Note        // what could not be said, or was not taken in
	Pages   int
	root    string
	source  string
}

// State says what importing a file does.
type State string

// The states.
const (
	New      State = "new"
	Same     State = "unchanged" // there already, with the same content
	Conflict State = "conflict"  // something else is there
)

// File is a page or another file.
type File struct {
	Path  string // below the wiki's root
	From  string // below the source
	State State
	data  []byte // of a page
}

// Link is a link that is written otherwise.
type Link struct {
	Path     string // of the page, below the wiki's root
	Line     int    // as it stood when the link was rewritten
	Old, New string
}

// Key is a key of a page that has another name or place.
type Key struct {
	Path     string // below the source
	Old, New string
}

// Note is what could not be said, or was not taken in.
type Note struct {
	Path string // below the source
	Line int    // 0 for the file as a whole
	Text string
}

// Plan works out what an import writes, and compares it with what is there.
func Plan(ctx context.Context, opt Options) (*Import, error) {
	c, err := read(ctx, opt.Source, opt.Format)
	if err != nil {
		return nil, err
	}
	for _, x := range converters {
		if x.name == opt.Format {
			if err := x.convert(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	after := c.wiki
	im := &Import{root: opt.Root, source: opt.Source, Pages: len(c.pages), Keys: c.keys}
	moves, contents := c.placed(after, opt.Into, im)
	target, done, err := compileTarget(ctx, opt, moves, contents)
	if err != nil {
		return nil, err
	}
	defer done()
	moved, err := edit.Transfer(ctx, after, target, moves)
	if err != nil {
		return nil, err
	}
	im.take(c, moves, contents, moved)
	return im, im.compare()
}

// placed returns where the pages and files of the source are put, and the content of the
// pages.
func (c *conversion) placed(after *compiler.Wiki, into string, im *Import) (moves []schema.Move, contents map[string][]byte) {
	contents = map[string][]byte{}
	taken := map[string]bool{}
	put := func(from string) string {
		to := c.to[from]
		if to == "" || taken[strings.ToLower(to)] || !fs.ValidPath(to) || !filepath.IsLocal(filepath.FromSlash(to)) {
			to = from
		}
		taken[strings.ToLower(to)] = true
		if to != from {
			im.Renamed = append(im.Renamed, schema.Move{From: from, To: to})
		}
		to = path.Join(into, to)
		moves = append(moves, schema.Move{From: from, To: to})
		return to
	}
	var later []*schema.Page // those with names of their own come first
	for _, p := range after.Pages() {
		switch {
		case !c.pages[p.Path]:
		case c.to[p.Path] != "":
			later = append(later, p)
		default:
			contents[put(p.Path)] = p.Source
		}
	}
	for _, p := range later {
		contents[put(p.Path)] = p.Source
	}
	for _, name := range c.files {
		put(name)
	}
	slices.SortFunc(moves, func(a, b schema.Move) int { return strings.Compare(a.To, b.To) })
	slices.SortFunc(im.Renamed, func(a, b schema.Move) int { return strings.Compare(a.From, b.From) })
	return moves, contents
}

// take fills the plan in from what was worked out.
func (im *Import) take(c *conversion, moves []schema.Move, contents map[string][]byte, moved *edit.Moved) {
	from, to := map[string]string{}, map[string]string{}
	for _, m := range moves {
		from[m.To], to[m.From] = m.From, m.To
		f := File{Path: m.To, From: m.From}
		if data, ok := contents[m.To]; ok {
			f.data = data
			if now, ok := moved.Changes.Content(m.To); ok {
				f.data = now
			}
		}
		im.Files = append(im.Files, f)
	}
	for _, l := range c.links {
		l.Path = to[l.Path]
		im.Links = append(im.Links, l)
	}
	for _, l := range moved.Links {
		im.Links = append(im.Links, Link{l.Path, l.At.Line, l.Old, l.New})
	}
	for _, l := range moved.Left {
		text := "its links can't be compared with those in the source"
		if l.Old != "" {
			text = fmt.Sprintf("link %q leads elsewhere or nowhere in the wiki", l.Old)
		}
		c.notes = append(c.notes, Note{from[l.Path], l.At.Line, text})
	}
	im.Notes = c.notes
	slices.SortStableFunc(im.Notes, func(a, b Note) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(im.Links, func(a, b Link) int { return strings.Compare(a.Path, b.Path) })
}

// Conflicts are the files that can't be written, since something else is there.
func (im *Import) Conflicts() (out []File) {
	for _, f := range im.Files {
		if f.State == Conflict {
			out = append(out, f)
		}
	}
	return out
}
