package linter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/schema"
)

// TestCursor holds that positions counted on from the last one are those
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
