package audit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// Term is a name that several pages of the wiki use and none explains.
type Term struct {
	Name  string
	Pages int // that use it, editions of one page counted once
	Place     // where it is used first
}

// String returns the term as an auditor is shown it.
func (t Term) String() string {
	return fmt.Sprintf("%s: on %d pages, first in %s:%d", t.Name, t.Pages, t.Path, t.Line)
}

const (
	fewestUsers = 4   // pages that use a term worth explaining
	mostTerms   = 100 // that are returned
	longestName = 4   // words of a heading that are taken for one name
)

// lexicon is what the pages of a wiki say of words.
type lexicon struct {
	explained map[string]bool // by folded name
	lower     map[string]bool // words that are written in lower case somewhere
	common    map[string]int  // how much oftener a word is in lower case than with a capital
	uses      map[string]*use // by folded name
}

// use is a term, and the works that use it.
type use struct {
	Term
	works map[string]bool
}

// Terms returns what a newcomer would look up in vain, the most used first: abbreviations,
// identifiers, and capitalised words that are ordinary ones elsewhere. So people, places
// and firms are left out.
func Terms(w *compiler.Wiki) []Term {
	l := lexicon{map[string]bool{}, map[string]bool{}, map[string]int{}, map[string]*use{}}
	for _, page := range w.Pages() {
		l.readNames(page)
		l.readText(page)
	}
	root, editions := w.Workspace().RootPath, w.Identity()
	for _, page := range w.Pages() {
		if page.Layer == schema.LayerWiki && !page.Reserved() && !schema.TemplatePath(page.Path) {
			l.use(page, path.Join(root, page.Path), editions.Work(page.Path))
		}
	}
	var out []Term
	for name, u := range l.uses {
		if u.Pages = len(u.works); u.Pages >= fewestUsers && !l.explained[name] && l.wanted(u.Name) {
			out = append(out, u.Term)
		}
	}
	slices.SortFunc(out, func(a, b Term) int { return cmp.Or(b.Pages-a.Pages, strings.Compare(a.Name, b.Name)) })
	out = out[:min(len(out), mostTerms)]
	return slices.DeleteFunc(slices.Clone(out), func(t Term) bool { // a part of another
		return slices.ContainsFunc(out, func(o Term) bool {
			return len(o.Name) > len(t.Name) && strings.Contains(" "+o.Name+" ", " "+t.Name+" ")
		})
	})
}

// lead is what a line begins with that goes on to explain it, or an item alone.
var lead = schema.Expression("(?m)^[ \t>*+-]*(?:\\d+[.)] )?(?:([*`]*[\\pL_][^\n:—=|]{1,60}?)(?: - |:|—|–|=)|([*`]+[\\pL_][^\n*`]{1,60}[*`]+)$)")

// readNames learns what a page explains in its names, headings, tables and lists.
func (l *lexicon) readNames(page *schema.Page) {
	l.explain(page.Title)
	l.explain(strings.TrimSuffix(path.Base(page.Path), ".md"))
	for _, a := range page.Meta.Aliases {
		l.explain(a.Name)
	}
	for i := range page.Headings {
		l.explain(page.Headings[i].Text)
	}
	for _, t := range page.Tables {
		for _, row := range t.Rows {
			if len(row) > 0 {
				l.explain(row[0].Text)
			}
		}
	}
	for _, m := range lead().FindAllSubmatch(page.Source[page.Body:], -1) {
		l.explain(string(m[1]) + string(m[2]))
	}
}

// explain notes the names in a heading, a title or the like.
func (l *lexicon) explain(text string) {
	words := namesIn(text)
	for i := range words {
		for n := 1; n <= longestName && i+n <= len(words); n++ {
			l.explained[foldName(strings.Join(words[i:i+n], ""))] = true
		}
	}
}

// readText learns from the text of a page what is explained in passing, and which words
// are ordinary ones.
func (l *lexicon) readText(page *schema.Page) {
	for _, s := range linter.Code(page) {
		if writtenOut(page.Source, s) {
			l.explained[foldName(string(s.In(page.Source)))] = true
		}
	}
	eachWord(page, func(text string, at schema.Span) {
		lower := strings.ToLower(text)
		if text == lower {
			l.lower[text] = l.lower[text] || !codeLike(text)
			l.common[text]++
			return
		}
		if writtenOut(page.Source, at) {
			l.explained[foldName(text)] = true
		}
		for _, w := range strings.FieldsFunc(lower, between) {
			l.common[w]--
		}
	})
}

// use notes the terms of a page, which is an edition of a work.
func (l *lexicon) use(page *schema.Page, file, work string) {
	add := func(text string, at int) {
		name := foldName(text)
		u := l.uses[name]
		if u == nil {
			u = &use{Term{Name: text, Place: Place{Path: file, Line: page.Lines.Position(at).Line}}, map[string]bool{}}
			l.uses[name] = u
		}
		u.works[work] = true
	}
	others, next := ofOthers(page), 0
	eachWord(page, func(text string, at schema.Span) {
		if text == strings.ToLower(text) {
			return // an identifier without capitals is a name where it is marked as code
		}
		for next < len(others) && others[next].End <= at.Start {
			next++
		}
		switch {
		case next < len(others) && others[next].Start <= at.Start:
		case partOfLonger(page.Source, at), strings.Contains(text, " ") && beginsSentence(page.Source, at.Start):
		default:
			add(text, at.Start)
		}
	})
	for _, s := range linter.Code(page) {
		if text := strings.Trim(string(s.In(page.Source)), "`"); isIdentifier().MatchString(text) && codeLike(text) {
			add(text, s.Start)
		}
	}
}
