package source

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/schema"
)

// Reference is one place where a page says what it describes: a symbol, some
// lines, or a whole file. All spellings are equal:
//
//	sources: [src/limits.go#MaxBody]     in the frontmatter
//	[the limit](../src/limits.go#MaxBody)
//	code:: src/limits.go#MaxBody
//	<!-- wiki:src src/limits.go#MaxBody -->
//	(limits.go:12-30), ^[limits.go:12-30] and the other forms of [citation.Citation]
type Reference struct {
	Page    *schema.Page
	Section Section // that it is about
	Anchor  schema.Anchor
	At      schema.Span // of the anchor as written
	// Resolved is the path of the file, relative to the wiki's root, when the
	// link it stands in was resolved to one; else the path is looked up.
	Resolved string
	// Cite is where the parts of a citation of lines stand; nil for anything else.
	Cite *citation.Citation
	// Weak is set for a citation in a form that other things are written in too, a host
	// and its port: it is one if the file is there.
	Weak bool
}

// Section is a part of a page under one heading.
type Section struct {
	Heading string      // its id; empty for the whole page
	Span    schema.Span // from the heading to the next that is no deeper
}

// commentMark begins a comment that binds the block below it.
const commentMark = "wiki:src"

// References returns what a page says it describes, in order of the file.
func References(ctx context.Context, w *compiler.Wiki, page *schema.Page) []Reference {
	var out []Reference
	cites := citation.Find(page, func() []citation.Remote { return remotes(ctx, w) })
	for i := range cites {
		c := &cites[i]
		a := schema.Anchor{Raw: string(c.Span.In(page.Source)), Path: c.Path, FromLine: c.From, ToLine: c.To}
		marked := slices.ContainsFunc(page.Citations, func(k schema.Citation) bool { return k.Span.Overlaps(c.Span) })
		out = append(out, Reference{Page: page, Section: sectionAt(page, c.Span.Start), Anchor: a, At: c.Span, Cite: c, Weak: !marked})
	}
	add := func(raw string, at schema.Span, resolved string) {
		a := schema.ParseAnchor(raw)
		if a.Path == "" || a.URL != "" || a.Rev != "" {
			return
		}
		if a.FromLine != 0 && slices.ContainsFunc(cites, func(c citation.Citation) bool { return c.Covers(at) }) {
			return
		}
		out = append(out, Reference{Page: page, Section: sectionAt(page, at.Start), Anchor: a, At: at, Resolved: resolved})
	}
	for i := range page.Meta.Sources {
		if s := &page.Meta.Sources[i]; s.Anchor.Path != "" {
			add(s.Anchor.Raw, s.Span, "")
		}
	}
	for i := range page.Citations {
		if c := &page.Citations[i]; c.Ref.Path != "" {
			add(c.Ref.Raw, c.Span, "")
		}
	}
	for i := range page.Fields {
		if f := &page.Fields[i]; strings.EqualFold(f.Key, "code") {
			add(strings.Trim(f.Value, "` "), f.Val, "")
		}
	}
	for _, c := range page.Comments {
		if raw, at, ok := commented(page, c); ok {
			add(raw, at, "")
		}
	}
	for l, res := range w.Links(page) {
		if l.Embed || l.Fragment == "" || res.Kind != schema.TargetOutside && res.Kind != schema.TargetFile {
			continue // a link to a file alone shows the way there and states nothing
		}
		if Known(res.Path) {
			add(res.Path+"#"+l.Fragment, l.Dest, res.Path)
		}
	}
	slices.SortStableFunc(out, func(a, b Reference) int { return a.At.Start - b.At.Start })
	return out
}

// remotes returns the copies of the repository whose addresses are citations of it.
func remotes(ctx context.Context, w *compiler.Wiki) []citation.Remote {
	urls, branch := w.Remotes(ctx)
	branches := []string{"HEAD", "main", "master", "develop", "trunk"}
	if branch != "" && !slices.Contains(branches, branch) {
		branches = append(branches, branch)
	}
	var out []citation.Remote
	for _, u := range urls {
		if address := citation.Address(u); address != "" {
			out = append(out, citation.Remote{Address: address, Branches: branches})
		}
	}
	return out
}

// Known reports whether the symbols of a file can be read, by its name.
func Known(file string) bool { return readers[strings.ToLower(path.Ext(file))].name != "" }

// commented returns the anchor in <!-- wiki:src ANCHOR -->.
func commented(page *schema.Page, c schema.Span) (raw string, at schema.Span, ok bool) {
	text := string(c.In(page.Source))
	body, ok := strings.CutPrefix(text, "<!--")
	body = strings.TrimLeft(strings.TrimSuffix(body, "-->"), " \t")
	if !ok || !strings.HasPrefix(body, commentMark+" ") {
		return "", schema.Span{}, false
	}
	raw = strings.TrimSpace(body[len(commentMark):])
	start := c.Start + strings.Index(text, raw)
	return raw, schema.Span{Start: start, End: start + len(raw)}, raw != ""
}

// sectionAt returns the section that a place of the page is in. What stands
// before the first heading, frontmatter and all, speaks of the whole page.
func sectionAt(page *schema.Page, offset int) Section {
	whole := Section{Span: schema.Span{Start: page.Body, End: len(page.Source)}}
	i, _ := slices.BinarySearchFunc(page.Headings, offset, func(h schema.Heading, at int) int { return h.Span.Start - at - 1 })
	if i--; i < 0 || page.Headings[i].Level < 2 {
		return whole
	}
	h := &page.Headings[i]
	s := Section{Heading: h.ID, Span: schema.Span{Start: h.Span.Start, End: len(page.Source)}}
	for _, next := range page.Headings[i+1:] {
		if next.Level <= h.Level {
			s.Span.End = next.Span.Start
			break
		}
	}
	return s
}

// Hash returns the hash of the section's text, white space made equal, as
// wiki.lock keeps it.
func (s Section) Hash(page *schema.Page) Facet {
	var h facetHash
	for word := range strings.FieldsSeq(string(s.Span.In(page.Source))) {
		h.add(word)
	}
	return h.sum()
}
