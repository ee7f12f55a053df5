package linter

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

// Fixing says how findings are settled.
type Fixing struct {
	// Lint finds them. It is called again after every round of fixes.
	Lint func(context.Context, *compiler.Wiki) (*Result, error)
	// Unsafe also applies the fixes that need a review.
	Unsafe bool
	// Rounds bounds how often fixes are applied; 0 means [DefaultRounds].
	Rounds int
}

// DefaultRounds is how often fixes are applied at most: a fix can make way for
// another, but not often.
const DefaultRounds = 50

// Fixed is the result of fixing. Nothing is written.
type Fixed struct {
	Changes  *edit.Changes
	Findings int // settled, each counted as often as it was found
	Rounds   int // in which something was fixed
	// Undone are pairs of rule and page whose fixes left their finding or undid
	// one another, in order; they were given up.
	Undone []Undone
	// Unfinished is set when fixes were left after the last round.
	Unfinished bool
}

// Undone is a rule whose fixes of a page led nowhere.
type Undone struct{ Rule, Path string }

// Fix applies the fixes of findings to a fixed point, in memory: apply, compile,
// lint again, until no fix is left that is allowed. Of the fixes of a finding
// the first that is allowed counts; one that touches the text of another waits
// for the next round.
//
// A fix that leaves its finding, and fixes that make the files what they were
// before, would go on forever. They are given up, and everything begins anew
// without them.
func Fix(ctx context.Context, w *compiler.Wiki, how Fixing) (*Fixed, error) {
	if how.Rounds <= 0 {
		how.Rounds = DefaultRounds
	}
	f := &fixer{how: how, blocked: map[Undone]bool{}}
	for {
		out, vain, err := f.attempt(ctx, w)
		if err != nil {
			return nil, err
		}
		if len(vain) == 0 {
			for u := range f.blocked {
				out.Undone = append(out.Undone, u)
			}
			slices.SortFunc(out.Undone, func(a, b Undone) int {
				return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule))
			})
			return out, nil
		}
		for _, u := range vain {
			f.blocked[u] = true
		}
	}
}

type fixer struct {
	how     Fixing
	blocked map[Undone]bool
}

// attempt applies fixes until none is left, or returns those that lead nowhere.
func (f *fixer) attempt(ctx context.Context, w *compiler.Wiki) (out *Fixed, vain []Undone, err error) {
	out = &Fixed{Changes: edit.New(w)}
	states := []uint64{digest(w.Overlay())}
	var applied []*round
	for at := w; ; {
		res, err := f.how.Lint(ctx, at)
		if err != nil {
			return nil, nil, err
		}
		if n := len(applied); n > 0 {
			if vain := applied[n-1].left(res.Findings); len(vain) > 0 {
				return nil, vain, nil
			}
		}
		r := f.choose(out.Changes, res.Findings)
		if len(r.by) == 0 {
			return out, nil, nil
		}
		if out.Rounds == f.how.Rounds {
			out.Unfinished = true
			return out, nil, nil
		}
		if err := r.apply(out.Changes); err != nil {
			return nil, nil, err
		}
		overlay := out.Changes.Overlay()
		if at, err = at.WithOverlay(ctx, overlay); err != nil {
			return nil, nil, err
		}
		out.Rounds++
		out.Findings += r.findings
		applied = append(applied, r)
		state := digest(overlay)
		if before := slices.Index(states, state); before >= 0 {
			for _, r := range applied[before:] {
				vain = append(vain, r.by...)
			}
			return nil, vain, nil
		}
		states = append(states, state)
	}
}

// round are fixes that can be applied together.
type round struct {
	edits    map[string][]placed // in order of place
	writable map[string]bool
	moves    []schema.Move
	by       []Undone
	findings int
	expected map[findingText]int // how often each finding that a fix was chosen for may be left
}

// findingText identifies a finding by its text, wherever it is on its page.
type findingText struct{ rule, path, message string }

func findingTextOf(d *schema.Diagnostic) findingText { return findingText{d.Rule, d.Path, d.Message} }

// left returns the fixes of the round that left what they were for.
func (r *round) left(findings []schema.Diagnostic) []Undone {
	now := map[findingText]int{}
	for i := range findings {
		now[findingTextOf(&findings[i])]++
	}
	var out []Undone
	for c, n := range r.expected {
		if now[c] > n {
			out = append(out, Undone{c.rule, c.path})
		}
	}
	return out
}

// placed is an edit and the rule that it is from.
type placed struct {
	schema.Edit
	rule string
}

// choose picks, in the order of the findings, the fixes that can be applied
// together.
func (f *fixer) choose(c *edit.Changes, findings []schema.Diagnostic) *round {
	r := &round{edits: map[string][]placed{}, writable: map[string]bool{}, expected: map[findingText]int{}}
	all := map[findingText]int{}
	for i := range findings {
		all[findingTextOf(&findings[i])]++
	}
	for i := range findings {
		d := &findings[i]
		by := Undone{d.Rule, d.Path}
		k := slices.IndexFunc(d.Fixes, func(x schema.Fix) bool { return x.Safe || f.how.Unsafe })
		if k < 0 || f.blocked[by] || !r.fits(c, d.Rule, &d.Fixes[k]) {
			continue
		}
		for _, e := range d.Fixes[k].Edits {
			r.add(placed{e, d.Rule})
		}
		r.moves = append(r.moves, d.Fixes[k].Moves...)
		r.by = append(r.by, by)
		c := findingTextOf(d)
		all[c]--
		r.expected[c] = all[c]
		r.findings += max(1, d.Count)
	}
	return r
}

// near returns the chosen edits of a file that share a place with e or touch
// it, and where e belongs among all: behind those at its own place.
func (r *round) near(e schema.Edit) (touching []placed, at int) {
	list := r.edits[e.Path]
	from, _ := slices.BinarySearchFunc(list, e.Span.Start, func(o placed, start int) int { return cmp.Compare(o.Span.End, start) })
	to := from
	at = from
	for ; to < len(list) && list[to].Span.Start <= e.Span.End; to++ {
		if o := list[to].Span; o.Start < e.Span.Start || o.Start == e.Span.Start && o.End <= e.Span.End {
			at = to + 1
		}
	}
	return list[from:to], at
}

// add notes an edit; the same one twice is one edit.
func (r *round) add(p placed) {
	touching, at := r.near(p.Edit)
	if !slices.ContainsFunc(touching, func(o placed) bool { return o.Edit == p.Edit }) {
		r.edits[p.Path] = slices.Insert(r.edits[p.Path], at, p)
	}
}

// fits reports whether a fix can be applied with those chosen before.
func (r *round) fits(c *edit.Changes, rule string, fix *schema.Fix) bool {
	for _, e := range fix.Edits {
		if !r.canWrite(c, e.Path) {
			return false
		}
		touching, _ := r.near(e)
		for _, o := range touching {
			if o.Edit != e && edit.Conflicts(o.Edit, e) && !(o.rule == rule && follow(c, o.Edit, e)) {
				return false
			}
		}
	}
	for _, m := range fix.Moves {
		if !r.canWrite(c, m.From) || !c.Exists(m.From) || c.Exists(m.To) {
			return false
		}
		// Links to a moved file, and from it, are rewritten for the folders before the
		// move.
		if len(r.moves) > 0 && (leaves(m) || slices.ContainsFunc(r.moves, leaves)) {
			return false
		}
	}
	return len(fix.Moves) == 0 || !contradictory(mergeMoves(slices.Concat(r.moves, fix.Moves)))
}

// leaves reports whether a move takes a file into another folder.
func leaves(m schema.Move) bool { return path.Dir(m.From) != path.Dir(m.To) }

// canWrite reports whether a file can be rewritten.
func (r *round) canWrite(c *edit.Changes, p string) bool {
	ok, known := r.writable[p]
	if !known {
		ok = c.Check(p) == nil
		r.writable[p] = ok
	}
	return ok
}

// follow reports whether two edits of one rule put whole lines in at one place,
// below the head of a page, where they can follow one another.
func follow(c *edit.Changes, a, b schema.Edit) bool {
	if a.Span != b.Span || a.Span.Len() > 0 || a.Span.Start == 0 {
		return false
	}
	src, _ := c.Content(a.Path)
	return a.Span.Start <= len(src) && src[a.Span.Start-1] == '\n' && strings.HasSuffix(a.Text, "\n") && strings.HasSuffix(b.Text, "\n")
}

func (r *round) apply(c *edit.Changes) error {
	var all []schema.Edit
	for _, list := range r.edits {
		for _, p := range list {
			all = append(all, p.Edit)
		}
	}
	if err := c.Edit(all...); err != nil {
		return fmt.Errorf("could not apply a fix: %w", err)
	}
	if err := c.Move(mergeMoves(r.moves)...); err != nil {
		return fmt.Errorf("could not apply a fix: %w", err)
	}
	return nil
}

// digest identifies a state of the files.
func digest(o compiler.Overlay) uint64 {
	h := xxh3.New()
	for _, p := range slices.Sorted(maps.Keys(o)) {
		fmt.Fprintf(h, "%q %v %d\n", p, o[p] == nil, len(o[p]))
		_, _ = h.Write(o[p])
	}
	return h.Sum64()
}
