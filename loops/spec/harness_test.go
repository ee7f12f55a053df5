package spec_test

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
)

func TestForHarnessLeavesTheHigherLevel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		least  int
		intent string
		level  int
		at     string
	}{
		{2, "Review the draft", 2, "metadata.taxonomy_level"},
		{3, "Review the draft", 3, "metadata.taxonomy_level"},
		{2, "Fix the failing tests", 3, "taxonomy_level"}, // the library states it at the root
		{3, "Research in parallel", 4, "metadata.taxonomy_level"},
	} {
		d, err := spec.ReadIntent(c.intent).Make(c.intent, spec.IntentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d, err = d.ForHarness("h", c.least); err != nil {
			t.Fatal(err)
		}
		if level, at := d.TaxonomyLevel(); level != c.level || at != c.at {
			t.Errorf("%d, %q: level %d at %s, want %d at %s", c.least, c.intent, level, at, c.level, c.at)
		}
	}
}

func TestForHarnessReplacesModelsOfVendorsAlone(t *testing.T) {
	t.Parallel()
	roles := func(d *spec.Document) (out []string) {
		s, err := d.Spec()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range s.Workers {
			out = append(out, w.Model.Provider+" "+w.Model.Name)
		}
		for _, e := range s.Evaluators {
			if e.Model != nil {
				out = append(out, e.Model.Provider+" "+e.Model.Name)
			}
		}
		return out
	}
	built, err := spec.Build(spec.New{Pattern: "simple", Name: "a-loop", Objective: "Summarize the meeting"})
	if err != nil {
		t.Fatal(err)
	}
	research, err := spec.FromLibrary("research-agent") // whose second worker is the reader
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d    *spec.Document
		want []string
	}{
		{built, []string{"x_wiki maker", "x_wiki checker"}},
		{research, roles(research)},
	} {
		d, err := c.d.ForHarness("h", 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := roles(d); !slices.Equal(got, c.want) {
			t.Errorf("%s: models %q, want %q", c.d.Name(), got, c.want)
		}
	}
}
