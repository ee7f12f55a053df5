package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// orphanFact lists the pages that should be linked to and are not, in order of
// path.
var orphanFact = linter.NewFact(func(w *compiler.Wiki) []*schema.Page {
	var out []*schema.Page
	for _, id := range w.Graph().Orphans() {
		if p := w.Page(id); linkable(p) && !needsNoLink(w, p) {
			out = append(out, p)
		}
	}
	return out
})

// linkable reports whether a page should be reached by links: it is not a raw
// source and no template, and has not its place by its name.
func linkable(p *schema.Page) bool {
	return p != nil && p.Layer != schema.LayerSource && !p.Reserved() && !template(p)
}

// needsNoLink reports whether a page has its place without a link to it: because
// the wiki's dialect gives it one, because it is about the repository that
// is the wiki's root, because it is the table of contents of a book, or because it is shown in other
// pages or listed in the navigation of a site.
func needsNoLink(w *compiler.Wiki, p *schema.Page) bool {
	if w.Workspace().RootPath == "." && schema.RepositoryPage(p.Path) {
		return true
	}
	return slices.Contains(w.Workspace().Dialect.Standing, p.Path) || w.Included(p) || w.Listed(p) || stem(p.Path) == summary
}

func countLinkable(w *compiler.Wiki) int {
	n := 0
	for _, p := range w.Pages() {
		if linkable(p) {
			n++
		}
	}
	return n
}

// titleAt is the place of findings about a page as a whole: its first
// heading, or the beginning of its text.
func titleAt(p *schema.Page) schema.Span {
	if p.H1.Len() > 0 {
		return p.H1
	}
	return schema.Span{Start: p.Body, End: p.Body}
}

// alsoHere names the first of the other pages in a group.
func alsoHere(others []*schema.Page, message string) []schema.Related {
	var out []schema.Related
	for _, page := range others[:min(len(others), 10)] {
		out = append(out, schema.Related{Path: page.Path, Span: titleAt(page), Message: message})
	}
	return out
}

// summary is the name of the page that lists the chapters of a book, in mdBook and GitBook.
const summary = "SUMMARY"

// homeNames are the pages a reader begins at.
var homeNames = map[string]bool{"index": true, "_index": true, "home": true, "readme": true, "overview": true, "moc": true, "_sidebar": true}

// sideFolders are the folders of a repository whose README is the home of nothing else.
var sideFolders = map[string]bool{"example": true, "examples": true, "samples": true, "demo": true, "demos": true, "test": true, "tests": true}

// homes returns the pages that a reader begins at: those at the top of the wiki, or
// those right below it when none at the top leads to another page.
func homes(w *compiler.Wiki) []schema.PageID {
	top, leads := homesAt(w, 0)
	if leads || len(top) == 0 {
		return top
	}
	below, _ := homesAt(w, 1)
	return below
}

// homesAt returns such pages so many folders down, and whether any leads to another page.
func homesAt(w *compiler.Wiki, depth int) (out []schema.PageID, leads bool) {
	for _, p := range w.Pages() {
		if strings.Count(p.Path, "/") == depth && !sideFolders[strings.ToLower(path.Dir(p.Path))] && (homeNames[strings.ToLower(stem(p.Path))] || stem(p.Path) == summary) {
			out = append(out, p.ID)
			leads = leads || slices.ContainsFunc(w.Graph().Out(p.ID), func(to schema.PageID) bool { return !needsNoLink(w, w.Page(to)) })
		}
	}
	return out, leads
}
