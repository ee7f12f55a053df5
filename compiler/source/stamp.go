package source

import "time"

// Stamp returns the binding that says that the page is true of the reference as
// it is now; ok is false when what it refers to is not there or not known.
func (b *Bound) Stamp(day time.Time) (binding Binding, ok bool) {
	if b.Symbol == nil {
		return Binding{}, false
	}
	return Binding{Page: b.Page.Path, Heading: b.Section.Heading, Target: b.Target, Facets: b.Symbol.Facets,
		Reviewed: b.Section.Hash(b.Page), Date: day}, true
}
