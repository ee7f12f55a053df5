package pack

import (
	"cmp"
	"fmt"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/search"
)

const (
	// Version is the version of the [Pack] document.
	Version = 1
	// DefaultBudget is how many tokens a pack has unless something else is asked for, and
	// LeastBudget how many it must be given.
	DefaultBudget = 4000
	LeastBudget   = 200
	// Pages is how many pages of a search are looked at.
	Pages = 40

	mostQuery = 300 // bytes of the query that are repeated
	mostMore  = 5   // sections that are named only
)

// Input is what a pack is made of.
type Input struct {
	Wiki   *compiler.Wiki
	Found  search.Results // at least [Pages] of them, if there are as many
	Budget int            // tokens
	// Private takes pages that a published site would not list.
	Private bool
	// Current leaves out raw sources and logs: what pages were made of, and what happened
	// once.
	Current bool
	// Contradictions are those of the wiki, and Watched says what of the code the pages of
	// [PagesOf] were verified against, by path; both may be nil.
	Contradictions []schema.Contradiction
	Watched        map[string]schema.Watched
}

// PagesOf returns the pages that a pack may be made of: those whose freshness matters.
func PagesOf(w *compiler.Wiki, found search.Results) []*schema.Page {
	var out []*schema.Page
	for i := range found.Results {
		if p := w.Page(found.Results[i].Page); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Pack is what a wiki says about a question.
type Pack struct {
	Version  int       `json:"version" jsonschema:"version of this document, 1"`
	Query    string    `json:"query"`
	Budget   int       `json:"budget" jsonschema:"tokens"`
	Tokens   int       `json:"tokens" jsonschema:"estimate of the text that wiki context prints, from above"`
	Sections []Section `json:"sections" jsonschema:"best first"`
	More     []Handle  `json:"more" jsonschema:"the next sections, for which there was no room"`
}

// Handle names a section.
type Handle struct {
	Path    string `json:"path" jsonschema:"below the wiki's root"`
	Title   string `json:"title"`
	Section string `json:"section,omitempty" jsonschema:"path of its headings"`
	Anchor  string `json:"anchor,omitempty"`
	From    int    `json:"from" jsonschema:"first line"`
	To      int    `json:"to" jsonschema:"last line"`
	Tokens  int    `json:"tokens" jsonschema:"estimate, from above"`
}

// Section is a section of a page, or a part of a long one.
type Section struct {
	Handle
	Freshness string   `json:"freshness" jsonschema:"verified, unverified, draft, stale, contested or superseded"`
	Private   bool     `json:"private,omitempty" jsonschema:"not published"`
	Notes     []string `json:"notes" jsonschema:"why not to rely on it as it is"`
	Text      string   `json:"text" jsonschema:"markdown; hidden characters are written as escapes"`
	Heading   string   `json:"-"` // the last of the path of its headings

	words        wordCounts
	score, trust float64
}

// Make composes a pack. The same input gives the same pack.
func Make(in Input) *Pack {
	p := &Pack{Version: Version, Query: clip(in.Found.Query), Budget: in.Budget, Sections: []Section{}, More: []Handle{}}
	all := in.candidates()
	in.rank(all)
	used := Tokens(p.head(99, 99, in.Budget)) + Tokens(moreHead)
	for _, s := range all {
		cost := Tokens(s.render()) + 1
		switch {
		case used+cost <= in.Budget:
			p.Sections, used = append(p.Sections, s), used+cost
		case len(p.More) < mostMore:
			if line := Tokens(s.line()) + 1; used+line <= in.Budget {
				p.More, used = append(p.More, s.Handle), used+line
			}
		}
	}
	for p.Tokens = Tokens(p.Render()); p.Tokens > in.Budget && len(p.Sections)+len(p.More) > 0; p.Tokens = Tokens(p.Render()) {
		if n := len(p.More); n > 0 {
			p.More = p.More[:n-1]
		} else {
			p.Sections = p.Sections[:len(p.Sections)-1]
		}
	}
	return p
}

// moreHead introduces the sections that are named only.
const moreHead = "No room for:\n"

// Render returns the pack as text for a model.
func (p *Pack) Render() string {
	pages := map[string]bool{}
	for i := range p.Sections {
		pages[p.Sections[i].Path] = true
	}
	var b strings.Builder
	b.WriteString(p.head(len(p.Sections), len(pages), p.Budget))
	for i := range p.Sections {
		b.WriteString("\n" + p.Sections[i].render())
	}
	if len(p.More) > 0 {
		b.WriteString("\n" + moreHead)
		for _, h := range p.More {
			b.WriteString(h.line())
		}
	}
	return b.String()
}

func (p *Pack) head(sections, pages, budget int) string {
	switch {
	case sections == 0:
		return fmt.Sprintf("Nothing in the wiki fits %q into %d tokens.\n", p.Query, budget)
	case p.Query == "":
		return fmt.Sprintf("%s of %s for an overview.\n", text.Count(sections, "section"), text.Count(pages, "page"))
	}
	return fmt.Sprintf("%s of %s about %q, best first.\n", text.Count(sections, "section"), text.Count(pages, "page"), p.Query)
}

// line names a section on one line.
func (h *Handle) line() string {
	at := h.Path
	if h.Anchor != "" {
		at += "#" + h.Anchor
	}
	return fmt.Sprintf("- %s (%d tokens)\n", text.Line(at), h.Tokens)
}

func (s *Section) render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "=== %s:%d-%d %s\n", text.Line(s.Path), s.From, s.To, cmp.Or(s.Section, s.Title))
	for _, n := range s.Notes {
		b.WriteString("! " + n + "\n")
	}
	b.WriteString(s.Text + "\n")
	return b.String()
}

// clip returns a text on one line, cut where it is long.
func clip(s string) string {
	s = text.Collapse(text.ForModel(s))
	if len(s) > mostQuery {
		return strings.ToValidUTF8(s[:mostQuery], "") + "…"
	}
	return s
}

// candidates are the sections of the pages that were found.
func (in *Input) candidates() []Section {
	var out []Section
	near, wanted := in.nearness(), in.asking()
	for i := range in.Found.Results {
		r := &in.Found.Results[i]
		page := in.Wiki.Page(r.Page)
		if page == nil || in.withheld(page) || in.Current && record(page) {
			continue
		}
		out = append(out, in.sections(page, r, near[page.ID], wanted)...)
	}
	return out
}

// record reports whether a page is a raw source, or says what happened once.
func record(p *schema.Page) bool {
	return p.Layer != schema.LayerWiki || p.Meta.Type == "log" || path.Base(p.Path) == "log.md" || strings.Contains("/"+strings.ToLower(p.Path), "/90_log/")
}

// withheld reports whether a page must not be shown.
func (in *Input) withheld(p *schema.Page) bool { return !in.Private && in.unpublished(p) }

func (in *Input) unpublished(p *schema.Page) bool {
	level, _ := p.Visibility.Level(in.Wiki.Config().Site.Drafts)
	return level != schema.Public
}

// What ranks a part of a section: its page, its own words, and how many better parts of the
// page there are.
const (
	pageWeight = 0.4  // its words are worth 1
	nearWeight = 0.1  // for a link to or from one of the best pages
	linkWeight = 0.01 // for each doubling of the pages that link to its page
	bestPages  = 3
	again      = 0.95 // factor for each better part of the same page
)

// trust is what the score is multiplied with, by what is known of the page.
var trust = map[schema.FreshnessState]float64{
	schema.FreshVerified: 1.05, schema.FreshUnverified: 1, schema.FreshDraft: 0.9, schema.FreshStale: 0.7, schema.FreshContested: 0.8,
	// A search demotes superseded pages itself, but not their sections.
	schema.FreshSuperseded: 0.5,
}

const contradicted = 0.9

// nearness returns for pages that one of the best links to, or is linked from, how good
// that one is.
func (in *Input) nearness() map[schema.PageID]float64 {
	near := map[schema.PageID]float64{}
	g := in.Wiki.Graph()
	for _, r := range in.Found.Results[:min(bestPages, len(in.Found.Results))] {
		for _, id := range slices.Concat(g.Out(r.Page), g.In(r.Page)) {
			if id != r.Page {
				near[id] = max(near[id], r.Score)
			}
		}
	}
	return near
}

// sections returns the parts of sections of a page that have words of the query, or the
// beginning of its first one.
func (in *Input) sections(p *schema.Page, r *search.Result, near float64, wanted asking) []Section {
	fresh := in.Wiki.Freshness(p).Watch(in.Watched[p.Path])
	page := r.Score + nearWeight*near + linkWeight*float64(bits.Len(uint(len(in.Wiki.Graph().In(p.ID)))))
	var out []Section
	for i, part := range compiler.Parts(p) {
		score, found := r.Sections[part.ID]
		if !found && (i > 0 || len(r.Sections) > 0) {
			continue
		}
		all := in.pieces(p.Source, part.Span)
		for _, at := range all {
			s := in.section(p, part, at, fresh)
			if len(all) > 1 {
				s.Notes = append(s.Notes, fmt.Sprintf("part of a section: lines %d-%d", p.Lines.LineOf(all[0].Start), p.Lines.LineOf(all[len(all)-1].End-1)))
			}
			s.score, s.trust = page+score, trust[fresh.State]
			if n := len(in.Found.Wanted); n > 0 {
				if s.words = wanted.count(n, p.Title+"\n"+part.Path(), s.Text); found && s.words.none() {
					continue
				}
				s.score = pageWeight * page
			}
			if in.disputed(p, at) {
				s.trust *= contradicted
			}
			if out = append(out, s); !found {
				return out
			}
		}
	}
	return out
}

func (in *Input) section(p *schema.Page, part compiler.Part, at schema.Span, fresh schema.Freshness) Section {
	body := text.ForModel(string(at.In(p.Source)))
	return Section{
		Handle:  Handle{Path: p.Path, Title: clip(p.Title), Section: clip(part.Path()), Anchor: part.ID, From: p.Lines.LineOf(at.Start), To: p.Lines.LineOf(at.End - 1), Tokens: Tokens(body)},
		Heading: part.Heading(), Freshness: string(fresh.State), Private: in.unpublished(p), Notes: in.notes(p, at, fresh), Text: body,
	}
}
