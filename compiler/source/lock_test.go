package source

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const lockLine = "a.md | src/a.go#F | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02\n"

func TestLockIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	name := rapid.StringOfN(rapid.RuneFrom([]rune("ab/# %|é\n\t.:")), 1, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		l := newLock(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Binding {
			f := func() Facet { return Facet(rapid.Uint64().Draw(t, "facet")) }
			b := Binding{Page: name.Draw(t, "page"), Target: name.Draw(t, "target"), Facets: Facets{f(), f(), f()}, Reviewed: f(),
				Date: time.Date(2026, 1, rapid.IntRange(1, 28).Draw(t, "day"), 0, 0, 0, 0, time.UTC)}
			if rapid.Bool().Draw(t, "section") {
				b.Heading = name.Draw(t, "heading")
			}
			return b
		}), 0, 8).Draw(t, "bindings"))
		got, err := ParseLock(l.Format())
		if err != nil {
			t.Fatalf("%v in\n%s", err, l.Format())
		}
		if !bytes.Equal(got.Format(), l.Format()) {
			t.Fatalf("wrote\n%s\nread\n%s", l.Format(), got.Format())
		}
		for i := range l.Bindings {
			b := &l.Bindings[i]
			if diff := cmp.Diff(b, got.Find(b.Page, b.Heading, b.Target)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestMergedLock(t *testing.T) {
	t.Parallel()
	older := strings.Replace(lockLine, "2026-01-02", "2025-12-31", 1)
	older = strings.Replace(older, "tok=0000000000000001", "tok=00000000000000ff", 1)
	l, err := ParseLock([]byte("# wiki.lock v1\r\n" + older + lockLine + "\r\nb" + lockLine[1:]))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(l.Format()), "# wiki.lock v1\n"+lockLine+"b"+lockLine[1:]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLockThatCanNotBeRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"# wiki.lock v2\n", "1:1: it has version 2, and this program reads 1; install a newer wiki"},
		{"# wiki.lock vx\n", `1:1: "x" is no version; expected # wiki.lock v1`},
		{lockLine + "<<<<<<< HEAD\n", "2:1: a merge was not finished here; keep the lines of both sides and take the markers out"},
		{"a.md | b\n", "1:1: it has 2 of 5 parts; expected page | target | tok= sig= lit= | reviewed= | date"},
		{strings.Replace(lockLine, "a.md", "", 1), "1:1: it names no page or no target"},
		{strings.Replace(lockLine, "a.md", "%zz", 1), `1:1: "%zz" has a percent sign that is none of its own; write %25`},
		{strings.Replace(lockLine, "sig=0000000000000002 ", "", 1), `1:1: "tok=0000000000000001 lit=0000000000000003"; expected tok= sig= lit=`},
		{strings.Replace(lockLine, "sig=00", "sig=0", 1), `1:1: "sig=000000000000002" is not a hash of 16 digits after sig=`},
		{strings.Replace(lockLine, "2026-01-02", "soon", 1), `1:1: "soon" is no date such as 2006-01-02`},
	} {
		_, err := ParseLock([]byte(c.src))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.src, err, c.want)
		}
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte("# wiki.lock v1\n" + lockLine))
	f.Add([]byte("a%20.md#x | b | tok= sig= lit= | reviewed= | \n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := ParseLock(src)
		if err != nil {
			return
		}
		again, err := ParseLock(l.Format())
		if err != nil || !bytes.Equal(again.Format(), l.Format()) {
			t.Fatalf("%v\n%s\n%s", err, l.Format(), again.Format())
		}
	})
}
