package site

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestHarmless(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.png": true, "a.PNG": true, "a.b.pdf": true, "a.txt": true, "a.tar.gz": true, "a.csv.gz": true, "a.html.png": true,
		"a.html": false, "a.HTM": false, "a.xhtml": false, "a.xht": false, "a.shtml": false, "a.xml": false, "a.xsl": false, "a.rss": false, "a.atom": false,
		"a.svg": false, "a.svgz": false, "a.js": false, "a.mjs": false, "a.mhtml": false, "a.mht": false, "a.hta": false, "a.swf": false, "a.css": false,
		"undefined": false, "a.": false, "a.png.": false, "a.png ": false, "a.html.gz": false, "a.gz": false, "a.svg.xz": false, ".png.unknown": false, "a.htc": false,
		"a.webmanifest": false, "a.wasm": false, "a.exe": false, "png": false,
	} {
		if got := harmless(name); got != want {
			t.Errorf("harmless(%q) = %v", name, got)
		}
	}
}

func TestLooksLikeMarkup(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		"<html><script>": true, "\n\n  <!DOCTYPE html>": true, "<?xml version=\"1.0\"?>": true, "<script>x": true, "\ufeff<html>": true, "<!-- x --><b>": true,
		strings.Repeat(" ", 3000) + "<script >": true, "\x00<html>": true,
		"": false, "text <html>": false, "%PDF-1.7": false, "\x89PNG\r\n\x1a\n": false, "---\ntitle: <html>\n": false, "{}": false,
	} {
		if got := looksLikeMarkup([]byte(head)); got != want {
			t.Errorf("looksLikeMarkup(%.20q) = %v", head, got)
		}
	}
}

const attachedWiki = `-- a.md --
# A

[h](e.html) [H](E2.HTM) [x](d/e.xml) [n](undefined) [j](s.js) [c](c.css) [t](t.txt) [m](m.png) ![pic](pic.svg) ![bad](bad.svg) [![in](bad.svg)](t.txt)
<img src="pic.svg" alt="raw"> ![[e.html]] [b](b.bin) [y](raw/y.html)
-- e.html.md --
# E
-- e.html --
<script>document.title="pwned"</script>&
-- E2.HTM --
<script>document.title="pwned"</script>
-- d/e.xml --
<x><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></x>
-- undefined --
alert("pwned")
-- s.js --
alert("pwned")
-- c.css --
body{}
-- t.txt --
text
-- m.png --
<html><script>document.title="pwned"</script>
-- raw/y.html --
<script>mine</script>
-- pic.svg --
<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><path d="M0 0"/></svg>
-- bad.svg --
<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)
`

func TestAttachedFilesAreShownAsSource(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, attachedWiki)
	if err := os.WriteFile(filepath.Join(dir, "b.bin"), []byte("<script>\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	r := buildTo(t, layOut(t, compilertest.Compile(t, dir), Options{}), out)
	written := tree(t, out)
	for _, gone := range []string{"E2.HTM", "d/e.xml", "undefined", "s.js", "c.css", "m.png", "bad.svg", "b.bin", "raw/y.html"} {
		if _, ok := written[gone]; ok {
			t.Errorf("%s is published", gone)
		}
	}
	for name, want := range map[string]string{
		"e.html-2.html": "&lt;script&gt;document.title=&#34;pwned&#34;&lt;/script&gt;&amp;", "E2.HTM.html": "&lt;script&gt;", "d/e.xml.html": "&lt;x&gt;", "undefined.html": "alert(",
		"s.js.html": "alert(", "c.css.html": "body{}", "m.png.html": "&lt;html&gt;", "bad.svg.html": "&lt;svg xmlns=", "b.bin.html": "This file is not published",
		"raw/y.html.html": "&lt;script&gt;mine", "t.txt": "text\n", "pic.svg": `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>`,
	} {
		if !strings.Contains(written[name], want) {
			t.Errorf("%s has no %q:\n%s", name, want, written[name])
		}
	}
	for _, want := range []string{
		`<a href="e.html-2.html">h</a>`, `<a href="E2.HTM.html">`, `<a href="undefined.html">`, `<a href="t.txt">t</a>`, `<img src="pic.svg" alt="pic"`, `<img src="pic.svg" alt="raw">`,
		`<a href="bad.svg.html">bad</a>`, `<a href="t.txt"><span class="plain">in</span></a>`, `<a href="e.html-2.html">e.html</a>`,
	} {
		if !strings.Contains(written["a.html"], want) {
			t.Errorf("the page has no %s:\n%s", want, written["a.html"])
		}
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "E2.HTM, b.bin, bad.svg") || !strings.Contains(r.Notes[0], "site.raw_files") {
		t.Errorf("notes: %q", r.Notes)
	}
}

func TestRawFilesArePublishedAsTheyAre(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, attachedWiki+"-- wiki.yaml --\nsite: {raw_files: [\"raw/**\", \"*.svg\"]}\n")
	out := t.TempDir()
	buildTo(t, layOut(t, compilertest.Compile(t, dir), Options{}), out)
	written := tree(t, out)
	if written["raw/y.html"] != "<script>mine</script>\n" || !strings.Contains(written["pic.svg"], "onload") {
		t.Errorf("raw files are not as they are: %q, %q", written["raw/y.html"], written["pic.svg"])
	}
	if _, ok := written["e.html"]; ok {
		t.Error("a file that no pattern names is published")
	}
}

func TestAttachedMarkdownIsNotAPage(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\n<script>alert(1)</script>\n-- b.md --\n# B\n")
	s := layOut(t, compilertest.Compile(t, dir), Options{})
	if got := render(t, s, "a.md"); got != "\ufeff<script>alert(1)</script>\n" {
		t.Errorf("a.md: %q", got)
	}
	if got := render(t, s, "b.md"); got != "# B\n" {
		t.Errorf("b.md: %q", got)
	}
}

func TestLargeFilesAreNotPublished(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\n# A\n\n![alt](big.png) [big](big.png) [ok](ok.png)\n-- wiki.yaml --\nlimits: {file: 1000}\n")
	for name, size := range map[string]int{"big.png": 1001, "ok.png": 1000} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	r := buildTo(t, layOut(t, compilertest.Compile(t, dir), Options{}), out)
	written := tree(t, out)
	if _, ok := written["big.png"]; ok || len(written["ok.png"]) != 1000 {
		t.Error("the limit does not hold")
	}
	if !strings.Contains(written["a.html"], `<span class="plain">alt</span> <span class="plain">big</span> <a href="ok.png">`) {
		t.Errorf("links to a file that is not published:\n%s", written["a.html"])
	}
	if want := "big.png (1.0 kB) is not published: its size is 1001 bytes, above limits.file (1000); raise limits.file in wiki.yaml to publish it"; !slices.Contains(r.Notes, want) {
		t.Errorf("notes: %q", r.Notes)
	}
}

func TestAttachedFilesAreCopiedInPieces(t *testing.T) {
	dir := compilertest.Write(t, "-- a.md --\n# A\n\n![](big.png)\n")
	big := filepath.Join(dir, "big.png")
	if err := os.WriteFile(big, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, 80<<20); err != nil {
		t.Fatal(err)
	}
	s := layOut(t, compilertest.Compile(t, dir), Options{})
	out := t.TempDir()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 2 { // written, then compared
		buildTo(t, s, out)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 40<<20 {
		t.Errorf("two builds allocated %d bytes", used)
	}
	if info, err := os.Stat(filepath.Join(out, "big.png")); err != nil || info.Size() != 80<<20 {
		t.Errorf("the file: %v, %v", info, err)
	}
	// A copy that is stopped leaves nothing behind.
	if err := os.WriteFile(filepath.Join(out, "big.png"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := files.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	b := &build{site: s, root: root}
	if err := b.copyFile(&endsAfter{Context: t.Context(), reads: 5}, root, "big.png", "big.png"); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that was stopped: %v", err)
	}
	written := tree(t, out)
	if written["big.png"] != "old" || written[".wiki-build-big.png"] != "" {
		t.Error("the copy that was stopped left something behind")
	}
	if _, err := os.Stat(filepath.Join(out, ".wiki-build-big.png")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the half of a file: %v", err)
	}
}

// endsAfter is a context that ends after it was asked a number of times.
type endsAfter struct {
	context.Context
	reads int
}

func (c *endsAfter) Err() error {
	if c.reads--; c.reads < 0 {
		return context.Canceled
	}
	return nil
}

func TestCleanSVG(t *testing.T) {
	t.Parallel()
	const open = `<svg xmlns="http://www.w3.org/2000/svg">`
	for in, want := range map[string]string{
		`<script>x</script><path d="M0 0"/>`:                                                                                                        `<path d="M0 0"></path>`,
		`<g onclick="x" ONCLICK="y" fill="red" evil="z"/>`:                                                                                          `<g fill="red"></g>`,
		`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`:                                                                  ``,
		`<x:script xmlns:x="http://www.w3.org/2000/svg">x</x:script>`:                                                                               ``,
		`<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>`:                                                                                   ``,
		`<a href="javascript:x"><text>t</text></a>`:                                                                                                 `<g><text>t</text></g>`,
		`<use href="#p"/><use href="other.svg#p"/><use xmlns:l="http://www.w3.org/1999/xlink" l:href="data:x"/>`:                                    `<use href="#p"></use><use></use><use></use>`,
		`<image href="https://x/y.png"/><image href="data:image/svg+xml;base64,AA=="/><image href="data:image/png;base64,AA=="/>`:                   `<image></image><image></image><image href="data:image/png;base64,AA=="></image>`,
		`<rect style="fill:url(#p)"/><rect style="fill:url(x.svg#p)"/><rect fill="url('//x')"/><rect style="fill:u\\72l(x)"/>`:                      `<rect style="fill:url(#p)"></rect><rect></rect><rect></rect><rect></rect>`,
		`<style>.a{fill:red}</style><style>@import "x";</style><style>.a{background:url(x)}</style><style>.a{background:image-set("x" 1x)}</style>`: `<style>.a{fill:red}</style>`,
		`<animate attributeName="href" to="javascript:x"/><set attributeName="onload" to="x"/><animate attributeName="fill" to="red"/>`:             `<animate attributeName="fill" to="red"></animate>`,
		`<animate attributeName="fill" xlink:attributeName="href" to="x"/>`:                                                                         `<animate attributeName="fill" to="x"></animate>`,
		`<!-- c --><?xml-stylesheet href="x"?><text>a &lt;b&gt;</text>`:                                                                             `<text>a &lt;b&gt;</text>`,
		`<handler type="x">y</handler><iframe/><embed/><object/><audio/>`:                                                                           ``,
		`<text>a<![CDATA[<script>]]></text>`:                                                                                                        `<text>a&lt;script&gt;</text>`,
	} {
		got, err := cleanSVG([]byte(open + in + "</svg>"))
		if err != nil || string(got) != open+want+"</svg>\n" {
			t.Errorf("%s\n got %s, %v\nwant %s", in, got, err, want)
		}
	}
	lol := open
	for i := range 30 {
		next := string(rune('a' + i + 1))
		lol += `<g id="` + string(rune('a'+i)) + `"><use href="#` + next + `"/><use href="#` + next + `"/></g>`
	}
	for name, in := range map[string]string{
		"no drawing": "<html/>", "cut off": open, "an entity": `<!DOCTYPE svg [<!ENTITY e "x">]>` + open + "&e;</svg>", "two": open + "</svg>" + open + "</svg>",
		"a latin one": `<?xml version="1.0" encoding="ISO-8859-1"?>` + open + "</svg>", "deep": open + strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300) + "</svg>",
		"growing": lol + "</svg>", "in itself": open + `<g id="a"><use href="#a"/></g></svg>`, "a pattern by style": open + `<style>rect{fill:url(#a)}</style><pattern id="a"><rect/></pattern></svg>`,
		"large": open + strings.Repeat(" ", maxDrawing) + "</svg>", "other": `<svg xmlns="http://www.w3.org/1999/xhtml"><script/></svg>`, "empty": "",
	} {
		if got, err := cleanSVG([]byte(in)); err == nil {
			t.Errorf("%s: %.200s", name, got)
		}
	}
}

// FuzzCleanSVG checks that what a drawing becomes is a drawing that nothing is
// taken out of any more, without a name that could run or load anything.
func FuzzCleanSVG(f *testing.F) {
	for _, seed := range schematest.Vary(1000,
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="x"><script>a</script><a xlink:href="javascript:b"><use xlink:href="#c"/></a></svg>`,
		`<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g id="x" style="fill:url(#x)"/><s:style>@import url(x); a{b:url("c")}</s:style></s:svg>`,
		`<svg><foreignObject><html xmlns="http://www.w3.org/1999/xhtml"><script/></html></foreignObject><animate attributeName="href" values="javascript:x"/></svg>`,
		`<svg><image href="data:image/png;base64,AAAA"/><text>&#60;script&#62;<![CDATA[<x>]]></text><set attributeName="onclick"/><style><![CDATA[<b>]]></style></svg>`,
	) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		once, err := cleanSVG(src)
		if err != nil {
			return
		}
		twice, err := cleanSVG(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q\ngives %q\n then %q, %v", src, once, twice, err)
		}
		low := bytes.ToLower(once)
		for _, bad := range []string{"<script", "<foreignobject", "<!", "<?", "<iframe", "<a ", "<a>"} {
			if bytes.Contains(low, []byte(bad)) {
				t.Errorf("%q gives %q", src, once)
			}
		}
	})
}
