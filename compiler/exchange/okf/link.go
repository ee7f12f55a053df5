package okf

import (
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// links are the edits that make relative markdown links of the links of a page.
func (b *bundler) links(p *schema.Page) (out []schema.Edit) {
	seen := map[schema.Span]bool{} // definitions are shared
	for l, res := range b.wiki.Links(p) {
		l = l.As(res)
		at, text, ok := b.link(p, l, res)
		if ok && !seen[at] && string(at.In(p.Source)) != text {
			seen[at] = true
			out = append(out, schema.Edit{Path: p.Path, Span: at, Text: text})
		}
	}
	return out
}

// link returns what is written instead of a link, or of its destination.
func (b *bundler) link(p *schema.Page, l *schema.Link, res *schema.Resolution) (at schema.Span, text string, ok bool) {
	dest, known := b.destination(p, l, res)
	switch {
	case b.public.Leads(res):
		return at, "", false // left out as everywhere
	case l.Field != "":
		return b.frontLink(l, res)
	case !known && res.Kind == schema.TargetOutside:
		b.note(p, l.Span.Start, "link to a file outside of the wiki became text: "+res.Path)
		return l.Span, outsideText(p, l, res), l.Syntax != schema.SyntaxHTML && l.Syntax != schema.SyntaxReference
	case !known:
		return at, "", false
	case l.Syntax == schema.SyntaxWikilink:
		if l.Embed && !isImage(res.Path) && res.Kind == schema.TargetPage {
			b.note(p, l.Span.Start, "embedded page became a link: "+res.Path)
		}
		return l.Span, markdownLink(p, l, res, dest), true
	case l.Syntax == schema.SyntaxAutolink || res.GitHub && !strings.HasPrefix(l.Target, "/") && b.stays(p, res):
		return at, "", false
	}
	return l.Dest, dest, l.Dest.Len() > 0
}

// stays reports whether a relative link from a page leads to the same in the bundle.
func (b *bundler) stays(p *schema.Page, res *schema.Resolution) bool {
	return b.names[p.Path] == p.Path && (res.Kind != schema.TargetPage || b.names[res.Path] == res.Path)
}

// destination returns where a link leads in the bundle; ok is false if nowhere.
func (b *bundler) destination(p *schema.Page, l *schema.Link, res *schema.Resolution) (dest string, ok bool) {
	from := b.names[p.Path]
	switch res.Kind {
	case schema.TargetPage:
		to, ok := b.names[res.Path]
		if !ok {
			return "", false
		}
		dest = fragment(l, res, b.logs[res.Path])
		if to != from || dest == "" {
			dest = escape(schema.RelativePath(from, to)) + dest
		}
		return dest, true
	case schema.TargetFile:
		if isMarkdown(res.Path) {
			return "", false // no page: a template, or of a package
		}
		b.copied[res.Path] = true
		return escape(schema.RelativePath(from, res.Path)) + fragment(l, res, false), true
	case schema.TargetFolder:
		return escape(schema.RelativePath(from, res.Path)) + "/", !strings.HasPrefix(res.Path, "../")
	case schema.TargetExternal:
		return l.Raw, l.Syntax == schema.SyntaxWikilink && !strings.ContainsAny(l.Raw, " ()<>")
	case schema.TargetNone:
		return b.wanted(from, l, res)
	}
	return "", false
}

// wanted returns where a link leads to a page that nobody wrote yet, which the format
// has: below the root, as everywhere.
func (b *bundler) wanted(from string, l *schema.Link, res *schema.Resolution) (dest string, ok bool) {
	name := strings.Trim(l.Target, "/")
	wiki := l.Syntax == schema.SyntaxWikilink
	if res.Broken != schema.BrokenMissing || !writable(name) || !wiki && !strings.HasPrefix(l.Target, "/") {
		return "", false
	}
	if wiki && !isMarkdown(name) && !isImage(name) {
		name += ".md"
	}
	dest = escape(schema.RelativePath(from, name))
	if l.Hash && l.Fragment != "" {
		dest += "#" + escape(l.Fragment)
	}
	return dest, true
}

// writable reports whether a name can be that of a page.
func writable(name string) bool {
	return name != "" && path.Clean("/"+name) == "/"+name && !strings.ContainsAny(name, "<>{}$*?:\"|\\")
}

// fragment is that of a link, with its #. The headings of a log are dates in the bundle.
func fragment(l *schema.Link, res *schema.Resolution, log bool) string {
	switch {
	case log || !l.Hash || res.Fragment == "" && l.Fragment != "": // the # is part of the name
		return ""
	case res.Anchor != "":
		return "#" + escape(res.Anchor)
	}
	return "#" + escape(l.Fragment)
}

// markdownLink writes a wikilink as a link or image of markdown.
func markdownLink(p *schema.Page, l *schema.Link, res *schema.Resolution, dest string) string {
	label := string(l.LabelAt.In(p.Source))
	if l.Embed && strings.Trim(label, "0123456789x") == "" { // a size
		label = path.Base(res.Path)
	}
	if label == "" {
		label = strings.TrimSpace(l.Raw)
		if l.Target == "" {
			label = l.Fragment
		} else if l.Fragment != "" && res.Fragment != "" {
			label = l.Target + " > " + strings.TrimPrefix(l.Fragment, "^")
		}
	}
	mark := ""
	if l.Embed && (isImage(res.Path) || !res.OK() && isImage(l.Target)) {
		mark = "!"
	}
	return mark + "[" + brackets.Replace(label) + "](" + dest + ")"
}

// brackets escapes what would end the text of a link.
var brackets = strings.NewReplacer("[", `\[`, "]", `\]`, `\[`, `\[`, `\]`, `\]`, `\|`, `\|`, "\n", " ")

// outsideText names a file that is not in the bundle.
func outsideText(p *schema.Page, l *schema.Link, res *schema.Resolution) string {
	label, name := l.Label, strings.TrimLeft(res.Path, "./")
	if label == "" {
		label = l.Target
	}
	if strings.Contains(label, name) || strings.Contains(label, "`") || strings.Contains(name, "`") {
		return label
	}
	return label + " (`" + name + "`)"
}

// frontLink spells a wikilink of front matter out, so that it means the same in every
// dialect.
func (b *bundler) frontLink(l *schema.Link, res *schema.Resolution) (at schema.Span, text string, ok bool) {
	name := b.names[res.Path]
	if l.Syntax != schema.SyntaxWikilink || res.Kind != schema.TargetPage || strings.ContainsAny(name, "[]|#\"'\\") {
		return at, "", false
	}
	name = strings.TrimSuffix(name, ".md")
	if l.Hash && res.Fragment != "" {
		name += "#" + l.Fragment
	}
	return l.Dest, name, !strings.ContainsAny(name, "\"'\\")
}

// Relative returns the destination of a markdown link from a page to a file.
func Relative(page, file string) string { return escape(schema.RelativePath(page, file)) }

// escape percent-encodes what can't stand in a destination.
func escape(p string) string { return schema.EscapeDestination(p, "|`*~!&") }

func isMarkdown(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".md" || ext == ".markdown"
}

func isImage(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp":
		return true
	}
	return false
}
