package card

import (
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Version is the version of the [Card] document.
const Version = 1

// Card is the data about one page.
type Card struct {
	Version    int        `json:"version" jsonschema:"version of this document, 1"`
	Path       string     `json:"path" jsonschema:"path below the wiki's root"`
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	Layer      string     `json:"layer" jsonschema:"wiki or source"`
	Type       string     `json:"type,omitempty"`
	Status     string     `json:"status,omitempty" jsonschema:"as the page writes it"`
	Summary    string     `json:"summary,omitempty"`
	Confidence string     `json:"confidence,omitempty"`
	Created    string     `json:"created,omitempty" jsonschema:"a day or a commit"`
	Updated    string     `json:"updated,omitempty" jsonschema:"a day or a commit"`
	Verified   string     `json:"verified,omitempty" jsonschema:"a day or a commit"`
	VerifiedBy string     `json:"verified_by,omitempty"`
	Against    *Against   `json:"against,omitempty" jsonschema:"what of the code it was verified against"`
	Expires    string     `json:"expires,omitempty"`
	Freshness  string     `json:"freshness" jsonschema:"verified, unverified, draft, stale, contested or superseded"`
	Reason     string     `json:"reason,omitempty" jsonschema:"why freshness is what it is"`
	Words      int        `json:"words"`
	Tags       []string   `json:"tags"`
	Aliases    []string   `json:"aliases"`
	Sources    []string   `json:"sources" jsonschema:"as the page names them"`
	Headings   []Heading  `json:"headings"`
	Links      []Link     `json:"links" jsonschema:"in the order of the page"`
	Backlinks  []Backlink `json:"backlinks" jsonschema:"links from other pages, in order of their path"`
}

// Against is the code that a page was verified against, from wiki.lock.
type Against struct {
	Symbols  int      `json:"symbols" jsonschema:"symbols, lines and files"`
	Verified string   `json:"verified" jsonschema:"the day of the latest verification"`
	By       []string `json:"by,omitempty" jsonschema:"who committed it"`
	Changed  int      `json:"changed" jsonschema:"how many are not as they were"`
}

// Heading is one heading of the page.
type Heading struct {
	Level int    `json:"level"`
	Text  string `json:"text"`
	ID    string `json:"id" jsonschema:"anchor to link to"`
	Line  int    `json:"line"`
}

// Link is one link of the page, and the reason for its target.
type Link struct {
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Raw        string   `json:"raw" jsonschema:"the destination as written"`
	Syntax     string   `json:"syntax" jsonschema:"wikilink, markdown, reference, autolink, html or value"`
	Embed      bool     `json:"embed,omitempty"`
	Field      string   `json:"field,omitempty" jsonschema:"the frontmatter key it stands under"`
	Path       string   `json:"path,omitempty" jsonschema:"what it leads to, below the wiki's root"`
	By         string   `json:"by" jsonschema:"how it was found: relative, root, suffix, alias, title and so on"`
	Broken     string   `json:"broken,omitempty" jsonschema:"why it leads nowhere"`
	NoAnchor   bool     `json:"no_anchor,omitempty" jsonschema:"the page has no such heading or block"`
	CaseOnly   bool     `json:"case_only,omitempty" jsonschema:"found only because letter case is ignored"`
	Candidates []string `json:"candidates,omitempty" jsonschema:"paths that fit the link, when there are several"`
}

// Backlink is a link from another page.
type Backlink struct {
	Path    string `json:"path"`
	Title   string `json:"title"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Context string `json:"context" jsonschema:"the text around the link"`
}

// Of returns the card of a page; watched is the code that it was verified against.
func Of(w *compiler.Wiki, p *schema.Page, watched schema.Watched) Card {
	fresh := w.Freshness(p).Watch(watched)
	c := Card{
		Version: Version, Path: p.Path, ID: string(p.ID), Title: p.Title, Layer: string(p.Layer),
		Type: p.Meta.Type, Status: p.Meta.Status.Word, Summary: p.Meta.Summary, Confidence: p.Meta.Confidence,
		Created: fresh.Created.String(), Updated: fresh.Updated.String(), Expires: fresh.Expires.String(),
		Verified: fresh.Verified.At.String(), VerifiedBy: fresh.Verified.By,
		Freshness: string(fresh.State), Reason: fresh.Reason, Words: p.Words,
		Tags: tags(p), Aliases: []string{}, Sources: []string{}, Headings: []Heading{}, Links: []Link{}, Backlinks: []Backlink{},
	}
	if watched.Symbols > 0 {
		c.Against = &Against{watched.Symbols, watched.Since.String(), watched.By, watched.Changed}
	}
	for _, a := range p.Meta.Aliases {
		c.Aliases = append(c.Aliases, a.Name)
	}
	for _, s := range p.Meta.Sources {
		c.Sources = append(c.Sources, s.Anchor.Raw)
	}
	for _, h := range p.Headings {
		c.Headings = append(c.Headings, Heading{h.Level, h.Text, h.ID, p.Lines.Position(h.Span.Start).Line})
	}
	for l, r := range w.Links(p) {
		at := p.Lines.Position(l.Span.Start)
		c.Links = append(c.Links, Link{
			Line: at.Line, Column: at.Column, Raw: l.Raw, Syntax: l.Syntax.String(), Embed: l.Embed, Field: l.Field,
			Path: target(r), By: r.By.String(), Broken: string(r.Broken), NoAnchor: r.AnchorMissing, CaseOnly: r.CaseOnly, Candidates: r.Candidates,
		})
	}
	for _, b := range w.Backlinks(p.ID) {
		from := w.Page(b.From)
		l := &from.Links[b.Link]
		at := from.Lines.Position(l.Span.Start)
		c.Backlinks = append(c.Backlinks, Backlink{from.Path, from.Title, at.Line, at.Column, around(from.Source, l)})
	}
	return c
}

// target is the target of a link; "" for a broken one, even if a likely target is known.
func target(r *schema.Resolution) string {
	if r.Broken != schema.BrokenNot {
		return ""
	}
	return r.Path
}

func tags(p *schema.Page) []string {
	out, seen := []string{}, map[string]bool{}
	for _, t := range p.Tags {
		if !seen[t.Name] {
			seen[t.Name] = true
			out = append(out, t.Name)
		}
	}
	return out
}

// contextBytes is how much of the text on either side of a link is shown.
const contextBytes = 80

// around returns the text of a link's block near the link, on one line.
func around(src []byte, l *schema.Link) string {
	block := l.Block
	if block.Len() <= 0 || !block.Contains(l.Span.Start) {
		block = l.Span
	}
	from, to := max(block.Start, l.Span.Start-contextBytes), min(block.End, l.Span.End+contextBytes)
	for from > block.Start && !utf8.RuneStart(src[from]) {
		from--
	}
	for to < block.End && !utf8.RuneStart(src[to]) {
		to++
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(src[from:to]), "\uFFFD")), " ")
	if from > block.Start {
		text = "…" + text
	}
	if to < block.End {
		text += "…"
	}
	return text
}
