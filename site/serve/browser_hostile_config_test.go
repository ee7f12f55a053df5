package serve

import (
	"maps"
	"strings"
	"testing"
)

// Settings that let a wiki's files and media through, or keep them out, do just that.
func TestHostileWikiSettings(t *testing.T) {
	g := startSiege(t, chromium(t))
	media := map[string]string{
		"wiki/pic.png":  png,
		"wiki/index.md": "# Start\n\nMARKmedia ![a](https://media.test/a.png) ![own](pic.png) <img src=\"https://media.test/b.png\"> <img src=//media.test/c.png> <img src='/\\media.test/d.png'> <img srcset=https://media.test/e.png> <video src=https://media.test/f.mp4 poster=https://media.test/g.png></video> <audio src=https://media.test/h.mp3></audio> ![[https://media.test/i.png]] [![j](https://media.test/j.png)](https://media.test/)\n\n![k][k]\n\n[k]: HTTPS://MEDIA.TEST/k.png\n",
		"wiki/s.md":     "---\nimage: https://media.test/l.png\ncover: https://media.test/m.png\n---\n# S\n\n![n](http://media.test/n.png) ![o](<https:\\\\media.test\\o.png>) ![p](https:media.test/p.png) ![q](<\t//media.test/q.png>)\n",
	}
	for _, setting := range []string{"allow", "link", "block"} {
		t.Run("remote media: "+setting, func(t *testing.T) {
			files := maps.Clone(media)
			files["wiki.yaml"] = "site: {remote_media: " + setting + "}\n"
			x := newHosted(t, g.host, files)
			asked := 0
			for _, how := range []way{httpBare, httpPolicy, fileBare, live} {
				for _, d := range x.documents(how) {
					if d.kind != "page" {
						continue
					}
					for _, bad := range g.open(x, how, d) {
						t.Errorf("%s: %s: %s", how, d.name, bad)
					}
					g.w.mu.Lock()
					for _, r := range g.w.requests {
						if strings.Contains(r.Request.URL, mediaHost) {
							asked++
							if setting != "allow" {
								t.Errorf("%s: %s: requested %s", how, d.name, r.Request.URL)
							}
						}
					}
					g.w.mu.Unlock()
				}
			}
			if setting == "allow" && asked == 0 {
				t.Error("no image of another host was asked for")
			}
		})
	}
	t.Run("raw files", func(t *testing.T) {
		files := map[string]string{
			"wiki.yaml": "site: {raw_files: [\"trusted/**\"]}\n", "wiki/index.md": leadsTo("Files", []string{"trusted/a.html", "a.html", "trusted.html", "other/trusted/a.html", "trusted/a.svg", "a.svg", "TRUSTED/b.html"}),
			"wiki/trusted/a.html": asHTML, "wiki/trusted/a.svg": asSVG, "wiki/a.html": asHTML, "wiki/trusted.html": asHTML, "wiki/other/trusted/a.html": asHTML, "wiki/a.svg": asSVG, "wiki/TRUSTED/b.html": asHTML,
		}
		x := newHosted(t, g.host, armAll(files))
		ran := 0
		for _, d := range x.documents(httpBare) {
			bad := g.open(x, httpBare, d)
			if strings.HasPrefix(d.name, "trusted/") {
				ran += len(bad)
				continue
			}
			for _, b := range bad {
				t.Errorf("%s: %s", d.name, b)
			}
		}
		if ran == 0 {
			t.Error("files that are trusted are not published as they are")
		}
	})
}
