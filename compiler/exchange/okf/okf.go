// Package okf writes a wiki as an Open Knowledge Format bundle, version 0.2: a folder of
// markdown with a type on every page, relative links, and front matter in the shapes of
// the format. What the format can't say stays as text, and is listed.
//
// A bundle that is compiled as a wiki and written again is the same to the byte.
package okf

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// Version is the version of the format that is written.
const Version = "0.2"

// The names that the format reserves in every folder.
const (
	indexName = "index.md"
	logName   = "log.md"
)

// File is one file of a bundle.
type File struct {
	Path string // slash-separated, below the bundle
	Data []byte // of a page
	From string // path below the wiki's root of a file that is copied, when Data is nil
}

// Note is something that the format can't say, or that was left out.
type Note struct {
	Path string // of the page in the wiki
	Line int    // 0 for the page as a whole
	Text string
}

// Bundle is a wiki in the format.
type Bundle struct {
	Files []File // in order of path
	Notes []Note // in order of path and line
	// Names are the paths of pages in the bundle that differ from those in the wiki.
	Names map[string]string
}

// Options say what a bundle holds.
type Options struct {
	Private bool // drafts, private and unlisted pages, and comments too
}

// New returns the bundle of a wiki.
func New(ctx context.Context, w *compiler.Wiki, opt Options) (*Bundle, error) {
	b := &bundler{wiki: w, private: opt.Private, names: map[string]string{}, copied: map[string]bool{}, out: &Bundle{Names: map[string]string{}}}
	b.public = public.New(w, func(p *schema.Page) bool {
		level, _ := p.Visibility.Level(false)
		return opt.Private || level == schema.Public
	})
	b.place()
	for _, p := range b.pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.out.Files = append(b.out.Files, File{Path: b.names[p.Path], Data: b.page(p)})
	}
	if !b.taken[indexName] {
		b.out.Files = append(b.out.Files, File{Path: indexName, Data: b.rootIndex()})
	}
	b.copies()
	slices.SortFunc(b.out.Files, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
	slices.SortStableFunc(b.out.Notes, func(x, y Note) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	})
	return b.out, nil
}

// bundler makes one bundle.
type bundler struct {
	wiki    *compiler.Wiki
	public  *public.Pages
	private bool
	pages   []*schema.Page    // of the bundle
	names   map[string]string // path in the wiki to path in the bundle
	taken   map[string]bool   // paths in the bundle
	logs    map[string]bool   // pages whose headings change
	copied  map[string]bool   // files that pages refer to
	out     *Bundle
}

func (b *bundler) note(p *schema.Page, offset int, text string) {
	line := 0
	if offset >= 0 {
		line = p.Lines.Position(offset).Line
	}
	b.out.Notes = append(b.out.Notes, Note{p.Path, line, text})
}

// place decides which pages are in the bundle, and as what. An index that lists nothing
// and a log that isn't one can't have their reserved names.
func (b *bundler) place() {
	b.taken, b.logs = map[string]bool{}, map[string]bool{}
	var moved []*schema.Page
	for _, p := range b.wiki.Pages() {
		if b.public.Hidden(p.ID) {
			continue
		}
		b.pages = append(b.pages, p)
		switch base := path.Base(p.Path); {
		case base == indexName && !lists(p), base == logName && !logs(p), path.Ext(base) != ".md":
			moved = append(moved, p)
		default:
			b.logs[p.Path] = base == logName
			b.names[p.Path], b.taken[p.Path] = p.Path, true
		}
	}
	for _, p := range moved {
		dir, base := path.Split(p.Path)
		name := map[string]string{indexName: "overview", logName: "history"}[base]
		if name == "" {
			name = strings.TrimSuffix(base, path.Ext(base))
		}
		to := dir + name + ".md"
		for b.taken[to] || b.wiki.Page(schema.PageID(strings.TrimSuffix(to, ".md"))) != nil {
			name += "-page"
			to = dir + name + ".md"
		}
		b.names[p.Path], b.taken[to], b.out.Names[p.Path] = to, true, to
		b.note(p, -1, "is "+to+" in the bundle: the format reserves its name for a list of links or a log by day")
	}
}

// lists reports whether a page has sections with links in lists, as an index has.
func lists(p *schema.Page) bool {
	return slices.ContainsFunc(p.Links, func(l schema.Link) bool { return l.Field == "" && inList(p, &l) })
}

// inList reports whether a link is in an item of a list.
func inList(p *schema.Page, l *schema.Link) bool {
	line := p.Lines.Line(p.Lines.Position(l.Block.Start).Line)
	text := strings.TrimSpace(string(line.In(p.Source)))
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "+ ")
}

// page returns the text of a page in the bundle.
func (b *bundler) page(p *schema.Page) []byte {
	edits := b.public.Links(p)
	if !b.private {
		edits = append(edits, public.Comments(p)...)
	}
	edits = append(edits, b.links(p)...)
	var out []byte
	name := b.names[p.Path]
	switch path.Base(name) {
	case indexName:
		out = b.index(p, edits)
	case logName:
		out = b.log(p, edits)
	default:
		body := public.Apply(p.Source, bodyOf(p), edits)
		out = append(b.front(p, edits), body...)
	}
	return clean(out)
}

// bodyOf is what of a page follows the front matter.
func bodyOf(p *schema.Page) schema.Span { return schema.Span{Start: p.Body, End: len(p.Source)} }

// clean makes UTF-8 of a page, with line feeds at the ends of lines.
func clean(src []byte) []byte {
	s := strings.ToValidUTF8(string(src), "\uFFFD")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(s)
	return []byte(strings.TrimRight(s, "\n") + "\n")
}

// keysLost notes the front matter of a page that the format gives none.
func (b *bundler) keysLost(p *schema.Page) {
	if p.Front == nil || p.Front.Root == nil {
		return
	}
	var keys []string
	for _, pair := range p.Front.Root.Pairs {
		if pair.Key != "okf_version" {
			keys = append(keys, pair.Key)
		}
	}
	if len(keys) > 0 {
		b.note(p, p.Front.Span.Start, "front matter left out, since the format has none in an index or log: "+strings.Join(keys, ", "))
	}
}
