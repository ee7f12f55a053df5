package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shell is the site's own part of a page, learned from a harmless wiki: anything else
// outside the article comes from the page.
type shell struct {
	paths   []string        // of elements outside the page's text
	ids     []string        // ids and names of these, and what scripts and styles look for
	classes []string        // classes of these that no text has, and what scripts look for
	globals []string        // properties that scripts read of the window and of the document
	inline  map[string]bool // SHA-256 of the inline scripts, in hexadecimal digits
}

// scriptPaths distinguishes the text of a page from the site's part.
const scriptPaths = `
  const article = document.querySelector("main > article"), title = article && document.querySelector("main > h1");
  const text = [article, title].filter(Boolean);
  const within = (e) => text.some((t) => t !== e && t.contains(e));
  const label = (e, depth) => e.localName + (depth < 3 ? [...e.classList].filter((c) => !["here", "plain"].includes(c)).sort().map((c) => "." + c).join("") : "");
  const around = function* (e = document.body, at = "", depth = 0) {
    for (const c of e.childNodes) {
      if (c.nodeType === 3 && c.data.trim()) yield [at + ">#text", c];
      if (c.nodeType !== 1 || c.id === "wiki.live" && c.shadowRoot) continue;
      const here = at + ">" + label(c, depth);
      yield [here, c];
      if (!text.includes(c) && c.namespaceURI !== "http://www.w3.org/2000/svg") yield* around(c, here, depth + 1);
    }
  };`

// scriptLearn returns what a page of a harmless wiki has around its text.
const scriptLearn = `() => {` + scriptPaths + `
  const out = { paths: [], ids: [], classes: [], inside: [] };
  const still = document.createElement("nav"); // the menu before its script
  still.innerHTML = '<ul class="plain"><li><a>All pages</a></li></ul>';
  for (const [at] of around(still, ">div.frame>nav.side", 2)) out.paths.push(at);
  for (const [at, e] of around()) {
    out.paths.push(at);
    if (e.nodeType !== 1) continue;
    if (!text.includes(e) || e.className) out.classes.push(...e.classList);
    if (text.includes(e)) continue;
    out.ids.push(...[e.id, e.getAttribute("name")].filter(Boolean));
  }
  for (const t of text) for (const e of t.querySelectorAll("[class]")) out.inside.push(...e.classList);
  return out;
}`

// scriptLook returns the problems of the open document; k is the known shell: handlers
// and script addresses anywhere; and on a page, elements and words outside its text,
// names of the shell in it, and hidden parts of the shell.
const scriptLook = `(k) => {
  const bad = [];
  const say = (what, e) => bad.push(what + (e ? ": " + (e.nodeType === 3 ? e.data.trim() : e.cloneNode(false).outerHTML ?? e.nodeName).slice(0, 140) : ""));
  const known = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"];
  const bitmap = /^data:image\/(png|gif|jpe?g|webp|avif|bmp);/, runs = /^(javascript|vbscript|livescript|mocha|data|blob|filesystem|view-source|jar|about|ms-its|mhtml|x-javascript):/;
  const drawing = "body > .frame > main > .prose .diagram";
  for (const e of [...document.querySelectorAll("*")].flatMap((e) => e.matches(drawing) && e.shadowRoot ? [e, ...e.shadowRoot.querySelectorAll("*")] : [e])) {
    if (!known.includes(e.namespaceURI) || e.matches("head > link[rel=icon]")) continue;
    if (e.shadowRoot && e.id !== "wiki.live" && !e.matches(drawing)) say("shadow root", e);
    for (const a of e.attributes) {
      const value = a.value.toLowerCase().replace(/[\u0000- ]/g, "");
      if (/^on/i.test(a.name)) say("handler", e);
      else if (/^(href|xlink:href|src|srcset|action|formaction|data|poster|ping|background|manifest|to|from|by|values|codebase|classid|longdesc|cite|profile|usemap)$/i.test(a.name) &&
        value.split(/[;,](?!base64)/).concat(value).some((v) => runs.test(v)) && !bitmap.test(value)) say("address that runs", e);
      else if (a.name === "srcdoc" || a.name === "http-equiv" && !document.head?.contains(e)) say(a.name, e);
    }
  }
  if (k.kind === "file" || !document.body) return bad;
` + scriptPaths + `
  if (k.kind === "page") {
    const articles = [...document.querySelectorAll("article")].filter((e) => !e.parentElement.closest("article"));
    if (articles.length !== 1 || !article) say("articles: " + articles.length);
    if (document.querySelectorAll("main > h1").length !== 1) say("titles: " + document.querySelectorAll("main > h1").length);
  }
  const allowed = new Set(k.paths), strange = new Set();
  for (const [at, e] of around()) {
    if (!allowed.has(at) && !strange.has(at)) { strange.add(at); say("outside of the article " + at, e); }
    if (e.nodeType === 3 && !e.parentElement.closest("a[href^='#']")) for (const m of k.marks) if (e.data.includes(m)) say("words of the page outside of the article " + at, e);
  }
  for (const tag of ["header", "main", "footer", "dialog"]) {
    const n = [...document.querySelectorAll(tag)].filter((e) => !within(e)).length;
    if (n > 1) say(n + " of " + tag + " outside of the article");
  }
  const ids = new Set(k.ids), classes = new Set(k.classes);
  const never = "script,style,link,meta,base,title,iframe,frame,frameset,object,embed,applet,param,form,input:not([type=checkbox][disabled]),textarea,select,option,datalist,keygen,output,dialog,template,slot,noscript,noembed,noframes,plaintext,xmp,listing,portal,fencedframe,foreignObject,use,animate,animateTransform,animateMotion,set,image,feImage,handler,listener,maction,annotation-xml,main,header,body,html,head,article";
  for (const t of text) {
    for (const e of t.querySelectorAll(never)) say("element that no text may have", e);
    for (const e of t.querySelectorAll("button:not([type=button]), [autofocus], [contenteditable], [popover], [accesskey], [is], [part], [slot], [usemap], [ismap], [form]:not(math mo), [target], [ping], [download]")) say("attribute that no text may have", e);
    for (const e of t.querySelectorAll("*")) {
      const names = [e.id, e.getAttribute("name")].filter(Boolean);
      for (const n of names) if (ids.has(n)) say("name of the shell", e);
      if (/^(img|form|iframe|embed|object|svg)$/.test(e.localName)) for (const n of names) if (n in Document.prototype) say("name of the document", e);
      for (const c of e.classList) if (classes.has(c)) say("class of the shell", e);
      const s = getComputedStyle(e);
      if (s.position === "fixed" || s.position === "sticky") say("leaves its place (" + s.position + ")", e);
      if (/url\((?!["']?(#|data:image\/(png|gif|jpeg|webp)))/.test(e.getAttribute("style") ?? "")) say("style that loads", e);
    }
  }
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-controls], [aria-describedby], label[for], [list]")) {
    if (text.some((t) => t.contains(e))) continue;
    for (const a of ["aria-labelledby", "aria-controls", "aria-describedby", "for", "list"]) for (const id of (e.getAttribute(a) ?? "").split(" ").filter(Boolean)) {
      const to = document.getElementById(id);
      if (to && text.some((t) => t.contains(to)) && !to.contains(e)) say(a + " leads into the text", e);
    }
  }
  for (const probe of ["getElementById", "querySelector", "querySelectorAll", "createElement", "addEventListener"]) if (typeof document[probe] !== "function") say("document." + probe + " is hidden");
  if (typeof document.baseURI !== "string" || !(document.head instanceof HTMLHeadElement) || !(document.body instanceof HTMLBodyElement)) say("properties of the document are hidden");
  // What a reader would use is where it seems to be.
  scrollTo({ left: 0, top: 0, behavior: "instant" });
  const hit = (e) => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1 && document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2); };
  const header = document.querySelector("body > header");
  if (header) {
    for (const e of header.querySelectorAll("a[href], button:not([hidden])")) if (!e.contains(hit(e) || null)) say("covered or out of sight", e);
    for (const e of [header, document.querySelector("nav")].filter(Boolean)) {
      const r = e.getBoundingClientRect();
      for (let i = 1; i < 12; i++) for (let j = 1; j < 6; j++) {
        const at = document.elementFromPoint(r.left + r.width * i / 12, Math.min(innerHeight - 1, r.top + r.height * j / 6));
        if (at && text.some((t) => t.contains(at))) { say("text of the page lies over the shell", at); i = 12; break; }
      }
    }
  } else if (k.kind === "page") say("no header");
  const search = [...document.querySelectorAll("body > header a")].find((a) => a.dataset.search !== undefined);
  if (k.kind === "page" && search && !search.contains(hit(search) || null)) say("the search is covered");
  if (k.kind === "page") {
    const links = [...document.querySelectorAll("main > footer a")];
    for (const e of links) { e.scrollIntoView({ block: "center", behavior: "instant" }); if (!e.contains(hit(e) || null)) say("covered or out of sight", e); }
    if (!links.length) say("no foot");
    if (k.need && !article?.textContent.includes(k.need)) say("the end of the page is not in its article: " + k.need);
    scrollTo({ left: 0, top: 0, behavior: "instant" });
  }
  return bad;
}`

// harmless is a wiki with everything that pages may have, and no attack.
var harmless = map[string]string{
	"wiki.yaml": "title: Harmless\nsite: {url: \"https://wiki.example/x\", repo: \"https://code.example/r\", edit_url: \"https://code.example/e/{path}\"}\n",
	"wiki/index.md": "---\ntitle: Start\nsummary: Where to begin.\ntags: [one, two]\naliases: [Begin]\ntype: concept\nstatus: deprecated\nsources: [https://source.example/a, b/deep.md, pic.png]\n" +
		"verified: 2026-01-02\nupdated: 2026-01-03\n---\n# Start with `code` and *stress*, **more**, <kbd>k</kbd>\n\nSee [[Deep]] and [the list](b/deep.md#third), ![[Deep]] and UNSURE, #one [^1].\n\n[^1]: A note.\n\n" +
		"## First\n\nDISPUTED here.\n\n> [!warning]- Fold\n> Text.\n\n> [!note] Open\n> Text.\n\n```go\nfunc a() {}\n```\n\n```mermaid\ngraph TD\n```\n\n$$\nx\n$$\n\n| a | b |\n|---|---|\n| c | $d$ |\n\n- [x] done\n- [ ] open\n\n" +
		"## Second\n\n<details><summary>s</summary>t</details>\n\n<table><tr><td>x</td></tr></table>\n\n[[Unfinished]] ![alt](pic.png) ![shown](a.html) ![recorded](no.mp4) <img src=nothing.png> [h](a.html) [s](a.svg) [x](a.xml) [t](a.txt) [j](a.js) [u](undefined) [p](a.pdf)\n\n## Third\n\nBlock. ^block\n\n" + strings.Repeat("### Fourth\n\nText.\n\n", 4) + "#### Fifth\n\nText.\n",
	"wiki/b/deep.md":    "---\ntitle: Deep\ntype: note\ntags: [one]\nstatus: draft-ish\n---\n# Deep\n\nLeads to [[Start]] with *stress*, `code` and **more**, ==mark==, ~~gone~~, and [again](../index.md). DISPUTED\n\n## Third\n\nText UNSURE.\n",
	"wiki/b/other.md":   "---\ntitle: Other\ntags: [two, two/three]\nredirect_from: [/gone/]\n---\n# Other\n\nLeads to [[Start]] and [[Deep]].\n\n![[Deep#Third]]\n",
	"wiki/b/draft.md":   "---\ntitle: Unfinished\ndraft: true\n---\n# Unfinished\n\nText.\n",
	"wiki/b/c/index.md": "# C\n\nText.\n",
	"wiki/b/c/d.md":     "# D\n\nText of [[Start]].\n",
	"wiki/z/bare.md":    "Words alone.\n",
	"wiki/a.html":       "<!doctype html><title>t</title><p>words</p>", "wiki/a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`,
	"wiki/a.xml": "<a><b/></a>", "wiki/a.txt": "words", "wiki/a.js": "let a = 1;\n", "wiki/undefined": "words\n", "wiki/pic.png": png, "wiki/a.pdf": "%PDF-1.4\n",
}

// learn visits a harmless wiki and takes down what the site puts around text.
func (g *siege) learn(t *testing.T) *shell {
	t.Helper()
	s := &shell{inline: map[string]bool{}}
	paths, ids, classes, inside := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	add := func(set map[string]bool, names []string) {
		for _, n := range names {
			set[n] = true
		}
	}
	without := maps.Clone(harmless) // an address, that is: other pages have other scripts then
	without["wiki.yaml"] = "title: Harmless\n"
	s.scripts(t, newHosted(t, g.host, without).out, ids, classes)
	x := newHosted(t, g.host, without)
	g.around(t, x, httpPolicy, "404.html", func(_ document, got around) { add(paths, got.Paths) })
	x = newHosted(t, g.host, harmless)
	s.scripts(t, x.out, ids, classes)
	for _, how := range []way{httpPolicy, live} {
		g.around(t, x, how, "", func(d document, got around) {
			add(paths, got.Paths)
			if d.kind == "page" {
				add(ids, got.IDs)
			}
			add(classes, got.Classes)
			add(inside, got.Inside)
		})
	}
	for c := range inside {
		delete(classes, c)
	}
	s.paths, s.ids, s.classes = slices.Sorted(maps.Keys(paths)), slices.Sorted(maps.Keys(ids)), slices.Sorted(maps.Keys(classes))
	if len(s.paths) < 60 || len(s.ids) < 2 || len(s.classes) < 20 || len(s.inline) == 0 {
		t.Fatalf("of the shell only %d paths, %d ids, %d classes and %d inline scripts are known", len(s.paths), len(s.ids), len(s.classes), len(s.inline))
	}
	return s
}

// around is the site's part of a page, and its classes.
type around struct {
	Paths   []string `json:"paths"`
	IDs     []string `json:"ids"`
	Classes []string `json:"classes"`
	Inside  []string `json:"inside"`
}

// around visits the pages of a harmless wiki, or one of them.
func (g *siege) around(t *testing.T, x *hosted, how way, only string, yield func(document, around)) {
	t.Helper()
	for _, d := range x.documents(how) {
		if d.kind == "file" || d.kind == "redirect" || only != "" && d.name != only {
			continue
		}
		if _, err := g.w.visit(d.url); err != nil {
			t.Fatal(err)
		}
		if d.name == "index.html" {
			if err := g.w.openSearch("deep"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ask[around](g.w, "("+scriptLearn+")()")
		if err != nil {
			t.Fatal(err)
		}
		yield(d, got)
	}
}

var (
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	byID         = regexp.MustCompile(`getElementById\(\s*["'` + "`" + `]([^"'` + "`" + `]+)["'` + "`" + `]`)
	bySelector   = regexp.MustCompile(`(?:querySelector|querySelectorAll|closest|matches)\(\s*["'` + "`" + `]([^"` + "`" + `]+)["'` + "`" + `]`)
	inSelector   = regexp.MustCompile(`([#.])(-?[\pL_](?:\\+\.|[\pL\pN_-])*)`)
	ofWindow     = regexp.MustCompile(`\b(?:self|window|globalThis)\.([A-Za-z_$][\w$]*)`)
	ofDocument   = regexp.MustCompile(`\bdocument\.([A-Za-z_$][\w$]*)`)
	styleID      = regexp.MustCompile(`#([A-Za-z_](?:\\\.|[\w-])*)[^;{}]*\{`)
)

// scripts finds the names that the scripts and styles of a built site look for.
func (s *shell) scripts(t *testing.T, out string, ids, classes map[string]bool) {
	t.Helper()
	globals := map[string]bool{}
	err := filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch ext := path.Ext(name); {
		case ext == ".html":
			for _, m := range inlineScript.FindAllSubmatch(b, -1) {
				sum := sha256.Sum256(m[1])
				s.inline[hex.EncodeToString(sum[:])] = true
			}
		case filepath.Base(filepath.Dir(name)) != "_wiki" || filepath.Base(name) == "search-index.js":
		case filepath.Base(name) == "mermaid.js": // looks for the parts of its own drawings
		case ext == ".css":
			for _, m := range styleID.FindAllSubmatch(b, -1) {
				ids[unescaped(m[1])] = true
			}
		case ext == ".js":
			for _, m := range byID.FindAllSubmatch(b, -1) {
				ids[string(m[1])] = true
			}
			for _, m := range bySelector.FindAllSubmatch(b, -1) {
				for _, n := range inSelector.FindAllSubmatch(m[1], -1) {
					if n[1][0] == '#' {
						ids[unescaped(n[2])] = true
					} else {
						classes[unescaped(n[2])] = true
					}
				}
			}
			for _, m := range ofWindow.FindAllSubmatch(b, -1) {
				ids[string(m[1])], globals[string(m[1])] = true, true
			}
			for _, m := range ofDocument.FindAllSubmatch(b, -1) {
				globals[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.globals = slices.Sorted(maps.Keys(globals))
}

// unescaped is a name as a selector has it, without the escapes.
func unescaped(name []byte) string { return strings.ReplaceAll(string(name), `\`, "") }

// openSearch opens the search by keyboard and waits for results of a word, then closes it.
func (w *witness) openSearch(word string) error {
	if err := w.search(word); err != nil {
		return err
	}
	_, err := ask[bool](w, `document.activeElement.blur(), document.querySelector("dialog[open]")?.close(), true`)
	return err
}

// search opens the search by keyboard and waits for results of a word. A browser may ignore a
// key that comes before it has shown the page for the first time.
func (w *witness) search(word string) error {
	focused := `document.activeElement?.type === "search" && document.activeElement.closest("dialog[open], form")`
	var err error
	for range 20 {
		if err = w.press("/"); err != nil {
			return err
		}
		if err = w.awaitFor(oneWait/20, "the search box", focused); err == nil {
			break
		}
	}
	if err == nil {
		err = w.press(word)
	}
	if err != nil {
		return err
	}
	return w.await("results of "+word, `document.querySelector("[role=option]")`)
}

func unescapePath(s string) (string, error) { return url.PathUnescape(s) }
