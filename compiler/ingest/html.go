package ingest

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// Readable is the readable text of an HTML page, as markdown: no script, style, form,
// comment or hidden text, and only links to the web and to mail addresses.
type Readable struct {
	Title  string
	Origin string // where the page says that it is from, empty if it does not
	Text   []byte
	// Images are the addresses of the page's own images, as it writes them and in
	// their order: those that are next to it.
	Images []string
}

// ReadHTML converts an HTML page to markdown. rename maps an image next to the page to
// its path next to the markdown, or to "" to omit it; nil omits all images. It is an
// error if the page is nested too deeply, or its text is larger than a source may be.
func ReadHTML(src []byte, rename func(image string) string) (*Readable, error) {
	in, err := charset.NewReader(bytes.NewReader(src), "text/html")
	if err == io.EOF {
		in = bytes.NewReader(nil) // the file is empty
	} else if err != nil {
		return nil, err
	}
	root, err := html.Parse(in)
	if err != nil {
		return nil, err
	}
	plainText(root)
	r := &Readable{}
	c := &converter{out: r, rename: rename}
	r.Title = oneLine(textOf(find(root, atom.Title)))
	r.Origin = origin(src, root)
	c.base, _ = url.Parse(r.Origin)
	body := find(root, atom.Article)
	if body == nil || find2(root, atom.Article, body) {
		body = find(root, atom.Main)
	}
	if body == nil {
		body = find(root, atom.Body)
	}
	if r.Title == "" {
		r.Title = oneLine(textOf(find(root, atom.H1)))
	}
	blocks := c.blocks(body)
	if r.Title != "" && (len(blocks) == 0 || !strings.HasPrefix(blocks[0], "# ")) {
		blocks = append([]string{"# " + escape(r.Title)}, blocks...)
	}
	r.Text = []byte(strings.Join(blocks, "\n\n") + "\n")
	if len(r.Text) > source.MaxRaw {
		return nil, fmt.Errorf("it has more than %d MiB", source.MaxRaw>>20)
	}
	return r, nil
}

// find returns the first element of a kind that a reader sees.
func find(n *html.Node, a atom.Atom) *html.Node {
	if n == nil || n.Type == html.ElementNode && n.DataAtom == a {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if hit := find(c, a); hit != nil {
			return hit
		}
	}
	return nil
}

// find2 reports whether there is another element of a kind than the first.
func find2(n *html.Node, a atom.Atom, first *html.Node) bool {
	if n != first && n.Type == html.ElementNode && n.DataAtom == a {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if find2(c, a, first) {
			return true
		}
	}
	return false
}

// savedFrom matches the comment that browsers add to a saved page.
var savedFrom = schema.Expression(`(?i)<!--\s*saved from url=\(\d+\)(\S+)\s*-->`)

// origin is where a page says that it is from.
func origin(src []byte, root *html.Node) string {
	if m := savedFrom().FindSubmatch(src[:min(len(src), 4096)]); m != nil && webAddress(string(m[1])) {
		return string(m[1])
	}
	var found string
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if found == "" && n.DataAtom == atom.Link && strings.EqualFold(attribute(n, "rel"), "canonical") && webAddress(attribute(n, "href")) {
			found = attribute(n, "href")
		}
		if found == "" && n.DataAtom == atom.Meta && attribute(n, "property") == "og:url" && webAddress(attribute(n, "content")) {
			found = attribute(n, "content")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(root)
	return found
}

// webAddress reports whether an address is one of the web that doesn't mention
// who fetched it.
func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && len(s) <= maxOrigin && !strings.ContainsAny(s, " \t\r\n<>\"`\\") && visible(s) == s
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

// textOf is the text of an element, in which white space counts.
func textOf(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.DataAtom == atom.Br {
			b.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(n)
	return b.String()
}

func oneLine(s string) string { return text.Collapse(visible(s)) }

// visible takes out what a terminal acts on, what turns the direction of the text
// around it, and what nobody sees: a title stands in logs and in commits.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r':
			return -1
		case r == '\u200b' || r == '\u2060' || r == '\ufeff', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return r
	}, s)
}

// plainText leaves of all text and of all attributes what is visible.
func plainText(n *html.Node) {
	n.Data = visible(n.Data)
	for i := range n.Attr {
		n.Attr[i].Val = visible(n.Attr[i].Val)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		plainText(c)
	}
}

// unread are elements of which a reader sees nothing, or that are the site's and
// not the page's.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Math: true, atom.Iframe: true, atom.Object: true, atom.Embed: true,
	atom.Head: true, atom.Nav: true, atom.Footer: true, atom.Form: true, atom.Button: true, atom.Input: true, atom.Select: true, atom.Textarea: true,
	atom.Canvas: true, atom.Audio: true, atom.Video: true, atom.Dialog: true, atom.Frameset: true,
}

var hiddenStyle = schema.Expression(`(?i)(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(\s|;|$))`)

// hidden reports whether a reader does not see an element.
func hidden(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type != html.TextNode
	}
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" || a.Key == "style" && hiddenStyle().MatchString(a.Val) {
			return true
		}
	}
	return unread[n.DataAtom]
}

// fence returns backticks that a text can stand between.
func fence(text string, least int) string {
	longest, run := 0, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", max(least, longest+1))
}

// significant are the characters that mean something in the text of a page.
var significant = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`, "^", `\^`, "%%", `\%\%`, "&", "&amp;", "==", `\=\=`,
)

var blockStart = schema.Expression(`^(?:[-+>=]|\d{1,9}[.)])`)

// escape makes text stand for itself in a paragraph.
func escape(text string) string {
	return significant.Replace(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd"))
}

// paragraph is one line, or several where the page breaks it.
func paragraph(inline string) string {
	var lines []string
	for part := range strings.SplitSeq(inline, lineBreak) {
		line := oneLine(part)
		if line == "" {
			continue
		}
		if m := blockStart().FindString(line); m != "" {
			line = m[:len(m)-1] + `\` + line[len(m)-1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\\\n")
}

// lineBreak stands for a break until a paragraph is made.
const lineBreak = "\x00"

// link is text that leads somewhere, or the text alone.
func link(text, to string) string {
	if to == "" {
		return text
	}
	return fmt.Sprintf("[%s](<%s>)", text, strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "", "\r", "", `\`, "%5C").Replace(to))
}
