// Package card finds the page that a person means by a name, and describes it in one
// document.
package card

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// NotFound is a name without a page.
type NotFound struct {
	Name string
	Near []string // paths of pages that were perhaps meant, the likeliest first
}

func (e *NotFound) Error() string { return fmt.Sprintf("page %q not found", e.Name) }

// Hint names the pages that were perhaps meant.
func (e *NotFound) Hint() string {
	if len(e.Near) == 0 {
		return "use 'wiki search' to find it"
	}
	return "did you mean " + text.List(e.Near, "or") + "?"
}

// Ambiguous is a name that several pages answer to equally well.
type Ambiguous struct {
	Name  string
	Paths []string
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%d pages are called %q", len(e.Paths), e.Name)
}

// Hint lists the pages.
func (e *Ambiguous) Hint() string {
	return "use more of the path: " + text.List(e.Paths[:min(5, len(e.Paths))], "or")
}

// Find returns the page that name means: its path with or without .md, from
// the wiki's root or from the repository's; its id; its title or an alias; or
// the end of its path. The first of these that any page answers to counts, and
// letter case only where nothing fits exactly.
func Find(w *compiler.Wiki, name string) (*schema.Page, error) {
	want := strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, `\`, "/")), "./")
	want = strings.TrimPrefix(want, w.Workspace().RootPath+"/")
	if p := w.Page(schema.PageID(strings.TrimSuffix(want, ".md"))); p != nil {
		return p, nil
	}
	if strings.TrimSpace(name) == "" {
		return nil, &NotFound{Name: name}
	}
	for _, key := range []func(*schema.Page) []string{names, titles, suffixes} {
		for _, same := range []func(a, b string) bool{equal, strings.EqualFold} {
			var fit []string
			var last *schema.Page
			for _, p := range w.Pages() {
				if slices.ContainsFunc(key(p), func(k string) bool { return same(k, name) || same(k, strings.TrimSuffix(want, ".md")) }) {
					fit, last = append(fit, p.Path), p
				}
			}
			switch len(fit) {
			case 0:
			case 1:
				return last, nil
			default:
				return nil, &Ambiguous{name, fit}
			}
		}
	}
	return nil, &NotFound{name, near(w, want)}
}

func equal(a, b string) bool { return a == b }

func names(p *schema.Page) []string { return []string{string(p.ID), p.Meta.ID, p.Path} }

func titles(p *schema.Page) []string {
	out := []string{p.Title}
	for _, a := range p.Meta.Aliases {
		out = append(out, a.Name)
	}
	return out
}

// suffixes returns every end of a page's path that begins at a folder.
func suffixes(p *schema.Page) []string {
	var out []string
	rest := string(p.ID)
	for {
		_, after, ok := strings.Cut(rest, "/")
		if !ok {
			return out
		}
		out = append(out, after)
		rest = after
	}
}

// near returns up to three paths of pages whose file name or title is a few
// letters away from name.
func near(w *compiler.Wiki, name string) []string {
	paths := map[string][]string{}
	var known []string
	for _, p := range w.Pages() {
		for _, n := range []string{path.Base(string(p.ID)), p.Title} {
			if !slices.Contains(paths[n], p.Path) {
				known = append(known, n)
				paths[n] = append(paths[n], p.Path)
			}
		}
	}
	meant, _ := schema.Nearest(path.Base(strings.TrimSuffix(name, ".md")), known)
	return paths[meant][:min(3, len(paths[meant]))]
}
