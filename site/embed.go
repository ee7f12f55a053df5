package site

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Limits on the embeds of one page. Pages that embed each other several times would
// otherwise grow exponentially.
const (
	maxEmbedDepth = 4
	maxEmbeds     = schema.MaxEmbeds
)

// embeds counts the embeds of one page, at any depth.
type embeds struct {
	chain []string // what is being shown, the page itself first
	total *embedTotal
}

type embedTotal struct {
	count, bytes, code, read int
	formulas, slow           int  // bytes of TeX, and formulas that took too long
	raw                      bool // some has raw HTML that is to be settled
	plain                    bool // raw HTML is shown as text
	diagrams                 bool // some has a diagram
}

// findEmbedMost is how many bytes one page may show of others. Where so many
// pages embed others that all of them could show too much, it is less for each.
func (s *Site) findEmbedMost() int {
	pages := 0
	for _, p := range s.pages {
		if slices.ContainsFunc(p.Links, func(l schema.Link) bool { return l.Embed }) {
			pages++
		}
	}
	return schema.MaxEmbedsBytes / max(pages, schema.MaxEmbedsBytes/schema.MaxEmbedBytes)
}

func newEmbeds(p *schema.Page) embeds {
	return embeds{chain: []string{string(p.ID)}, total: &embedTotal{}}
}

// highlight colours code as long as the page has not had too much of it.
func (e embeds) highlight(language string, code []byte) (string, bool) {
	if e.total.code+len(code) > maxPageHighlight {
		return "", false
	}
	out, ok := highlight(language, code)
	if ok {
		e.total.code += len(code)
	}
	return out, ok
}

// renderOptions are those for showing p in the file named name.
func (s *Site) renderOptions(name string, p *schema.Page, e embeds) compiler.RenderOptions {
	return compiler.RenderOptions{
		Href: func(l *schema.Link, res *schema.Resolution) string { return s.href(name, l, res) },
		Transclude: func(l *schema.Link, res *schema.Resolution) (string, bool) {
			return s.transclude(name, p, e, l, res)
		},
		RawAsText: e.total.plain,
		Highlight: e.highlight,
		Math: func(at int, tex string, display bool) (string, string) {
			return s.formula(p, e, at, tex, display)
		},
		ImageSize: s.imageSize,
		LinkText:  s.linkText,
		Cite:      func(c *schema.Citation) string { return s.cite(name, c) },
		Stale:     s.stale(p),
		Marks:     s.disputeMarks(p),
		Tag: func(tag string) string {
			if g := s.tagFiles[strings.ToLower(tag)]; g != nil {
				return s.tagHref(name, g)
			}
			return ""
		},
	}
}

// readPerShown is how much more may be read than shown: pages are read whole of
// which a part is shown.
const readPerShown = 8

// transclude shows a page, or a part of it, instead of an embed in a page. One
// that is not published, that embeds itself, or that would be too much stays a link.
func (s *Site) transclude(name string, in *schema.Page, e embeds, l *schema.Link, res *schema.Resolution) (string, bool) {
	p := s.wiki.Page(res.Page)
	most := s.embedMost()
	key := string(res.Page) + "#" + res.Fragment
	if p == nil || s.place[p.ID] == "" || len(e.chain) > maxEmbedDepth || e.total.count >= maxEmbeds || e.total.bytes >= most ||
		res.Fragment == "" && len(p.Source) > most-e.total.bytes || len(p.Source) > readPerShown*most-e.total.read ||
		slices.Contains(e.chain, strings.TrimSuffix(key, "#")) || res.AnchorMissing {
		return "", false
	}
	e.total.count++
	e.total.read += len(p.Source)
	inner := embeds{chain: append(slices.Clip(e.chain), strings.TrimSuffix(key, "#")), total: e.total}
	opt := s.renderOptions(name, p, inner)
	opt.Marks = nil // the list that they lead to is that of the page around
	opt.IDPrefix = fmt.Sprintf("embed-%d-", e.total.count)
	var r *compiler.Rendered
	if res.Fragment == "" {
		opt.SkipTitle = beginsWithTitle(p) // the embed has its own
		r = s.wiki.Render(p, opt)
	} else {
		r = s.wiki.RenderPart(p, res.Anchor, opt)
	}
	if r == nil || len(r.HTML) == 0 {
		return "", false
	}
	e.total.bytes += len(r.HTML)
	e.total.raw = e.total.raw || r.Raw
	e.total.diagrams = e.total.diagrams || r.Mermaid
	var b strings.Builder
	fmt.Fprintf(&b, `<p class="embed-title"><a href="%s">%s</a></p><div class="embed-text">`,
		html.EscapeString(s.pageHref(name, s.place[p.ID], res.Anchor)), html.EscapeString(s.embedTitle(p, l, res)))
	b.Write(demote(r.HTML, levelAt(in, l.Span.Start)))
	b.WriteString("</div>")
	return b.String(), true
}

func (s *Site) embedTitle(p *schema.Page, l *schema.Link, res *schema.Resolution) string {
	title := s.titles[p.ID]
	if res.Anchor != "" {
		for _, h := range p.Headings {
			if h.ID == res.Anchor && h.Text != title {
				return title + " › " + clip(h.Text, 120)
			}
		}
	}
	return title
}

// levelAt returns the level of the heading above a place in a page, 1 if there is only
// the title.
func levelAt(p *schema.Page, at int) int {
	level := 1
	for _, h := range p.Headings {
		if h.Span.Start > at {
			break
		}
		level = h.Level
	}
	return level
}

// demote puts the headings of a rendered text below the level of the heading
// it is shown under, so that the outline of the page stays one.
func demote(src []byte, under int) []byte {
	top := 7
	headings(src, func(digit int) { top = min(top, int(src[digit]-'0')) })
	if shift := under + 1 - top; top < 7 && shift != 0 {
		headings(src, func(digit int) { src[digit] = byte(min(max(int(src[digit])+shift, '1'), '6')) })
	}
	return src
}

// headings calls f with the place of the level in every tag of a heading.
func headings(src []byte, f func(digit int)) {
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '<')
		if i < 0 {
			return
		}
		at += i + 1
		digit := at + 1
		if at < len(src) && src[at] == '/' {
			digit++
		}
		if digit+1 < len(src) && src[digit-1] == 'h' && src[digit] >= '1' && src[digit] <= '6' && (src[digit+1] == '>' || src[digit+1] == ' ') {
			f(digit)
		}
	}
}
