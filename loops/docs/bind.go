package docs

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Kind is how a page is bound to a file, or why else it is on a work list.
type Kind string

// The kinds. Those of symbols are the facets of [source.Work].
const (
	BySource   Kind = "source"   // the frontmatter names the file, a folder around it or a glob: sources, covers
	ByCitation Kind = "citation" // a citation, code:: or a comment wiki:src
	ByLink     Kind = "link"     // a link to the file
	ByMention  Kind = "mention"  // its path is in backticks
	ByName     Kind = "name"     // a folder or the file is called as the page is
	Together   Kind = "together" // page and file changed together before
	BySymbol   Kind = "symbol"   // a symbol that the page speaks of changed
)

// strength is how far a kind of tie alone says that a change of the file
// concerns the page.
var strength = map[Kind]float64{BySource: 1, ByCitation: 0.8, ByMention: 0.7, ByLink: 0.6, ByName: 0.5}

// declared reports that who wrote the page said on purpose that it is about the
// file.
func (k Kind) declared() bool { return k == BySource || k == ByCitation }

// tie binds a page to a file, the files of a folder, or those of a glob.
type tie struct {
	kind   Kind
	target string // below the repository; ends in / for a folder
	glob   bool
	// symbol is set if a symbol of the file is meant, and not all of it.
	symbol bool
}

// Bound is a page with what it is bound to.
type Bound struct {
	Path  string // below the repository
	ties  map[string]tie
	wide  []tie           // folders and globs
	names map[string]bool // what folders and files are called that the page is about
}

// Bindings are what the pages of a wiki are bound to.
type Bindings struct {
	Pages []Bound // in order of path
	root  string
}

// Bind finds what every page is bound to. Pages that tell of another time, and the
// index and the log, which the runner keeps, are bound to nothing. files are all
// files of the repository, also those that are gone, by their paths below it.
func Bind(ctx context.Context, w *compiler.Wiki, files []string) *Bindings {
	known := newKnown(files)
	root := w.Workspace().RootPath
	b := &Bindings{root: root}
	common := known.common(root)
	for _, page := range w.Pages() {
		if claim.Mute(page) || schema.TemplatePath(page.Path) || Kept(page.Path) {
			continue
		}
		at := &binder{known: known, root: root, page: page, out: Bound{Path: path.Join(root, page.Path), ties: map[string]tie{}, names: map[string]bool{}}}
		at.references(ctx, w)
		for _, n := range namesOf(page) {
			if !common[n] {
				at.out.names[n] = true
			}
		}
		b.Pages = append(b.Pages, at.out)
	}
	return b
}

// Kept reports pages that the runner keeps itself: index and log.
func Kept(file string) bool {
	switch strings.ToLower(path.Base(file)) {
	case "index.md", "_index.md", "log.md", "_log.md":
		return true
	}
	return false
}

// OfWiki reports whether a path below the repository is one of the wiki's own.
func (b *Bindings) OfWiki(file string) bool {
	if b.root == "." {
		return strings.EqualFold(path.Ext(file), ".md")
	}
	return strings.HasPrefix(file, b.root+"/")
}

// binder collects the ties of one page.
type binder struct {
	known *known
	root  string
	page  *schema.Page
	out   Bound
}

func (b *binder) references(ctx context.Context, w *compiler.Wiki) {
	page := b.page
	for i := range page.Meta.Sources {
		s := &page.Meta.Sources[i]
		b.add(BySource, s.Anchor.Path, s.Anchor.Symbol != "")
	}
	for _, r := range source.References(ctx, w, page) {
		if r.At.Start >= page.Body {
			b.add(ByCitation, r.Anchor.Path, r.Anchor.Symbol != "")
		}
	}
	for _, r := range page.Meta.Relations {
		b.add(ByLink, schema.ParseAnchor(r.Target).Path, false)
	}
	for l := range w.Links(page) {
		if !l.External {
			b.add(ByLink, schema.ParseAnchor(l.Target).Path, false)
		}
	}
	for _, text := range source.CodeSpans(page) {
		a := schema.ParseAnchor(text)
		if a.Path != "" && a.URL == "" && strings.ContainsAny(a.Path, "./") && !strings.ContainsAny(a.Path, " \t(){}<>=;") {
			b.mention(a.Path, a.Symbol != "")
		}
	}
}

// add binds the page to what a path on it means: counted from its folder, from
// the wiki's root, or from the repository's.
func (b *binder) add(kind Kind, name string, symbol bool) {
	if name == "" {
		return
	}
	dir := path.Dir(path.Join(b.root, b.page.Path))
	for _, p := range []string{path.Join(dir, name), path.Join(b.root, name), path.Clean(strings.TrimPrefix(name, "/"))} {
		switch {
		case strings.HasPrefix(p, "../") || p == ".." || p == ".":
		case strings.ContainsAny(name, "*?{"):
			if doublestar.ValidatePattern(p) && b.known.matches(p) {
				b.out.wide = append(b.out.wide, tie{kind: kind, target: p, glob: true})
				return
			}
		case b.known.file[p]:
			b.tie(tie{kind: kind, target: p, symbol: symbol})
			return
		case b.known.folder[p]:
			if kind.declared() { // a link to a folder shows the way, and says nothing of each file
				b.out.wide = append(b.out.wide, tie{kind: kind, target: p + "/"})
			}
			return
		}
	}
}

// mention binds the page to a file whose path, or whose unmistakable name, stands
// in backticks.
func (b *binder) mention(name string, symbol bool) {
	if b.known.file[path.Clean(name)] {
		b.tie(tie{kind: ByMention, target: path.Clean(name), symbol: symbol})
		return
	}
	if all := b.known.ending[path.Base(name)]; len(all) > 0 {
		var one string
		for _, f := range all {
			if f == name || strings.HasSuffix(f, "/"+name) {
				if one != "" {
					return
				}
				one = f
			}
		}
		if one != "" {
			b.tie(tie{kind: ByMention, target: one, symbol: symbol})
		}
	}
}

// tie keeps the strongest tie to a file. One to the whole file is wider than
// one to a symbol in it.
func (b *binder) tie(t tie) {
	old, there := b.out.ties[t.target]
	if there {
		t.symbol = t.symbol && old.symbol
		if strength[old.kind] > strength[t.kind] {
			t.kind = old.kind
		}
	}
	b.out.ties[t.target] = t
}

// to returns how a page is bound to a file.
func (b *Bound) to(file string) (tie, bool) {
	best, ok := b.ties[file]
	for _, t := range b.wide {
		in := strings.HasPrefix(file, t.target)
		if t.glob {
			in, _ = doublestar.Match(t.target, file)
		}
		if in && (!ok || strength[t.kind] > strength[best.kind]) {
			best, ok = t, true
		}
	}
	if ok {
		return best, true
	}
	for part := range strings.SplitSeq(file, "/") {
		if b.names[nameOf(part)] {
			return tie{kind: ByName, target: file}, true
		}
	}
	return tie{}, false
}

// size returns how many things the page is bound to.
func (b *Bound) size() int { return len(b.ties) + len(b.wide) }

// namesOf returns what files and folders would be called that a page is about.
func namesOf(p *schema.Page) []string {
	all := []string{path.Base(p.Path), p.Title}
	for _, a := range p.Meta.Aliases {
		all = append(all, a.Name)
	}
	var out []string
	for _, n := range all {
		if n = nameOf(n); len(n) >= 3 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// nameOf returns a name without its extension, its case and what separates its words.
func nameOf(s string) string {
	if dot := strings.IndexByte(s, '.'); dot > 0 {
		s = s[:dot]
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_', '`':
			return -1
		}
		return r
	}, strings.ToLower(s))
}
