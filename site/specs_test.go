package site

import (
	"maps"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const hostileText = "<script>alert(1)</script>\x1b[31m\u202e\"'"

func hostileLoops() schema.LoopSpecs {
	spec := schema.LoopSpec{
		File: "a \"b\".yaml", Path: "agents/loops/a.yaml", Name: hostileText, Version: hostileText, Objective: hostileText, Pattern: hostileText,
		Diagram: "flowchart TB\n  A[" + hostileText + "]", LES: 42, Band: "fragile", Categories: []schema.LESCategory{{Name: "speed", Score: .5, Weight: .15}},
	}
	upper := spec
	upper.File, upper.Name = "A \"b\".yaml", "the other"
	rank := schema.LoopRank{Rank: 1, Submitter: hostileText, Suite: hostileText, Spec: "javascript:alert(1)", LES: 50}
	return schema.LoopSpecs{
		Specs: []schema.LoopSpec{spec, upper},
		Board: &schema.LoopBoard{Updated: hostileText, Tables: []schema.LoopRanks{{Rows: []schema.LoopRank{rank}}, {ID: hostileText, Label: hostileText, Tasks: true, Rows: []schema.LoopRank{rank}}}},
	}
}

func TestBuildShowsLoopsAsText(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Home\n"))
	dir, again := t.TempDir(), t.TempDir()
	buildTo(t, layOut(t, w, Options{Loops: hostileLoops()}), dir)
	buildTo(t, layOut(t, w, Options{Loops: hostileLoops()}), again)
	files := tree(t, dir)
	if !maps.Equal(files, tree(t, again)) {
		t.Error("two builds differ")
	}
	crawlSite(t, dir)
	pages := 0
	for name, text := range files {
		if !strings.HasPrefix(name, "loops/") {
			continue
		}
		pages++
		if strings.Contains(text, "<script>alert") || strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "the other") {
			t.Errorf("%s: more than text, or a specification that is not there:\n%s", name, text)
		}
	}
	if pages != 3 {
		t.Errorf("%d pages about loops, want the list, one specification and the leaderboard", pages)
	}
	if !strings.Contains(files["_wiki/tree/top.js"], `["Loops","loops/index.html"]`) || !strings.Contains(files["pages.html"], `<a href="loops/index.html">Loops</a>`) {
		t.Error("the menu does not lead to loops")
	}
}

func TestBuildWithoutSpecsHasNoLoops(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Home\n"))
	for name, s := range map[string]*Site{"none": layOut(t, w, Options{}), "preview": layOut(t, w, Options{Live: true, Loops: hostileLoops()})} {
		for _, file := range s.Files() {
			if strings.HasPrefix(file, "loops/") {
				t.Errorf("%s: %s", name, file)
			}
		}
		if body, err := s.Render("index.html"); err != nil || strings.Contains(string(body), "loops/") {
			t.Errorf("%s: %v, the menu leads to loops", name, err)
		}
	}
}

func TestFolderNamedLoopsIsKept(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Home\n-- loops/index.md --\n# Our loops\n"))
	dir := t.TempDir()
	buildTo(t, layOut(t, w, Options{Loops: hostileLoops()}), dir)
	crawlSite(t, dir)
	files := tree(t, dir)
	if !strings.Contains(files["loops/index.html"], "Our loops") || !strings.Contains(files["_wiki/loops/index.html"], "Loop specifications") {
		t.Errorf("the page of the wiki or the list of specifications is gone: %q", files["_wiki/loops/index.html"])
	}
}
