package theme

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// luminance is the relative luminance of WCAG 2.2.
func luminance(hex string) float64 {
	channel := func(i int) float64 {
		v, err := strconv.ParseUint(hex[i:i+2], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(1) + 0.7152*channel(3) + 0.0722*channel(5)
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// colors reads the variables of a stylesheet: name to light and dark.
func colors(t *testing.T, css string) map[string][2]string {
	t.Helper()
	out := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)`).FindAllStringSubmatch(css, -1) {
		out[m[1]] = [2]string{m[2], m[3]}
	}
	return out
}

func TestContrast(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	c := colors(t, string(th.Asset(StylesName)))
	check := func(fore, ground string, least float64) {
		f, okF := c[fore]
		g, okG := c[ground]
		if !okF || !okG {
			t.Errorf("no colours for --%s on --%s", fore, ground)
			return
		}
		for i, mode := range []string{"light", "dark"} {
			if r := contrast(f[i], g[i]); r < least {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, less than %.1f", mode, fore, ground, r, least)
			}
		}
	}
	for _, fore := range []string{"text", "head", "muted", "accent"} {
		check(fore, "bg", 4.5)
		check(fore, "soft", 4.5)
		check(fore, "accent-soft", 4.5)
	}
	for _, name := range []string{"good", "warn", "bad", "plum", "accent"} {
		check(name, name+"-soft", 4.5)
		check(name, "bg", 4.5)
		check("text", name+"-soft", 4.5)
		check("muted", name+"-soft", 4.5)
	}
	check("mark-text", "mark", 4.5)
	check("strong-line", "bg", 3)
	for i := range 9 {
		check(fmt.Sprintf("hue-%d", i), "bg", 3)
	}
	for _, code := range CodeColors {
		check("code-"+code.Class, "soft", 4.5)
		check("code-"+code.Class, "bg", 4.5)
	}
	if got := contrast("#000000", "#ffffff"); got != 21 {
		t.Errorf("black on white has a contrast of %v", got)
	}
}

func TestEveryColorIsAVariable(t *testing.T) {
	t.Parallel()
	css, err := join(joined[StylesName])
	if err != nil {
		t.Fatal(err)
	}
	_, rules, ok := strings.Cut(string(css), "\n}\n")
	if !ok {
		t.Fatal("no variables at the head of site.css")
	}
	if m := regexp.MustCompile(`[^&\w]#[0-9a-fA-F]{3,8}\b`).FindString(rules); m != "" {
		t.Errorf("the colour %s stands outside of the variables, where its contrast is not checked", m)
	}
}

func TestWordsAreComplete(t *testing.T) {
	t.Parallel()
	for lang, w := range languages {
		for _, of := range []func(*Words) any{func(w *Words) any { return *w }, func(w *Words) any { return w.Runs }, func(w *Words) any { return w.Graph }, func(w *Words) any { return w.Health }} {
			completeWords(t, lang, reflect.ValueOf(of(w)), reflect.ValueOf(of(&english)))
		}
	}
	for tag, want := range map[string]string{"de": "de", "de-AT": "de", "DE_ch": "de", "": "en", "tlh": "en", "en-GB": "en"} {
		if got := WordsFor(tag).Lang; got != want {
			t.Errorf("words for %q are in %s, want %s", tag, got, want)
		}
	}
	for tag, want := range map[string]string{"ar": "rtl", "he-IL": "rtl", "fa": "rtl", "ar-Latn": "ltr", "de": "ltr", "": "ltr"} {
		if got := Direction(tag); got != want {
			t.Errorf("%q is written %s, want %s", tag, got, want)
		}
	}
}

// completeWords looks whether every string is there, with what is filled into it.
func completeWords(t *testing.T, lang string, v, english reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		if v.Field(i).String() == "" {
			t.Errorf("%s has no %s", lang, v.Type().Field(i).Name)
		}
		for _, verb := range []string{"%d", "%s"} {
			if n := strings.Count(v.Field(i).String(), verb); n != strings.Count(english.Field(i).String(), verb) {
				t.Errorf("%s: %s has %d %s", lang, v.Type().Field(i).Name, n, verb)
			}
		}
	}
}

func TestInlineScriptsAreNamedByThePolicy(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]any{
		"page":    &Page{Frame: Frame{Place: &Place{T: &english}, CSP: th.CSP(false, true, false)}},
		"list":    List{Frame: Frame{Place: &Place{T: &english}, CSP: th.CSP(false, true, false)}},
		"search":  List{Frame: Frame{Place: &Place{T: &english}, CSP: th.CSP(false, true, false)}},
		"missing": Frame{Place: &Place{T: &english}, CSP: th.CSP(true, true, false)},
	} {
		var b strings.Builder
		if err := th.Execute(&b, name, data); err != nil {
			t.Fatal(err)
		}
		inline := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(b.String(), -1)
		if len(inline) == 0 {
			t.Errorf("%s has no inline script", name)
		}
		for _, m := range inline {
			sum := sha256.Sum256([]byte(m[2]))
			if hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(th.CSP(name == "missing", true, false), hash) {
				t.Errorf("%s: an inline %s is not allowed by the policy", name, m[1])
			}
		}
	}
}

// What is made once must not show in what differs from page to page.
func TestFragments(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	here, there := &Place{T: &english, SiteTitle: "<Here>"}, &Place{T: &english, SiteTitle: "There"}
	render := func(p *Place, links ...Link) string {
		var b strings.Builder
		if err := th.Execute(&b, "list", List{Frame: Frame{Place: p}, Groups: []Group{{Links: links}}}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	link := Link{Title: "a & b", Href: "a.html"}
	for range 2 {
		if got := render(here, link, Link{Title: "<script>", Href: "javascript:x"}); !strings.Contains(got, "<span>&lt;Here&gt;</span>") ||
			!strings.Contains(got, `<a href="a.html">a &amp; b</a>`) || !strings.Contains(got, `<a href="#ZgotmplZ">&lt;script&gt;</a>`) {
			t.Errorf("the bar or the list is wrong:\n%s", got)
		}
		if got := render(there, link); !strings.Contains(got, "<span>There</span>") || !strings.Contains(got, `<a href="a.html">a &amp; b</a>`) {
			t.Errorf("another place is not its own:\n%s", got)
		}
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	over := fstest.MapFS{
		"site.css":            {Data: []byte("body{}")},
		"custom.css":          {Data: []byte(".mine{}")},
		"templates/list.html": {Data: []byte("{{.Title}} of mine{{template \"tail\" .}}")},
		"parts.html":          {Data: []byte("{{define \"tail\"}} ends here{{end}}")},
	}
	th, err := Load(over, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(th.Asset(StylesName)), "body{}") || string(th.Asset(CustomName)) != ".mine{}" {
		t.Error("the styles are not those of the folder")
	}
	var b strings.Builder
	if err := th.Execute(&b, "list", List{Frame: Frame{Title: "A list"}}); err != nil || b.String() != "A list of mine ends here" {
		t.Errorf("the template of the folder gives %q, %v", b.String(), err)
	}
	if _, err := Load(fstest.MapFS{"page.html": {Data: []byte("{{.}")}}, &english, false); err == nil || !strings.Contains(err.Error(), "page.html") {
		t.Errorf("a template that does not parse: %v", err)
	}
}

// What every page loads, and the script of the search, stay small, and say nothing to people
// who write the theme.
func TestScriptsAreSmall(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ScriptName, SearchName} {
		script := th.Asset(name)
		for line := range bytes.Lines(script) {
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
				t.Errorf("a comment in %s: %s", name, line)
			}
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(script); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s has %d bytes with gzip", name, packed.Len())
		if packed.Len() > 8<<10 {
			t.Errorf("%s is larger than 8 KB", name)
		}
	}
}

func TestLeanStylesMeanTheSame(t *testing.T) {
	t.Parallel()
	src := "/* A part */\n.a, .b > c { color: red; margin: 0 1px; }\n@media (min-width: 60rem) {\n  .x::after { content: \"a; b\"; }\n}\n"
	want := ".a,.b > c{color:red;margin:0 1px}\n@media (min-width:60rem){\n.x::after { content: \"a; b\"; }\n}\n"
	if got := string(leanStyles([]byte(src))); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
