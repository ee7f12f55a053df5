package site

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture writes the wiki of testdata to a new folder and compiles it.
func fixture(tb testing.TB) *compiler.Wiki {
	tb.Helper()
	archive, err := os.ReadFile(filepath.Join("testdata", "wiki.txtar"))
	if err != nil {
		tb.Fatal(err)
	}
	dir := compilertest.Write(tb, string(archive))
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		tb.Fatal(err)
	}
	for _, name := range []string{"assets/diagram.png", "assets/secret.png"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), b.Bytes(), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return compilertest.Compile(tb, dir)
}

func layOut(tb testing.TB, w *compiler.Wiki, opt Options) *Site {
	tb.Helper()
	s, err := New(w, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func render(tb testing.TB, s *Site, name string) string {
	tb.Helper()
	b, err := s.Render(name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// tree reads all files below a folder.
func tree(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func buildTo(tb testing.TB, s *Site, dir string) *Report {
	tb.Helper()
	r, err := s.Build(tb.Context(), dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestFiles(t *testing.T) {
	t.Parallel()
	named := func(name string) bool { return strings.HasPrefix(name, indexDir) && name != indexDir+search.Root }
	got := strings.Join(slices.DeleteFunc(slices.Clone(layOut(t, fixture(t), Options{}).Files()), named), "\n") + "\n"
	golden(t, "files.txt", got)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s changed (-want +got); run the test with -update when that is right:\n%s", name, diff)
	}
}

func TestPageGolden(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{})
	// The versions of styles and scripts are theirs, not the page's.
	page := regexp.MustCompile(`\?v=[0-9a-f]{8}"`).ReplaceAllString(render(t, s, "10_DOMAIN/storage.html"), `?v=VERSION"`)
	golden(t, "storage.html", page)
}

func TestBuildTwiceIsEqual(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	one, two := t.TempDir(), t.TempDir()
	buildTo(t, layOut(t, w, Options{}), one)
	buildTo(t, layOut(t, w, Options{}), two)
	if diff := cmp.Diff(tree(t, one), tree(t, two)); diff != "" {
		t.Errorf("two builds differ:\n%s", diff)
	}
}

func TestRenderIsWhatBuildWrites(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{})
	dir := t.TempDir()
	buildTo(t, s, dir)
	files := tree(t, dir)
	for _, name := range s.Files() {
		if got := render(t, s, name); got != files[name] {
			t.Errorf("%s: Render and Build differ:\n%s", name, cmp.Diff(files[name], got))
		}
	}
	if len(files) != len(s.Files())+1 {
		t.Errorf("Build wrote %d files, Files names %d and there is a manifest", len(files), len(s.Files()))
	}
	if _, err := s.Render("no/such.html"); err == nil {
		t.Error("Render of no file: no error")
	}
}

func TestDraftsAreNotPublished(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	s := layOut(t, w, Options{})
	dir := t.TempDir()
	buildTo(t, s, dir)
	for name, content := range tree(t, dir) {
		for _, secret := range []string{"Draft plan", "secret.png", "#secret", "tags/secret"} {
			if strings.Contains(name, secret) || !strings.HasSuffix(name, ".md") && strings.Contains(content, secret) {
				t.Errorf("%s tells of %q", name, secret)
			}
		}
	}
	for _, name := range []string{"assets/unused.txt", "assets/.hidden/x.txt"} {
		if slices.Contains(s.Files(), name) {
			t.Errorf("%s is published and no page links to it", name)
		}
	}
	if page := render(t, s, "10_DOMAIN/storage.html"); !strings.Contains(page, `<span class="plain">draft plan</span>`) {
		t.Error("a link to a draft is not plain text")
	}
	live := layOut(t, w, Options{Live: true})
	if !slices.Contains(live.Files(), "10_DOMAIN/draft plan.html") || !slices.Contains(live.Files(), "assets/secret.png") {
		t.Error("a preview does not show drafts")
	}
}

func TestWhatAPageShows(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{})
	for name, wants := range map[string][]string{
		"10_DOMAIN/storage.html": {
			`<h1 class="title" id="storage-of-blobs">Storage of <code>blobs</code></h1>`,
			`<span class="chip fresh verified">Verified</span>`, `on 2026-04-02 by human:ada`, `<a class="chip" href="../types/concept.html">concept</a>`,
			`href="https://git.example/harbor/edit/main/10_DOMAIN/storage.md"`, `href="storage.md"`,
			`<a href="https://example.org/paper.pdf">A paper on content addresses</a>`, `<a href="#source-paper">`,
			`width="40" height="30"`, `<span class="t-k">func</span>`, `href="../tags/core-2.html">core</a>`,
			`First the cache, then <mark>Storage</mark>.`, `This links to <mark>Storage</mark> once.`,
			`../system/request-path.html#writing`,
		},
		"index.html":               {`class="broken"`, `href="10_DOMAIN/storage.html"`, `href="decisions/index.html"`},
		"10_DOMAIN/eviction.html":  {`class="chip fresh superseded"`, `class="embed-title"`, `id="embed-1-layout"`, "Storage › Layout"},
		"system/request-path.html": {`<span class="broken" title="Broken link">raw</a>`},
		"decisions/知識.html":        {`<html lang="ja">`, `href="emoji%20%F0%9F%9A%80.html"`},
		"عربي.html":                {`<html lang="ar" dir="rtl">`},
		"decisions/100% #1.html":   {`href="0001-names.html"`},
		"decisions/emoji 🚀.html":   {`href="100%25%20%231.html"`},
		"old/Store.html":           {`content="0; url=../10_DOMAIN/storage.html"`},
		"10_DOMAIN/index.html":     {"2 pages"},
		"robots.txt":               {"Allow: /"},
	} {
		page := render(t, s, name)
		for _, want := range wants {
			if want == `<span class="broken" title="Broken link">raw</a>` {
				want = strings.Replace(want, "</a>", "</span>", 1)
			}
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
}

func TestFindingsInPreview(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	p := w.Page("system/request-path")
	at := bytes.Index(p.Source, []byte("First the cache"))
	d := schema.Diagnostic{Rule: "some-rule", Severity: schema.Warning, Path: p.Path, Span: schema.Span{Start: at, End: at + 5}, Message: "say <which> cache"}
	live := render(t, layOut(t, w, Options{Live: true, Findings: []schema.Diagnostic{d}}), "system/request-path.html")
	for _, want := range []string{"say &lt;which&gt; cache", "some-rule", `<a href="#reading">Reading</a>`, "11:1", `src="../_wiki/live.js"`} {
		if !strings.Contains(live, want) {
			t.Errorf("the preview lacks %s", want)
		}
	}
	if built := render(t, layOut(t, w, Options{Findings: []schema.Diagnostic{d}}), "system/request-path.html"); strings.Contains(built, "some-rule") || strings.Contains(built, "live.js") {
		t.Error("a built page shows findings or loads the preview's script")
	}
}

func TestSiteURL(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	if s := layOut(t, w, Options{}); slices.Contains(s.Files(), "sitemap.xml") || strings.Contains(render(t, s, "index.html"), "canonical") {
		t.Error("a site without an address has a sitemap or canonical links")
	}
	w.Config().Site.URL = "https://example.org/x"
	s := layOut(t, w, Options{})
	for name, want := range map[string]string{
		"sitemap.xml":              "<loc>https://example.org/x/system/request-path.html</loc>",
		"index.html":               `<link rel="canonical" href="https://example.org/x/">`,
		"404.html":                 `<base href="https://example.org/x/">`,
		"robots.txt":               "Sitemap: https://example.org/x/sitemap.xml",
		"decisions/100% #1.html":   `href="https://example.org/x/decisions/100%25%20%231.html"`,
		"system/request-path.html": `<link rel="canonical" href="https://example.org/x/system/request-path.html">`,
	} {
		if got := render(t, s, name); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
}

// TestFormerAddresses checks that the site leads from where a page says it was to
// the page, whichever way the address is written, and never over another page.
func TestFormerAddresses(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, `
-- a.md --
---
redirect_from: [/old/a, b/, /c.html, d.md, /taken, ../../e, "/f g"]
---
# A
-- taken.md --
# Taken
-- z.md --
---
aliases: [old/a, only-z]
---
# Z
`))
	s := layOut(t, w, Options{})
	for name, want := range map[string]string{"old/a.html": "../a.html", "b/index.html": "../a.html", "c.html": "a.html", "d.html": "a.html",
		"e.html": "a.html", "f g.html": "a.html", "only-z.html": "z.html"} {
		if got := render(t, s, name); !strings.Contains(got, "url="+want+`"`) {
			t.Errorf("%s does not lead to %s:\n%s", name, want, got)
		}
	}
	if got := render(t, s, "taken.html"); strings.Contains(got, "http-equiv=\"refresh\"") {
		t.Error("a page gave way to a former address of another")
	}
}
