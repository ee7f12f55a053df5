package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjectsThroughRenames(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("docs/a.md", prose("a"))
	r.write("src/a.go", "package a\n")
	r.write("src/note.txt", "a note\n")
	first := r.commit(1)
	r.git("mv", "docs/a.md", "docs/b.md")
	second := r.commit(2)
	h := r.load("docs")
	versions := h.Files["b.md"].Versions
	if diff := cmp.Diff([]Version{{second, "b.md"}, {first, "a.md"}}, versions); diff != "" {
		t.Error(diff)
	}
	dir := r.dir + "/docs"
	ids, err := ObjectIDs(t.Context(), dir, []Object{{first, "a.md"}, {second, "a.md"}, {second, "../src/a.go"}, {"-x", "a.md"}, {second, "../src"}, {second, "b\n.md"}})
	if err != nil {
		t.Fatal(err)
	}
	has := func(i int) bool { return ids[i] != "" }
	if diff := cmp.Diff([]bool{true, false, true, false, false, false}, []bool{has(0), has(1), has(2), has(3), has(4), has(5)}); diff != "" {
		t.Errorf("%q\n%s", ids, diff)
	}
	got := map[string]string{}
	missing := "1234567890123456789012345678901234567890"
	keep := func(id string, content []byte) { got[id] = string(content) }
	if err := Contents(t.Context(), dir, []string{missing, ids[2], ids[0]}, len("package a\n"), keep); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{ids[2]: "package a\n"}, got); diff != "" { // the page is above the limit
		t.Error(diff)
	}
	tracked, err := Tracked(t.Context(), dir)
	if diff := cmp.Diff([]string{"b.md", "../src/a.go", "../src/note.txt"}, tracked); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestBlameSomeLines(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "one\ntwo\nthree\n")
	first := r.commit(1)
	r.write("a.md", "one\nTWO\nthree\n")
	second := r.commit(2)
	got, err := Blame(t.Context(), r.dir, "a.md", nil, []int{1, 2})
	if diff := cmp.Diff(map[int]Origin{1: {first, "Ana Ü"}, 2: {second, "Ana Ü"}}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = Blame(t.Context(), r.dir, "a.md", []byte("new\none\nTWO\n"), []int{1, 3})
	if diff := cmp.Diff(map[int]Origin{3: {second, "Ana Ü"}}, got); err != nil || diff != "" {
		t.Errorf("as it is being edited: %v\n%s", err, diff)
	}
}

func TestRemotes(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "one\n")
	r.commit(1)
	r.git("remote", "add", "origin", "git@example.org:acme/shop.git")
	r.git("checkout", "-q", "-b", "next")
	urls, branch := Remotes(t.Context(), r.dir)
	if diff := cmp.Diff([]string{"git@example.org:acme/shop.git"}, urls); diff != "" || branch != "next" {
		t.Errorf("branch %q\n%s", branch, diff)
	}
}
