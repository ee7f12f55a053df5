package serve

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Bodies of attached files, by the type that a browser may guess.
const (
	asHTML  = `<!doctype html><html><head><title>x</title><script>JS!</script></head><body onload=JS!><img src=x onerror=JS!><iframe srcdoc="<script>JS!</script>"></iframe><a id=a href="javascript:JS!" autofocus onfocus=JS!>x</a></body></html>`
	asXHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script>JS!</script></head><body onload="JS!"><a href="javascript:JS!">x</a></body></html>`
	asXML   = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xsl"?><r><x:script xmlns:x="http://www.w3.org/1999/xhtml">JS!</x:script><s:svg xmlns:s="http://www.w3.org/2000/svg" onload="JS!"/><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x" onerror="JS!"/></r>`
	asXSL   = `<?xml version="1.0"?><xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html xmlns="http://www.w3.org/1999/xhtml"><body><script>JS!</script></body></html></xsl:template></xsl:stylesheet>`
	asSVG   = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90" onload="JS!"><script>JS!</script><rect width="90" height="90" onclick="JS!" onmouseover="JS!"/></svg>`
	asJS    = `document.documentElement.setAttribute("data-pwned","1");JS!;self.wikiSearch={open(){JS!},page(){JS!}};self.wikiWords={};`
	asGIF   = "GIF89a=1;JS!;/*\x00\x01\x00;*/"
)

func head(ns string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"` + ns + `>`
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// utf16 is a text in UTF-16, which a browser reads by its first two bytes.
func utf16(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// attachments are files that a page leads to, by name: those that browsers run, under the names
// that servers know them by and under others, and those that are two things at once.
var attachments = map[string]string{
	"a.html": asHTML, "b.htm": asHTML, "c.HTM": asHTML, "d.HtMl": asHTML, "e.xhtml": asXHTML, "f.xht": asXHTML, "g.shtml": asHTML, "h.xml": asXML, "style.xsl": asXSL, "i.xslt": asXSL, "j.svg": asSVG, "k.SVG": asSVG,
	"m.js": asJS, "n.mjs": asJS, "o.css": `@import url(https://evil.test/a.css);body{background:url(javascript:JS!)}/*<script>JS!</script>*/`, "p.json": `{"a":"<script>JS!</script>"}`, "q.txt": asHTML, "s.wasm": "\x00asm\x01\x00\x00\x00", "undefined": asHTML, "null": asJS, "noext": asHTML,
	"search-index.js": asJS, "site.js": asJS, "t.unknown": asHTML, "u.php": asHTML, "v.asp": asHTML, "w.jsp": asHTML, "x.rss": asXML, "y.atom": asXML, "z.rdf": asXML, "aa.mathml": `<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:JS!"><script xmlns="http://www.w3.org/1999/xhtml">JS!</script></math>`,
	"ab.hta": asHTML, "ac.mht": "MIME-Version: 1.0\nContent-Type: text/html\n\n" + asHTML, "ad.eml": asHTML, "ae.swf": "CWS\x09", "af.xbl": asXML, "ag.htc": asHTML, "ah.vtt": "WEBVTT\n\n00:00.000 --> 00:09.000\n<script>JS!</script>\n", "ai.webmanifest": `{"start_url":"javascript:JS!"}`, "aj.csv": "=cmd|'/c calc'!A0,<script>JS!</script>\n", "ak.ics": asHTML, "al.vcf": asHTML,
	"am.gif": asGIF, "an.png": asHTML, "ao.jpg": asSVG, "ap.pdf": "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(JS!)>>>>endobj\ntrailer<</Root 1 0 R>>\n" + asHTML, "aq.html.txt": asHTML, "ar.txt.html": asHTML, "as.html.": asHTML, "at.html ": asHTML, "au.svg.bak": asSVG, "av.html~": asHTML, "aw": asSVG, "ax": "\n\n\n  " + asHTML,
	"ay": utf16(asHTML), "az.html": utf16(asHTML), "ba": "\xef\xbb\xbf" + asHTML, "bb.dat": asHTML, "bc": asXML, "bd": "<!--\n-->" + asHTML, "be.zip": "PK\x03\x04" + asHTML, "bf.html;x": asHTML, "bg.html?x": asHTML, "bh.html#x": asHTML, "bi.html%00.txt": asHTML, "bj.xml.gz": asHTML, "bk.phtml": asHTML, "bl.dhtml": asHTML, "bm.rhtml": asHTML, "bn.svgz": asSVG,
	"bo.cjs": asJS, "bp.ts": asJS, "bq.jsx": asJS, "br.vbs": asJS, "bs.wat": asHTML, "bt.log": asHTML, "bu.bin": asHTML, "bv.exe": asHTML, "bw.ini": asHTML, "bx.yaml": asHTML, "by.markdown": asHTML, "bz.canvas": `{"nodes":[{"text":"<script>JS!</script>"}]}`, "ca.mp4": asHTML, "cb.ogg": asHTML, "cc.woff2": asHTML, "cd.ico": asHTML, "ce.bmp": asHTML, "cf.webp": asHTML, "cg.avif": asSVG,
}

// drawings are SVG files: what may run or load in one, each in a file.
var drawings = []string{
	`<script>JS!</script>`, `<script href="m.js"/>`, `<script xlink:href="data:text/javascript,JS!"/>`, `<g onload="JS!"><path d="M0 0"/></g>`, `<a href="javascript:JS!"><rect width="90" height="90"/></a>`, `<a xlink:href="java&#10;script:JS!"><rect width="90" height="90"/></a>`,
	`<a id="x"><rect width="90" height="90"/></a><set href="#x" attributeName="href" to="javascript:JS!"/>`, `<a><rect width="90" height="90"/><animate attributeName="href" values="javascript:JS!;x" dur="9s"/></a>`, `<a><rect width="90" height="90"/><animate attributeName="xlink:href" from="javascript:JS!" to="x" begin="0s" dur="9s"/></a>`, `<set attributeName="onmouseover" to="JS!"/>`, `<animate onbegin="JS!" attributeName="x" dur="1s"/>`, `<animateTransform onend="JS!" attributeName="transform" dur="0.01s"/>`,
	`<use href="other.svg#x"/>`, `<use xlink:href="data:image/svg+xml,&lt;svg id='x' xmlns='http://www.w3.org/2000/svg' onload='JS!'/&gt;#x"/>`, `<use href="https://evil.test/a.svg#x"/>`, `<image href="https://evil.test/b.png" width="9" height="9"/>`, `<image href="javascript:JS!" width="9" height="9"/>`, `<feImage href="https://evil.test/c"/><filter id="f"><feImage href="https://evil.test/d"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
	`<foreignObject width="90" height="90"><body xmlns="http://www.w3.org/1999/xhtml"><script>JS!</script><iframe src="javascript:JS!"/><img src="x" onerror="JS!"/></body></foreignObject>`, `<foreignObject width="90" height="90"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;JS!&lt;/script&gt;"/></foreignObject>`, `<style>@import url(https://evil.test/e.css);rect{fill:url(https://evil.test/f#x)}</style><rect width="9" height="9"/>`, `<rect style="background:url(https://evil.test/g);fill:url(https://evil.test/h#x)" width="9" height="9"/>`, `<rect fill="url(https://evil.test/i#x)" filter="url(https://evil.test/j#x)" mask="url(https://evil.test/k#x)" clip-path="url(https://evil.test/l#x)" width="9" height="9"/>`, `<path marker-start="url(https://evil.test/m#x)" d="M0 0L9 9"/>`, `<rect cursor="url(https://evil.test/n),auto" width="90" height="90"/>`,
	`<handler type="text/javascript" xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">JS!</handler>`, `<x:script xmlns:x="http://www.w3.org/1999/xhtml">JS!</x:script>`, `<x:script xmlns:x="http://www.w3.org/1999/xhtml" src="m.js"/>`, `<x:iframe xmlns:x="http://www.w3.org/1999/xhtml" src="javascript:JS!"/>`, `<x:link xmlns:x="http://www.w3.org/1999/xhtml" rel="stylesheet" href="https://evil.test/o.css"/>`, `<x:meta xmlns:x="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=https://evil.test/p"/>`, `<x:base xmlns:x="http://www.w3.org/1999/xhtml" href="https://evil.test/q/"/><image href="x.png" width="9" height="9"/>`, `<x:embed xmlns:x="http://www.w3.org/1999/xhtml" src="a.html"/>`, `<x:object xmlns:x="http://www.w3.org/1999/xhtml" data="a.html"/>`, `<x:form xmlns:x="http://www.w3.org/1999/xhtml" action="https://evil.test/r"><x:input autofocus="" onfocus="JS!"/></x:form>`,
	`<video xmlns="http://www.w3.org/1999/xhtml" src="https://evil.test/s"/>`, `<text><tspan onfocus="JS!" tabindex="0" autofocus="">x</tspan></text>`, `<discard onbegin="JS!" begin="0s"/>`, `<switch><g onfocusin="JS!" tabindex="1"/></switch>`, `<metadata><script xmlns="http://www.w3.org/2000/svg">JS!</script></metadata>`, `<title><x:script xmlns:x="http://www.w3.org/1999/xhtml">JS!</x:script></title>`, `<![CDATA[</svg>]]><script>/*<![CDATA[*/JS!/*]]>*/</script>`, `<mpath href="https://evil.test/t#x"/><textPath href="https://evil.test/u#x">x</textPath><linearGradient href="https://evil.test/v#x"/>`,
}

// doctypes are SVG files that hide in their head what runs.
var doctypes = map[string]string{
	"entity.svg":     `<!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>JS!</script>">]>` + head("") + `&x;</svg>`,
	"attlist.svg":    `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "JS!">]>` + head("") + `</svg>`,
	"external.svg":   `<!DOCTYPE svg SYSTEM "https://evil.test/x.dtd">` + head("") + `</svg>`,
	"stylesheet.svg": `<?xml-stylesheet href="https://evil.test/x.css"?>` + head("") + `</svg>`,
	"xsl.svg":        `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xsl"?>` + head("") + `</svg>`,
	"self.svg":       `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE r [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><svg xmlns="http://www.w3.org/2000/svg"><xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><h:script xmlns:h="http://www.w3.org/1999/xhtml">JS!</h:script></xsl:template></xsl:stylesheet></svg>`,
	"prefix.svg":     `<s:svg xmlns:s="http://www.w3.org/2000/svg" onload="JS!"><s:script>JS!</s:script></s:svg>`,
	"html.svg":       asHTML, "xhtml.svg": asXHTML, "utf16.svg": utf16(asSVG), "utf7.svg": `<?xml version="1.0" encoding="UTF-7"?>+ADw-svg xmlns=+ACI-http://www.w3.org/2000/svg+ACI- onload=+ACI-JS!+ACI-/+AD4-`,
	"latin.svg":   `<?xml version="1.0" encoding="ISO-8859-1"?>` + head(` onload="JS!"`) + "\xe9</svg>",
	"twice.svg":   head("") + `</svg>` + head(` onload="JS!"`) + `</svg>`,
	"broken.svg":  head("") + `<g><script>JS!</script></svg>`,
	"deep.svg":    head("") + strings.Repeat("<g>", 300) + `<script>JS!</script>` + strings.Repeat("</g>", 300) + `</svg>`,
	"case.svg":    head("") + `<SCRIPT>JS!</SCRIPT><Script>JS!</Script></svg>`,
	"null.svg":    head("") + "<scr\x00ipt>JS!</scr\x00ipt></svg>",
	"gzipped.svg": gzipped(asSVG),
}

// leadsTo makes a page that leads to files in all the ways there are: links, images, embeds
// and citations.
func leadsTo(title string, names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\nsources:\n", title)
	for _, n := range names {
		fmt.Fprintf(&b, "  - %q\n", n)
	}
	fmt.Fprintf(&b, "---\n# %s\n\nMARKfiles of the page.\n\n", title)
	for i, n := range names {
		fmt.Fprintf(&b, "- [l%d](<%s>) ![a](<%s>) [[%s]]\n", i, strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23", ";", "%3B").Replace(n), strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23").Replace(n), n)
	}
	for i, n := range names {
		if i%3 == 0 && !strings.ContainsAny(n, `"?#%`) {
			fmt.Fprintf(&b, "\n![[%s]]\n\n<img src=\"%s\" alt=\"x\"> <a href=\"%s\">x</a>\n", n, n, n)
		}
	}
	return b.String()
}

func attachmentWiki() map[string]string {
	files := map[string]string{}
	for n, body := range attachments {
		files["wiki/"+n] = body
	}
	files["wiki/index.md"] = leadsTo("Attached", slices.Sorted(maps.Keys(attachments)))
	files["wiki/undefined.md"] = "# Search results\n\n[u](undefined) and [n](null) and MARKundefined.\n\n## Search fallback\n\n## Q\n\n## Content\n"
	return files
}

func drawingWiki() map[string]string {
	files := map[string]string{"wiki/style.xsl": asXSL, "wiki/m.js": asJS, "wiki/a.html": asHTML, "wiki/other.svg": head(` id="x" onload="JS!"`) + `<script>JS!</script></svg>`}
	for i, d := range drawings {
		files[fmt.Sprintf("wiki/d%02d.svg", i)] = head("") + d + `</svg>`
	}
	for n, d := range doctypes {
		files["wiki/"+n] = d
	}
	var names []string
	for n := range files {
		names = append(names, strings.TrimPrefix(n, "wiki/"))
	}
	slices.Sort(names)
	files["wiki/index.md"] = leadsTo("Drawings", names)
	return files
}

// hostileNames are names of files and folders: vectors, and what a site, a server or a script
// takes for something else.
var hostileNames = []string{
	`javascript:JS!`, `"onmouseover=JS! x="`, `<img src=x onerror=JS!>`, `' autofocus onfocus=JS! '`, `<svg onload=JS!>`, `&lt;script&gt;JS!`, `%3Cscript%3EJS!`, `data:text,JS!`, `..%2f..%2fx`, `..%5c..%5cx`, `a?b=<script>JS!`, `a#<img src=x onerror=JS!>`, "new\nline<img src=x onerror=JS!>", "\u2028JS!\u2029", "\u202egnp.JS!", `${JS!}`, "`JS!`", `{{JS!}}`, `[x](javascript:JS!)`, `]]<script>JS!`, `__proto__`, `constructor`, `toString`, `undefined`, `null`, `NaN`, `[object HTMLElement]`, `false`, `0`, `...`, `~`, `%`, `%00`, `%2e%2e`, ` `, `-->`, `*`, `CON`, `index.html`, `search.html`, `404.html`, `pages.html`, `tags.html`, `_wiki`, `_WIKI`, `wiki_`, `_headers`, `_redirects`, `CNAME`, `.nojekyll`, `sw.js`, `robots.txt`, `sitemap.xml`, `.htaccess`, `web.config`, `favicon.ico`, `events`, `search`, `status`, `live.js`, `loops`,
}

func nameWiki() map[string]string {
	files := map[string]string{}
	var all []string
	for i, n := range hostileNames {
		n = strings.Map(func(r rune) rune {
			if r == '/' || r == 0 {
				return '∕'
			}
			return r
		}, n)
		title := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, n)
		files["wiki/"+n+".md"] = fmt.Sprintf("Words of MARKname%d, without a heading. See [[index]] and [[%s]].\n", i, title)
		if i%3 == 0 && n != "..." {
			files["wiki/in "+n+"/"+n+".md"] = fmt.Sprintf("---\ntags: [%q]\n---\nText of MARKsub%d.\n\n[x](../index.md)\n", title, i)
			files["wiki/in "+n+"/"+n] = asHTML
			all = append(all, "in "+n+"/"+n)
		}
	}
	delete(files, "wiki/index.md")
	files["wiki/index.md"] = leadsTo("Names", all) + "\n[[javascript:JS!]] [[undefined]] [[__proto__]] [l](javascript:JS!.md) [l](<javascript:JS!>)\n"
	return files
}

// outputNames are files of the wiki that are called like files of the site, or of its host.
func outputWiki() map[string]string {
	files := map[string]string{}
	for _, n := range []string{
		"_wiki/site.js", "_wiki/search.js", "_wiki/search-index.js", "_wiki/site.css", "_wiki/live.js", "_wiki/events", "_wiki/search", "_wiki/status", "_wiki/icon.svg", "_WIKI/site.js", "_Wiki/search-index.js", "_wiki", "_wiki./site.js", "_wiki /site.js", "wiki_/site.js", "_wıki/site.js", "_ｗiki/site.js",
		"index.html", "INDEX.HTML", "404.html", "search.html", "search", "pages.html", "recent.html", "tags.html", "contradictions.html", "sitemap.xml", "robots.txt", "sw.js", "service-worker.js", "manifest.json", "favicon.ico", "_headers", "_redirects", "CNAME", "_config.yml", "_layouts/default.html", "_includes/head.html", "web.config", "feed.xml", "atom.xml", "page.html", "page/index.html", "sub/index.html", "sub/undefined", "sub/search-index.js",
	} {
		body := asJS
		switch {
		case strings.HasSuffix(strings.ToLower(n), ".html"), n == "search", n == "_wiki":
			body = asHTML
		case strings.HasSuffix(n, ".xml"):
			body = asXML
		case strings.HasSuffix(n, ".svg"):
			body = asSVG
		case strings.HasSuffix(n, ".css"):
			body = "header{display:none!important}body{background:url(https://evil.test/css)}"
		}
		if n == "_wiki" || n == "page/index.html" {
			continue // a folder has the name
		}
		files["wiki/"+n] = body
	}
	var names []string
	for n := range files {
		names = append(names, strings.TrimPrefix(n, "wiki/"))
	}
	slices.Sort(names)
	files["wiki/start.md"] = leadsTo("Outputs", names)
	files["wiki/page.md"] = "# Page\n\nMARKpage leads to [[start]].\n"
	files["wiki/sub/deep.md"] = "# Search results\n\n[x](undefined) [y](search-index.js) MARKdeep\n"
	files["wiki/_wiki/note.md"] = "---\naliases: [site, search-index, /_wiki/site.js, ../_wiki/search.js, _wiki/site.css]\n---\n# Note\n\nMARKnote\n"
	files["wiki/404.md"] = "# Missing\n\nMARKmissing\n"
	files["wiki/search.md"] = "# Search\n\nMARKsearch\n"
	return files
}
