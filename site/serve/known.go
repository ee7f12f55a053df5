package serve

import (
	"reflect"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// same reports whether pages show the same of both.
func (k Known) same(other Known) bool {
	return k.Problem == other.Problem && sameWatched(k.Watched, other.Watched) &&
		reflect.DeepEqual(byPath(k.Findings), byPath(other.Findings)) && (len(k.Contradictions)+len(other.Contradictions) == 0 ||
		reflect.DeepEqual(k.Contradictions, other.Contradictions)) && slices.Equal(k.Mentions, other.Mentions)
}

func sameWatched(a, b map[string]schema.Watched) bool {
	return len(a)+len(b) == 0 || reflect.DeepEqual(a, b)
}

// otherFiles returns the files for which known differs from what g knows, sorted. next
// is the site with known.
func otherFiles(g *generation, known Known, next pages) []string {
	was, is := byPath(g.known.Findings), byPath(known.Findings)
	named, names := byName(g.known.Mentions), byName(known.Mentions)
	disputed, disputes := bySide(g.known.Contradictions), bySide(known.Contradictions)
	var files []string
	// Where some page was verified, all others say that they were not.
	first := (len(g.known.Watched) == 0) != (len(known.Watched) == 0)
	for _, p := range g.wiki.Pages() {
		if first || !reflect.DeepEqual(g.known.Watched[p.Path], known.Watched[p.Path]) {
			files = append(files, g.pages.FileOf(p.ID))
		}
		if !slices.Equal(named[p.Path], names[p.Path]) {
			files = append(files, g.pages.FileOf(p.ID))
		}
		findings := len(was[p.Path])+len(is[p.Path]) > 0 && !reflect.DeepEqual(was[p.Path], is[p.Path])
		if findings || len(disputed[p.Path])+len(disputes[p.Path]) > 0 && !reflect.DeepEqual(disputed[p.Path], disputes[p.Path]) {
			files = append(files, g.pages.FileOf(p.ID))
		}
	}
	if len(disputed)+len(disputes) > 0 && !reflect.DeepEqual(disputed, disputes) {
		files = slices.Concat(files, g.pages.ContradictionFiles(), next.ContradictionFiles())
	}
	if health := next.HealthFile(); health != "" && len(files) > 0 {
		files = append(files, health)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func byPath(findings []schema.Diagnostic) map[string][]schema.Diagnostic {
	m := make(map[string][]schema.Diagnostic)
	for _, d := range findings {
		m[d.Path] = append(m[d.Path], d)
	}
	return m
}

// byName returns the mentions of each page.
func byName(mentions []schema.Mention) map[string][]schema.Mention {
	m := make(map[string][]schema.Mention)
	for _, mention := range mentions {
		m[mention.Of] = append(m[mention.Of], mention)
	}
	return m
}

// bySide returns the contradictions of each page that is a side of one.
func bySide(list []schema.Contradiction) map[string][]schema.Contradiction {
	m := make(map[string][]schema.Contradiction)
	for _, c := range list {
		for i, s := range c.Sides {
			if !slices.ContainsFunc(c.Sides[:i], func(o schema.Side) bool { return o.Path == s.Path }) {
				m[s.Path] = append(m[s.Path], c)
			}
		}
	}
	return m
}
