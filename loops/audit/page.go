package audit

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// MostPages is how many pages a writer is asked for in one audit.
const MostPages = 2

// pagesKey is the key of the list under which pages are asked for.
const pagesKey = "pages"

// The bounds of what is said about a page.
const (
	mostConcept = 80  // bytes of its title
	mostReason  = 500 // bytes of why it is needed
)

// writtenPage is a page as the list asks for it.
type writtenPage struct {
	Page  string         `yaml:"page"`
	Title string         `yaml:"title"`
	Why   string         `yaml:"why"`
	Cites []writtenPlace `yaml:"cites"`
}

// Wiki is what a page is added to.
type Wiki struct {
	Root string // its folder below the repository, "." for the repository itself
	// Named reports whether a page is called so already, by its title or an alias.
	Named func(title string) bool
	// Sources are globs of raw sources below Root, beside the folders that always are.
	Sources []string
	// Leave says why a page is left out by a rule of the loop's spec, "" if it is not.
	// It is nil where there are no rules.
	Leave func(loops.NewPage) string
}

// pagePath is what the path of a page is made of: no hidden folder, and small letters.
var pagePath = schema.Expression(`^(?:[A-Za-z0-9_][A-Za-z0-9._-]*/)*[a-z0-9][a-z0-9_-]*\.md$`)

// ownNames are files that tell agents what to do.
var ownNames = []string{"agents", "claude", "gemini", "skill", "context", "goals", "loops", "language"}

// ownFolders hold what is written by the runner or by people alone.
var ownFolders = []string{"90_log", "log", "logs", "journal", "plans", "agents", "skills"}

// reserved reports a path below the wiki's root that is not for a page on a concept:
// what no gate would ask a link or a source of, or what tells agents what to do.
func (w *Wiki) reserved(below string) bool {
	dirs := strings.Split(path.Dir(below), "/")
	return schema.ReservedName(below) || schema.TemplatePath(below) || w.Root == "." && schema.RepositoryPage(below) ||
		slices.Contains(ownNames, strings.TrimSuffix(path.Base(below), ".md")) ||
		slices.Contains(ownFolders, strings.ToLower(dirs[0])) ||
		slices.ContainsFunc(dirs, schema.SourceFolder) || (&loops.Area{Globs: w.Sources}).Holds(below)
}

// Pages reads which pages a list asks for, and looks up what they are about. What is
// wrong with one, or one too many, costs that page and nothing else: it is dropped.
// most is 0 where nobody writes; w is nil where there is no wiki.
func (t *Tree) Pages(ctx context.Context, src []byte, root *schema.Node, w *Wiki, most int) (pages []loops.NewPage, dropped []loops.Reason) {
	list := root.Get(pagesKey)
	if list == nil || list.Kind == schema.KindNull {
		return nil, nil
	}
	lines := schema.NewLineIndex(src)
	drop := func(at schema.Span, format string, args ...any) {
		if len(dropped) < mostFaults {
			dropped = append(dropped, loops.Reason{Path: FindingsFile, Line: lines.LineOf(at.Start), Message: fmt.Sprintf(format, args...)})
		}
	}
	if list.Kind != schema.KindList {
		drop(list.Span, "%q is not a list", pagesKey)
		return nil, dropped
	}
	for _, n := range list.Items {
		p, why := t.page(ctx, src, n, w)
		taken := slices.ContainsFunc(pages, func(o loops.NewPage) bool { return o.Path == p.Path || strings.EqualFold(o.Title, p.Title) })
		switch {
		case most == 0 || w == nil:
			drop(n.Span, "a page is requested, but there is no wiki, or no agent for the role writer")
		case why != "":
			drop(n.Span, "invalid page request: %s", why)
		case taken:
			drop(n.Span, "the page %s is requested twice", p.Path)
		case len(pages) >= most:
			drop(n.Span, "the page %s exceeds the limit of %d pages", p.Path, most)
		default:
			pages = append(pages, p)
		}
	}
	return pages, dropped
}

// page reads one page that is asked for, and says what is wrong with it.
func (t *Tree) page(ctx context.Context, src []byte, n *schema.Node, w *Wiki) (loops.NewPage, string) {
	var doc writtenPage
	if faults := yaml.Decode(n, &doc); len(faults) > 0 {
		return loops.NewPage{}, faults[0].Message
	}
	p := loops.NewPage{Path: strings.TrimPrefix(doc.Page, "./"), Title: plain(doc.Title), Why: plain(doc.Why)}
	switch {
	case p.Title == "" || len(p.Title) > mostConcept:
		return p, fmt.Sprintf("the title has %d bytes: expected 1 to %d", len(p.Title), mostConcept)
	case p.Why == "" || len(p.Why) > mostReason:
		return p, fmt.Sprintf("\"why\" has %d bytes: expected 1 to %d", len(p.Why), mostReason)
	}
	if w != nil {
		if why := t.free(&p, w); why != "" {
			return p, why
		}
	}
	if why := t.about(ctx, src, &doc, n, &p); why != "" || w == nil || w.Leave == nil {
		return p, why
	}
	return p, w.Leave(p)
}

// free reports why a page can't be written at its path, or "".
func (t *Tree) free(p *loops.NewPage, w *Wiki) string {
	below := p.Path
	if w.Root != "." {
		var ok bool
		if below, ok = strings.CutPrefix(p.Path, w.Root+"/"); !ok {
			return fmt.Sprintf("path %.100q: expected one below %s/", p.Path, w.Root)
		}
	}
	there := func(name string) bool { return strings.EqualFold(name, p.Path) }
	switch {
	case len(p.Path) > 200 || !fs.ValidPath(p.Path) || !pagePath().MatchString(below):
		return fmt.Sprintf("path %.100q: expected folders, and a name in lower-case letters, digits and hyphens that ends in .md", p.Path)
	case w.reserved(below):
		return "path " + p.Path + " is not a place for concept pages"
	case slices.ContainsFunc(t.Files, there):
		return p.Path + " already exists"
	case w.Named(p.Title):
		return fmt.Sprintf("a page named %q already exists", p.Title)
	}
	if _, err := fs.Lstat(t.FS, p.Path); err == nil {
		return p.Path + " already exists"
	}
	return ""
}

// about looks up the places that a page is about, and says what is wrong with them.
func (t *Tree) about(ctx context.Context, src []byte, doc *writtenPage, n *schema.Node, p *loops.NewPage) string {
	if len(doc.Cites) == 0 || len(doc.Cites) > mostCitations {
		return fmt.Sprintf("it cites %d places: expected 1 to %d", len(doc.Cites), mostCitations)
	}
	r := &reader{lines: schema.NewLineIndex(src)}
	f := Finding{Title: p.Title}
	for i, c := range doc.Cites {
		f.Cites = append(f.Cites, r.citation(c, n.Get("cites").Items[i].Span))
	}
	if len(r.faults) > 0 {
		return r.faults[0].Message
	}
	if why := t.Verify(ctx, &f); why != "" {
		return "it " + why
	}
	for _, c := range f.Cites {
		p.Cites = append(p.Cites, c.String())
	}
	return ""
}

// withoutPages returns a list without the pages that it asks for, which are read apart.
func withoutPages(root *schema.Node) *schema.Node {
	if root.Kind != schema.KindMap {
		return root
	}
	out := *root
	out.Pairs = slices.DeleteFunc(slices.Clone(root.Pairs), func(p schema.Pair) bool { return p.Key == pagesKey })
	return &out
}
