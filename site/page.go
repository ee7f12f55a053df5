package site

import (
	"html/template"
	"path"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/theme"
)

// pageOutput is a page of the wiki.
type pageOutput struct{ page *schema.Page }

func (o pageOutput) render(s *Site, name string) ([]byte, error) {
	b, _, _, err := s.appendPage(nil, o.page, name)
	return b, err
}

// pageBuffers are used again: every page needs large ones for a moment.
var pageBuffers = sync.Pool{New: func() any { return new(pageBuffer) }}

type pageBuffer struct{ file, html, article []byte }

// appendPage appends a page to dst, and returns its text for the search index and the
// number of media from other hosts.
func (s *Site) appendPage(dst []byte, p *schema.Page, name string) ([]byte, []compiler.Section, remoteMedia, error) {
	buf := pageBuffers.Get().(*pageBuffer)
	defer pageBuffers.Put(buf)
	r, settled := s.renderArticle(p, name, buf)
	view := s.view(p, name)
	if r.Mermaid {
		s.addDiagrams(&view.Frame, name)
	}
	var remote remoteMedia
	buf.article, remote = finish(buf.article[:0], settled, s.words, view.Sources, s.cfg.Site.RemoteMedia)
	id, title, text := "", "", buf.article
	if beginsWithTitle(p) {
		id, title, text = splitTitle(buf.article)
	}
	view.Near = s.nearby(view, p, name, text)
	// The compiler removes all scripts.
	view.HeadingID, view.Heading, view.Text = id, template.HTML(title), text
	dst, err := s.theme.AppendPage(dst, view)
	return dst, r.Text, remote, err
}

// renderArticle renders a page into buf.html. The HTML that it returns is
// arranged as a browser arranges it: raw HTML that can't be is shown as text.
func (s *Site) renderArticle(p *schema.Page, name string, buf *pageBuffer) (*compiler.Rendered, []byte) {
	e := newEmbeds(p)
	for {
		opt := s.renderOptions(name, p, e)
		opt.Buffer = buf.html
		r := s.wiki.Render(p, opt)
		buf.html = r.HTML
		r.Mermaid = r.Mermaid || e.total.diagrams
		if !r.Raw && !e.total.raw {
			return r, r.HTML
		}
		if settled, ok := normalizeHTML(r.HTML); ok {
			return r, settled
		}
		e = newEmbeds(p)
		e.total.plain = true
	}
}

// view collects what a page shows around its text.
func (s *Site) view(p *schema.Page, name string) *theme.Page {
	f := s.folderOf(p)
	v := &theme.Page{
		Frame: s.frame(name, s.titles[p.ID], f, p), Type: typeOf(p), TypeHref: s.typeHref(name, p), Layer: string(p.Layer),
		Fresh: s.freshness(p), Contents: contents(p), Tags: s.tagLinks(name, p), RawHref: relative(name, s.raw[p.ID]), DataHref: relative(name, s.data[p.ID]),
		EditHref: s.editURL(p),
	}
	if f.index == p {
		v.Crumbs = s.crumbs(name, f.parent)
	} else {
		v.Crumbs = s.crumbs(name, f)
		v.Previous, v.Next = s.neighbours(name, f, p)
	}
	v.Description, v.NoIndex = description(p), s.unlisted[p.ID]
	v.Withheld = s.withheldNote(p)
	if st := p.Meta.Status; st.Word != "" && !strings.EqualFold(st.Word, v.Fresh.Label) {
		v.Status, v.StatusKind = clip(st.Word, 60), string(st.Class)
	}
	v.Lang, v.Dir = s.languageOf(p)
	v.Sources, v.MoreSources = s.sources(p, name)
	s.backlinks(v, p, name)
	s.mentionsOf(v, p, name)
	v.Dispute = s.disputeOf(p)
	s.addBlocks(v, p, name)
	return v
}

// frame is the common part of every file. f is its folder for navigation, nil for lists
// of the whole wiki; current is its page, or nil.
func (s *Site) frame(name, title string, f *folder, current *schema.Page) theme.Frame {
	b := s.branchOf(f, current)
	p := s.placeOf(name, b)
	fr := theme.Frame{
		Place: p, Lang: p.Lang, Dir: p.Dir, CSP: p.CSP, Title: title, WindowTitle: title, Description: s.cfg.Description, Canonical: s.absolute(name),
	}
	if p.SiteTitle != "" && title != p.SiteTitle {
		fr.WindowTitle += " · " + p.SiteTitle
	}
	return fr
}

// csp is the policy of a page; missing is set for the page for wrong addresses.
func (s *Site) csp(missing, diagrams bool) string {
	mode := s.cfg.Site.RemoteMedia
	return s.theme.CSP(missing, mode == "" || mode == schema.RemoteMediaAllow, diagrams)
}

// siteTitle is the name of the wiki: as configured, that of its first page, or
// that of its folder.
func (s *Site) siteTitle() string {
	if s.cfg.Title != "" {
		return s.cfg.Title
	}
	if f := s.folders["."]; f != nil && f.index != nil {
		if t := s.titles[f.index.ID]; !strings.EqualFold(t, path.Base(string(f.index.ID))) {
			return t
		}
	}
	ws := s.wiki.Workspace()
	return path.Base(strings.ReplaceAll(ws.Dir, `\`, "/"))
}

// description is a sentence about a page for search engines.
func description(p *schema.Page) string {
	return clip(text.Collapse(p.Meta.Summary), 300)
}

// beginsWithTitle reports whether the text begins with a heading of level one, so that
// the title is not repeated.
func beginsWithTitle(p *schema.Page) bool {
	if len(p.Headings) == 0 || p.Headings[0].Level != 1 || p.Headings[0].Text == "" {
		return false
	}
	between := p.Source[min(p.Body, len(p.Source)):max(p.Body, min(p.Headings[0].Span.Start, len(p.Source)))]
	return strings.TrimSpace(string(between)) == ""
}

// maxContents bounds the table of contents of one page.
const maxContents = 120

// contents is the table of contents: headings below the title, three levels
// of those there are.
func contents(p *schema.Page) []theme.Heading {
	heads := p.Headings
	if beginsWithTitle(p) {
		heads = heads[1:]
	}
	top := 6
	for _, h := range heads {
		top = min(top, h.Level)
	}
	var out []theme.Heading
	for _, h := range heads {
		if level := h.Level - top + 1; level <= 3 && h.Text != "" && len(out) < maxContents {
			text := clip(h.Text, 120)
			out = append(out, theme.Heading{Level: level, Text: text, ID: h.ID, Href: "#" + escapeFragment(h.ID)})
		}
	}
	if len(out) < 2 {
		return nil
	}
	theme.Nest(out)
	return out
}

func (s *Site) tagLinks(from string, p *schema.Page) []theme.Link {
	var out []theme.Link
	seen := map[*tag]bool{}
	for _, t := range p.Tags {
		if g := s.tagFiles[strings.ToLower(t.Name)]; g != nil && !seen[g] && len(out) < 50 {
			seen[g] = true
			out = append(out, theme.Link{Title: g.name, Href: s.tagHref(from, g)})
		}
	}
	return out
}

// editURL leads to the page's file in an editor on the web.
func (s *Site) editURL(p *schema.Page) string {
	if s.cfg.Site.EditURL == "" {
		return ""
	}
	name := path.Join(s.wiki.Workspace().RootPath, p.Path)
	return strings.ReplaceAll(s.cfg.Site.EditURL, "{path}", escapePath(name))
}
