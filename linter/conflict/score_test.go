package conflict

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/schema"
)

const labelled = `[
{"id": "1", "kind": "unit", "reach": "deterministic", "contradiction": true, "pages": ["a.md", "b.md"], "lines": [[3, 3], [5, 6]],
 "alt": [{"side": "b", "page": "c.md", "lines": [9, 9]}]},
{"id": "2", "kind": "date", "reach": "stretch", "contradiction": true, "pages": ["a.md", "b.md"], "lines": [[30, 30], [50, 50]]},
{"id": "3", "kind": "range", "reach": "-", "contradiction": false, "pages": ["a.md", "a.md"], "lines": [[20, 20], [25, 25]]}]`

func finding(path string, line int, related ...schema.Related) schema.Diagnostic {
	return schema.Diagnostic{Rule: "numeric-conflict", Path: path, From: schema.Position{Line: line}, To: schema.Position{Line: line}, Related: related}
}

func related(path string, line int) schema.Related {
	return schema.Related{Path: path, From: schema.Position{Line: line}, To: schema.Position{Line: line}}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	labels, err := ReadLabels([]byte(labelled))
	if err != nil {
		t.Fatal(err)
	}
	s := Evaluate(labels, Pairs([]schema.Diagnostic{
		finding("b.md", 7, related("a.md", 2), related("d.md", 1)), // one line off, the sides swapped; and a pair that no label has
		finding("c.md", 9, related("a.md", 3)),
		finding("a.md", 20, related("a.md", 26)),
		finding("a.md", 30, related("b.md", 53)), // too far off
		finding("e.md", 1),                       // one place contradicts nothing
	}))
	want := &Score{Pairs: 5, Right: 2, Tempted: Part{1, 1}, Unlabelled: 2, Found: Part{1, 2},
		Reach:  map[string]*Part{"deterministic": {1, 1}, "stretch": {0, 1}},
		Kind:   map[string]*Part{"unit": {1, 1}, "date": {0, 1}},
		Missed: []string{"2"}, Taken: []string{"3"},
		Strangers: []string{"a.md:30 b.md:53 numeric-conflict", "b.md:7 d.md:1 numeric-conflict"}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if s.Precision() != 0.4 || s.Recall() != 0.5 {
		t.Errorf("precision %v and recall %v, want 0.4 and 0.5", s.Precision(), s.Recall())
	}
	if p := (&Score{}).Precision(); p != 1 {
		t.Errorf("the precision of nothing is %v", p)
	}
}

func TestReadLabelsRefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "{}", `[{"id": "1", "pages": ["a.md", ""], "lines": [[1, 1], [2, 2]]}]`, `[{"pages": ["a.md", "b.md"], "lines": [[1, 1], [2, 2]]}]`,
		`[{"id": "1", "pages": ["a.md", "b.md"], "lines": [[1, 1], [0, 0]]}]`} {
		if _, err := ReadLabels([]byte(src)); err == nil {
			t.Errorf("%s was read", src)
		}
	}
}

// A contradiction that is found is not a hard negative taken on the line below.
func TestEvaluateNextToHardNegative(t *testing.T) {
	t.Parallel()
	labels := []Label{
		{ID: "1", Contradiction: true, Reach: "deterministic", Pages: [2]string{"a.md", "b.md"}, Lines: [2]Lines{{4, 4}, {7, 7}}},
		{ID: "2", Reach: "-", Pages: [2]string{"a.md", "b.md"}, Lines: [2]Lines{{5, 5}, {8, 8}}},
	}
	s := Evaluate(labels, Pairs([]schema.Diagnostic{finding("a.md", 4, related("b.md", 7))}))
	if s.Right != 1 || s.Tempted.Found != 0 {
		t.Errorf("%d right and %d tempted, want 1 and 0", s.Right, s.Tempted.Found)
	}
	s = Evaluate(labels, Pairs([]schema.Diagnostic{finding("a.md", 6, related("b.md", 9))}))
	if s.Right != 0 || s.Tempted.Found != 1 {
		t.Errorf("%d right and %d tempted, want 0 and 1", s.Right, s.Tempted.Found)
	}
}
