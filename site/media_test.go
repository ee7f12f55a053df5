package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestIsRemote(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://x/y.png": true, "HTTP://x": true, "//x/y.png": true, `\\x\y`: true, `/\x/y`: true, "/\t/x": true, " //x": true, "ht\ntps://x": true, "ftp://x": true,
		"https:x": true, "blob:x": true, "\x01//x": true,
		"x.png": false, "../a/x.png": false, "/a//b": false, "data:image/png;base64,AA==": false, "": false, "a?b=https://x": false, "./a:b": false, "#a:b": false,
	} {
		if got := isRemote(address); got != want {
			t.Errorf("isRemote(%q) = %v", address, got)
		}
	}
}

func TestRemoteMedia(t *testing.T) {
	t.Parallel()
	const pages = `-- a.md --
# A ![t](https://e.org/t.png)

![one](https://e.org/1.png) <img src="//e.org/2.png" alt="two"> ![](https://e.org/s.mp3) [![four](http://e.org/4.png)](b.md)

![[b]]
-- b.md --
# B

<table><tr><td><img src="https://e.org/5.png"></td></tr></table>
-- c.md --
# C

![here](x.png)
`
	for mode, want := range map[string]struct {
		has  []string
		note string
	}{
		"": {[]string{`src="https://e.org/1.png"`, `src="https://e.org/2.png"`, "img-src 'self' https: http: data:"},
			"6 remote images and 1 remote recording on 2 pages: their hosts see who reads a page; set site.remote_media in wiki.yaml to link or block to prevent it"},
		"link": {[]string{`<a class="external" href="https://e.org/1.png" rel="noopener">one</a>`, `<a class="external" href="https://e.org/2.png" rel="noopener">two</a>`,
			`<a href="b.html"><span class="plain">four</span></a>`, `<a class="external" href="https://e.org/5.png" rel="noopener">https://e.org/5.png</a>`,
			"img-src 'self' data:; media-src 'self';"},
			"6 remote images and 1 remote recording on 2 pages: shown as links (site.remote_media: link)"},
		"block": {[]string{`<span class="plain">one</span>`, `<span class="plain">media on another host</span>`, "img-src 'self' data:; media-src 'self';"},
			"6 remote images and 1 remote recording on 2 pages: shown as text (site.remote_media: block)"},
	} {
		config := ""
		if mode != "" {
			config = "-- wiki.yaml --\nsite: {remote_media: " + mode + "}\n"
		}
		out := t.TempDir()
		r := buildTo(t, layOut(t, compilertest.Compile(t, compilertest.Write(t, pages+config)), Options{}), out)
		page := tree(t, out)["a.html"]
		for _, s := range want.has {
			if !strings.Contains(page, s) {
				t.Errorf("%q: the page has no %s:\n%s", mode, s, page)
			}
		}
		if mode != "" && strings.Contains(page, `src="http`) || mode == "block" && strings.Contains(page, "e.org") {
			t.Errorf("%q: the page shows what lies elsewhere:\n%s", mode, page)
		}
		if !slices.Equal(r.Notes, []string{want.note}) {
			t.Errorf("%q: notes %q", mode, r.Notes)
		}
	}
}
