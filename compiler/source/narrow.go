package source

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// narrow looks closer at a file that changed since its page was verified against all of
// it: the symbols that the page names between backticks, and the file declared then,
// decide. What their declarations, their values and their names became is returned; the
// rest of the file is work for who keeps the page.
func (j *judge) narrow(v *Verdict, all []Bound) []Verdict {
	locked := func(of *version) bool { return of.file != nil && of.file.Whole.Facets == v.Locked.Facets }
	past := j.until(v, locked)
	if len(past) == 0 || !locked(&past[len(past)-1]) {
		return nil
	}
	old := past[len(past)-1].file
	now, err := j.code.File(j.ctx, v.File)
	if err != nil || now.Damaged {
		return nil
	}
	var out []Verdict
	seen := map[string]bool{}
	for _, at := range codeSpans(v.Page) {
		name := nameKey(string(at.In(v.Page.Source)))
		was := old.Lookup(name)
		if len(name) < 3 || seen[name] || len(was) != 1 || bindsSymbol(all, name) {
			continue
		}
		seen[name] = true
		binding := *v.Locked
		binding.Target, binding.Facets, binding.Reviewed = v.Target+"#"+was[0].Name, was[0].Facets, 0
		n := Verdict{Bound: v.Bound, Locked: &binding, Narrowed: true}
		n.Anchor.Symbol, n.At, n.Section, n.Target = name, at, sectionAt(v.Page, at.Start), binding.Target
		n.Symbol, n.Several = nil, false
		switch is := now.Lookup(name); {
		case len(is) > 1:
			continue
		case len(is) == 0:
			if len(j.elsewhere(was[0].Facets)) > 0 || j.stands(was[0]) {
				continue // it was moved, which a page that only names it need not follow
			}
			n.State, n.Since = StateSymbolMissing, j.since(v)
			if j.reviewed(&n) {
				continue
			}
		default:
			if n.Symbol = is[0]; n.Symbol.Facets == was[0].Facets {
				continue
			}
			j.changed(&n, all)
		}
		if n.State == StateStaleValue || n.State == StateSignatureChanged || n.State == StateSymbolMissing {
			out = append(out, n)
		}
	}
	return out
}

// bindsSymbol reports whether a page names a symbol as what it is about.
func bindsSymbol(all []Bound, name string) bool {
	return slices.ContainsFunc(all, func(b Bound) bool {
		return b.Anchor.Symbol != "" && lastPart(nameKey(b.Anchor.Symbol)) == lastPart(name)
	})
}

// stands reports whether a symbol of the same name is declared in another file now.
func (j *judge) stands(s *Symbol) bool {
	if j.moved == nil {
		j.index()
	}
	if j.byName == nil {
		j.byName = map[string]bool{}
		for _, homes := range j.moved {
			for _, h := range homes {
				j.byName[lastPart(h.symbol.Name)] = true
			}
		}
	}
	return j.byName[lastPart(s.Name)]
}

// codeSpans returns where single words stand between backticks on a page, fences left
// out, in order.
func codeSpans(page *schema.Page) []schema.Span {
	var out []schema.Span
	eachCodeSpan(page, func(at schema.Span) { out = append(out, at) })
	return out
}
