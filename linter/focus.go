package linter

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// focus leaves the rules that can check a page by itself; see [Config].Focus.
func (s *selection) focus() {
	s.rules = slices.DeleteFunc(s.rules, func(r *Rule) bool { return !r.checksOne() })
}

// checksOne reports whether the rule finds something on a page without the others.
func (r *Rule) checksOne() bool { return r.CheckPage != nil || r.Local }

// focused returns the pages of some paths in order, or all for nil. Unknown paths are
// left out.
func focused(w *compiler.Wiki, paths []string) []*schema.Page {
	all := w.Pages()
	if paths == nil {
		return all
	}
	pages := []*schema.Page{}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		i, ok := slices.BinarySearchFunc(all, path, func(p *schema.Page, path string) int { return strings.Compare(p.Path, path) })
		if ok {
			pages = append(pages, all[i])
		}
	}
	return pages
}
