package linter

import (
	"context"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// changed keeps the findings related to changes: those with a side in changed lines, and
// those at a link or a source whose target changed, moved or was removed. A nil one
// keeps all.
type changed struct {
	*schema.Changes
	outcome *Outcome
	gone    map[string]bool // names of files that are no longer there, as links may say them
	folders map[string]bool // that files which changed are in
}

func newChanged(o *Outcome, c *schema.Changes) *changed {
	if c == nil {
		return nil
	}
	ch := &changed{Changes: c, outcome: o, gone: map[string]bool{}, folders: map[string]bool{}}
	for p, change := range c.Files {
		for dir := path.Dir(p); path.Base(dir) != "." && path.Base(dir) != ".." && dir != "/" && !ch.folders[dir]; dir = path.Dir(dir) {
			ch.folders[dir] = true
		}
		if change.Gone {
			ch.gone[linkName(p)] = true
		}
	}
	return ch
}

// linkName is the last part of a path or of a link's text, without extension
// and letter case, and with no difference between spaces, hyphens and underscores.
func linkName(s string) string {
	base := path.Base(strings.ReplaceAll(s, "\\", "/"))
	if ext := path.Ext(base); ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return strings.NewReplacer(" ", "-", "_", "-", "%20", "-").Replace(strings.ToLower(base))
}

func (c *changed) leave(j *judged) {
	if c == nil {
		return
	}
	j.kept = slices.DeleteFunc(j.kept, func(f finding) bool { return !c.concerns(&f) })
}

func (c *changed) concerns(f *finding) bool {
	if c.touches(f.Path, f.Span) || c.target(f.Path, f.Span) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(r schema.Related) bool {
		return c.touches(r.Path, r.Span) || r.Path == f.Path && c.target(r.Path, r.Span)
	})
}

// touches reports whether a place is in changed lines. An empty place at the very
// beginning stands for the whole page, and one in the front matter for the front matter,
// where a removed field leaves no line. For files that are not pages, lines are unknown.
func (c *changed) touches(file string, span schema.Span) bool {
	change, ok := c.Files[file]
	if !ok || change.Gone {
		return ok
	}
	page := c.outcome.where[file]
	if page == nil || span == (schema.Span{}) {
		return page == nil || change.Whole || len(change.Lines) > 0
	}
	if page.Front != nil && page.Front.Span.Contains(span.Start) {
		span = page.Front.Span
	}
	return change.Touches(page.Lines.LineOf(span.Start), page.Lines.LineOf(max(span.Start, span.End-1)))
}

// nestedLinks is how many links may begin before a place and still hold it: a
// picture within a link.
const nestedLinks = 3

// manyCitations is how many sources of one list a finding may be about.
const manyCitations = 8

// target reports whether a place is that of a link or a source that leads, or
// led, to a file that changed.
func (c *changed) target(file string, span schema.Span) bool {
	page := c.outcome.where[file]
	if page == nil || span.Len() == 0 {
		return false
	}
	links := page.Links
	next := sort.Search(len(links), func(i int) bool { return links[i].Span.Start > span.Start })
	for i := max(0, next-nestedLinks); i < next; i++ {
		if links[i].Span.Contains(span.Start) && c.linked(page, i) {
			return true
		}
	}
	return c.cited(page, span) || slices.ContainsFunc(source.References(context.Background(), c.outcome.wiki, page), func(r source.Reference) bool {
		return r.At.Overlaps(span) && c.anchored(page, r.Anchor.Path) // fields, comments and the like
	})
}

// cited reports whether a place is that of a citation, or of a source that the
// front matter names, of a file that changed.
func (c *changed) cited(page *schema.Page, span schema.Span) bool {
	cites := page.Citations
	next := sort.Search(len(cites), func(i int) bool { return cites[i].Span.Start > span.Start })
	for i := max(0, next-1); i < min(len(cites), next+manyCitations); i++ { // marks around it are no part of it
		if cites[i].Span.Overlaps(span) && c.anchored(page, cites[i].Ref.Path) {
			return true
		}
	}
	for i := range page.Meta.Sources {
		if s := &page.Meta.Sources[i]; s.Span.Overlaps(span) && c.anchored(page, s.Anchor.Path) {
			return true
		}
	}
	return false
}

// linked reports whether the n-th link of a page leads to a file that changed,
// or names one that is gone.
func (c *changed) linked(page *schema.Page, n int) bool {
	res := c.outcome.wiki.Resolution(page, n)
	if res.Path != "" {
		if _, ok := c.Files[res.Path]; ok {
			return true
		}
	}
	return res.Kind == schema.TargetNone && page.Links[n].Target != "" && c.gone[linkName(page.Links[n].Target)]
}

// anchored reports whether a source that is named relative to the page, the
// wiki's root or the repository changed.
// A folder changed when a file in it did.
func (c *changed) anchored(page *schema.Page, anchor string) bool {
	if anchor == "" {
		return false
	}
	up := ""
	if root := c.outcome.wiki.Workspace().RootPath; root != "." && root != "" {
		up = strings.Repeat("../", strings.Count(root, "/")+1)
	}
	for _, p := range []string{path.Join(path.Dir(page.Path), anchor), path.Clean(anchor), path.Join(up, anchor)} {
		if _, ok := c.Files[p]; ok || c.folders[p] {
			return true
		}
	}
	return false
}
