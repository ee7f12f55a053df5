package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// RenameHeading returns the changes that give the n-th heading of a page another text, and
// keep the meaning of every link to it and to the headings below it. The errors are those
// of [Move], and one for a text that can't be a heading.
func RenameHeading(ctx context.Context, w *compiler.Wiki, p *schema.Page, n int, name string) (*Moved, error) {
	at, ok := HeadingText(p, n)
	name = strings.TrimSpace(name)
	switch {
	case !ok:
		return nil, fmt.Errorf("the heading %q is not on one line and can't be renamed", p.Headings[n].Text)
	case name == "" || strings.ContainsAny(name, "\r\n"):
		return nil, errors.New("a heading needs a text on one line")
	}
	return Move(ctx, w, nil, MoveOptions{Edits: []schema.Edit{{Path: p.Path, Span: at, Text: name}}})
}

// HeadingText returns where the text of a heading stands, without its marks and a
// {#id} behind it; ok is false for one on several lines.
func HeadingText(p *schema.Page, n int) (at schema.Span, ok bool) {
	h := p.Headings[n].Span
	src := bytes.TrimRight(h.In(p.Source), " \t\r\n")
	at = schema.Span{Start: h.Start, End: h.Start + len(src)}
	if bytes.HasPrefix(src, []byte("#")) {
		at.Start += len(src) - len(bytes.TrimLeft(src, "#"))
		inner := at.In(p.Source)
		if closed := bytes.TrimRight(inner, "#"); len(closed) < len(inner) && bytes.HasSuffix(closed, []byte(" ")) {
			at.End = at.Start + len(closed)
		}
	} else if i := bytes.IndexAny(src, "\r\n"); i >= 0 {
		if bytes.ContainsAny(bytes.TrimLeft(src[i:], "\r\n"), "\r\n") {
			return at, false
		}
		at.End = h.Start + i
	}
	inner := at.In(p.Source)
	if i := bytes.LastIndex(inner, []byte(" {#")); i >= 0 && bytes.HasSuffix(bytes.TrimSpace(inner), []byte("}")) {
		at.End = at.Start + i
	}
	inner = at.In(p.Source)
	at.Start += len(inner) - len(bytes.TrimLeft(inner, " \t"))
	at.End = at.Start + len(bytes.TrimSpace(inner))
	return at, at.Len() > 0 && !bytes.ContainsAny(at.In(p.Source), "\r\n")
}

// newNames are what links call a page and its headings before and after an edit.
type newNames struct {
	title    [2]string
	anchors  map[string]*schema.Heading // by the ids before
	texts    [][2]string                // of headings, in order
	reformed []schema.Edit              // in order of place
}

// renamed compares the pages with edits.
func (r *relinker) renamed(edits []schema.Edit) error {
	r.renames = map[schema.PageID]*newNames{}
	for _, e := range edits {
		p := pageAt(r.before, e.Path)
		q := pageAt(r.after, r.moved(e.Path))
		if p == nil || q == nil || len(p.Headings) != len(q.Headings) || len(p.Links) != len(q.Links) {
			return fmt.Errorf("%s: with the text %q the page would have other headings or links: use plain words", e.Path, text.Line(e.Text))
		}
		n := &newNames{title: [2]string{p.Title, q.Title}, anchors: map[string]*schema.Heading{}}
		for i := range p.Headings {
			n.anchors[p.Headings[i].ID] = &q.Headings[i]
			if p.Headings[i].Text != q.Headings[i].Text {
				n.texts = append(n.texts, [2]string{p.Headings[i].Text, q.Headings[i].Text})
			}
		}
		for _, e := range edits {
			if e.Path == p.Path {
				n.reformed = append(n.reformed, e)
			}
		}
		slices.SortFunc(n.reformed, Compare)
		r.renames[p.ID] = n
	}
	return nil
}

func pageAt(w *compiler.Wiki, path string) *schema.Page {
	pages := w.Pages()
	i, ok := slices.BinarySearchFunc(pages, path, func(p *schema.Page, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return nil
	}
	return pages[i]
}

// anchor is the anchor that a link which led to res has to lead to after the edits.
func (r *relinker) anchor(res *schema.Resolution) string {
	if n := r.renames[res.Page]; n != nil && res.Kind == schema.TargetPage && n.anchors[res.Anchor] != nil {
		return n.anchors[res.Anchor].ID
	}
	return res.Anchor
}

// place is where a span of a page is after the edits.
func (r *relinker) place(p *schema.Page, s schema.Span) schema.Span {
	n := r.renames[p.ID]
	if n == nil {
		return s
	}
	by := 0
	for _, e := range n.reformed {
		if e.Span.End <= s.Start {
			by += len(e.Text) - e.Span.Len()
		}
	}
	return schema.Span{Start: s.Start + by, End: s.End + by}
}

// renameTarget is respell for a link that needs no other path: only what it calls the
// heading, or the page by its title, is another.
func (r *relinker) renameTarget(p, q *schema.Page, l *schema.Link, was, want *schema.Resolution) (e schema.Edit, ok bool) {
	n := r.renames[was.Page]
	if n == nil || was.Kind != schema.TargetPage {
		return e, false
	}
	names := []string{l.Target}
	if was.By == schema.ByTitle && n.title[0] != n.title[1] {
		names = append(names, n.title[1])
	}
	rest := suffixOf(l, was)
	for _, name := range names {
		for _, fragment := range r.fragments(l, was, rest) {
			try := *l
			try.Raw, try.Target, try.Wiki = name+fragment, name, nil
			_, try.Fragment, try.Hash = strings.Cut(fragment, "#")
			now := r.after.Resolve(q, &try)
			now.Wiki = was.Wiki
			if !sound(was, &now, want) {
				continue
			}
			if text, ok := written(p, l, l.Dest, name, fragment, fragment != rest); ok {
				return schema.Edit{Path: q.Path, Span: l.Dest, Text: text}, true
			}
		}
	}
	return e, false
}

// fragments are the ways to name what a link names in its target: as it did, and if the
// heading has another text, by that.
func (r *relinker) fragments(l *schema.Link, was *schema.Resolution, rest string) []string {
	n := r.renames[was.Page]
	if n == nil || was.Kind != schema.TargetPage || n.anchors[was.Anchor] == nil {
		return []string{rest}
	}
	query, _, hash := strings.Cut(rest, "#")
	if !hash {
		return []string{rest}
	}
	h := n.anchors[was.Anchor]
	if l.Markdown() {
		return []string{rest, query + "#" + h.ID, query + "#" + fragmentOf(h.Text)}
	}
	parts := strings.Split(strings.TrimPrefix(rest, "#"), "#")
	for i := range parts {
		for _, t := range n.texts {
			if strings.EqualFold(fragmentOf(t[0]), fragmentOf(parts[i])) {
				parts[i] = fragmentOf(t[1])
				break
			}
		}
	}
	return []string{rest, "#" + strings.Join(parts, "#"), "#" + fragmentOf(h.Text)}
}

// fragmentOf is the text of a heading as a wikilink writes it.
func fragmentOf(heading string) string {
	return text.Collapse(strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]|#^", r) {
			return ' '
		}
		return r
	}, heading))
}

// writtenFragment escapes a query and fragment for their place in the page.
func writtenFragment(p *schema.Page, l *schema.Link, at schema.Span, suffix string) (string, bool) {
	old := string(at.In(p.Source))
	query, fragment, _ := strings.Cut(suffix, "#")
	switch {
	case l.Syntax == schema.SyntaxWikilink:
	case l.Syntax == schema.SyntaxHTML:
		fragment = strings.ReplaceAll(escapeURL(fragment, old), "&", "&amp;")
	default:
		fragment = escapeURL(fragment, old)
	}
	if l.Field != "" {
		var ok bool
		if fragment, ok = inValue(p, l.Block, fragment); !ok {
			return "", false
		}
	}
	if query != "" { // as it was written
		kept := old[suffixAt(l, old):]
		query, _, _ = strings.Cut(kept, "#")
	}
	return query + "#" + fragment, true
}
