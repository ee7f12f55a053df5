package gate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// beside returns the markdown files of the scope outside the wiki whose links the
// candidate may have broken: those that it changed, and those that name a file which
// it removed or renamed. The linter reads the pages of the wiki alone.
func (j *judge) beside(ws *compiler.Workspace) []string {
	var removed []string
	for i := range j.changes {
		switch c := &j.changes[i]; {
		case c.ignored:
		case c.gone:
			removed = append(removed, path.Base(c.path))
		case c.from != "":
			removed = append(removed, path.Base(c.from))
		}
	}
	scope := j.scope()
	var out []string
	for _, p := range j.now.paths() {
		if !strings.EqualFold(path.Ext(p), ".md") || below(ws, p) != "" || isRaw(ws, p) || !matchAny(scope, p) {
			continue
		}
		names := func(file string) bool { return strings.Contains(string(j.now.read(p)), file) }
		if j.changed(p) != nil || slices.ContainsFunc(removed, names) {
			out = append(out, p)
		}
	}
	return out
}

// newlyBroken returns the links of files outside the wiki that lead to no file, and led to
// one before or were not there.
func (j *judge) newlyBroken(before, after *wikiAt, beside []string) []loops.Reason {
	var out []loops.Reason
	for _, p := range beside {
		was := map[string]bool{}
		eachBroken(before, p, func(_ int, target string) { was[target] = true })
		eachBroken(after, p, func(line int, target string) {
			if !was[target] {
				out = append(out, loops.Reason{Path: p, Line: line, Message: fmt.Sprintf("links to %q, which does not exist; link to a file that does", clip(target, 100))})
			}
		})
	}
	return out
}

// eachBroken calls yield with the line and the target of each link of a file outside the
// wiki's root that leads to no file.
func eachBroken(w *wikiAt, file string, yield func(line int, target string)) {
	page := w.wiki.ReadOutside(file)
	if page == nil {
		return
	}
	tree := compiler.NewTree(w.wiki)
	for i := range page.Links {
		l := &page.Links[i]
		if l.External || l.Wiki != nil || l.Target == "" || l.Syntax == schema.SyntaxWikilink || l.Syntax == schema.SyntaxValue {
			continue
		}
		to := path.Join(path.Dir(file), l.Target)
		if strings.HasPrefix(l.Target, "/") {
			to = path.Clean(strings.TrimPrefix(l.Target, "/"))
		}
		if strings.HasPrefix(to, "..") {
			continue // another repository's
		}
		if _, ok := tree.Exists(tree.Above(to)); !ok {
			yield(page.Lines.Position(l.Span.Start).Line, l.Target)
		}
	}
}
