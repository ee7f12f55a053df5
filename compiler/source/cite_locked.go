package source

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// byGit reports whether a reference to lines is judged by what git has of them, without
// reading the file as code.
func (j *judge) byGit(b *Bound) bool { return j.history && b.Anchor.FromLine > 0 }

// stamped moves the moment to compare with on to that of the verification, where that is
// the later one: the commit of the line of wiki.lock. Where that line is in no commit,
// the hashes in it decide, and the citation is not judged here.
func (c *citing) stamped(all []Verdict) {
	if !slices.ContainsFunc(c.open, func(o *cited) bool { return o.Locked != nil }) {
		return
	}
	commits := stamps(c.judge.ctx, c.judge.wiki)
	r := c.repository()
	c.open = slices.DeleteFunc(c.open, func(o *cited) bool {
		if o.Locked == nil {
			return false
		}
		stamp := commits[o.Locked.names()].Commit
		if stamp == "" || r == nil {
			c.byFacets(o.Verdict, all)
			return true
		}
		written, _ := r.Time(o.commit)
		verified, _ := r.Time(stamp)
		if o.commit != "" && !written.After(verified) {
			o.commit = stamp
		}
		return false
	})
}

// byFacets judges a verified citation by the hashes in wiki.lock.
func (c *citing) byFacets(v *Verdict, all []Verdict) {
	switch v.look(c.judge.ctx, c.code); {
	case v.Unverifiable != nil:
		v.State = StateUnverifiable
	case v.Symbol == nil:
		v.State = StateSymbolMissing
	case v.Locked.Facets.Tokens != v.Symbol.Facets.Tokens:
		c.changed(v, boundsOf(all, v))
	}
}

// followed reports whether every citation of lines that a lock has of a page still stands
// there as it was locked. Of the others it takes the hashes to tell what they became.
func (l *Lock) followed(page string, bounds []Bound) bool {
	if l == nil {
		return true
	}
	for _, b := range l.page(page) {
		same := func(r Bound) bool { return r.Target == b.Target && r.Section.Heading == b.Heading }
		if schema.ParseAnchor(b.Target).FromLine > 0 && !slices.ContainsFunc(bounds, same) {
			return false
		}
	}
	return true
}

// boundsOf returns the references of a verdict's page.
func boundsOf(all []Verdict, v *Verdict) []Bound {
	var out []Bound
	for i := range all {
		if all[i].Page == v.Page {
			out = append(out, all[i].Bound)
		}
	}
	return out
}
