package source

import (
	"slices"
	"time"
)

// Outcome is what verifying a reference came to.
type Outcome string

// The outcomes.
const (
	Stamped   Outcome = "stamped"      // wiki.lock says now that the page is true of it
	Refused   Outcome = "changed"      // its declaration or its values changed, and nobody said that the page is right
	Moved     Outcome = "moved"        // it stands elsewhere; the page has to follow first
	Missing   Outcome = "missing"      // it is not there, or its name is that of several
	Unread    Outcome = "unverifiable" // its file can not be read
	Forgotten Outcome = "removed"      // the page no longer refers to it
)

// Verified is a reference, or a binding that is left over, and what verifying its
// page came to.
type Verified struct {
	Outcome  Outcome
	Page     string
	Heading  string
	Target   string
	Verdict  *Verdict // nil of what is forgotten
	Signed   bool     // its declaration, or what stands on its lines, is another than the one locked
	Literals bool     // its values are others than those locked
}

// Verify says in a lock that pages are true of the code as it is now. verdicts are
// those of the whole wiki, of which those of the pages that of chooses count; nil
// chooses all, and then bindings of pages that are gone are dropped too.
//
// Where the declaration or the values of a symbol changed since it was locked
// and the section was not written anew, the old binding stays unless accurate is
// set: somebody has to say that the page is right all the same.
func Verify(lock *Lock, verdicts []Verdict, of func(page string) bool, accurate bool, on time.Time) (next *Lock, done []Verified) {
	if lock == nil {
		lock = &Lock{}
	}
	var fresh []Binding
	type key struct{ page, heading, target string }
	seen := map[key]bool{}
	keep, followed := map[*Binding]bool{}, map[*Binding]bool{}
	for i := range verdicts {
		v := &verdicts[i]
		if v.Narrowed {
			continue // its file is verified
		}
		if of != nil && !of(v.Page.Path) {
			if v.Locked != nil {
				keep[v.Locked] = true
			}
			continue
		}
		d := verify(v, accurate)
		if k := (key{d.Page, d.Heading, d.Target}); seen[k] {
			continue
		} else {
			seen[k] = true
		}
		done = append(done, d)
		if b, ok := v.Stamp(on); ok && d.Outcome == Stamped {
			fresh = append(fresh, b)
			followed[v.Locked] = true
		} else if v.Locked != nil {
			keep[v.Locked] = true
		}
	}
	for i := range lock.Bindings {
		b := &lock.Bindings[i]
		switch {
		case keep[b] || of != nil && !of(b.Page):
			fresh = append(fresh, *b)
		case !followed[b]:
			done = append(done, Verified{Outcome: Forgotten, Page: b.Page, Heading: b.Heading, Target: b.Target})
		}
	}
	slices.SortStableFunc(done, func(a, b Verified) int {
		return (&Binding{Page: a.Page}).compare(&Binding{Page: b.Page})
	})
	return newLock(fresh), done
}

func verify(v *Verdict, accurate bool) Verified {
	d := Verified{Outcome: Stamped, Page: v.Page.Path, Heading: v.Section.Heading, Target: v.Target, Verdict: v}
	if v.Locked != nil && v.Symbol != nil {
		d.Signed = v.Anchor.Symbol != "" && v.Locked.Facets.Signature != v.Symbol.Facets.Signature ||
			v.Anchor.FromLine > 0 && v.Locked.Facets.Tokens != v.Symbol.Facets.Tokens // other lines may stand there
		d.Literals = v.Kind() != KindFile && v.Locked.Facets.Literals != v.Symbol.Facets.Literals || v.State == StateStaleValue
	}
	switch {
	case v.State == StateMoved:
		d.Outcome = Moved
	case v.State == StateUnverifiable:
		d.Outcome = Unread
	case v.Symbol == nil:
		d.Outcome = Missing
	case (d.Signed || d.Literals) && v.State != StateReviewed && !accurate:
		d.Outcome = Refused
	}
	return d
}

// Sides are what changed of a symbol, as people compare it.
type Sides struct {
	Signature string   `json:"signature"`
	Literals  []string `json:"literals"` // in order, each once
}

// Sides returns the symbol as it was locked, nil when git does not tell, and as it
// is. Of the literals those are left out that both have.
func (v *Verdict) Sides() (old, now *Sides) {
	if v.Symbol == nil {
		return nil, nil
	}
	if v.Old == nil {
		return nil, &Sides{v.Symbol.Signature, written(v.Symbol.Values, nil)}
	}
	return &Sides{v.Old.Signature, written(v.Old.Values, v.Symbol.Values)},
		&Sides{v.Symbol.Signature, written(v.Symbol.Values, v.Old.Values)}
}
