package markdown

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// resolved returns the page's link that begins at an offset, and what it
// resolves to.
func (r *renderer) resolved(start int) (*schema.Link, *schema.Resolution) {
	i, ok := r.links[start]
	if !ok {
		return nil, nil
	}
	l := &r.p.Links[i]
	if r.opt.Resolve == nil {
		return l, nil
	}
	res := r.opt.Resolve(i)
	return l.As(res), res
}

// href is the URL of a link, "" when it is broken.
func (r *renderer) href(l *schema.Link, res *schema.Resolution) string {
	u := ""
	switch {
	case l.External:
		u = l.Raw
	case r.opt.Href != nil:
		u = r.opt.Href(l, res)
	case res != nil && res.OK():
		u = (&url.URL{Path: res.Path, Fragment: res.Anchor}).String()
	}
	if !safeURL(u, l.Embed) {
		if l.External {
			return ""
		}
		return "./" + u
	}
	return u
}

func (r *renderer) link(n *inline) {
	if r.inLink > 0 && n.form != formImage {
		r.label(n, &n.link.Link)
		return
	}
	written := &n.link.Link
	l, res := r.resolved(n.span.Start)
	if l == nil {
		l = written
	}
	href := r.href(l, res)
	if l.Embed && r.embed(n, l, res, href) {
		return
	}
	switch {
	case href == "":
		r.str(`<span class="broken"`)
		r.attr("title", missing(l, res))
		r.str(">")
		r.label(n, l)
		r.str("</span>")
	default:
		r.str("<a")
		r.linkAttrs(n, l, res, href)
		r.str(">")
		r.label(n, l)
		r.str("</a>")
	}
	if l != written && l == r.alternative(n) {
		// It was parsed as a wikilink; the rest is text.
		r.text(r.src[n.link.wikiEnd:n.span.End])
	}
}

// alternative is the wikilink a markdown link may be read as.
func (r *renderer) alternative(n *inline) *schema.Link {
	if i, ok := r.links[n.span.Start]; ok && n.link.wikiEnd > 0 {
		return r.p.Links[i].Wiki
	}
	return nil
}

func (r *renderer) linkAttrs(n *inline, l *schema.Link, res *schema.Resolution, href string) {
	switch {
	case l.External:
		r.attr("class", "external")
	case res != nil && !res.OK():
		r.attr("class", "broken")
		r.attr("aria-invalid", "true")
		r.attr("title", missing(l, res))
	case res != nil && res.AnchorMissing:
		r.attr("class", "broken")
		r.attr("aria-invalid", "true")
		r.attr("title", "No heading or block “"+fragment(l, res)+"” on that page")
	}
	r.attr("href", href)
	if l.External {
		r.attr("rel", "noopener")
	}
	if n.link.title != "" && (res == nil || res.OK() && !res.AnchorMissing) {
		r.attr("title", n.link.title)
	}
}

func fragment(l *schema.Link, res *schema.Resolution) string {
	if res.Fragment != "" {
		return res.Fragment
	}
	return l.Fragment
}

// missing says what a broken link does not find.
func missing(l *schema.Link, res *schema.Resolution) string {
	switch {
	case l.External:
		return "Address not allowed: expected http, https or mailto"
	case l.Raw == "":
		return "Link without a destination"
	case res != nil && res.Broken == schema.BrokenEscapes:
		return "“" + l.Target + "” leads outside the repository"
	case res != nil && res.Broken == schema.BrokenLocal:
		return "“" + l.Target + "” is a path on one machine"
	case res != nil && res.Broken == schema.BrokenTemplate:
		return "“" + l.Target + "” is an unfilled placeholder"
	}
	return "No page or file “" + l.Target + "”"
}

// label writes what a link shows.
func (r *renderer) label(n *inline, l *schema.Link) {
	r.inLink++
	defer func() { r.inLink-- }()
	switch {
	case n.form == formAutolink:
		r.text(n.inner.In(r.src))
	case n.form == formImage:
		r.textOf(n.imageText(r))
	case n.form == formWikilink && l.Syntax == schema.SyntaxWikilink:
		r.textOf(r.wikilinkText(n, l))
	case n.form == formWikilink:
		r.textOf(l.Label)
	case n.FirstChild() == nil && l.Raw != "":
		r.textOf(l.Raw)
	default:
		r.within(n, r.inlines)
	}
}

// wikilinkText is what a wikilink shows.
func (r *renderer) wikilinkText(n *inline, l *schema.Link) string {
	if r.opt.LinkText == nil || l.Label != "" || !isSlug(l.Target) {
		return wikiLabel(l)
	}
	_, res := r.resolved(n.span.Start)
	if res == nil || !res.OK() {
		return wikiLabel(l)
	}
	title := r.opt.LinkText(res)
	switch {
	case title == "":
		return wikiLabel(l)
	case l.Fragment != "":
		return title + " > " + strings.ReplaceAll(l.Fragment, "#", " > ")
	}
	return title
}

// isSlug reports whether the target of a wikilink is written as a path or slug rather
// than as the name of a page.
func isSlug(target string) bool {
	return target != "" && (strings.Contains(target, "/") || strings.HasSuffix(target, ".md") || !strings.Contains(target, " ") && strings.ContainsAny(target, "-_"))
}

// imageText is the alternative text of an image. Unlike running text, it includes that
// of images within.
func (n *inline) imageText(r *renderer) string {
	return string(imageText(nil, r.src, n))
}

func imageText(dst, src []byte, n ast.Node) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			dst = appendText(dst, src, c)
		case *inline:
			if c.FirstChild() != nil {
				dst = imageText(dst, src, c)
			} else {
				dst = c.plainText(dst, src)
			}
		}
	}
	return dst
}

// imageKinds and the others are the extensions of files that are shown in place.
var (
	imageKinds = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true, ".avif": true, ".svg": true, ".bmp": true}
	audioKinds = map[string]bool{".mp3": true, ".wav": true, ".m4a": true, ".ogg": true, ".flac": true, ".3gp": true, ".opus": true}
	videoKinds = map[string]bool{".mp4": true, ".webm": true, ".ogv": true, ".mov": true, ".mkv": true}
)

// ImageName reports whether a name is that of an image.
func ImageName(name string) bool { return imageKinds[strings.ToLower(path.Ext(name))] }

// embed shows an image, a recording or a page in its place. It reports false
// when the target can only be linked to.
func (r *renderer) embed(n *inline, l *schema.Link, res *schema.Resolution, href string) bool {
	name := l.Target
	if res != nil && res.Path != "" {
		name = res.Path
	}
	kind := strings.ToLower(path.Ext(name))
	if res != nil && res.Kind == schema.TargetPage {
		return r.page(n, l, res)
	}
	switch {
	case href == "":
		return false
	case audioKinds[kind]:
		r.str("<audio controls")
	case videoKinds[kind]:
		r.str("<video controls")
	case imageKinds[kind], n.form == formImage || l.Syntax == schema.SyntaxInline, l.External:
		r.image(n, l, res, href)
		return true
	default:
		return false
	}
	r.attr("src", href)
	r.attr("aria-label", l.Target)
	r.str("></" + map[bool]string{true: "audio", false: "video"}[audioKinds[kind]] + ">")
	return true
}

func (r *renderer) image(n *inline, l *schema.Link, res *schema.Resolution, href string) {
	alt, width, height := l.Label, 0, 0
	if n.form == formImage {
		alt = n.imageText(r)
	}
	head, size, found := strings.Cut(alt, "|")
	if !found {
		head, size = "", alt
	}
	if w, h, ok := imageSize(size); ok && (found || l.Syntax == schema.SyntaxWikilink) {
		alt, width, height = head, w, h
	}
	if alt == "" && l.Syntax == schema.SyntaxWikilink {
		alt = strings.TrimSuffix(path.Base(l.Target), path.Ext(l.Target))
	}
	if r.opt.ImageSize != nil && res != nil && res.Kind == schema.TargetFile {
		if w, h, ok := r.opt.ImageSize(res.Path); ok && w > 0 && h > 0 {
			switch {
			case width == 0:
				width, height = w, h
			case height == 0:
				height = (width*h + w/2) / w
			}
		}
	}
	r.str("<img")
	r.attr("src", href)
	r.attr("alt", alt)
	if width > 0 {
		r.attr("width", strconv.Itoa(width))
	}
	if height > 0 {
		r.attr("height", strconv.Itoa(height))
	}
	if n.link.title != "" {
		r.attr("title", n.link.title)
	}
	r.str(` loading="lazy">`)
}

// imageSize reads 200 or 200x100, in pixels.
func imageSize(s string) (width, height int, ok bool) {
	const largest = 20_000
	w, h, both := strings.Cut(strings.TrimSpace(s), "x")
	width, err := strconv.Atoi(w)
	if err != nil || width <= 0 || width > largest {
		return 0, 0, false
	}
	if both {
		height, err = strconv.Atoi(h)
		if err != nil || height <= 0 || height > largest {
			return 0, 0, false
		}
	}
	return width, height, true
}

// page shows another page, or a part of it, in place.
func (r *renderer) page(n *inline, l *schema.Link, res *schema.Resolution) bool {
	if r.opt.Transclude == nil || r.inLink > 0 || !mayHoldBlocks(n.Parent()) {
		return false
	}
	html, ok := r.opt.Transclude(l, res)
	if !ok {
		return false
	}
	r.str(`<div class="embed">`)
	r.str(html)
	r.str("</div>")
	return true
}

func mayHoldBlocks(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return true
	case *block:
		return n.form == blockCell
	}
	return false
}

// embedsPage reports whether a paragraph shows a page in its place.
func (r *renderer) embedsPage(p ast.Node) bool {
	if r.opt.Transclude == nil {
		return false
	}
	for c := p.FirstChild(); c != nil; c = c.NextSibling() {
		if n, ok := c.(*inline); ok && n.link != nil && n.link.Embed {
			if _, res := r.resolved(n.span.Start); res != nil && res.Kind == schema.TargetPage {
				return true
			}
		}
	}
	return false
}
