package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "misplaced-page",
	Group:    linter.Layout,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page is not in the folder for its type.",
	Doc: `Readers and agents look for a page in the folder of its type, and listings of that folder miss it. Move the
page, or correct its type.

The folder of a type is set with ` + "`frontmatter.types`" + ` in wiki.yaml (` + "`folder:`" + `), or else by the wiki's dialect:
nvk, for example, keeps pages of the category concept in ` + "`wiki/concepts`" + `. For dialects that only name folders,
the wiki's own convention must agree: the page is among pages of another type, and pages of its type are in
the sibling folder named after them.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: misplacedPage,
})

func misplacedPage(p *linter.Pass) {
	for _, m := range misplacedFact.Of(p) {
		at, dir := titleAt(m.page), path.Dir(m.page.Path)
		if pair := m.page.Front.Lookup(schema.FieldTypeName); pair != nil {
			at = pair.Value.Span
		}
		p.ReportCause("from:"+dir+"\x00"+m.to, m.page.Path, at, "a page of type %q belongs in %q (%s), but this one is in %q; move it, or correct the type",
			m.page.Meta.Type, m.to, m.why, dir)
	}
}

// misplaced is a page that lies elsewhere than its type says.
type misplaced struct {
	page *schema.Page
	to   string // the folder it belongs into
	why  string // who says so
}

// misplacedFact lists the misplaced pages in order of path.
var misplacedFact = linter.NewFact(func(w *compiler.Wiki) []misplaced {
	h := &homesOfTypes{layout: newLayout(w), dialect: w.Workspace().Dialect, most: map[string]string{}}
	var out []misplaced
	for _, page := range w.Pages() {
		if page.Meta.Type == "" || page.Reserved() || template(page) || unread(page) {
			continue
		}
		to, why := configuredFolder(w.Config().Frontmatter, page), "wiki.yaml"
		if to == "" {
			to, why = h.folder(path.Dir(page.Path), page.Meta.Type), "the dialect "+h.dialect.Name
		}
		if to != "" && to != path.Dir(page.Path) {
			out = append(out, misplaced{page, to, why})
		}
	}
	return out
})

// configuredFolder returns the folder in wiki.yaml for the type of a page, or "" if
// there is none or the page is in it.
func configuredFolder(cfg schema.FrontConfig, page *schema.Page) string {
	folder := strings.Trim(cfg.Types[page.Meta.Type].Folder, "/")
	if folder == "" || strings.HasPrefix(page.Path, folder+"/") {
		return ""
	}
	return folder
}

// homesOfTypes knows where a dialect, and a wiki's own habit, keep what.
type homesOfTypes struct {
	*layout
	dialect schema.Dialect
	most    map[string]string // folder to the type that most of its pages name
}

// folder returns where a page of a type belongs that is in dir, or "".
func (h *homesOfTypes) folder(dir, kind string) string {
	if f, ok := h.dialect.Folder(dir); ok && len(f.Types) > 0 {
		if slices.Contains(f.Types, kind) {
			return ""
		}
		for _, other := range h.dialect.Folders {
			if slices.Contains(other.Types, kind) && !strings.Contains(other.Path, "*") {
				return other.Path
			}
		}
		return ""
	}
	if len(h.dialect.Folders) > 0 {
		return ""
	}
	own := h.dialect.Types[path.Base(dir)]
	if own == "" || own == kind || h.usual(dir) != own {
		return ""
	}
	for _, name := range sortedKeys(h.dialect.Types) {
		beside := path.Join(path.Dir(dir), name)
		if h.dialect.Types[name] == kind && beside != dir && h.usual(beside) == kind {
			return beside
		}
	}
	return ""
}

// usual returns the type that nearly all pages right in a folder name, at least
// three of four and three of them, or "".
func (h *homesOfTypes) usual(dir string) string {
	if t, known := h.most[dir]; known {
		return t
	}
	uses, typed := map[string]int{}, 0
	for _, page := range h.pages[dir] {
		if page.Meta.Type != "" && !page.Reserved() && page.Front.Lookup(schema.FieldTypeName) != nil {
			uses[page.Meta.Type]++
			typed++
		}
	}
	h.most[dir] = ""
	for t, n := range uses {
		if n >= 3 && 4*n >= 3*typed {
			h.most[dir] = t
		}
	}
	return h.most[dir]
}
