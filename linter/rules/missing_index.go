package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "missing-index",
	Group:    linter.Layout,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A folder has no index page.",
	Doc: `Readers and agents enter a folder through its index; without one, its pages are hard to find.

It is an error if the wiki's dialect requires an index in every such folder, like ` + "`_index.md`" + ` in nvk.
Elsewhere the wiki's convention counts: if at least five folders with two or more pages have an index, and
nearly all do, a folder without one is a warning. A wiki without that convention is never reported.

The finding is at the path of the missing file: create it, with a line for each page of the folder.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d folders have no index; create one in each that lists its pages. First: %q", n, path.Dir(first.Path))
	},
	Check: missingIndex,
})

const (
	fewestIndexed = 5  // folders with an index, from which on it is a habit
	mostUnindexed = 10 // of so many folders one may lack it
)

func missingIndex(p *linter.Pass) {
	l, d := layoutFact.Of(p), p.Wiki.Workspace().Dialect
	required := false
	for _, f := range d.Folders {
		required = required || f.Indexed
	}
	if required {
		for _, dir := range sortedKeys(l.folders) {
			if f, ok := d.Folder(dir); ok && f.Indexed && l.named(dir, d.Index) == nil {
				file := path.Join(dir, d.Index+".md")
				p.ReportCause("index", file, schema.Span{}, "the folder %q has no %s.md (required by the dialect %s); create one that lists its pages", dir, d.Index, d.Name)
			}
		}
		return
	}
	habit(p, l)
}

// habit reports the few folders that lack what nearly all others have.
func habit(p *linter.Pass, l *layout) {
	uses := map[string]int{}
	var lacking []string
	have := 0
	for _, dir := range l.dirs {
		pages := 0
		for _, page := range l.pages[dir] {
			if page.Layer != schema.LayerSource && listed(p.Wiki, page) {
				pages++
			}
		}
		switch index := l.index(dir); {
		case pages < 2 || dir == ".":
		case index != nil:
			uses[strings.TrimPrefix(index.Path, dir+"/")]++
			have++
		case slices.ContainsFunc(l.pages[dir], translatedIndex):
		default:
			lacking = append(lacking, dir)
		}
	}
	if have < fewestIndexed || mostUnindexed*len(lacking) > have+len(lacking) {
		return
	}
	name := ""
	for _, n := range sortedKeys(uses) {
		if uses[n] > uses[name] {
			name = n
		}
	}
	for _, dir := range lacking {
		d := p.ReportCause("index", path.Join(dir, name), schema.Span{}, "the folder %q has no %s (%d other folders have one); create one that lists its pages", dir, name, have)
		d.Severity = schema.Warning
	}
}

// translatedIndex reports whether a page is an index in one language, as in Hugo:
// _index.en.md.
func translatedIndex(page *schema.Page) bool {
	name, language, _ := strings.Cut(stem(page.Path), ".")
	return language != "" && (name == "_index" || name == "index")
}
