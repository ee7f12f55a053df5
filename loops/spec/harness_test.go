package spec_test

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
)

func harness(t *testing.T, name string) spec.Harness {
	t.Helper()
	h, ok := spec.FindHarness(name)
	if !ok {
		t.Fatalf("there is no harness %s", name)
	}
	return h
}

func TestHarnessesNameARecipeThatIsMeasured(t *testing.T) {
	t.Parallel()
	for _, h := range spec.Harnesses() {
		if r, err := spec.FindRecipe(h.Recipe); err != nil || r.Suite == "" {
			t.Errorf("%s: recipe %q: %v, suite %q", h.Name, h.Recipe, err, r.Suite)
		}
		if h.Level < 1 || h.Level > len(spec.Common().Levels) {
			t.Errorf("%s: level %d", h.Name, h.Level)
		}
		if (h.Agent == "command") != (len(h.Argv) > 0) {
			t.Errorf("%s: agent %s with the command %q", h.Name, h.Agent, h.Argv)
		}
	}
}

func TestMapLeavesTheHigherLevel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		harness, intent string
		level           int
		at              string
	}{
		{"aider", "Review the draft", 2, "metadata.taxonomy_level"},
		{"claude", "Review the draft", 3, "metadata.taxonomy_level"},
		{"aider", "Fix the failing tests", 3, "taxonomy_level"}, // the library states it at the root
		{"claude", "Research in parallel", 4, "metadata.taxonomy_level"},
	} {
		d, err := spec.ReadIntent(c.intent).Make(c.intent, spec.IntentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d, err = harness(t, c.harness).Map(d); err != nil {
			t.Fatal(err)
		}
		if level, at := d.TaxonomyLevel(); level != c.level || at != c.at {
			t.Errorf("%s, %q: level %d at %s, want %d at %s", c.harness, c.intent, level, at, c.level, c.at)
		}
	}
}

func TestMapReplacesModelsOfVendorsAlone(t *testing.T) {
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
		d, err := harness(t, "codex").Map(c.d)
		if err != nil {
			t.Fatal(err)
		}
		if got := roles(d); !slices.Equal(got, c.want) {
			t.Errorf("%s: models %q, want %q", c.d.Name(), got, c.want)
		}
	}
}
