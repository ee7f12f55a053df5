package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "unreviewed-source",
	Group:    linter.Sources,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A source was committed after its page was last reviewed.",
	Doc: `Since the page was last reviewed, one of the source files in its front matter changed. The page may still be
right, but nobody has checked.

A page's last review is the date of its latest ` + "`verified` or `last_verified`" + `; without one, its ` + "`updated`" + ` date,
or the commit that either of them names; otherwise the last commit of the page itself. A folder changes with
every file in it. A source changed on that same day counts as reviewed.

Read the change, correct the page, and update its date. This is the work list of a maintenance loop, so it is
info and not a warning. It needs the whole git history: in a shallow clone it is skipped.`,
	Check: func(p *linter.Pass) {
		refs := sourceFact.Of(p)
		if !slices.ContainsFunc(refs.all, func(r sourceRef) bool { return r.front && r.found != "" }) {
			return
		}
		repository, err := p.Wiki.Repository(p)
		if err != nil {
			p.Skip("could not check whether sources changed after their pages: %v", err)
			return
		}
		for _, s := range staleness(refs, repository, lockedRefs(p)) {
			if s.since.IsZero() || historical(s.page) || !s.later(s.since) {
				continue
			}
			reportUnreviewed(p, s)
		}
	},
})

// stale is a page with the sources that git knows.
type stale struct {
	page    *schema.Page
	since   schema.Moment // when it was last known true
	how     string        // by which words
	at      schema.Span   // where it says so
	sources []changedSource
}

// changedSource is a source and its newest commit.
type changedSource struct {
	sourceRef
	changed schema.Moment
}

// staleness relates the sources of each page to the dates that the page declares.
func staleness(refs *sourceRefs, repository *compiler.Repository, locked func(*sourceRef) bool) []stale {
	var out []stale
	for i := range refs.all {
		r := &refs.all[i]
		if !r.front || r.found == "" || locked(r) {
			continue
		}
		if len(out) == 0 || out[len(out)-1].page != r.page {
			s := stale{page: r.page}
			s.since, s.how, s.at = src.LastTrue(r.page, repository)
			out = append(out, s)
		}
		if changed := repository.Changed(r.found); !changed.IsZero() {
			s := &out[len(out)-1]
			s.sources = append(s.sources, changedSource{*r, changed})
		}
	}
	return out
}

// lockedRefs returns a filter for sources in wiki.lock: their changes are known, so
// dates add nothing.
func lockedRefs(p *linter.Pass) func(*sourceRef) bool {
	known := map[*schema.Page][]schema.Span{}
	for _, v := range p.Verdicts().All {
		if v.Locked != nil {
			known[v.Page] = append(known[v.Page], v.At)
		}
	}
	return func(r *sourceRef) bool {
		return slices.ContainsFunc(known[r.page], func(at schema.Span) bool { return at.Overlaps(r.at) })
	}
}

// later reports whether one of the sources was committed after a moment.
func (s *stale) later(than schema.Moment) bool {
	return slices.ContainsFunc(s.sources, func(c changedSource) bool { return src.LaterThan(c.changed, than) })
}

// mostNamed is how many sources a message names.
const mostNamed = 3

func reportUnreviewed(p *linter.Pass, s stale) {
	newer := slices.DeleteFunc(slices.Clone(s.sources), func(c changedSource) bool { return !src.LaterThan(c.changed, s.since) })
	slices.SortStableFunc(newer, func(a, b changedSource) int { return b.changed.Time.Compare(a.changed.Time) })
	var named []string
	for _, c := range newer {
		if text := fmt.Sprintf("%s (%s)", c.name, c.changed); !slices.Contains(named, text) {
			named = append(named, text)
		}
	}
	more := ""
	if len(named) > mostNamed {
		more = fmt.Sprintf(" and %d more", len(named)-mostNamed)
		named = named[:mostNamed]
	}
	d := p.Report(s.page.Path, s.at, "%s since the page was %s on %s: %s%s; review the page against them, and update its date",
		text.Count(len(newer), "source")+" changed", s.how, s.since, strings.Join(named, ", "), more)
	for _, c := range newer {
		d.Related = append(d.Related, schema.Related{Path: s.page.Path, Span: c.at, Message: "changed on " + c.changed.String()})
	}
}
