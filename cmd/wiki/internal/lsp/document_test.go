package lsp

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
	"pgregory.net/rapid"
)

func TestPositions(t *testing.T) {
	t.Parallel()
	const src = "\ufeffä💶b\r\nx\ry\n"
	for _, c := range []struct {
		enc    encoding
		offset int
		want   position
	}{
		{utf16Encoding, 3, position{0, 0}},
		{utf16Encoding, 5, position{0, 1}},
		{utf16Encoding, 9, position{0, 3}},
		{utf16Encoding, 10, position{0, 4}},
		{utf16Encoding, 12, position{1, 0}},
		{utf16Encoding, 14, position{2, 0}},
		{utf16Encoding, 16, position{3, 0}},
		{utf8Encoding, 9, position{0, 6}},
		{utf8Encoding, 10, position{0, 7}},
	} {
		x := text{[]byte(src), schema.NewLineIndex([]byte(src)), c.enc}
		if got := x.position(c.offset); got != c.want {
			t.Errorf("%s: position(%d) = %v, want %v", c.enc, c.offset, got, c.want)
		}
		if got := x.offset(c.want); got != c.offset {
			t.Errorf("%s: offset(%v) = %d, want %d", c.enc, c.want, got, c.offset)
		}
	}
	x := text{[]byte(src), schema.NewLineIndex([]byte(src)), utf16Encoding}
	for _, p := range []position{{-1, 0}, {0, -5}, {0, 99}, {99, 99}, {0, 2}} { // the last is within a character
		if at := x.offset(p); at < 0 || at > len(src) || !boundary([]byte(src), at) {
			t.Errorf("offset(%v) = %d", p, at)
		}
	}
}

// pieces make texts with everything that positions can be wrong about.
var pieces = []string{"a", "ä", "💶", "\n", "\r\n", "\r", "[[x]]", " "}

func drawText(t *rapid.T, name string) string {
	var b bytes.Buffer
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, name) {
		b.WriteString(p)
	}
	return b.String()
}

// TestIncrementalChangesMakeTheTextOfTheEditor edits one text by its characters, and the
// other by messages with places of it.
func TestIncrementalChangesMakeTheTextOfTheEditor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := drawText(t, "text")
		d := newDocument("", "", 0, []byte(src), utf16Encoding)
		for range 5 {
			runes := []rune(string(d.src))
			from := rapid.IntRange(0, len(runes)).Draw(t, "from")
			to := rapid.IntRange(from, len(runes)).Draw(t, "to")
			insert := drawText(t, "insert")
			start, end := len(string(runes[:from])), len(string(runes[:to]))
			r := textRange{d.position(start), d.position(end)}
			if d.offset(r.Start) != start || d.offset(r.End) != end {
				continue // between \r and \n, which no editor names
			}
			want := string(runes[:from]) + insert + string(runes[to:])
			d = d.with(d.version+1, []contentChange{{&r, insert}})
			if string(d.src) != want {
				t.Fatalf("%q, want %q", d.src, want)
			}
		}
	})
}

func TestDifferencesMakeOneTextOfTheOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old, now := drawText(t, "old"), drawText(t, "now")
		edits := differences([]byte(old), []byte(now))
		got, err := edit.Apply([]byte(old), edits)
		if err != nil || string(got) != now {
			t.Fatalf("%q to %q by %v: %q, %v", old, now, edits, got, err)
		}
		for _, e := range edits {
			if !utf8.ValidString(e.Text) {
				t.Fatalf("%q is cut within a character", e.Text)
			}
		}
	})
}

func TestPlacesFollowAnEdit(t *testing.T) {
	t.Parallel()
	e := newEdited([]byte("one two three"), []byte("one 2 three"))
	for _, c := range []struct {
		old, now schema.Span
		ok       bool
	}{
		{schema.Span{Start: 0, End: 3}, schema.Span{Start: 0, End: 3}, true},
		{schema.Span{Start: 4, End: 7}, schema.Span{}, false},
		{schema.Span{Start: 8, End: 13}, schema.Span{Start: 6, End: 11}, true},
	} {
		if got, ok := e.now(c.old); ok != c.ok || ok && got != c.now {
			t.Errorf("%v: %v, %v", c.old, got, ok)
		}
	}
}
