package math

import (
	"encoding/xml"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// formulas are formulas of many kinds, one a line.
func formulas(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "formulas.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

func TestFormulasGolden(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, tex := range formulas(t) {
		made, err := Convert(tex, true)
		out.WriteString(tex + "\n")
		if err != nil {
			made = "error: " + err.Error()
		}
		out.WriteString("  " + made + "\n")
	}
	golden := filepath.Join("testdata", "formulas.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("run with -update and read the difference (-want +got):\n%s", diff)
	}
}

// Every class that is written has a rule, and every declaration of the converter
// becomes a class or an attribute.
func TestStylesBecomeClassesOfTheTheme(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("../theme/assets/css/42-math.css")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, m := range regexp.MustCompile(`\.([a-z][\w-]*)`).FindAllStringSubmatch(string(css), -1) {
		has[m[1]] = true
	}
	without := map[string]bool{"tml-display": true, "tml-label": true, "tml-tag": true, "tml-prime": true, "tml-tageqn": true, "mathscr": true} // they need none
	declaration := regexp.MustCompile(` style="([^"]*)"`)
	for _, tex := range formulas(t) {
		for _, display := range []bool{true, false} {
			raw, err := run(formula{tex, display}, time.Minute)
			if err != nil {
				continue
			}
			for _, m := range declaration.FindAllStringSubmatch(raw, -1) {
				for one := range strings.SplitSeq(strings.Trim(m[1], "; "), ";") {
					name, value, _ := strings.Cut(one, ":")
					classes, attrs := styles(nil, one)
					if len(classes)+len(attrs) == 0 && one != "color:undefined" && name+":"+value != "display:block math" {
						t.Errorf("%s: %q is dropped", tex, one)
					}
				}
			}
			made, err := sanitize(raw)
			if err != nil {
				continue
			}
			for _, m := range regexp.MustCompile(` class="([^"]*)"`).FindAllStringSubmatch(made, -1) {
				for _, class := range strings.Fields(m[1]) {
					if !has[class] && !without[class] {
						t.Errorf("%s: class %q has no rule in 42-math.css", tex, class)
					}
				}
			}
		}
	}
}

func TestConvertRefusesWhatIsTooMuch(t *testing.T) {
	t.Parallel()
	loop := `\def\a{\b\b}\def\b{\c\c}\def\c{\d\d}\def\d{\e\e}\def\e{\f\f}\def\f{\g\g}\def\g{\h\h}\def\h{\i\i}\def\i{\j\j}\a`
	for _, c := range []struct {
		name, tex string
		want      error // nil for any
	}{
		{"10 MB", strings.Repeat("x", 10<<20), ErrTooLong},
		{"braces", strings.Repeat("{", 2000) + strings.Repeat("}", 2000), ErrTooDeep},
		{"fractions", strings.Repeat(`\frac{1}{`, 400) + strings.Repeat("}", 400), ErrTooDeep},
		{"delimiters", strings.Repeat(`\left(`, 300) + strings.Repeat(`\right)`, 300), ErrTooDeep},
		{"roots without braces", strings.Repeat(`\sqrt`, 800) + "x", nil},
		{"a macro of itself", `\def\a#1{#1\a{#1}}\a{x}`, nil},
		{"macros in macros", loop, nil},
		{"a long macro many times", `\def\a{` + strings.Repeat("x", 3000) + `}` + strings.Repeat(`\a`, 250), ErrTooSlow},
		{"a macro without an end", `\def\a{\a}\a`, nil},
		{"a script", `\href{javascript:alert(1)}{x}`, nil},
		{"an address", `\url{javascript:alert(1)}`, nil},
		{"a class", `\class{top}{x}`, nil},
		{"an id", `\id{wiki.content}{x}`, nil},
		{"a style", `\style{position:fixed}{x}`, nil},
		{"data", `\data{a=b}{x}`, nil},
		{"an image", `\includegraphics{https://example.org/x.png}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			made, err := Convert(c.tex, true)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Fatalf("made %.200q, error %v, want %v", made, err, c.want)
			}
			if strings.ContainsAny(err.Error(), "\n<>") || len(err.Error()) > 200 {
				t.Errorf("the error is %q, want a few words on one line", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// What one formula defines is unknown to the next.
func TestFormulasDoNotShareMacros(t *testing.T) {
	t.Parallel()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, define := range []string{`\gdef\mine{x}\mine`, `\global\def\mine{x}\mine`, `\definecolor{mine}{HTML}{112233}\color{mine}x`, `\newcommand{\mine}{x}\mine`} {
				if _, err := convert(formula{define, false}); err != nil {
					t.Errorf("%s: %v", define, err)
				}
				if _, err := convert(formula{`\mine`, false}); err == nil {
					t.Errorf("%s: the next formula knows it", define)
				}
			}
		})
	}
	wait.Wait()
}

func TestSanitizeWritesListedMarkupOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a formula", `<math><mi>x</mi></math>`, `<math><mi>x</mi></math>`},
		{"attributes", `<math onload="x" id="a" href="b" xlink:href="c" class="top tml-left" style="position:fixed"><mi mathcolor="red">x</mi></math>`, `<math class="tml-left"><mi mathcolor="red">x</mi></math>`},
		{"colours", `<math><mi style="color:#ff0000;background:url(x)">x</mi></math>`, `<math><mi mathcolor="#ff0000">x</mi></math>`},
		{"a colour that is none", `<math><mi style="color:url(x)">x</mi></math>`, `<math><mi>x</mi></math>`},
		{"lengths", `<math><mpadded voffset="-900em" lspace="-1width" width="9999px"><mi>x</mi></mpadded></math>`, `<math><mpadded voffset="-4em" width="40em"><mi>x</mi></mpadded></math>`},
		{"sizes in sizes", `<math><mstyle mathsize="2.4em"><mstyle mathsize="2.4em"><mi>x</mi></mstyle></mstyle></math>`, `<math><mstyle mathsize="2.4em"><mstyle><mi>x</mi></mstyle></mstyle></math>`},
		{"text", `<math><mtext>&lt;script&gt; &amp; "</mtext></math>`, `<math><mtext>&lt;script&gt; &amp; &#34;</mtext></math>`},
		{"an element", `<math><script>alert(1)</script></math>`, ""},
		{"a link", `<math><a href="x">x</a></math>`, ""},
		{"an annotation", `<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>`, ""},
		{"no end", `<math><mi>x</mi>`, ""},
		{"another end", `<math><mi>x</math></mi>`, ""},
		{"text outside", `<math></math>x`, ""},
		{"HTML outside", `<span>x</span>`, ""},
		{"a comment", `<math><!-- --></math>`, ""},
		{"nothing", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := sanitize(c.in)
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func FuzzSanitize(f *testing.F) {
	for _, tex := range formulas(f)[:40] {
		if raw, err := run(formula{tex, true}, time.Minute); err == nil {
			for _, form := range schematest.Vary(2, raw) {
				f.Add(form)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		made, err := sanitize(src)
		if err != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(made))
		d.Strict = true
		for {
			token, err := d.Token()
			if token == nil {
				if err.Error() != "EOF" {
					t.Fatalf("%q is not well-formed: %v", made, err)
				}
				return
			}
			if start, ok := token.(xml.StartElement); ok {
				own, known := elements[start.Name.Local]
				for _, a := range start.Attr {
					if !known || !hasWord(own, a.Name.Local) && !hasWord(common, a.Name.Local) {
						t.Fatalf("%q has %s %s", made, start.Name.Local, a.Name.Local)
					}
				}
			}
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	all := formulas(b)
	for i := 0; b.Loop(); i++ {
		_, _ = convert(formula{all[i%len(all)], true})
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := newEngine(); err != nil {
			b.Fatal(err)
		}
	}
}
