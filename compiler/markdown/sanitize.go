package markdown

import (
	"html"
	"strings"
)

// allowedTags are the elements that raw HTML may use, with the attributes each
// may have beside those of every element.
var allowedTags = map[string]string{
	"a": "href", "abbr": "", "b": "", "blockquote": "", "br": "", "caption": "", "code": "", "col": "span",
	"colgroup": "span", "dd": "", "del": "", "details": "open", "div": "align", "dl": "", "dt": "", "em": "",
	"figcaption": "", "figure": "", "h1": "align", "h2": "align", "h3": "align", "h4": "align", "h5": "align",
	"h6": "align", "hr": "", "i": "", "img": "src alt width height align", "ins": "", "kbd": "", "li": "value",
	"mark": "", "ol": "start reversed", "p": "align", "pre": "", "q": "", "s": "", "samp": "", "small": "", "span": "",
	"strong": "", "sub": "", "summary": "", "sup": "", "table": "", "tbody": "", "td": "colspan rowspan align",
	"tfoot": "", "th": "colspan rowspan align scope", "thead": "", "tr": "align", "ul": "", "var": "",
}

// allowedSVG are the elements of a drawing in the page: shapes and text, nothing
// that loads, links, animates or holds HTML.
var allowedSVG = map[string]string{
	"svg":  "width height viewbox preserveaspectratio xmlns role",
	"g":    "",
	"defs": "",
	"path": "d", "rect": "x y width height rx ry", "circle": "cx cy r", "ellipse": "cx cy rx ry",
	"line": "x1 y1 x2 y2", "polyline": "points", "polygon": "points",
	"text": "x y dx dy rotate textlength", "tspan": "x y dx dy rotate",
	"marker":         "viewbox refx refy markerwidth markerheight markerunits orient",
	"lineargradient": "x1 y1 x2 y2 gradientunits gradienttransform", "radialgradient": "cx cy r fx fy gradientunits gradienttransform",
	"stop": "offset stop-color stop-opacity",
}

// svgAttrs are allowed on every element of a drawing.
const svgAttrs = "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset " +
	"stroke-linecap stroke-linejoin stroke-miterlimit opacity transform color font-size font-family font-weight font-style " +
	"text-anchor dominant-baseline alignment-baseline letter-spacing marker-start marker-mid marker-end clip-rule " +
	"aria-label aria-hidden"

// commonAttrs are allowed on every element.
const commonAttrs = "title lang dir id name"

var voidTags = map[string]bool{"br": true, "col": true, "hr": true, "img": true}

// plainTags are nested by browsers as written, anywhere in the HTML of a page without
// other raw elements.
var plainTags = words("abbr b br code del em i img ins kbd mark q s samp small span strong sub sup var")

// formatTags are reopened by browsers when the element around them was closed early.
var formatTags = words("a b code em i s small strong")

// Browsers, and what arranges raw HTML as they do, open at most maxFormats
// elements of a page again at each of its maxRawTags.
const (
	maxFormats = 8
	maxRawTags = 20_000
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

func allowedTag(name string) bool {
	_, page := allowedTags[name]
	_, drawing := allowedSVG[name]
	return page || drawing
}

func allowedAttr(tag, name string) bool {
	if own, ok := allowedSVG[tag]; ok {
		// A drawing that is transformed as a whole could be laid over the site's own parts.
		return hasWord(own, name) || hasWord(svgAttrs, name) && !(tag == "svg" && name == "transform") || name == "id"
	}
	return hasWord(allowedTags[tag], name) || hasWord(commonAttrs, name)
}

// localPaint reports whether a value of a drawing's attribute loads nothing
// from elsewhere: url() may only name a part of the page.
func localPaint(value string) (id string, ok bool) {
	v := strings.ToLower(value)
	if !strings.Contains(v, "url") && !strings.ContainsAny(v, "\\@") {
		return "", true
	}
	rest, found := strings.CutPrefix(strings.TrimSpace(value), "url(#")
	id, end, closed := strings.Cut(rest, ")")
	return id, found && closed && end == "" && !strings.ContainsAny(id, "\"'()\\ ")
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// dropped says why a tag is not rendered as written, or "".
func dropped(t *tag) string {
	if !allowedTag(t.name) {
		return "<" + t.name + "> is shown as text: pages may use no such element; write it in backticks if it is meant as text"
	}
	for i := range t.attrs {
		a := &t.attrs[i]
		switch {
		case strings.HasPrefix(a.name, "on"):
			return "attribute " + a.name + " of <" + t.name + "> is dropped: pages can run no script"
		case a.name == "href" || a.name == "src":
			if !safeURL(html.UnescapeString(string(a.value)), a.name == "src") {
				return "the address of <" + t.name + "> is dropped: expected http, https, mailto or a relative path"
			}
		}
	}
	return ""
}

// imageData are the kinds of image that an address may hold itself. SVG is not
// among them, since it can hold script.
var imageData = []string{"data:image/png;", "data:image/gif;", "data:image/jpeg;", "data:image/webp;"}

// safeURL reports whether an address is allowed in a page: relative, http, https or
// mailto; for images also data URLs of bitmaps.
func safeURL(u string, image bool) bool {
	// Browsers drop control characters and white space from a scheme.
	clean := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return -1
		}
		return r
	}, u))
	i := strings.IndexAny(clean, ":/?#")
	if i < 0 || clean[i] != ':' {
		return true
	}
	switch clean[:i] {
	case "http", "https", "mailto":
		return true
	case "data":
		for _, prefix := range imageData {
			if image && strings.HasPrefix(clean, prefix) {
				return true
			}
		}
	}
	return false
}
