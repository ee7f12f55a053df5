package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "naming",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A page's file name does not follow the naming convention.",
	Doc: `With a convention, names can be guessed and links are right the first time. Set it with ` + "`naming`" + ` in wiki.yaml,
for all pages or per type below ` + "`frontmatter.types`" + `: ` + "`kebab`, `snake`, `title`, `date-prefixed`" + `, or a regular
expression for the whole name without .md. The schema page can set it too. Without a setting, a folder of at
least 20 pages with at least 90 % named in one way has a convention, and exceptions are reported as info.

Indexes, logs and other special pages, names in capitals such as CHANGELOG, raw sources and templates are
exempt.

The unsafe fix renames the page and updates every link to its file. It is not offered if another page has the
new name, or if a link can't be rewritten.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		said := linter.ConventionsOf(p)
		undeclared := map[string][]*schema.Page{}
		var odd []misnamed
		for _, page := range kept(p) {
			if page.Reserved() || template(page) || capitals(stem(page.Path)) {
				continue
			}
			n, by := said.NamingOf(page)
			if n.Text == "" {
				dir := path.Dir(page.Path)
				undeclared[dir] = append(undeclared[dir], page)
			} else if !n.Fits(stem(page.Path)) {
				odd = append(odd, misnamed{page, n, unlike(n), "as " + by + " requires", false})
			}
		}
		for dir, pages := range undeclared {
			odd = append(odd, againstHabit(dir, pages)...)
		}
		slices.SortFunc(odd, func(a, b misnamed) int { return strings.Compare(a.page.Path, b.page.Path) })
		reportMisnamed(p, odd)
	},
})

// misnamed is a page with a name unlike the others.
type misnamed struct {
	page   *schema.Page
	naming schema.Naming
	fault  string
	why    string
	habit  bool // nobody says how pages are named
}

// capitals reports whether a name is written in capitals, as those of files
// that everybody knows are.
func capitals(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}

func unlike(n schema.Naming) string {
	switch n.Text {
	case "kebab", "snake", "title":
		return "is not in " + n.Text + " case"
	case "date-prefixed":
		return "does not begin with a date"
	}
	return "does not match " + n.Text
}

// A folder has a habit when it holds this many pages, and of a hundred this
// many are named in one way.
const (
	fewestSiblings = 20
	habitShare     = 90
)

// againstHabit returns the pages of a folder that break every naming convention which
// nearly all pages follow.
func againstHabit(dir string, pages []*schema.Page) []misnamed {
	if len(pages) < fewestSiblings {
		return nil
	}
	type habit struct {
		naming  schema.Naming
		fits    int
		telling int // names that are of several words
	}
	var habits []habit
	for _, style := range schema.NamingStyles {
		n, err := schema.ParseNaming(style)
		if err != nil {
			panic(err) // the styles can be read
		}
		h := habit{naming: n}
		for _, page := range pages {
			if name := stem(page.Path); n.Fits(name) {
				h.fits++
				if strings.ContainsAny(name, "-_ ") {
					h.telling++
				}
			}
		}
		if 100*h.fits >= habitShare*len(pages) {
			habits = append(habits, h)
		}
	}
	if len(habits) == 0 {
		return nil
	}
	slices.SortStableFunc(habits, func(a, b habit) int { return cmp.Compare(b.telling, a.telling) })
	most := habits[0]
	var out []misnamed
	for _, page := range pages {
		if !slices.ContainsFunc(habits, func(h habit) bool { return h.naming.Fits(stem(page.Path)) }) {
			out = append(out, misnamed{page, most.naming, unlike(most.naming),
				fmt.Sprintf("unlike %d of the %d pages in %s", most.fits, len(pages), place(dir)), true})
		}
	}
	return out
}

// place names a folder below the root.
func place(dir string) string {
	if dir == "." {
		return "this folder"
	}
	return dir
}

func reportMisnamed(p *linter.Pass, odd []misnamed) {
	n := nameFact.Of(p)
	taken := map[string]int{}
	for _, m := range odd {
		taken[fold(m.newPath())]++
	}
	for _, m := range odd {
		to := m.newPath()
		remedy := "rename the page"
		if to != "" {
			remedy = fmt.Sprintf("rename the page to %q", path.Base(to))
		}
		d := p.ReportCause("style:"+m.naming.Text+"\x00"+m.why, m.page.Path, titleAt(m.page), "the name %q %s, %s; %s", stem(m.page.Path), m.fault, m.why, remedy)
		if m.habit {
			d.Severity = schema.Info
		}
		if to != "" && taken[fold(to)] == 1 {
			d.Fixes = n.renaming(p, m.page, to)
		}
	}
}

// newPath returns the path that the page would have, "" when only its author
// can tell.
func (m misnamed) newPath() string {
	name := m.naming.Suggest(stem(m.page.Path))
	if day := m.page.Meta.Created; m.naming.Text == "date-prefixed" && !day.Time.IsZero() {
		name = day.String() + "-" + slug(stem(m.page.Path))
	}
	if name == "" {
		return ""
	}
	return path.Join(path.Dir(m.page.Path), name+path.Ext(m.page.Path))
}

// renaming returns the fix that gives a page another path and rewrites every
// link that names its file, or nil when it can't be had: the name is taken,
// or a link is written in a way that can't be changed.
func (n *names) renaming(p *linter.Pass, page *schema.Page, to string) []schema.Fix {
	for _, other := range n.byName[fold(stem(to))] {
		if other != page.Path {
			return nil
		}
	}
	var edits []schema.Edit
	relink := func(s site) bool {
		switch {
		case byName(s.Res.By) || path.Base(s.Link.Target) == stem(to) || s.Link.Target == "":
			return true
		case s.Link.Dest.Len() == 0:
			return false
		}
		e, ok := n.retarget(s, to)
		edits = append(edits, e...)
		return ok
	}
	for _, b := range p.Wiki.Backlinks(page.ID) {
		from := p.Wiki.Page(b.From)
		res := p.Wiki.Resolution(from, b.Link)
		if !relink(site{from, from.Links[b.Link].As(res), res}) {
			return nil
		}
	}
	for l, res := range p.Wiki.Links(page) {
		if res.Kind == schema.TargetPage && res.Page == page.ID && !relink(site{page, l.As(res), res}) {
			return nil
		}
	}
	slices.SortFunc(edits, func(a, b schema.Edit) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Span.Start-b.Span.Start)
	})
	edits = slices.Compact(edits) // links that share a definition
	return []schema.Fix{{Title: "rename to " + path.Base(to), Edits: edits, Moves: []schema.Move{{From: page.Path, To: to}}}}
}

// byName reports whether a link was found by something else than the name of
// the page's file, so that renaming the file does not break it.
func byName(by schema.ResolvedBy) bool {
	switch by {
	case schema.ByID, schema.ByAlias, schema.ByTitle, schema.ByIndex, schema.BySelf:
		return true
	}
	return false
}
