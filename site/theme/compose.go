package theme

import (
	"bytes"
	"html/template"
	"io/fs"
	"strconv"
)

// AppendPage appends the page that page.html makes of p. The theme's own
// page.html is here as a program, which does the same in a fraction of the
// time; a test holds the two equal. A folder that replaces the template, or
// the parts that it uses, gets what its templates say.
func (t *Theme) AppendPage(dst []byte, p *Page) ([]byte, error) {
	if !t.own {
		b := bytes.NewBuffer(dst)
		err := t.Execute(b, "page", p)
		return b.Bytes(), err
	}
	w := writer{theme: t, out: dst}
	w.head(&p.Frame)
	w.attribute("\n<link rel=\"alternate\" type=\"application/json\" href=\"", p.DataHref, "\">")
	w.str("\n</head>\n<body class=\"page\">\n")
	w.shared("bar", p.Place)
	w.str("\n<div class=\"frame\">\n")
	w.shared("way", p.Place)
	w.str("\n<main id=\"wiki.content\" tabindex=\"-1\">\n")
	w.crumbs(&p.Frame)
	w.title(p)
	w.facts(p)
	w.blocks(p.Above)
	w.contents(p)
	w.article(p)
	w.blocks(p.Below)
	w.sources(p)
	w.tags(p)
	w.pager(p)
	w.foot(p)
	w.rail(p)
	w.str("\n</div>\n</body>\n</html>\n\n\n")
	return w.out, w.err
}

// replaced reports whether over has a file instead of one of these templates.
func replaced(over fs.FS, names ...string) bool {
	for _, name := range names {
		for _, n := range []string{"templates/" + name, name} {
			if _, err := fs.Stat(over, n); err == nil {
				return true
			}
		}
	}
	return false
}

// writer appends to a page what its template says.
type writer struct {
	theme *Theme
	out   []byte
	err   error // the first of a part
}

func (w *writer) str(s string)  { w.out = append(w.out, s...) }
func (w *writer) text(s string) { w.out = appendText(w.out, s) }
func (w *writer) int(n int)     { w.out = strconv.AppendInt(w.out, int64(n), 10) }

// element writes a text between before and after, unless it is empty.
func (w *writer) element(before, text, after string) {
	if text != "" {
		w.str(before)
		w.text(text)
		w.str(after)
	}
}

// attribute writes an address between before and after, unless it is empty.
func (w *writer) attribute(before, address, after string) {
	if address != "" {
		w.str(before)
		w.out = appendURL(w.out, address)
		w.str(after)
	}
}

func (w *writer) link(href, text string) { w.out = appendAnchor(w.out, href, text) }

// day writes a day with the words before it.
func (w *writer) day(before, words, day, after string) {
	if day == "" {
		return
	}
	w.str(before)
	w.text(words)
	w.str(` <time datetime="`)
	w.text(day)
	w.str(`">`)
	w.text(day)
	w.str(`</time>` + after)
}

func (w *writer) add(made template.HTML, err error) {
	w.str(string(made))
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) shared(name string, p *Place) { w.add(w.theme.shared(name, p)) }
func (w *writer) blocks(all []Block) {
	for _, b := range all {
		w.add(w.theme.show(b))
	}
}
func (w *writer) more(words *Words, s string, n int) {
	if n > 0 {
		w.str("\n<li><small>")
		w.text(words.Format(s, n))
		w.str("</small></li>")
	}
}

func (w *writer) head(f *Frame) {
	w.str("<!doctype html>\n<html lang=\"")
	w.text(f.Lang)
	w.str(`"`)
	if f.Dir == "rtl" {
		w.str(` dir="rtl"`)
	}
	w.str(">\n<head>\n<meta charset=\"utf-8\">")
	if f.CSP != "" {
		w.str("\n" + string(policy(f.CSP)))
	}
	w.str("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
	w.text(f.WindowTitle)
	w.str("</title>")
	w.element("\n<meta name=\"description\" content=\"", f.Description, "\">")
	if f.Canonical != "" {
		w.attribute("\n<link rel=\"canonical\" href=\"", f.Canonical, "\">")
		w.element("\n<meta property=\"og:url\" content=\"", f.Canonical, "\">\n<meta property=\"og:title\" content=\"")
		w.text(f.Title)
		w.str(`">`)
		w.element("\n<meta property=\"og:description\" content=\"", f.Description, "\">")
	}
	if f.NoIndex {
		w.str("\n<meta name=\"robots\" content=\"noindex\">")
	}
	w.shared("head-end", f.Place)
	w.attribute("\n<script defer src=\"", f.DiagramsJS, "\"></script>")
}

func (w *writer) crumbs(f *Frame) {
	if len(f.Crumbs) == 0 {
		return
	}
	w.str(`<nav class="crumbs" aria-label="`)
	w.text(f.T.Breadcrumbs)
	w.str(`"><ol>`)
	for i := range f.Crumbs {
		w.str("<li>")
		w.link(f.Crumbs[i].Href, f.Crumbs[i].Title)
		w.str("</li>")
	}
	w.str("</ol></nav>")
}

func (w *writer) title(p *Page) {
	w.str("\n<h1 class=\"title\"")
	w.element(` id="`, p.HeadingID, `"`)
	w.str(">")
	if p.Heading != "" {
		w.str(string(p.Heading))
	} else {
		w.text(p.Title)
	}
	w.str("</h1>")
}

func (w *writer) facts(p *Page) {
	w.str("\n<div class=\"facts\">")
	if p.TypeHref != "" {
		w.attribute(`<a class="chip" href="`, p.TypeHref, `">`)
		w.element("", p.Type, "")
		w.str("</a>")
	} else {
		w.element(`<span class="chip">`, p.Type, "</span>")
	}
	w.chip("status", "contested", p.Withheld)
	w.chip("status", p.StatusKind, p.Status)
	if p.Dispute.Label != "" {
		w.element(`<a class="chip `, p.Dispute.Kind, `" href="#wiki.contradictions-of-page">`)
		w.element("", p.Dispute.Label, "</a>")
	}
	if p.Layer == "source" {
		w.element(`<span class="chip">`, p.T.Source, "</span>")
	}
	w.chip("fresh", p.Fresh.State, p.Fresh.Label)
	w.element(`<span class="fact">`, p.Fresh.Detail, "</span>")
	w.day(`<span class="fact">`, p.T.UpdatedOn, p.Fresh.Updated, "</span>")
	w.str("\n</div>")
}

func (w *writer) chip(class, kind, label string) {
	if label != "" {
		w.str(`<span class="chip ` + class + " ")
		w.text(kind)
		w.element(`">`, label, "</span>")
	}
}

// contents writes the table of contents that folds. A script shows it beside the text
// where there is room.
func (w *writer) contents(p *Page) {
	if len(p.Contents) == 0 {
		return
	}
	w.str("\n<details class=\"toc-inline\">\n<summary>")
	w.text(p.T.OnThisPage)
	w.str("</summary>\n<ul>")
	for i := range p.Contents {
		h := &p.Contents[i]
		if h.Deeper {
			w.str("\n<ul>")
		}
		w.str("\n<li class=\"l")
		w.int(h.Level)
		w.str(`">`)
		w.link(h.Href, h.Text)
		w.str(string(h.Close()))
	}
	w.str("\n</ul>\n</details>")
}

func (w *writer) article(p *Page) {
	w.str("\n<article class=\"prose\">\n")
	w.out = append(w.out, p.Text...)
	w.str("\n</article>")
}

func (w *writer) sources(p *Page) {
	if len(p.Sources) == 0 {
		return
	}
	w.str("\n<section class=\"about\" aria-labelledby=\"wiki.sources-of-page\">\n<h2 id=\"wiki.sources-of-page\">")
	w.text(p.T.Sources)
	w.str("</h2>\n<ul class=\"sources\">")
	for i := range p.Sources {
		s := &p.Sources[i]
		w.str("\n<li")
		w.element(` id="source-`, s.ID, `"`)
		w.str(">")
		if s.Href != "" {
			w.link(s.Href, s.Title)
		} else {
			w.str("<span>")
			w.text(s.Title)
			w.str("</span>")
		}
		w.element(" <small>", s.Place, "</small>")
		w.str("</li>")
	}
	w.more(p.T, p.T.MoreSources, p.MoreSources)
	w.str("\n</ul>\n</section>")
}

func (w *writer) tags(p *Page) {
	if len(p.Tags) == 0 {
		return
	}
	w.str("\n<section class=\"about tags\" aria-label=\"")
	w.text(p.T.Tags)
	w.str(`">`)
	for i := range p.Tags {
		w.link(p.Tags[i].Href, p.Tags[i].Title)
	}
	w.str("</section>")
}

// rail writes what is beside the text where there is room: the pages that link here or
// mention it. A script adds the contents, and draws the linked pages.
func (w *writer) rail(p *Page) {
	near := len(p.Backlinks)+len(p.Mentions) > 0 || p.Near != nil
	if len(p.Contents) == 0 && !near {
		return
	}
	w.str("\n<div class=\"rail\">")
	if near {
		w.str("\n<aside class=\"near\" aria-label=\"")
		w.text(p.T.Finding.Around)
		w.str(`"`)
		w.near(p.Near)
		w.str(">")
		w.backlinks(p.T, &linkList{"links-to-page", p.T.Backlinks, p.BacklinkPages, p.Backlinks, p.T.MoreBacklinks, p.MoreBacklinks})
		w.backlinks(p.T, &linkList{"mentions-of-page", p.T.Finding.Mentions, p.MentionPages, p.Mentions, p.T.Finding.MoreMentions, p.MoreMentions})
		w.str("\n</aside>")
	}
	w.str("\n</div>")
}

func (w *writer) near(n *Near) {
	if n == nil {
		return
	}
	w.str(` data-near="`)
	w.text(n.Rows)
	w.str(`" data-graph="`)
	w.text(n.Graph)
	w.str(`"`)
	w.element(` data-arcs="`, n.Arcs, `"`)
	if n.More > 0 {
		w.str(` data-more="`)
		w.int(n.More)
		w.str(`"`)
	}
}

// linkList is a titled list of pages, of which some may be left out.
type linkList struct {
	id, title string
	pages     int // with those left out
	list      []Backlink
	more      string // says how many are left out
	hidden    int
}

// backlinks writes a list of pages, unless it is empty.
func (w *writer) backlinks(words *Words, l *linkList) {
	if len(l.list) == 0 {
		return
	}
	w.str("\n<section class=\"about\" aria-labelledby=\"wiki." + l.id + "\">\n<h2 id=\"wiki." + l.id + "\">")
	w.text(l.title)
	w.str(` <span class="count">`)
	w.int(l.pages)
	w.str("</span></h2>\n<ul class=\"backlinks\">")
	for i := range l.list {
		b := &l.list[i]
		w.str("\n<li>")
		w.link(b.Href, b.Title)
		if b.Times > 0 {
			w.str(" <small>")
			w.int(b.Times)
			w.str(" ")
			w.text(words.Times)
			w.str("</small>")
		}
		if b.hasContext() {
			w.str("<p>")
			w.out = b.appendContext(w.out)
		}
	}
	w.more(words, l.more, l.hidden)
	w.str("\n</ul>\n</section>")
}

func (w *writer) pager(p *Page) {
	if p.Previous == nil && p.Next == nil {
		return
	}
	w.str("\n<nav class=\"turn\" aria-label=\"")
	w.text(p.T.Pagination)
	w.str(`">`)
	w.step("prev", p.T.Previous, p.Previous)
	w.step("next", p.T.Next, p.Next)
	w.str("</nav>")
}

func (w *writer) step(rel, words string, l *Link) {
	if l != nil {
		w.str(`<a rel="` + rel + `" href="`)
		w.out = appendURL(w.out, l.Href)
		w.str(`"><small>`)
		w.text(words)
		w.str("</small>")
		w.text(l.Title)
		w.str("</a>")
	}
}

func (w *writer) foot(p *Page) {
	w.str("\n<footer class=\"foot\">")
	if p.RawHref != "" {
		w.attribute(`<a rel="alternate" type="text/markdown" href="`, p.RawHref, `">`)
		w.text(p.T.Raw)
		w.str("</a>")
	}
	if p.EditHref != "" {
		w.link(p.EditHref, p.T.Edit)
	}
	w.day("<span>", p.T.CreatedOn, p.Fresh.Created, "</span>")
	w.str("</footer>\n</main>")
}
