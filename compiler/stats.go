package compiler

import (
	"slices"

	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// StatsVersion is the version of the [Stats] document.
const StatsVersion = 1

// Stats counts what a wiki holds. All numbers are counts.
type Stats struct {
	Version         int           `json:"version"`
	Root            string        `json:"root"` // relative to the repository
	Dialect         string        `json:"dialect"`
	Pages           int           `json:"pages"`
	SourcePages     int           `json:"source_pages"` // of Pages, those of the layer source
	Files           int           `json:"files"`        // that are not pages
	Frontmatter     int           `json:"frontmatter"`  // pages that have one
	Words           int           `json:"words"`
	Wikilinks       WikilinkStats `json:"wikilinks"`
	MarkdownLinks   MarkdownStats `json:"markdown_links"`
	Orphans         int           `json:"orphans"`     // of OrphansAll, without index, log, readme and home pages
	OrphansAll      int           `json:"orphans_all"` // pages that the running text of no other links to
	Components      int           `json:"components"`
	DuplicateTitles int           `json:"duplicate_titles"` // titles that several pages have
}

// WikilinkStats counts the wikilinks of running text.
type WikilinkStats struct {
	Total       int `json:"total"`  // embeds included
	Embeds      int `json:"embeds"` // ![[…]]
	Broken      int `json:"broken"`
	Ambiguous   int `json:"ambiguous"`   // that fit several files
	Case        int `json:"case"`        // found only because letter case is ignored
	Frontmatter int `json:"frontmatter"` // beside Total, those in front matter
}

// MarkdownStats counts links and images in markdown's own syntax.
type MarkdownStats struct {
	Internal     int `json:"internal"` // to other pages and files
	External     int `json:"external"`
	Broken       int `json:"broken"`        // by the rules of the detected dialect
	BrokenGitHub int `json:"broken_github"` // by GitHub's: relative, letter case exact, extension required
	Case         int `json:"case"`
}

// Stats counts the wiki.
func (w *Wiki) Stats() Stats {
	s := Stats{Version: StatsVersion, Root: w.space.RootPath, Dialect: w.space.Dialect.Name, Pages: len(w.pages), Files: len(w.files)}
	titles := map[string]int{}
	for i, p := range w.pages {
		if p.Layer == schema.LayerSource {
			s.SourcePages++
		}
		if p.Front != nil {
			s.Frontmatter++
		}
		s.Words += p.Words
		titles[resolve.Fold(p.Title)]++
		for j := range p.Links {
			s.count(&p.Links[j], &w.links[i][j], w.space.Dialect.Profile.VaultMarkdown)
		}
	}
	for _, n := range titles {
		if n > 1 {
			s.DuplicateTitles++
		}
	}
	for i, p := range w.pages {
		if w.linkedInText(i) {
			continue
		}
		s.OrphansAll++
		if !p.Reserved() {
			s.Orphans++
		}
	}
	s.Components = len(w.graph.Components())
	return s
}

// linkedInText reports whether the running text of another page links to page
// i. Frontmatter does not count: most readers never see it.
func (w *Wiki) linkedInText(i int) bool {
	return slices.ContainsFunc(w.graph.links[i], func(b schema.Backlink) bool {
		return w.pages[w.index[b.From]].Links[b.Link].Field == ""
	})
}

func (s *Stats) count(l *schema.Link, r *schema.Resolution, vault bool) {
	one := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	switch {
	case l.Syntax == schema.SyntaxWikilink && l.Field != "":
		s.Wikilinks.Frontmatter++
	case l.Syntax == schema.SyntaxWikilink:
		s.Wikilinks.Total++
		one(&s.Wikilinks.Embeds, l.Embed)
		one(&s.Wikilinks.Broken, !r.OK())
		one(&s.Wikilinks.Ambiguous, len(r.Candidates) > 1)
		one(&s.Wikilinks.Case, r.CaseOnly)
	case l.External:
		s.MarkdownLinks.External++
	case l.Markdown() && r.By != schema.BySelf && r.Broken != schema.BrokenEmpty:
		s.MarkdownLinks.Internal++
		one(&s.MarkdownLinks.Broken, !r.OK() || r.By == schema.ByExtension && !vault)
		one(&s.MarkdownLinks.BrokenGitHub, !r.GitHub)
		one(&s.MarkdownLinks.Case, r.CaseOnly)
	}
}
