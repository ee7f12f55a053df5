package show

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema"
)

// BoardFile is the leaderboard that the site shows.
const BoardFile = "agents/leaderboard.json"

// Limits on what is shown.
const (
	mostSpecs = 300
	mostRanks = 300 // of a table
	// mostParts bounds the product of workers and evaluators: each evaluator may be
	// joined to all workers in a diagram.
	mostParts = 1000
)

// specFormats are the extensions of files that may hold a spec.
var specFormats = []string{".yaml", ".yml", ".json"}

// Specs returns the loop specifications in the folder of loops, whatever else is there,
// and the leaderboard. A file that can't be read is left out: 'wiki loop spec validate'
// says what is wrong with it.
func Specs(repository fs.FS) schema.LoopSpecs {
	var out schema.LoopSpecs
	entries, _ := fs.ReadDir(repository, plan.LoopFolder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !slices.Contains(specFormats, path.Ext(e.Name())) {
			continue
		}
		file := path.Join(plan.LoopFolder, e.Name())
		src, err := fs.ReadFile(repository, file)
		if err != nil {
			continue
		}
		if d, err := spec.Read(file, src); err == nil && isSpec(d) {
			out.Specs = append(out.Specs, shownSpec(d))
		}
		if len(out.Specs) == mostSpecs {
			break
		}
	}
	out.Board = shownBoard(repository)
	return out
}

// isSpec tells a loop from traces, records and submissions, which name one.
func isSpec(d *spec.Document) bool {
	return d.Name() != "" && (d.Root.Get("workers") != nil || d.Composed())
}

func shownSpec(d *spec.Document) schema.LoopSpec {
	text := func(key string) string {
		if n := d.Root.Get(key); n.IsScalar() {
			return n.Text
		}
		return ""
	}
	level, _ := d.TaxonomyLevel()
	score := les.Structural(d.Value, les.Core)
	display := les.Display(les.Round(score.Total, 4))
	out := schema.LoopSpec{
		File: path.Base(d.Path), Path: d.Path, Name: d.Name(), Version: text("version"), Objective: text("objective"),
		Pattern: d.InferPattern(), Level: level, Conforms: d.Check("", nil).Level, LES: display, Band: les.Band(display),
	}
	if parts(d, "workers")*parts(d, "evaluators") <= mostParts {
		out.Diagram = d.Diagram()
		out.Nodes, out.Edges = d.Flowchart()
	}
	values, weights := score.Categories.Values(), les.Weights.Values()
	for i, name := range les.Names {
		out.Categories = append(out.Categories, schema.LESCategory{Name: name, Score: values[i], Weight: weights[i]})
	}
	return out
}

// parts counts the items of a list, as one if there are none.
func parts(d *spec.Document, key string) int {
	if n := d.Root.Get(key); n != nil {
		return max(1, len(n.Items))
	}
	return 1
}

// shownBoard reads the leaderboard, nil if there is none.
func shownBoard(repository fs.FS) *schema.LoopBoard {
	src, err := fs.ReadFile(repository, BoardFile)
	if err != nil {
		return nil
	}
	var doc any
	if json.Unmarshal(src, &doc) != nil || !bench.IsLeaderboard(doc) {
		return nil
	}
	board, err := bench.ReadLeaderboard(src)
	if err != nil {
		return nil
	}
	r := board.Rank()
	out := &schema.LoopBoard{Updated: r.Updated}
	add := func(t bench.Table, task bool) {
		if len(t.Rows) > 0 {
			out.Tables = append(out.Tables, schema.LoopRanks{ID: t.ID, Label: t.Label, Tasks: task, Rows: ranks(t.Rows)})
		}
	}
	add(bench.Table{Rows: r.Generalist}, false)
	for _, t := range r.Suites {
		add(t, false)
	}
	for _, t := range r.Tasks {
		add(t, true)
	}
	return out
}

func ranks(rows []bench.Row) (out []schema.LoopRank) {
	for _, r := range rows[:min(len(rows), mostRanks)] {
		of := schema.LoopRank{Rank: r.Rank, Submitter: r.Submitter, External: r.External, LES: r.Display, Suite: r.Suite, Spec: r.SpecPath}
		if r.Success != nil {
			of.Success = *r.Success
		}
		out = append(out, of)
	}
	return out
}
