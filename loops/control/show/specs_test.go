package show

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/loopwiki/wiki/loops/spec"
)

func librarySpec(t *testing.T, name string) string {
	t.Helper()
	d, err := spec.FromLibrary(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(d.Source)
}

func tree(files map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestSpecsAreRecognizedByContent(t *testing.T) {
	t.Parallel()
	all := Specs(tree(map[string]string{
		"agents/loops/research.yaml":  librarySpec(t, "research-agent"),
		"agents/loops/composed.yml":   librarySpec(t, "code-debug-repair"),
		"agents/loops/draft.json":     `{"loop_name": "draft", "workers": []}`,
		"agents/loops/trace.json":     `{"loop_name": "research-agent", "iterations": []}`,
		"agents/loops/settings.yaml":  "workers: [a]\n",
		"agents/loops/broken.yaml":    "loop_name: [\n",
		"agents/loops/own.md":         "loop_name: a\nworkers: []\n",
		"agents/loops/.hidden.yaml":   librarySpec(t, "research-agent"),
		"agents/loops/sub/below.yaml": librarySpec(t, "research-agent"),
		"loop.yaml":                   librarySpec(t, "research-agent"),
	}))
	var got []string
	for _, of := range all.Specs {
		got = append(got, fmt.Sprintf("%s %s %q %.1f %s %d", of.File, of.Name, of.Conforms, of.LES, of.Pattern, of.Level))
	}
	want := `composed.yml code-debug-repair "Production" 73.3 multi-agent-coordination 4
draft.json draft "" 42.8 reflection-loop 0
research.yaml research-agent "Production" 77.4 research-loop 2`
	if text := strings.Join(got, "\n"); text != want || all.Board != nil {
		t.Errorf("got %v:\n%s\nwant:\n%s", all.Board, text, want)
	}
	if of := all.Specs[2]; len(of.Categories) != 8 || of.Categories[0].Name != "effectiveness" || fmt.Sprintf("%.2f", of.Categories[0].Score) != "0.91" || !strings.Contains(of.Diagram, "W_researcher --> W_verifier") {
		t.Errorf("%+v", of)
	}
}

func TestSpecWithManyPartsHasNoDiagram(t *testing.T) {
	t.Parallel()
	text := "loop_name: many\nworkers:\n" + strings.Repeat("  - {id: w}\n", 1000) + "evaluators:\n" + strings.Repeat("  - {id: e, runs_after: ['*']}\n", 1000)
	if all := Specs(tree(map[string]string{"agents/loops/a.yaml": text})); len(all.Specs) != 1 || all.Specs[0].Diagram != "" {
		t.Errorf("%d specs", len(all.Specs))
	}
}

func TestBoardOfSubmissions(t *testing.T) {
	t.Parallel()
	entry := func(by string, les float64) string {
		return fmt.Sprintf(`{"submitter": %q, "spec_path": "a.yaml", "composite": {"les_display": %v, "rank_score": %v}, "results": [{"task_id": "LB-CR-1", "aggregate": {"les_display": %v, "les_observed": %v, "success_at_k": 0.5}}]}`, by, les, les, les, les/100)
	}
	board := Specs(tree(map[string]string{BoardFile: `{"updated": "2026-06-25", "entries": [` + entry("a", 70) + `,` + entry("b", 80) + `]}`})).Board
	if board == nil || board.Updated != "2026-06-25" || len(board.Tables) != 2 {
		t.Fatalf("%+v", board)
	}
	for i, table := range board.Tables {
		if len(table.Rows) != 2 || table.Rows[0].Submitter != "b" || table.Rows[0].Rank != 1 || table.Rows[0].LES != 80 || table.Tasks != (i == 1) {
			t.Errorf("%+v", table)
		}
	}
	if success := board.Tables[1].Rows[1].Success; success != .5 {
		t.Errorf("success %v", success)
	}
	for _, text := range []string{`{}`, `[]`, `{"entries": 1}`, `{`} {
		if b := Specs(tree(map[string]string{BoardFile: text})).Board; b != nil {
			t.Errorf("%s: %+v", text, b)
		}
	}
}
