package history

import (
	"context"
	"strings"
	"testing"
)

// Every commit that takes lines out of a file gives what it held before.
func TestShortened(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("wiki/a log.md", "one\n")
	r.commit(1)
	r.write("wiki/a log.md", "one\ntwo\n")
	r.commit(2)
	r.write("wiki/a log.md", "one\nthree\n")
	third := r.commit(3)
	r.write("wiki/a log.md", "one\nthree\nfour\n")
	r.write("wiki/other.md", "x\n")
	r.commit(4)
	h := r.load("wiki")
	for range 2 { // the second time it is remembered
		revs, err := h.Shortened(context.Background(), "a log.md")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, rev := range revs {
			got = append(got, rev.Commit+" "+string(rev.Text))
		}
		want := []string{" one\nthree\nfour\n", third + " one\ntwo\n"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
	for _, path := range []string{"none.md", "../x", ""} {
		if revs, err := h.Shortened(context.Background(), path); len(revs) > 0 || err != nil {
			t.Errorf("%q: %d revisions, %v", path, len(revs), err)
		}
	}
}

// What a merge took from one side is found along the first parents.
func TestShortenedByMerge(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("log.md", "one\ntwo\n")
	r.commit(1)
	r.git("checkout", "-q", "-b", "side")
	r.write("log.md", "one\n")
	r.commit(2)
	r.git("checkout", "-q", "main")
	r.write("page.md", "x\n")
	r.commit(3)
	r.gitAt(4, "merge", "-q", "--no-ff", "-m", "merge", "side")
	revs, err := r.load(".").Shortened(context.Background(), "log.md")
	if err != nil || len(revs) != 2 || string(revs[1].Text) != "one\ntwo\n" {
		t.Errorf("revisions %q, %v", revs, err)
	}
}

// Outside a repository with commits nothing is asked.
func TestShortenedWithoutCommits(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("log.md", "x\n")
	if revs, err := r.load(".").Shortened(context.Background(), "log.md"); len(revs) > 0 || err != nil {
		t.Errorf("revisions %q, %v", revs, err)
	}
}
