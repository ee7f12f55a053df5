package linter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/schema"
)

// TestCursor checks that positions counted on from the last one are those
// counted from the beginning.
func TestCursor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "語", "\n", "\r", "\r\n", "\xff", "\ufeff", " "})).Draw(rt, "text")
		var src []byte
		for _, s := range text {
			src = append(src, s...)
		}
		page := &schema.Page{Path: "a.md", Source: src, Lines: schema.NewLineIndex(src)}
		c := cursor{places: places{"a.md": page}}
		for range 6 {
			start := rapid.IntRange(0, len(src)).Draw(rt, "start")
			end := rapid.IntRange(start, len(src)).Draw(rt, "end")
			from, to := c.positions("a.md", schema.Span{Start: start, End: end})
			if from != page.Lines.Position(start) || to != page.Lines.Position(end) {
				rt.Fatalf("%q %d-%d: %v %v, want %v %v", src, start, end, from, to, page.Lines.Position(start), page.Lines.Position(end))
			}
		}
	})
}

// TestOneFaultAtOnePlace reports what several links share by their definition once.
func TestOneFaultAtOnePlace(t *testing.T) {
	t.Parallel()
	twice := rule("twice", schema.Error, func(p *Pass) {
		for _, message := range []string{"a", "a", "b"} {
			p.Report("p0.md", schema.Span{Start: 1, End: 3}, "%s", message)
		}
	})
	if res := run(t, pages(t, 1, ""), Config{Rules: []*Rule{twice}}); len(res.Findings) != 2 {
		t.Errorf("%d findings, want 2: %+v", len(res.Findings), res.Findings)
	}
}
