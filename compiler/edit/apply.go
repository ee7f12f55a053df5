// Package edit changes people's files: it applies text edits at exact places,
// shows them as a diff, writes them in one step each, and moves pages with
// every link that leads to them or is in them. It is the one place that
// rewrites links.
package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Compare orders edits by path, place and text.
func Compare(a, b schema.Edit) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End), strings.Compare(a.Text, b.Text))
}

// OverlapError is two edits of which only one can be made.
type OverlapError struct {
	Path string
	A, B schema.Span
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("%s: the edits of bytes %d to %d and %d to %d overlap", e.Path, e.A.Start, e.A.End, e.B.Start, e.B.End)
}

// Apply returns src, the content of one file, with the edits made. Their order
// does not matter, but that of two texts put in at the same place does: they
// follow each other as given. Edits that overlap, or that are outside the
// file, are an error. src is not changed.
func Apply(src []byte, edits []schema.Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b schema.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	var out bytes.Buffer
	at := 0
	for i, e := range edits {
		switch {
		case e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(src):
			return nil, fmt.Errorf("%s: an edit of bytes %d to %d is outside the file (%d bytes)", e.Path, e.Span.Start, e.Span.End, len(src))
		case i > 0 && e.Span.Start < at:
			return nil, &OverlapError{e.Path, edits[i-1].Span, e.Span}
		}
		out.Write(src[at:e.Span.Start])
		out.WriteString(e.Text)
		at = e.Span.End
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}

// Conflicts reports whether two edits can't both be made, or not in an order
// that their places give: they share text, or put something in at one place.
func Conflicts(a, b schema.Edit) bool {
	return a.Path == b.Path && (a.Span.Overlaps(b.Span) || a.Span.Start == b.Span.Start && (a.Span.Len() == 0 || b.Span.Len() == 0) ||
		a.Span.Len() == 0 && b.Span.Contains(a.Span.Start) || b.Span.Len() == 0 && a.Span.Contains(b.Span.Start))
}
