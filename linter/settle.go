package linter

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/schema"
)

// More findings with one cause are reported as one, which names up to that many other
// places.
const (
	causeThreshold = 10
	causePlaces    = 10
)

// places finds the pages of findings.
type places map[string]*schema.Page

func newPlaces(w *compiler.Wiki) places {
	m := make(places, len(w.Pages()))
	for _, p := range w.Pages() {
		m[p.Path] = p
	}
	return m
}

// page returns the page of that path, or nil.
func (m places) page(path string) *schema.Page { return m[path] }

// cursor turns offsets into positions and remembers the last one: findings
// come in order, and counting a long line from its beginning for each of its
// findings would take forever.
type cursor struct {
	places
	page   *schema.Page
	offset int
	pos    schema.Position
}

// positions returns where span begins and ends in the file path. Of a file
// that is not a page only the first line is known.
func (c *cursor) positions(path string, span schema.Span) (from, to schema.Position) {
	if c.page == nil || c.page.Path != path {
		c.page = c.places[path]
		c.offset, c.pos = 0, schema.Position{}
	}
	if c.page == nil || c.page.Lines == nil {
		return schema.Position{Line: 1, Column: 1}, schema.Position{Line: 1, Column: 1}
	}
	from = c.at(span.Start)
	c.offset, c.pos = span.Start, from
	return from, c.at(span.End)
}

// at returns the position of offset, counted from the last one when it is
// behind that on the same line.
func (c *cursor) at(offset int) schema.Position {
	src := c.page.Source
	known := c.pos.Line > 0 && 0 < c.offset && c.offset <= offset && offset <= len(src)
	if known && (c.offset == len(src) || utf8.RuneStart(src[c.offset])) {
		between := src[c.offset:offset]
		if bytes.IndexByte(between, '\n') < 0 && bytes.IndexByte(between, '\r') < 0 {
			return schema.Position{Line: c.pos.Line, Column: c.pos.Column + utf8.RuneCount(between)}
		}
	}
	return c.page.Lines.Position(offset)
}

// finalize gives the findings of one rule their severities and names them, in
// order of place.
func finalize(p *Pass, sel *selection) []finding {
	found := make([]finding, 0, len(p.found))
	for _, f := range p.found { // kept with their pages, so these are copies
		if f.Severity = sel.severity(f.Rule, f.Path, f.Severity); f.Severity != schema.Off {
			found = append(found, f)
		}
	}
	order := func(a, b finding) int { return compareFindings(a.Diagnostic, b.Diagnostic) }
	if !slices.IsSortedFunc(found, order) {
		slices.SortStableFunc(found, order)
	}
	// Links that share a definition share its fault.
	found = slices.CompactFunc(found, func(a, b finding) bool {
		return a.Path == b.Path && a.Span == b.Span && a.Span.Len() > 0 && a.Message == b.Message
	})
	number(found)
	return found
}

// locator fills in positions. Findings come in order, and so do those related.
type locator struct{ at, related cursor }

func newLocator(where places) *locator {
	return &locator{cursor{places: where}, cursor{places: where}}
}

func (l *locator) locate(d *schema.Diagnostic) {
	d.From, d.To = l.at.positions(d.Path, d.Span)
	d.Related = slices.Clone(d.Related) // findings are kept with their page
	for i := range d.Related {
		r := &d.Related[i]
		if r.From.Line == 0 { // else a place in code, which only the rule knows
			r.From, r.To = l.related.positions(r.Path, r.Span)
		}
	}
}

// grouped returns the findings of one rule with those of one cause as one.
func (o *Outcome) grouped(cfg Config, j *judged) []finding {
	if cfg.Each {
		for i := range j.kept {
			j.kept[i].cause = ""
		}
		return j.kept
	}
	r := j.pass.Rule
	return foldVersions(o.wiki.Identity(), collapseShared(r, collapse(r, j.kept), o.where))
}

// finish sets the data that only reported findings need: positions and fingerprints.
func finish(found []finding, where places) []schema.Diagnostic {
	out := make([]schema.Diagnostic, len(found))
	at := newLocator(where)
	causes := map[string]int{}
	for i := range found {
		f := &found[i]
		out[i] = f.Diagnostic
		at.locate(&out[i])
		if f.cause == "" {
			out[i].Fingerprint = f.fingerprint()
			continue
		}
		out[i].Fingerprint = causePrint(f.Rule, f.cause, causes[f.cause])
		causes[f.cause]++
	}
	return out
}

// foldVersions groups findings that occur in several versions of a page, at the first of
// them.
func foldVersions(ids *identity.Set, found []finding) []finding {
	type key struct {
		work, language string
		text           uint64
		nth            int
		sev            schema.Severity
	}
	groups := map[key][]int{}
	for i := range found {
		f := &found[i]
		k := key{ids.Work(f.Path), ids.Language(f.Path), f.text, f.nth, f.Severity}
		groups[k] = append(groups[k], i)
	}
	drop := make([]bool, len(found))
	for _, g := range groups {
		if len(g) < 2 || found[g[0]].cause != "" || !ids.Versions(found[g[0]].Path, found[g[1]].Path) {
			continue
		}
		first := &found[g[0]]
		names, fixes := []string{cmp.Or(ids.Version(first.Path), first.Path)}, mergeFixes(found, g)
		first.Related = slices.Clone(first.Related)
		for _, i := range g[1:] {
			f := &found[i]
			names = append(names, cmp.Or(ids.Version(f.Path), f.Path))
			first.Related = append(first.Related, schema.Related{Path: f.Path, Span: f.Span, Message: "the same in another version"})
			first.Count += f.Count
			drop[i] = true
		}
		first.Fixes = fixes
		first.Message += fmt.Sprintf(" (in %d versions: %s)", len(names), strings.Join(names, ", "))
	}
	return keep(found, drop)
}

// keep returns the findings that are not to be dropped, in place.
func keep(found []finding, drop []bool) []finding {
	kept := found[:0]
	for i, f := range found {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	return kept
}

// collapse says every cause with more than [causeThreshold] findings once, at
// its first place.
func collapse(r *Rule, found []finding) []finding {
	type key struct {
		cause string
		sev   schema.Severity
	}
	groups := map[key][]int{}
	for i, f := range found {
		if f.cause != "" {
			k := key{f.cause, f.Severity}
			groups[k] = append(groups[k], i)
		}
	}
	drop := make([]bool, len(found))
	for _, g := range groups {
		if len(g) <= causeThreshold {
			for _, i := range g {
				found[i].cause = ""
			}
			continue
		}
		found[g[0]].Diagnostic = one(r, found, g, causePlaces)
		for _, i := range g[1:] {
			drop[i] = true
		}
	}
	return keep(found, drop)
}

// one returns the diagnostic for a group, with some of its places.
func one(r *Rule, found []finding, group []int, places int) schema.Diagnostic {
	first := found[group[0]].Diagnostic
	d := first
	d.Count, d.Related = 0, nil
	for n, i := range group {
		f := &found[i].Diagnostic
		d.Count += f.Count
		if 0 < n && n <= places {
			d.Related = append(d.Related, schema.Related{Path: f.Path, Span: f.Span, Message: f.Message})
		}
	}
	d.Message = fmt.Sprintf("%s (and %d more with the same cause)", first.Message, d.Count-1)
	if r.Cause != nil {
		d.Message = r.Cause(d.Count, first)
	}
	d.Fixes = mergeFixes(found, group)
	return d
}

// mergeFixes returns one fix that combines the first fix of every finding, or nil if a
// finding has none, if only some are safe, or if they touch the same text.
func mergeFixes(found []finding, group []int) []schema.Fix {
	var all schema.Fix
	for n, i := range group {
		fixes := found[i].Fixes
		if len(fixes) == 0 || n > 0 && fixes[0].Safe != all.Safe {
			return nil
		}
		if n == 0 {
			all.Safe = fixes[0].Safe
			all.Title = fmt.Sprintf("%s, and %d more like it", fixes[0].Title, len(group)-1)
		}
		all.Edits = append(all.Edits, fixes[0].Edits...)
		all.Moves = append(all.Moves, fixes[0].Moves...)
	}
	if all.Moves = mergeMoves(all.Moves); contradictory(all.Moves) {
		return nil
	}
	slices.SortFunc(all.Edits, edit.Compare)
	all.Edits = slices.Compact(all.Edits)
	for i := 1; i < len(all.Edits); i++ {
		a, b := all.Edits[i-1], all.Edits[i]
		if a.Path == b.Path && (b.Span.Start < a.Span.End || b.Span == a.Span) {
			return nil
		}
	}
	return []schema.Fix{all}
}

// mergeMoves sorts moves and leaves each out but once.
func mergeMoves(moves []schema.Move) []schema.Move {
	slices.SortFunc(moves, func(a, b schema.Move) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
	})
	return slices.Compact(moves)
}

// contradictory reports whether moves conflict: one file to two places, two files to one
// place, or a file to a place that another has not left yet.
func contradictory(moves []schema.Move) bool {
	from, to := map[string]bool{}, map[string]bool{}
	for _, m := range moves {
		if from[m.From] || to[m.To] {
			return true
		}
		from[m.From], to[m.To] = true, true
	}
	return slices.ContainsFunc(moves, func(m schema.Move) bool { return from[m.To] })
}
