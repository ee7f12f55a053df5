package difference

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// State is a wiki at one time.
type State struct {
	Wiki     *compiler.Wiki
	Lint     linter.Config // with Today, the day on which its pages are judged
	Revision Revision
}

// pair is a page in both states.
type pair struct{ was, now *schema.Page }

// matched are the pages of two states: those of one alone, and those of both.
type matched struct {
	added, removed []*schema.Page
	both           []pair
	renamed        map[string]string // the path now of pages that were moved, by the path before
}

// Between compares two states of a wiki. renamed has the files that were renamed: their
// paths before, below the wiki's root, with those after. The error is for a context that
// was cancelled and for a configuration of lint that can't be used.
func Between(ctx context.Context, was, now State, renamed map[string]string) (*Document, error) {
	d, m := comparePagesOf(was, now, renamed)
	if err := compareFindings(ctx, d, was, now, m); err != nil {
		return nil, err
	}
	return d, nil
}

// comparePagesOf compares the pages of two states and what they claim.
func comparePagesOf(was, now State, renamed map[string]string) (*Document, matched) {
	m := match(was.Wiki, now.Wiki, renamed)
	d := &Document{Version: Version, From: was.Revision, To: now.Revision}
	before, after := newReader(was.Wiki), newReader(now.Wiki)
	d.Pages = Pages{Added: after.pages(m.added), Removed: before.pages(m.removed), Changed: []PageChange{}}
	d.Claims = Claims{Added: after.list(m.added), Removed: before.list(m.removed), Changed: []ClaimChange{}}
	d.Freshness.Changed = []StateChange{}
	for _, p := range m.both {
		if p.was.Hash != p.now.Hash || p.was.Path != p.now.Path {
			sections := compareSections(newReading(was.Wiki, p.was, m.renamed), newReading(now.Wiki, p.now, nil))
			if c, ok := comparePages(p, sections); ok {
				d.Pages.Changed = append(d.Pages.Changed, c)
			}
			compareClaims(&d.Claims, before.claims(p.was), after.claims(p.now), sections)
		}
	}
	sortClaims(&d.Claims)
	return d, m
}

// match finds the page of one state that a page of the other is: by its path, or else
// where git says that it was renamed, or by its text.
func match(was, now *compiler.Wiki, renamed map[string]string) matched {
	m := matched{renamed: map[string]string{}}
	before, after, same := map[string]bool{}, map[string]*schema.Page{}, map[uint64]*schema.Page{}
	for _, p := range was.Pages() {
		before[p.Path] = true
	}
	for _, p := range now.Pages() {
		after[p.Path] = p
		if !before[p.Path] {
			same[p.Hash] = p
		}
	}
	taken := map[string]bool{}
	for _, p := range was.Pages() {
		n := after[p.Path]
		if n == nil {
			if n = after[renamed[p.Path]]; n == nil {
				n = same[p.Hash]
			}
			if n != nil && (before[n.Path] || taken[n.Path]) {
				n = nil
			}
		}
		if n == nil {
			m.removed = append(m.removed, p)
			continue
		}
		if n.Path != p.Path {
			m.renamed[p.Path] = n.Path
		}
		taken[n.Path] = true
		m.both = append(m.both, pair{p, n})
	}
	for _, p := range now.Pages() {
		if !taken[p.Path] {
			m.added = append(m.added, p)
		}
	}
	slices.SortFunc(m.both, func(a, b pair) int { return strings.Compare(a.now.Path, b.now.Path) })
	return m
}

// comparePages compares the front matter of a page, and takes what changed in its
// sections; ok is false if nothing but white space differs.
func comparePages(p pair, sections []sectionChange) (c PageChange, ok bool) {
	c = PageChange{Path: p.now.Path, Title: p.now.Title, Fields: compareFields(p), Sections: []SectionChange{}}
	for i := range sections {
		c.Sections = append(c.Sections, sections[i].document())
	}
	if p.was.Path != p.now.Path {
		c.Was = p.was.Path
	}
	return c, c.Was != "" || len(c.Fields)+len(c.Sections) > 0
}

// compareFields compares front matter by its keys.
func compareFields(p pair) []FieldChange {
	before, after := fields(p.was), fields(p.now)
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	out := []FieldChange{}
	for name := range names {
		if before[name] != after[name] {
			out = append(out, FieldChange{name, before[name], after[name]})
		}
	}
	slices.SortFunc(out, func(a, b FieldChange) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// fields are the values of a page's front matter, in one line each.
func fields(p *schema.Page) map[string]string {
	out := map[string]string{}
	if p.Front == nil || p.Front.Root == nil {
		return out
	}
	for _, pair := range p.Front.Root.Pairs {
		out[pair.Key] = flat(pair.Value)
	}
	return out
}

// flat is a value of front matter in one line: a list with commas, a map with colons.
func flat(n *schema.Node) string {
	if n == nil || n.IsScalar() {
		return strings.Join(strings.Fields(n.ScalarText()), " ")
	}
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, flat(item))
	}
	for _, pair := range n.Pairs {
		parts = append(parts, pair.Key+": "+flat(pair.Value))
	}
	return strings.Join(parts, ", ")
}
