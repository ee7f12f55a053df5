package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/cmd/wiki/internal/seeding"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// seeded is the JSON document of wiki eval contradictions --seeded.
type seeded struct {
	Version int                       `json:"version"`
	Pages   int                       `json:"pages"`
	Found   int                       `json:"found"`  // in the wiki as it is
	Doubts  int                       `json:"doubts"` // in the wiki as it is
	Other   int                       `json:"other"`  // findings in changed copies that are neither
	Kinds   map[string]*conflict.Part `json:"kinds"`
	Doubted map[string]*conflict.Part `json:"doubted"` // those among them that are doubts
	Missed  []string                  `json:"missed"`
}

// runEvalSeeded changes claims on which two pages agree, one at a time, and counts how
// many changes are found.
func runEvalSeeded(ctx context.Context, p *program, root string, n int, asJSON bool) error {
	ws, err := compiler.Detect(p.path(root), p.root)
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{})
	if err != nil {
		return err
	}
	seeds := pickSeeds(w, n)
	in := conflict.NewInput(w)
	base := conflict.Find(in)
	before := map[uint64]bool{}
	for i := range base.Conflicts {
		for _, c := range slices.Concat(base.Conflicts[i].Differ...) {
			before[c.ID] = true
		}
	}
	out := seeded{Version: evaluationVersion, Pages: len(w.Pages()), Found: len(base.Conflicts), Doubts: len(base.Doubts),
		Kinds: map[string]*conflict.Part{}, Doubted: map[string]*conflict.Part{}, Missed: []string{}}
	sources := map[string][]byte{}
	for _, page := range w.Pages() {
		sources[page.Path] = page.Source
	}
	for i := range seeds {
		s := &seeds[i]
		changed, err := w.WithOverlay(ctx, compiler.Overlay{s.Sides[1].Path: s.Apply(sources[s.Sides[1].Path])})
		if err != nil {
			return err
		}
		next := *in
		next.Wiki = changed
		out.count(s, conflict.Find(&next), before)
	}
	if asJSON {
		return p.json(&out)
	}
	p.out.Printf("unchanged  %d pages, %d findings, %d doubts\n", out.Pages, out.Found, out.Doubts)
	for _, kind := range seeding.Kinds {
		if k := out.Kinds[kind]; k != nil {
			p.out.Printf("%-9s  %d of %d reported, %d doubted\n", kind, k.Found, k.Of, out.Doubted[kind].Found)
		}
	}
	p.out.Printf("other      %d findings that neither the wiki nor a seed explains\n", out.Other)
	for _, m := range out.Missed {
		p.out.Printf("missed     %s\n", m)
	}
	return nil
}

// pickSeeds picks facts from the raw text of the pages.
func pickSeeds(w *compiler.Wiki, n int) []seeding.Seed {
	var pages []seeding.Page
	links := map[[2]string]bool{}
	for _, page := range w.Pages() {
		pages = append(pages, seeding.Page{Path: page.Path, Source: page.Source})
		for _, res := range w.Links(page) {
			links[[2]string{page.Path, res.Path}] = true
		}
	}
	linked := func(a, b string) bool { return links[[2]string{a, b}] || links[[2]string{b, a}] }
	return seeding.Pick(pages, n, 1, w.Identity().Apart, linked)
}

// count records the findings of one seed.
func (out *seeded) count(s *seeding.Seed, found *conflict.Found, before map[uint64]bool) {
	if out.Kinds[s.Kind] == nil {
		out.Kinds[s.Kind], out.Doubted[s.Kind] = &conflict.Part{}, &conflict.Part{}
	}
	k, d := out.Kinds[s.Kind], out.Doubted[s.Kind]
	k.Of, d.Of = k.Of+1, d.Of+1
	hit := false
	for i := range found.Conflicts {
		c := &found.Conflicts[i]
		right := false
		for _, claims := range c.Differ {
			right = right || holds(claims, &s.Sides[0]) && holds(claims, &s.Sides[1])
		}
		hit = hit || right
		if !right && slices.ContainsFunc(c.Differ, func(claims []schema.Claim) bool { return !explained(claims, s, before) }) {
			out.Other++
		}
	}
	doubted := false
	for i := range found.Doubts {
		sides := []schema.Claim{found.Doubts[i].A, found.Doubts[i].B}
		doubted = doubted || holds(sides, &s.Sides[0]) && holds(sides, &s.Sides[1])
	}
	switch {
	case hit:
		k.Found++
	case doubted:
		d.Found++
	default:
		out.Missed = append(out.Missed, fmt.Sprintf("%s: %s, %s: %s", s.Kind, s.Sides[0].Path, s.Sides[1].Path, s.Was))
	}
}

// holds reports whether one of some claims is at a place.
func holds(claims []schema.Claim, at *seeding.Place) bool {
	for i := range claims {
		if c := &claims[i]; c.Path == at.Path && c.Span.Start < at.End && at.Start < c.Span.End {
			return true
		}
	}
	return false
}

// explained reports whether claims differ because of the seed, or differed before,
// wherever the change moved them.
func explained(claims []schema.Claim, s *seeding.Seed, before map[uint64]bool) bool {
	return holds(claims, &s.Sides[1]) || !slices.ContainsFunc(claims, func(c schema.Claim) bool { return !before[c.ID] })
}
