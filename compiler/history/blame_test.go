package history

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPorcelain checks that each line has its commit and the name of who made it.
func TestPorcelain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		out  string
		want map[int]Origin
	}{
		{"", map[int]Origin{}},
		{"1111111111111111111111111111111111111111 1 1 1\nauthor Ana\nauthor-mail <a@example.org>\nfilename a\n\tfirst\n" +
			"2222222222222222222222222222222222222222 1 2 1\nauthor Ben of the quay\nsummary author X\nfilename a\n\tauthor Zoe\n" +
			"1111111111111111111111111111111111111111 2 3\n\tthird\n" +
			"0000000000000000000000000000000000000000 4 4 1\nauthor External file (--contents)\nfilename a\n\t\n",
			map[int]Origin{1: {strings.Repeat("1", 40), "Ana"}, 2: {strings.Repeat("2", 40), "Ben of the quay"}, 3: {strings.Repeat("1", 40), "Ana"}}},
	} {
		got, err := porcelain(c.out)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("got %v and %v, want %v", got, err, c.want)
		}
	}
	if _, err := porcelain("nothing of the kind\n"); err == nil {
		t.Error("what is no output of git is read")
	}
}

// TestBlameOfAFile asks git itself, of a file above the folder.
func TestBlameOfAFile(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	write := func(name, text string) {
		t.Helper()
		full := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("wiki.lock", "one\ntwo\n")
	write("wiki/a.md", "# A\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "first")
	write("wiki.lock", "one\nother\ntwo\n")
	got, err := Blame(t.Context(), filepath.Join(r.dir, "wiki"), "../wiki.lock", nil, nil)
	if _, new := got[2]; err != nil || new || got[1].Author != "Ana Ü" || got[3].Author != "Ana Ü" {
		t.Errorf("got %v and %v", got, err)
	}
	if _, err := Blame(t.Context(), r.dir, "none", nil, nil); err == nil {
		t.Error("a file that is not there has origins")
	}
	shallow := newRepo(t)
	shallow.git("fetch", "-q", "--depth=1", "file://"+r.dir, "main")
	shallow.git("reset", "-q", "--hard", "FETCH_HEAD")
	if got, err := Blame(t.Context(), shallow.dir, "wiki.lock", nil, nil); !errors.Is(err, ErrShallow) {
		t.Errorf("of a shallow clone: %v and %v", got, err)
	}
}
