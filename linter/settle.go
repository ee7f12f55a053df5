package linter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// More findings than this of one cause are said as one, which then names up
// to as many of the other places.
const (
	causeThreshold = 10
	causePlaces    = 10
)

// places finds the pages that findings stand in.
type places map[string]*schema.Page

func newPlaces(w *compiler.Wiki) places {
	m := make(places, len(w.Pages()))
	for _, p := range w.Pages() {
		m[p.Path] = p
	}
	return m
}

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
// that is no page only the first line is known.
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

// settle turns what one rule reported into diagnostics: severities from the
// configuration, one finding per cause, positions and fingerprints.
func settle(p *Pass, sel *selection, where places) []schema.Diagnostic {
	found := p.found[:0:0]
	for _, f := range p.found {
		if f.Severity = sel.severity(f.Rule, f.Path, f.Severity); f.Severity != schema.Off {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b finding) int { return compareFindings(a.Diagnostic, b.Diagnostic) })
	found = collapse(p.Rule, found)
	out := make([]schema.Diagnostic, len(found))
	at, related := cursor{places: where}, cursor{places: where}
	for i, f := range found {
		d := f.Diagnostic
		d.From, d.To = at.positions(d.Path, d.Span)
		for j := range d.Related {
			r := &d.Related[j]
			r.From, r.To = related.positions(r.Path, r.Span)
		}
		out[i] = d
	}
	fingerprint(found, out, where)
	return out
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
		found[g[0]].Diagnostic = one(r, found, g)
		for _, i := range g[1:] {
			drop[i] = true
		}
	}
	kept := found[:0]
	for i, f := range found {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	return kept
}

// one returns the diagnostic that stands for those of group.
func one(r *Rule, found []finding, group []int) schema.Diagnostic {
	first := found[group[0]].Diagnostic
	d := first
	d.Count, d.Related = 0, nil
	for n, i := range group {
		f := &found[i].Diagnostic
		d.Count += f.Count
		if 0 < n && n <= causePlaces {
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

// mergeFixes returns one fix that does the first fix of every finding, or nil
// when a finding has none, when some are safe and some are not, or when they
// touch the same text.
func mergeFixes(found []finding, group []int) []schema.Fix {
	var all schema.Fix
	for n, i := range group {
		fixes := found[i].Fixes
		if len(fixes) == 0 || n > 0 && fixes[0].Safe != all.Safe {
			return nil
		}
		if n == 0 {
			all.Safe = fixes[0].Safe
			all.Title = fmt.Sprintf("%s, and likewise %d more", fixes[0].Title, len(group)-1)
		}
		all.Edits = append(all.Edits, fixes[0].Edits...)
	}
	slices.SortFunc(all.Edits, compareEdits)
	all.Edits = slices.Compact(all.Edits)
	for i := 1; i < len(all.Edits); i++ {
		a, b := all.Edits[i-1], all.Edits[i]
		if a.Path == b.Path && (b.Span.Start < a.Span.End || b.Span == a.Span) {
			return nil
		}
	}
	return []schema.Fix{all}
}

func compareEdits(a, b schema.Edit) int {
	switch {
	case a.Path != b.Path:
		return strings.Compare(a.Path, b.Path)
	case a.Span.Start != b.Span.Start:
		return a.Span.Start - b.Span.Start
	case a.Span.End != b.Span.End:
		return a.Span.End - b.Span.End
	}
	return strings.Compare(a.Text, b.Text)
}

// fingerprint names every finding by its rule, its page, the normalised text
// of its place, and which of several equal ones it is. A finding without
// extent is named by its message, and one that stands for a cause by the
// cause. Lines and offsets take no part: text moved is the same text.
func fingerprint(found []finding, out []schema.Diagnostic, where places) {
	seen := map[string]int{}
	for i := range out {
		d := &out[i]
		key := d.Rule + "\x00"
		switch f := found[i]; {
		case f.cause != "":
			key += "\x00cause\x00" + f.cause
		case d.Span.Len() > 0 && where[d.Path] != nil:
			key += d.Path + "\x00text\x00" + normalise(d.Span.In(where[d.Path].Source))
		default:
			key += d.Path + "\x00message\x00" + normalise([]byte(d.Message))
		}
		n := seen[key]
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, n))
		d.Fingerprint = hex.EncodeToString(sum[:8])
	}
}

// normalise folds letter case and writes every run of white space as one
// space, so that wrapping a line again changes no fingerprint.
func normalise(text []byte) string {
	return strings.ToLower(string(bytes.Join(bytes.FieldsFunc(text, unicode.IsSpace), []byte(" "))))
}
