package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes a file of a scratch repository and commits everything.
func (r *repo) put(day int, name, text string) string {
	r.Helper()
	r.write(name, text)
	return r.commit(day)
}

func TestVersions(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	first := r.put(1, "src/a.go", "one")
	r.put(2, "wiki/a.md", "# A\n")
	third := r.put(3, "src/a.go", "three")
	wiki := filepath.Join(r.dir, "wiki")
	var got []string
	err := Versions(t.Context(), wiki, "../src/a.go", 9, func(c Commit, content []byte) bool {
		got = append(got, c.ID+" "+string(content))
		return true
	})
	if diff := cmp.Diff([]string{third + " three", first + " one"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, c := range []struct{ rev, file, want string }{{first, "../src/a.go", "one"}, {"HEAD", "../src/a.go", "three"}, {first, "a.md", ""}, {"--help", "a.md", ""}} {
		if content, ok := Blob(t.Context(), wiki, c.rev, c.file); string(content) != c.want || ok != (c.want != "") {
			t.Errorf("%s at %s: %q, %v", c.file, c.rev, content, ok)
		}
	}
	r.git("checkout", "-q", "-b", "topic", first)
	r.put(4, "src/b.go", "b")
	if base, err := MergeBase(t.Context(), r.dir, "main"); err != nil || base != first {
		t.Errorf("the branch left main at %s, want %s; %v", base, first, err)
	}
	if _, err := MergeBase(t.Context(), r.dir, "nothing"); err == nil {
		t.Error("a revision that is not there has a base")
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	text := strings.Repeat("some text that is long enough\n", 9)
	r.put(1, "a.txt", text)
	r.put(2, "b.txt", "b")
	r.git("mv", "a.txt", "c.txt")
	r.put(3, "b.txt", "bb")
	r.git("rm", "-q", "b.txt")
	r.put(4, "d.txt", "d")
	dir := t.TempDir()
	p, err := NewReplay(t.Context(), r.dir, dir, 3)
	if err != nil || len(p.Commits) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := p.Checkout(t.Context(), p.Commits[0]); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != text {
		t.Errorf("the file is %q, %v", b, err)
	}
	for i, want := range []map[string]string{{"a.txt": "c.txt", "b.txt": "b.txt"}, {"b.txt": ""}} {
		got, err := p.Changed(t.Context(), p.Commits[i], p.Commits[i+1])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	if out := r.git("status", "--porcelain"); out != "" {
		t.Errorf("the repository that is replayed became %s", out)
	}
}
