package edit_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
)

// Few names in few folders, so that they get into each other's way.
var (
	someFolders = []string{"", "a", "a/b", "c"}
	someNames   = []string{"x", "y", "X z", "index", "ü", "x-z"}
	someForms   = []string{"[[%s]]", "[[%s|l]]", "![[%s]]", "[[%s#H]]", "[m](%s.md)", "[m](<%s.md#h>)", "[m](./%s)", "[m](/%s.md)", "![](%s.md)",
		"[r][d]\n\n[d]: %s.md", "<a href=\"%s.md\">h</a>", "| t |\n|---|\n| [[%s\\|l]] |", "[[/%s]]", "[[../%s]]", "[[%s.md]]", "[m](../%s.md)", "[[%s]](n)", "^[%s.md:3]"}
	someHeads = []string{"", "---\nsupersedes: %s\n---\n", "---\nsee: \"[[%s]]\"\n---\n", "---\nsources: [%s.md, ../%[1]s.md#L3]\n---\n", "---\naliases: [%s]\n---\n", "---\ntitle: %s\n---\n", "---\r\nup: '[m](%s.md)'\r\n---\r\n"}
)

// TestMoveKeepsMeaning moves pages and folders of random wikis: every link that
// led somewhere leads there still, or the move is refused for a link.
func TestMoveKeepsMeaning(t *testing.T) {
	t.Parallel()
	moves, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		file := rapid.Custom(func(rt *rapid.T) string {
			return path.Join(rapid.SampledFrom(someFolders).Draw(rt, "folder"), rapid.SampledFrom(someNames).Draw(rt, "name"))
		})
		name := rapid.Custom(func(rt *rapid.T) string {
			if rapid.Bool().Draw(rt, "bare") {
				return rapid.SampledFrom(someNames).Draw(rt, "name")
			}
			return file.Draw(rt, "path")
		})
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		files := rapid.SliceOfNDistinct(file, 2, 6, rapid.ID[string]).Draw(rt, "files")
		for _, f := range files {
			text := rapid.SampledFrom(someHeads).Draw(rt, "head")
			if text != "" {
				text = fmt.Sprintf(text, name.Draw(rt, "in head"))
			}
			text += "# T\n\n## H\n\n"
			for _, form := range rapid.SliceOfN(rapid.SampledFrom(someForms), 0, 5).Draw(rt, f) {
				text += fmt.Sprintf(form, strings.ReplaceAll(name.Draw(rt, "link"), " ", spaceIn(form))) + "\n\n"
			}
			full := filepath.Join(dir, filepath.FromSlash(f)+".md")
			if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
				rt.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
				rt.Fatal(err)
			}
		}
		w := compilertest.Compile(t, dir)
		from, to := rapid.SampledFrom(files).Draw(rt, "from")+".md", file.Draw(rt, "to")+".md"
		if d := path.Dir(from); d != "." && rapid.IntRange(0, 3).Draw(rt, "folder too") == 0 {
			from, to = d, strings.TrimSuffix(to, ".md")
		}
		plan, done, err := edit.Plan(w, from, to)
		if err != nil || done {
			return
		}
		moves++
		moved, err := edit.Move(t.Context(), w, plan, edit.MoveOptions{Redirect: rapid.Bool().Draw(rt, "redirect")})
		var link *edit.LinkError
		switch {
		case errors.As(err, &link):
			refused++
			return
		case errors.Is(err, fs.ErrExist):
			return
		case err != nil:
			rt.Fatalf("%s to %s: %v", from, to, err)
		}
		after, err := w.WithOverlay(t.Context(), moved.Changes.Overlay())
		if err != nil {
			rt.Fatal(err)
		}
		if failed := meant(w, after, moved.Moves); failed != "" {
			rt.Fatalf("%s to %s: %s\n%s", from, to, failed, moved.Changes.Diff(""))
		}
	})
	t.Logf("%d moves, %d refused", moves, refused)
	if refused*10 > moves {
		t.Errorf("%d of %d moves were refused", refused, moves)
	}
}

// spaceIn is how a space is written in a form of link.
func spaceIn(form string) string {
	if strings.Contains(form, "](") && !strings.Contains(form, "<") && !strings.Contains(form, "[[") || strings.Contains(form, "]: ") {
		return "%20"
	}
	return " "
}
