package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// hostileDiagrams try to run a script, to change the page around them or to load
// something.
var hostileDiagrams = []string{
	"flowchart LR\n  A[\"<img src=x onerror=self.ran=1>\"] --> B[\"<script>self.ran=2</script>\"]\n  click A \"javascript:self.ran=3\"\n  click B call ran()",
	"%%{init: {'securityLevel': 'loose', 'theme': 'forest', 'themeCSS': '} body { display: none } .x {', 'fontFamily': 'x} body{display:none} .y{'}}%%\nflowchart LR\n  A --> B",
	"---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart LR\n  A[\"<iframe src='javascript:self.ran=4'></iframe>\"] --> B\n  style A fill:red,stroke:url(javascript:self.ran=5)\n  classDef default fill:#f00,position:fixed;",
	"sequenceDiagram\n  participant A as <svg onload=self.ran=6>\n  A->>A: <a href=javascript:self.ran=7>x</a>\n  link A: go @ javascript:self.ran=8",
	"flowchart LR\n" + strings.Repeat("  A --> B\n", 3000),
}

// readingPages are of the kinds that the reading column has.
func readingPages() map[string]string {
	return map[string]string{
		"wiki.yaml":     "title: Reading\n",
		"wiki/index.md": "# Reading\n\nA note[^1].\n\n[^1]: The **note**.\n",
		"wiki/math.md": "# Formulas\n\nThe energy $e = mc^2$, $\\colorbox{yellow}{a}$, $\\boxed{b}$ and $\\nosuch$.\n\n" +
			"$$\n\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}" + strings.Repeat("+\\frac{a}{b+c}", 40) + "\n$$\n",
		"wiki/diagrams.md": "# Diagrams\n\n```mermaid\nflowchart LR\n  A[Start] --> B{On?} --> C[Done]\n```\n\n```mermaid\nsequenceDiagram\n  A->>B: Hello\n```\n\n```mermaid\nnot a diagram\n```\n",
		"wiki/hostile.md":  "# Hostile\n\n```mermaid\n" + strings.Join(hostileDiagrams, "\n```\n\n```mermaid\n") + "\n```\n",
		"wiki/ar.md":       "# دليل واجهة البرمجة\n\nهذه صفحة عن `client.Do(ctx, \"x\")` وكيفية استخدام المعادلة $e = mc^2$ في البرنامج.\n\n## API overview\n\nنص.\n\n## القسم الثاني\n\nنص آخر.\n",
	}
}

func TestBrowserReading(t *testing.T) {
	browser := chromium(t)
	out := builtFrom(t, readingPages())
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(server.Close)
	for _, width := range []int64{390, 1440} {
		for _, scheme := range []string{"light", "dark"} {
			v := newView(t, browser)
			v.size(width, 900)
			v.prefers(scheme)
			readMath(v, server.URL)
			readDiagrams(v, server.URL, scheme)
			readRightToLeft(v, server.URL)
		}
	}
	v := newView(t, browser)
	readHostileDiagrams(v, server.URL)
	readNotes(v, server.URL)
	for _, asked := range v.urls {
		if !strings.HasPrefix(asked, server.URL) && !strings.HasPrefix(asked, "data:") {
			t.Errorf("a page asks for %s", asked)
		}
	}
}

// fits reports what makes the page wider than the window.
const fits = `document.documentElement.scrollWidth <= innerWidth`

func readMath(v *view, url string) {
	v.t.Helper()
	v.open(url + "/math.html")
	v.until("the formulas", `document.querySelectorAll(".prose .math > math").length === 4`)
	for what, check := range map[string]string{
		"no script is needed for formulas":          `![...document.scripts].some((s) => s.src && !/\/_wiki\/(site|tree\/\w+)\.js/.test(s.src))`,
		"an exponent is raised":                     `(() => { const s = document.querySelector("msup"), [a, b] = [...s.children].map((e) => e.getBoundingClientRect()); return b.top < a.top && b.height < a.height * 1.2; })()`,
		"the wide formula scrolls in its place":     `(() => { const d = document.querySelector(".math.display"); return d.scrollWidth > d.clientWidth && d.clientWidth <= innerWidth; })()`,
		"a matrix has cells beside each other":      `(() => { const [a, b] = [...document.querySelectorAll("mtd")].map((e) => e.getBoundingClientRect()); return b.left >= a.right && Math.abs(a.top - b.top) < 3; })()`,
		"a box has a border":                        `getComputedStyle([...document.querySelectorAll("math *")].find((e) => e.textContent === "b" && e.className.includes("m-"))).borderTopWidth === "1px"`,
		"a formula with a mistake shows its source": `document.querySelector(".math.failed").textContent === "\\nosuch"`,
		"the page fits":                             fits,
	} {
		if !eval[bool](v, check) {
			v.t.Errorf("math at %d: not so: %s", eval[int](v, "innerWidth"), what)
		}
	}
	v.quiet("formulas")
}

func readDiagrams(v *view, url, scheme string) {
	v.t.Helper()
	v.open(url + "/diagrams.html")
	v.until("the drawings", `document.querySelectorAll(".prose > .diagram").length === 2 && document.querySelector("pre.mermaid.failed")`)
	const fill = `getComputedStyle(document.querySelector(".diagram").shadowRoot.querySelector(".node rect, .node polygon")).fill`
	for what, check := range map[string]string{
		"the source of what is drawn is hidden":  `document.querySelectorAll("pre.mermaid[hidden]").length === 2`,
		"the source of the wrong one is visible": `document.querySelector("pre.mermaid.failed").checkVisibility()`,
		"labels are drawn":                       `document.querySelector(".diagram").shadowRoot.textContent.includes("Start")`,
		"nothing is left to measure":             `!document.querySelector(".diagram-room")`,
		"the page fits":                          fits,
	} {
		if !eval[bool](v, check) {
			v.t.Errorf("diagrams, %s: not so: %s", scheme, what)
		}
	}
	before := eval[string](v, fill)
	other := map[string]string{"light": "dark", "dark": "light"}[scheme]
	v.prefers(other)
	v.until("the colours of the other theme", fill+` !== `+quoted(before))
	v.prefers(scheme)
	v.until("the colours of the theme", fill+` === `+quoted(before))
	v.quiet("diagrams")
}

func quoted(s string) string { return "`" + s + "`" }

func readRightToLeft(v *view, url string) {
	v.t.Helper()
	v.open(url + "/ar.html")
	v.until("the page", `document.querySelector(".prose h2")`)
	for what, check := range map[string]string{
		"the page has its language":             `document.documentElement.lang === "ar" && document.documentElement.dir === "rtl"`,
		"text runs from right to left":          `getComputedStyle(document.querySelector(".prose p")).direction === "rtl"`,
		"code runs from left to right":          `(() => { const s = getComputedStyle(document.querySelector(".prose code")); return s.direction === "ltr" && s.unicodeBidi === "isolate"; })()`,
		"a formula runs from left to right":     `(() => { const [a, b] = [...document.querySelectorAll("math mi")].map((e) => e.getBoundingClientRect().left); return a < b; })()`,
		"a Latin heading begins at the left":    `(() => { const r = document.createRange(), h = document.querySelector(".prose h2"); r.selectNodeContents(h.firstChild); return r.getBoundingClientRect().left - h.getBoundingClientRect().left < 5; })()`,
		"an Arabic heading begins at the right": `(() => { const r = document.createRange(), h = document.querySelectorAll(".prose h2")[1]; r.selectNodeContents(h.firstChild); return h.getBoundingClientRect().right - r.getBoundingClientRect().right < 5; })()`,
		"the page fits":                         fits,
	} {
		if !eval[bool](v, check) {
			v.t.Errorf("right to left at %d: not so: %s", eval[int](v, "innerWidth"), what)
		}
	}
	v.quiet("right to left")
}

func readHostileDiagrams(v *view, url string) {
	v.t.Helper()
	v.open(url + "/hostile.html")
	v.until("all diagrams to be drawn or refused", `document.querySelectorAll("pre.mermaid[hidden], pre.mermaid.failed").length === 5 && !document.querySelector(".diagram-room")`)
	for what, check := range map[string]string{
		"no script ran":                 `self.ran === undefined`,
		"the page is as it was":         `getComputedStyle(document.body).display === "block" && document.querySelector(".prose h1, .title").checkVisibility()`,
		"no link runs a script":         `![...document.querySelectorAll(".diagram")].some((d) => /javascript:/i.test(d.shadowRoot.innerHTML.replace(/<style>[^]*?<\/style>/g, "").replace(/&lt;[^]*?&gt;/g, "")))`,
		"no element runs or loads":      `![...document.querySelectorAll(".diagram")].some((d) => d.shadowRoot.querySelector("script, iframe, object, embed, img, [onload], [onerror]"))`,
		"what is too long is not drawn": `[...document.querySelectorAll("pre.mermaid")].at(-1).matches(".failed")`,
		"a diagram stays in its place":  `[...document.querySelectorAll(".diagram")].every((d) => getComputedStyle(d).contain.includes("content") || getComputedStyle(d).contain.includes("paint"))`,
	} {
		if !eval[bool](v, check) {
			v.t.Errorf("hostile diagrams: not so: %s; drawn is %s", what, eval[string](v, `[...document.querySelectorAll(".diagram")].map((d) => d.shadowRoot.innerHTML.replace(/<style>[^]*?<\/style>/g, "").slice(0, 3000)).join("\n\n")`))
		}
	}
}

func readNotes(v *view, url string) {
	v.t.Helper()
	v.open(url + "/index.html")
	v.until("the page", `document.readyState === "complete"`)
	v.follow("a.footnote")
	v.until("the note in its place", `document.querySelector("p + aside.note")?.textContent.trim() === "The note."`)
	if eval[string](v, "location.hash") != "" {
		v.t.Error("the page went to the note")
	}
	v.follow("a.footnote")
	v.until("the note to close", `!document.querySelector("aside.note")`)
}
