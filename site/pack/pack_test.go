package pack

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
	"pgregory.net/rapid"
)

const limits = `
-- limits.md --
# Limits

Of limits.

## Rate

The gateway admits 100 requests a second.
-- old.md --
---
superseded_by: "[[limits]]"
---
# Rate before

The gateway admits 50 requests a second, a rate of requests.
-- other.md --
# Rate elsewhere

The gateway admits 200 requests a second.
-- secret.md --
---
private: true
---
# Rate in secret

The gateway admits 300 requests a second.
`

func made(tb testing.TB, w *compiler.Wiki, query string, change func(*Input)) *Pack {
	tb.Helper()
	ix, err := search.Build(tb.Context(), w)
	if err != nil {
		tb.Fatal(err)
	}
	found, err := ix.Search(tb.Context(), query, Pages)
	if err != nil {
		tb.Fatal(err)
	}
	in := Input{Wiki: w, Found: found, Budget: DefaultBudget}
	if change != nil {
		change(&in)
	}
	return Make(in)
}

// side is the place of a text on a page.
func side(tb testing.TB, w *compiler.Wiki, path, text string) schema.Side {
	tb.Helper()
	p := w.Page(schema.PageID(strings.TrimSuffix(path, ".md")))
	at := strings.Index(string(p.Source), text)
	if at < 0 {
		tb.Fatalf("%s has no %q", path, text)
	}
	return schema.Side{Path: path, Span: schema.Span{Start: at, End: at + len(text)}, Text: text}
}

func TestMake(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, limits))
	p := made(t, w, "gateway requests rate", func(in *Input) {
		in.Contradictions = []schema.Contradiction{{About: "requests", Sides: []schema.Side{side(t, w, "limits.md", "100 requests"), side(t, w, "other.md", "200 requests"), side(t, w, "secret.md", "300 requests")}}}
	})
	got := p.Render()
	var order []string
	for _, s := range p.Sections {
		order = append(order, s.Path)
	}
	if len(order) < 3 || order[len(order)-1] != "old.md" || slices.Contains(order, "secret.md") {
		t.Errorf("the order is %v", order)
	}
	for _, want := range []string{
		"=== limits.md:5-7 Limits > Rate\n! open contradiction about requests: limits.md:7 says \"100 requests\"; other.md:3 says \"200 requests\"\n## Rate\n\nThe gateway admits 100",
		"=== old.md:4-6 Rate before\n! superseded: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "300 requests") {
		t.Errorf("a private page is quoted:\n%s", got)
	}
	private := made(t, w, "gateway requests rate", func(in *Input) { in.Private = true }).Render()
	if !strings.Contains(private, "! private: ") {
		t.Errorf("a private page is not marked:\n%s", private)
	}
}

func TestMakeTellsWhatHadNoRoom(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n\n## Small\n\nA zebra.\n\n## Large\n\n"+strings.Repeat("A zebra and more of it.\n", 200)))
	p := made(t, w, "zebra", func(in *Input) { in.Budget = LeastBudget })
	if got := p.Render(); !strings.Contains(got, "A zebra.\n") || !strings.Contains(got, "No room for:\n- a.md#large (") {
		t.Error(got)
	}
}

// TestPackNeverExceedsItsBudget makes packs of wikis of any text.
func TestPackNeverExceedsItsBudget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		at := filepath.Join(dir, fmt.Sprint(n))
		word := rapid.SampledFrom([]string{"zebra", "gateway", "限制", "| a | b |", "```go\nx := 1\n```", "# Head", "## Zebra", "---", "\u202ehidden", "[[p1]]", "\n\n", "(1,2,3)", "ÄÖÜ", "─────────"})
		var archive strings.Builder
		for i := range rapid.IntRange(1, 5).Draw(r, "pages") {
			fmt.Fprintf(&archive, "-- p%d.md --\n%s\n", i, strings.Join(rapid.SliceOfN(word, 1, 300).Draw(r, "words"), rapid.SampledFrom([]string{" ", "\n"}).Draw(r, "separator")))
		}
		compilertest.WriteTo(t, at, archive.String())
		w := compilertest.Compile(t, at)
		budget := rapid.IntRange(LeastBudget, 3000).Draw(r, "budget")
		p := made(t, w, "zebra gateway 限制", func(in *Input) {
			in.Budget = budget
			for _, page := range w.Pages() {
				in.Contradictions = append(in.Contradictions, schema.Contradiction{About: "zebra", Sides: []schema.Side{{Path: page.Path, Span: schema.Span{Start: page.Body, End: len(page.Source)}, Text: string(page.Source)}}})
			}
		})
		text := p.Render()
		if Tokens(text) > budget || p.Tokens != Tokens(text) {
			r.Fatalf("%d tokens, said to be %d, of %d", Tokens(text), p.Tokens, budget)
		}
		for _, s := range p.Sections {
			if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, "open contradiction") }) {
				r.Fatalf("%s has no note of its contradiction", s.Path)
			}
		}
	})
}

func TestMakeIsDeterministic(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, limits))
	first := made(t, w, "gateway requests", nil).Render()
	for range 5 {
		if again := made(t, w, "gateway requests", nil).Render(); again != first {
			t.Fatalf("%s\nand\n%s", first, again)
		}
	}
}

func TestOverview(t *testing.T) {
	t.Parallel()
	const linked = `
-- top/LICENSE.txt --
-- top/a.md --
# A

Of A. [[b]]
-- top/b.md --
# B

Of B.

## More of B

Not at the beginning.
-- top/c.md --
# C

Of C, to which nothing links. [[b]] [[a]] [[secret]]
-- top/log.md --
# Log

[[secret]]
-- top/d.md --
[[log]] [[log]] [[secret]]
-- top/secret.md --
---
private: true
---
# Secret

Of zebras.
`
	const start = "-- top/readme.md --\n# Start\n\nRead this.\n\n## Then this\n\n[[b]] is linked most.\n"
	for _, c := range []struct {
		name, pages string
		want        []string
	}{
		{"start page in the folder of all pages", linked + start, []string{"top/readme.md#start", "top/readme.md#then-this", "top/b.md#b", "top/a.md#a"}},
		{"no start page", linked, []string{"top/b.md#b", "top/a.md#a"}},
		{"folders beside each other", "-- x/index.md --\n# X\n\n[[b]]\n-- y/b.md --\n# B\n\nOf B.\n", []string{"y/b.md#b"}},
		{"no pages", "-- notes.txt --\nText.\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, c.pages))
			var got []string
			for _, s := range Make(Input{Wiki: w, Found: Overview(w), Budget: DefaultBudget, Current: true}).Sections {
				got = append(got, s.Path+"#"+s.Anchor)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
