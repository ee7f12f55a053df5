package pack

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
	"pgregory.net/rapid"
)

// withQuery is an input with a query, which has sections cut.
func withQuery() *Input {
	return &Input{Found: search.Results{Wanted: []search.Wanted{{Terms: map[string]float64{"zebra": 1}, Rarity: 1}}}}
}

// Pieces lose no text and don't overlap.
func TestPiecesHoldAllText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		line := rapid.SampledFrom([]string{"", "", "  indented", "```go", "~~~", "| a | b |", "\t", strings.Repeat("word ", 90), "限制限制", "text\r"})
		source := []byte(strings.Join(rapid.SliceOfN(line, 0, 120).Draw(r, "lines"), "\n"))
		at := schema.Span{Start: rapid.IntRange(0, len(source)).Draw(r, "start"), End: len(source)}
		var got strings.Builder
		last := at.Start
		for _, s := range withQuery().pieces(source, at) {
			if s.Start < last || s.End <= s.Start || s.End > at.End {
				r.Fatalf("%v after %d of %v", s, last, at)
			}
			last = s.End
			got.Write(s.In(source))
			got.WriteByte(' ')
		}
		if got, want := strings.Fields(got.String()), strings.Fields(string(at.In(source))); strings.Join(got, " ") != strings.Join(want, " ") {
			r.Fatalf("%q, want %q", got, want)
		}
	})
}

func TestPiecesAreCutAtBlankLines(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("A sentence of some words that go on. ", 12)
	code := "```\nx := 1\n\ny := 2\n```"
	source := []byte("## Head\n\n" + text + "\n\n" + code + "\n\n" + text + "\n")
	got := withQuery().pieces(source, schema.Span{End: len(source)})
	if len(got) != 2 || !strings.Contains(string(got[0].In(source))+string(got[1].In(source)), code) {
		t.Errorf("%d pieces: %v", len(got), got)
	}
	if whole := (&Input{}).pieces(source, schema.Span{End: len(source)}); len(whole) != 1 {
		t.Errorf("%d pieces without a query", len(whole))
	}
}

// Code that is longer than a piece keeps its fences, also where text stands close to it.
func TestPiecesKeepCodeWhole(t *testing.T) {
	t.Parallel()
	code := "```go\n" + strings.Repeat("fmt.Println(\"one more line of code\")\n\n", 60) + "```"
	text := strings.Repeat("A sentence of some words that go on.\n", 40)
	for _, src := range []string{code + "\n\n" + text, text + code + "\n" + text} {
		holds := 0
		for _, s := range withQuery().pieces([]byte(src), schema.Span{End: len(src)}) {
			if piece := string(s.In([]byte(src))); strings.Contains(piece, code) {
				holds++
			} else if strings.Contains(piece, "Println") || strings.Contains(piece, "```") {
				t.Errorf("cut in code: %q", piece)
			}
		}
		if holds != 1 {
			t.Errorf("%d pieces hold the code", holds)
		}
	}
}

// A pack has the paragraph of a long section that answers, and says that it is a part.
func TestMakeCutsLongSections(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("Nothing of interest is said in this paragraph about anything at all.\n", 30) + "\n"
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n\n"+filler+"The zebra is striped.\n\n"+filler))
	p := made(t, w, "zebra", func(in *Input) { in.Budget = 600 })
	if got := p.Render(); len(p.Sections) != 1 || !strings.Contains(got, "The zebra is striped.") || !strings.Contains(got, "\n! part of a section: lines 1-65\n") || p.Tokens > 400 {
		t.Error(got)
	}
}
