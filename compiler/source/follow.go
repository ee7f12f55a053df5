package source

import (
	"slices"
	"strings"
)

// assign gives every reference of one page its binding. Where the page now
// names something that the lock does not, because the code or a heading got
// another name and the page followed, the binding that is left over goes with
// it: what a page was last known true against is not forgotten by an edit that
// only follows the code. former returns the paths that a file had before.
//
// The i-th binding belongs to the i-th reference; nil where there is none.
func (l *Lock) assign(bounds []Bound, former func(file string) []string) []*Binding {
	out := make([]*Binding, len(bounds))
	if l == nil || len(bounds) == 0 {
		return out
	}
	left := map[*Binding]bool{}
	of := l.page(bounds[0].Page.Path)
	for i := range of {
		left[&of[i]] = true
	}
	for i := range bounds {
		b := &bounds[i]
		for _, target := range append([]string{b.Target}, b.gone...) {
			if out[i] = l.Find(b.Page.Path, b.Section.Heading, target); out[i] != nil {
				b.Target = target
				delete(left, out[i])
				break
			}
		}
	}
	for i := 0; i < len(bounds) && len(left) > 0; i++ {
		if out[i] == nil {
			if out[i] = bounds[i].left(of, left, former); out[i] != nil {
				delete(left, out[i])
			}
		}
	}
	return out
}

// left returns the one left binding that is the reference's under another name.
func (b *Bound) left(of []Binding, left map[*Binding]bool, former func(file string) []string) *Binding {
	file, rest, _ := strings.Cut(b.Target, "#")
	was := former(b.File)
	for _, same := range []func(*Binding) bool{
		func(l *Binding) bool { return l.Target == b.Target },
		func(l *Binding) bool {
			return l.Heading == b.Section.Heading && b.Symbol != nil && l.Facets == b.Symbol.Facets
		},
		func(l *Binding) bool {
			f, r, _ := strings.Cut(l.Target, "#")
			return l.Heading == b.Section.Heading && r == rest && f != file && slices.Contains(was, f)
		},
	} {
		var found *Binding
		n := 0
		for i := range of {
			if l := &of[i]; left[l] && same(l) {
				found = l
				n++
			}
		}
		if n == 1 {
			return found
		}
	}
	return nil
}

// page returns the bindings of a page.
func (l *Lock) page(page string) []Binding {
	from, _ := slices.BinarySearchFunc(l.Bindings, page, func(b Binding, p string) int { return strings.Compare(b.Page, p) })
	to := from
	for to < len(l.Bindings) && l.Bindings[to].Page == page {
		to++
	}
	return l.Bindings[from:to]
}

// Follow returns the lock with every binding under the name by which its page
// refers to it now, and whether any got another one. It is for after pages were
// changed to follow the code: nothing is taken for verified that was not.
func (l *Lock) Follow(verdicts []Verdict) (next *Lock, changed bool) {
	now := map[*Binding]*Verdict{}
	for i := range verdicts {
		if v := &verdicts[i]; v.Locked != nil && !v.Narrowed && v.Bound.key() != v.Locked.key() {
			now[v.Locked] = v
		}
	}
	if len(now) == 0 {
		return l, false
	}
	all := slices.Clone(l.Bindings)
	for i := range all {
		if v := now[&l.Bindings[i]]; v != nil {
			all[i].Heading, all[i].Target = v.Section.Heading, v.Target
		}
	}
	return newLock(all), true
}

func (b *Bound) key() [2]string   { return [2]string{b.Section.Heading, b.Target} }
func (b *Binding) key() [2]string { return [2]string{b.Heading, b.Target} }
