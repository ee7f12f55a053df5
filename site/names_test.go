package site

import (
	"net/url"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	t.Parallel()
	n := newNames(0)
	var got []string
	for _, want := range []string{
		"a.html", "A.html", "a.html", "a/b.html", "a.html/b.html", "search.html", "Caf\u00e9.html", "Cafe\u0301.html", "x", "x/y.html", "d/e/f.html", "d/e",
	} {
		got = append(got, n.claim(want))
	}
	want := []string{
		"a.html", "A-2.html", "a-3.html", "a/b.html", "a.html-2/b.html", "search.html", "Caf\u00e9.html", "Cafe\u0301-2.html", "x", "x-2/y.html", "d/e/f.html", "d/e-2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSafePath(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain/page.html":         "plain/page.html",
		"with space/100% #1.html": "with space/100% #1.html",
		"what?.html":              "what-.html",
		`a<b>c:d"e|f*g\h.html`:    "a-b-c-d-e-f-g-h.html",
		"con.html":                "con_.html",
		"Aux/lpt1.tar.gz":         "Aux_/lpt1_.tar.gz",
		"console.html":            "console.html",
		"dots./page.html":         "dots-/page.html",
		"blank /page.html":        "blank-/page.html",
		".hidden/.x.html":         "_hidden/_x.html",
		"emoji 🚀.html":            "emoji 🚀.html",
		"tab\tnul\x00.html":       "tab-nul-.html",
		"e\u0301.html":            "\u00e9.html",
		"COM1":                    "COM1_",
		"com¹.html":               "com¹.html",
		strings.Repeat("é", 40):   strings.Repeat("é", 40),
		"../up":                   "-/up",
	} {
		if got := safePath(in); got != want {
			t.Errorf("safePath(%q) = %q, want %q", in, got, want)
		}
	}
	long := safePath("d/" + strings.Repeat("長", 200) + ".html")
	other := safePath("d/" + strings.Repeat("長", 201) + ".html")
	if base := path.Base(long); len(base) > maxSegment || !utf8.ValidString(base) || !strings.HasSuffix(base, ".html") || long == other {
		t.Errorf("a long name becomes %q", long)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"index.html", "a.html", "a.html"},
		{"a/b.html", "index.html", "../index.html"},
		{"a/b.html", "a/c.html", "c.html"},
		{"a/b/c.html", "a/d/e.html", "../d/e.html"},
		{"a/b.html", "ab/c.html", "../ab/c.html"},
		{"x.html", "100% #1?.html", "100%25%20%231%3F.html"},
		{"x.html", "知識/a:b.html", "%E7%9F%A5%E8%AD%98/a%3Ab.html"},
	} {
		got := relative(c.from, c.to)
		if got != c.want {
			t.Errorf("relative(%q, %q) = %q, want %q", c.from, c.to, got, c.want)
		}
		base, _ := url.Parse("https://example.org/x/" + escapePath(c.from))
		if u, err := base.Parse(got); err != nil || u.Path != "/x/"+c.to {
			t.Errorf("%q from %q leads to %v (%v)", got, c.from, u, err)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"a/b.html", "con", "..", "a//b", "", " . ", "é\u0301/x", "\xff/y", strings.Repeat("長", 100)} {
		f.Add(s, "index.html")
	}
	f.Fuzz(func(t *testing.T, name, from string) {
		if name == "" || from == "" || len(name)+len(from) > 4096 {
			return // no file has this name
		}
		n := newNames(0)
		got := n.claim(safePath(name))
		from = n.claim(safePath(from))
		for _, seg := range strings.Split(got, "/") {
			if len(seg) > maxSegment+4 || strings.ContainsAny(seg, `<>:"|?*\`) || seg == "." || seg == ".." || !utf8.ValidString(seg) {
				t.Errorf("safePath(%q) has the name %q", name, seg)
			}
		}
		if strings.Contains(got, "//") || strings.Contains(from, "//") || strings.HasPrefix(got, "/") || strings.HasPrefix(from, "/") {
			return // no path of a wiki has empty names
		}
		base, err := url.Parse("https://h/" + escapePath(from))
		if err != nil {
			t.Fatal(err)
		}
		if u, err := base.Parse(relative(from, got)); err != nil || u.Path != "/"+got {
			t.Errorf("from %q to %q: %q leads to %v, %v", from, got, relative(from, got), u, err)
		}
	})
}
