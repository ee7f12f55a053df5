package edit_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata/move")

// TestMove runs testdata/move: the last line of the comment is the move, and
// below want/ is every file that comes out of it changed, or the error.
func TestMove(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/move/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in, want := split(ar)
			comment := strings.Split(strings.TrimSpace(string(ar.Comment)), "\n")
			args := strings.Split(comment[len(comment)-1], " -> ")
			got := move(t, in, args[0], args[1])
			if *update {
				ar.Files = slices.Concat(in.Files, got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(&txtar.Archive{Files: want})), string(txtar.Format(&txtar.Archive{Files: got}))); diff != "" {
				t.Errorf("(-want +got, -update accepts):\n%s", diff)
			}
		})
	}
}

func split(ar *txtar.Archive) (in *txtar.Archive, want []txtar.File) {
	in = &txtar.Archive{}
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "want") {
			want = append(want, f)
		} else {
			in.Files = append(in.Files, f)
		}
	}
	return in, want
}

// move makes a move on disk, and returns what was changed by it, and said.
func move(t *testing.T, in *txtar.Archive, from, to string) []txtar.File {
	t.Helper()
	dir := compilertest.Write(t, string(txtar.Format(in)))
	root := dir
	if _, err := os.Stat(filepath.Join(dir, "wiki")); err == nil {
		root = filepath.Join(dir, "wiki")
	}
	w := compilertest.Compile(t, root)
	moved, err := edit.Move(t.Context(), w, edit.Below(w, from, to), edit.MoveOptions{Redirect: true})
	if err != nil {
		return []txtar.File{{Name: "want-error", Data: []byte(err.Error() + "\n")}}
	}
	before := tree(t, root)
	check(t, moved.Changes.Write())
	if failed := meant(w, compilertest.Compile(t, root), moved.Moves); failed != "" {
		t.Error(failed)
	}
	var out []txtar.File
	after := tree(t, root)
	for _, p := range slices.Sorted(maps.Keys(after)) {
		if before[p] != after[p] {
			out = append(out, txtar.File{Name: "want/" + p, Data: []byte(after[p])})
		}
	}
	for _, l := range moved.Found {
		out = append(out, txtar.File{Name: "want-found", Data: fmt.Appendf(nil, "%s:%d: %s\n", l.Path, l.At.Line, l.Old)})
	}
	for _, l := range moved.Left {
		out = append(out, txtar.File{Name: "want-left", Data: fmt.Appendf(nil, "%s:%d: %s\n", l.Path, l.At.Line, l.Old)})
	}
	return out
}

// meant says which link does not lead to what it led to, or nothing.
func meant(before, after *compiler.Wiki, moves []schema.Move) string {
	to := map[string]string{}
	for _, m := range moves {
		to[m.From] = m.To
	}
	pages := map[string]*schema.Page{}
	for _, p := range after.Pages() {
		pages[p.Path] = p
	}
	moved := func(p string) string {
		if q, ok := to[p]; ok {
			return q
		}
		return p
	}
	for _, p := range before.Pages() {
		q := pages[moved(p.Path)]
		if q == nil || len(q.Links) != len(p.Links) {
			return fmt.Sprintf("%s has other links at %s", p.Path, moved(p.Path))
		}
		for j := range p.Links {
			was, now := before.Resolution(p, j), after.Resolution(q, j)
			if was.OK() && (was.Kind != now.Kind || was.Kind != schema.TargetFolder && moved(was.Path) != now.Path || was.Anchor != now.Anchor) {
				return fmt.Sprintf("%s: %q led to %s, and now %q to %q", q.Path, p.Links[j].Raw, was.Path, q.Links[j].Raw, now.Path)
			}
		}
	}
	return ""
}

// TestMoveEveryPage moves every page of a wiki that nobody here wrote, one at a
// time: into another folder, to another name, and both.
func TestMoveEveryPage(t *testing.T) {
	t.Parallel()
	dir := schematest.Shared(t, "corpora/tasks-demo-vault/docs")
	w := compilertest.Compile(t, dir)
	dead := brokenLinks(w)
	for i, p := range w.Pages() {
		if testing.Short() && i%60 > 0 {
			continue
		}
		if i%schematest.Every(2, 5) > 0 {
			continue
		}
		folder, name := path.Dir(p.Path), path.Base(p.Path)
		for _, to := range []string{path.Join("Moved here", name), path.Join(folder, "Renamed "+name), path.Join(folder, "deep/er", "New "+name)} {
			moved, err := edit.Move(t.Context(), w, []schema.Move{{From: p.Path, To: to}}, edit.MoveOptions{Redirect: true})
			if err != nil {
				t.Errorf("%s to %s: %v", p.Path, to, err)
				continue
			}
			after, err := w.WithOverlay(t.Context(), moved.Changes.Overlay())
			check(t, err)
			if failed := meant(w, after, moved.Moves); failed != "" {
				t.Errorf("%s to %s: %s", p.Path, to, failed)
			}
			if got := brokenLinks(after); got != dead || len(moved.Found)+len(moved.Left) > 0 {
				t.Errorf("%s to %s: %d broken links, were %d", p.Path, to, got, dead)
			}
			for _, l := range moved.Links {
				if l.Old == l.New {
					t.Errorf("%s: %q was rewritten to itself", l.Path, l.Old)
				}
			}
		}
	}
}

func brokenLinks(w *compiler.Wiki) (n int) {
	for _, p := range w.Pages() {
		for _, res := range w.Links(p) {
			if !res.OK() {
				n++
			}
		}
	}
	return n
}

// TestMoveBack checks that a page that goes and comes back leaves every other
// page as it was.
func TestMoveBack(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, strings.Replace(everyForm, "%2F", "/", 1)) // needless escapes do not come back
	w := compilertest.Compile(t, dir)
	there, err := edit.Move(t.Context(), w, edit.Below(w, "concepts/rate-limit.md", "terms/deep/rate-limit.md"), edit.MoveOptions{})
	check(t, err)
	away, err := w.WithOverlay(t.Context(), there.Changes.Overlay())
	check(t, err)
	back, err := edit.Move(t.Context(), away, edit.Below(away, "terms/deep/rate-limit.md", "concepts/rate-limit.md"), edit.MoveOptions{})
	check(t, err)
	home, err := away.WithOverlay(t.Context(), back.Changes.Overlay())
	check(t, err)
	for i, p := range w.Pages() {
		if q := home.Pages()[i]; p.Path != q.Path || !bytes.Equal(p.Source, q.Source) {
			t.Errorf("%s (-before +after):\n%s", p.Path, cmp.Diff(string(p.Source), string(q.Source)))
		}
	}
}

// TestMovedByHand checks that only links are rewritten when the file has moved.
func TestMovedByHand(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, everyForm)
	want := compilertest.Compile(t, dir)
	moves := edit.Below(want, "concepts/rate-limit.md", "terms/limit.md")
	tool, err := edit.Move(t.Context(), want, moves, edit.MoveOptions{})
	check(t, err)
	check(t, os.MkdirAll(filepath.Join(dir, "terms"), 0o777))
	check(t, os.Rename(filepath.Join(dir, "concepts/rate-limit.md"), filepath.Join(dir, "terms/limit.md")))
	hand, err := edit.Move(t.Context(), compilertest.Compile(t, dir), moves, edit.MoveOptions{Done: true})
	check(t, err)
	check(t, hand.Changes.Write())
	after, err := want.WithOverlay(t.Context(), tool.Changes.Overlay())
	check(t, err)
	if diff := cmp.Diff(pages(after), pages(compilertest.Compile(t, dir))); diff != "" {
		t.Errorf("(-tool +hand):\n%s", diff)
	}
}
