package compiler_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const overlaid = `
-- index.md --
[[a]] [[b]] [b](sub/b.md) ![](logo.png) [[new]]
-- a.md --
# A
[[B]] [[template]]
-- sub/b.md --
# B
[a](../a.md)
-- logo.png --
-- _templates/template.md --
{{title}}
-- .hidden/x.md --
# X
`

// overlays are changes of the wiki above, each after the one before it.
var overlays = []compiler.Overlay{
	{"a.md": []byte("# A\n\n## Part\n")},
	{"a.md": []byte("---\naliases: [new]\n---\n# A\n"), "sub/b.md": nil},
	{"new.md": []byte("# New\n[[a]]"), "logo.png": nil, "sub/pic.png": {}, ".hidden/y.md": []byte("# Y"), "_templates/b.md": {}, "node_modules/a.md": {}},
	{"sub/b.md": nil, "deep/er/b.md": []byte("# B\n[a](../a.md) [a](../../a.md)"), "wiki.yaml": {}, "a.md": {}},
	nil,
}

// TestOverlay holds an overlay equal to the files it stands for.
func TestOverlay(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, overlaid))
	original := meaning(w)
	for i, o := range overlays {
		dir := compilertest.Write(t, overlaid)
		for p, src := range o {
			put(t, filepath.Join(dir, filepath.FromSlash(p)), src)
		}
		want := meaning(compilertest.Compile(t, dir))
		next, err := w.WithOverlay(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, meaning(next)); diff != "" {
			t.Errorf("overlay %d over the last one (-on disk +in memory):\n%s", i, diff)
		}
		if diff := cmp.Diff(want, meaning(compilertest.CompileWith(t, w.Workspace().Root, compiler.Options{Overlay: o}))); diff != "" {
			t.Errorf("overlay %d from the beginning:\n%s", i, diff)
		}
		w = next
	}
	if diff := cmp.Diff(original, meaning(w)); diff != "" {
		t.Errorf("without an overlay:\n%s", diff)
	}
}

// TestOverlayHidesChangesOnDisk checks that what changes on disk below an overlay is not seen.
func TestOverlayHidesChangesOnDisk(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, overlaid)
	w, err := compilertest.Compile(t, dir).WithOverlay(t.Context(), compiler.Overlay{"a.md": []byte("# In the editor\n")})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "a.md"), []byte("# On disk\n"))
	put(t, filepath.Join(dir, "sub", "b.md"), []byte("# Other\n"))
	if w, err = w.Recompile(t.Context(), []string{"a.md", "sub/b.md"}); err != nil {
		t.Fatal(err)
	}
	if a, b := w.Page("a").Title, w.Page("sub/b").Title; a != "In the editor" || b != "Other" {
		t.Errorf("titles %q and %q", a, b)
	}
}

func put(t *testing.T, file string, src []byte) {
	t.Helper()
	if src == nil {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, src, 0o666); err != nil {
		t.Fatal(err)
	}
}

// meaning is what a wiki's pages say and what their links lead to.
func meaning(w *compiler.Wiki) map[string][]schema.Resolution {
	out := map[string][]schema.Resolution{}
	for _, f := range w.Files() {
		out[f] = nil
	}
	for _, p := range w.Pages() {
		var links []schema.Resolution
		for _, res := range w.Links(p) {
			links = append(links, *res)
		}
		out[p.Path+": "+p.Title+"\n"+string(p.Source)] = links
	}
	return out
}
