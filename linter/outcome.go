package linter

import (
	"iter"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Outcome is everything that the rules of a run found, before filtering, for rules that
// check the findings themselves; see [Rule].Last.
type Outcome struct {
	wiki    *compiler.Wiki
	sel     *selection
	where   places
	whole   bool // all rules that are on run
	ran     map[string]bool
	rules   map[string]*Rule
	ids     []string // of all rules there are, once somebody asks
	judged  []judged
	uses    []Use
	pages   map[string]*pageUses
	changes *schema.Changes

	acknowledged *acknowledged // nil when nothing is
}

// judged are the findings of one rule, kept and suppressed.
type judged struct {
	pass       *Pass
	kept       []finding
	suppressed []suppressed
}

type suppressed struct {
	finding
	by     SuppressedBy
	reason string
	use    *Use

	acknowledged *schema.Acknowledgement
}

// Use is a suppression, and what it did in one run.
type Use struct {
	*Suppression
	matched []bool // per rule that it names, or one for all
	lacking bool
}

// Matched reports whether it kept a finding of the rule from being reported;
// "" asks whether it did so with a finding of any rule.
func (u *Use) Matched(rule string) bool {
	if rule == "" {
		return slices.Contains(u.matched, true)
	}
	for i, id := range u.ids() {
		if id == rule && u.matched[i] {
			return true
		}
	}
	return false
}

// LacksReason reports whether there was a finding that it would have kept from
// being reported, had it given a reason.
func (u *Use) LacksReason() bool { return u.lacking }

// pageUses are the suppressions of one page.
type pageUses struct {
	*pageSuppressions
	uses []Use
}

// newOutcome collects the suppressions of all pages. bugs are those of the passes.
func newOutcome(w *compiler.Wiki, cfg Config, sel *selection, passes []*Pass, bugs ...[]error) *Outcome {
	o := &Outcome{wiki: w, sel: sel, where: newPlaces(w), ran: map[string]bool{}, rules: map[string]*Rule{}, pages: map[string]*pageUses{}, changes: cfg.Changes,
		whole: len(cfg.Except) == 0 && (len(cfg.Only) == 0 || len(sel.silent) > 0)}
	for i, p := range passes {
		failed := slices.ContainsFunc(bugs, func(of []error) bool { return of[i] != nil })
		o.ran[p.Rule.ID] = !failed && len(p.skipped) == 0 && !p.undecided()
		o.rules[p.Rule.ID] = p.Rule
	}
	if len(passes) == 0 {
		return o
	}
	n := 0
	for _, page := range passes[0].pages {
		if len(page.Comments) == 0 && page.Front == nil {
			continue
		}
		if ps := suppressionsOf.Of(passes[0], page); ps != nil {
			o.pages[page.Path] = &pageUses{pageSuppressions: ps}
			n += len(ps.list)
		}
	}
	o.uses = make([]Use, 0, n)
	for _, page := range passes[0].pages {
		if pu := o.pages[page.Path]; pu != nil {
			from := len(o.uses)
			for i := range pu.list {
				s := &pu.list[i]
				o.uses = append(o.uses, Use{Suppression: s, matched: make([]bool, max(1, len(s.Rules)))})
			}
			pu.uses = o.uses[from:]
		}
	}
	return o
}

// add finalizes the findings of a rule and applies suppressions.
func (o *Outcome) add(p *Pass) {
	j := judged{pass: p, kept: finalize(p, o.sel)}
	if len(o.pages) > 0 {
		kept := j.kept[:0]
		for _, f := range j.kept {
			if use := o.suppression(p.Rule, &f); use != nil {
				j.suppressed = append(j.suppressed, suppressed{finding: f, by: use.By, reason: use.Reason, use: use})
			} else {
				kept = append(kept, f)
			}
		}
		j.kept = kept
	}
	o.judged = append(o.judged, j)
}

// suppression returns what keeps a finding from being reported, or nil. Where
// its place begins decides. A contradiction is between places, so that it
// is enough when one of the others is suppressed.
func (o *Outcome) suppression(r *Rule, f *finding) *Use {
	if use := o.at(r, f.Path, f.Span.Start); use != nil || !r.contradicts() {
		return use
	}
	for i := range f.Related {
		if use := o.at(r, f.Related[i].Path, f.Related[i].Span.Start); use != nil {
			return use
		}
	}
	return nil
}

func (o *Outcome) at(r *Rule, path string, offset int) (found *Use) {
	page := o.pages[path]
	if page == nil {
		return nil
	}
	take := func(by int) bool {
		use := &page.uses[by]
		if r.NeedsReason && use.Reason == "" {
			use.lacking = true
			return true
		}
		for i, id := range use.ids() {
			use.matched[i] = use.matched[i] || id == "" || id == r.ID
		}
		found = use
		return false
	}
	if page.byRule[r.ID].at(offset, take) && r.Last == nil {
		page.byRule[""].at(offset, take)
	}
	return found
}

// Suppressions yields what the pages do not want to hear, in order of page and
// place, and the result of it.
func (o *Outcome) Suppressions() iter.Seq[*Use] {
	return func(yield func(*Use) bool) {
		for i := range o.uses {
			if !yield(&o.uses[i]) {
				return
			}
		}
	}
}

// Findings yields the findings of the other rules by id of the rule, without grouping,
// each with its suppression or nil. Positions and fingerprints are not set yet.
func (o *Outcome) Findings() iter.Seq2[*schema.Diagnostic, *Use] {
	return func(yield func(*schema.Diagnostic, *Use) bool) {
		for _, j := range o.judged {
			for i := range j.kept {
				if !yield(&j.kept[i].Diagnostic, nil) {
					return
				}
			}
			for i := range j.suppressed {
				if !yield(&j.suppressed[i].Diagnostic, j.suppressed[i].use) {
					return
				}
			}
		}
	}
}

// Rule returns a running rule; nil if it is unknown, off or not selected.
func (o *Outcome) Rule(id string) *Rule { return o.rules[id] }

// Known reports whether there is a rule of that id, whether it runs or not;
// near is the one that was probably meant, or empty.
func (o *Outcome) Known(id string) (near string, ok bool) {
	if _, ok := o.sel.base[id]; ok {
		return "", true
	}
	if o.ids == nil {
		o.ids = o.sel.ids()
	}
	near, _ = schema.Nearest(id, o.ids)
	return near, false
}

// settled reports whether what a rule once found and does not find now is gone:
// the rule looked, or is off. One that could not look says nothing.
func (o *Outcome) settled(id string) bool {
	ran, runs := o.ran[id]
	return ran || !runs && !o.sel.unjudged[id]
}

// Ran reports whether the rule looked at the page and what it found there
// counts; "" asks whether all rules did that anybody switched on.
func (o *Outcome) Ran(id, path string) bool {
	if id != "" {
		return o.ran[id] && o.sel.severity(id, path, schema.Off) != schema.Off
	}
	for id, ran := range o.ran {
		if !ran && !o.rules[id].NeedsJudge { // whether a judge answers changes nothing else
			return false
		}
	}
	return o.whole
}
