package history

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLineAuthors holds that each line has the name of who committed it.
func TestLineAuthors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		out  string
		want []string
	}{
		{"", nil},
		{"1111111111111111111111111111111111111111 1 1 1\nauthor Ana\nauthor-mail <a@example.org>\nfilename a\n\tfirst\n" +
			"2222222222222222222222222222222222222222 1 2 1\nauthor Ben of the quay\nsummary author X\nfilename a\n\tauthor Zoe\n" +
			"1111111111111111111111111111111111111111 2 3\n\tthird\n" +
			"0000000000000000000000000000000000000000 4 4 1\nauthor External file (--contents)\nfilename a\n\t\n",
			[]string{"Ana", "Ben of the quay", "Ana", ""}},
	} {
		got, err := porcelainAuthors(c.out)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("got %q and %v, want %q", got, err, c.want)
		}
	}
	if _, err := porcelainAuthors("nothing of the kind\n"); err == nil {
		t.Error("what is no output of git is read")
	}
}

// TestLineAuthorsOfAFile asks git itself, of a file above the folder.
func TestLineAuthorsOfAFile(t *testing.T) {
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
	got, err := LineAuthors(t.Context(), filepath.Join(r.dir, "wiki"), "../wiki.lock")
	if err != nil || !slices.Equal(got, []string{"Ana Ü", "", "Ana Ü"}) {
		t.Errorf("got %q and %v", got, err)
	}
	if _, err := LineAuthors(t.Context(), r.dir, "none"); err == nil {
		t.Error("a file that is not there has authors")
	}
	shallow := newRepo(t)
	shallow.git("fetch", "-q", "--depth=1", "file://"+r.dir, "main")
	shallow.git("reset", "-q", "--hard", "FETCH_HEAD")
	if got, err := LineAuthors(t.Context(), shallow.dir, "wiki.lock"); !errors.Is(err, ErrShallow) {
		t.Errorf("of a shallow clone: %q and %v", got, err)
	}
}
