package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

func TestOutputKeepsItsEnds(t *testing.T) {
	t.Parallel()
	r := loops.NewRedactor(nil)
	for _, c := range []struct {
		most, bytes int
		note        bool
	}{{100, 0, false}, {100, 99, false}, {100, 100, false}, {100, 101, true}, {100, 140, true}, {100, 200, true}, {101, 202, true}, {100, 201, true}, {100, 5000, true}} {
		var b strings.Builder
		for i := 0; b.Len() < c.bytes; i++ {
			fmt.Fprintf(&b, "%04d\n", i)
		}
		text := b.String()[:c.bytes]
		path := filepath.Join(t.TempDir(), "out")
		o, err := newOutput(path, r, int64(c.most))
		if err != nil {
			t.Fatal(err)
		}
		over := false
		for i := range text {
			over = o.take([]byte{text[i]})
		}
		cut, err := o.finish()
		if err != nil {
			t.Fatal(err)
		}
		if over != (c.bytes > 2*c.most) || cut != c.note {
			t.Errorf("%d of %d bytes: over is %v, cut is %v", c.bytes, c.most, over, cut)
		}
		stored, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if kept := min(c.bytes, 2*c.most); c.note {
			head := c.most / 2
			want = fmt.Sprintf("%s\n[%d bytes omitted]\n%s", text[:head], kept-c.most, text[kept-(c.most-head):kept])
		}
		if string(stored) != want {
			t.Errorf("%d of %d bytes are stored as\n%q, want\n%q", c.bytes, c.most, stored, want)
		}
	}
	path := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := newOutput(path, r, 1); err == nil {
		t.Error("a file that is there is written over")
	}
}
