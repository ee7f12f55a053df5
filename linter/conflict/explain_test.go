package conflict

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What is explained as a contradiction is what is reported, every claim is there
// once, and each has a reason or others that it was compared with.
func TestExplanationIsWhatIsFound(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"skerry-line", "tarn-rail", "mill-studio"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, filepath.Join("testdata", set, "wiki"))
			x := Explain(w, claim.Of, claim.English().Sayings)
			explained, places := map[string]int{}, map[pageLine]bool{}
			compared, claims := map[int]int{}, 0
			for _, c := range x.Clusters {
				if c.Why == "" || len(c.Claims) < 2 {
					t.Errorf("the cluster %s of %s has %d claims and the reason %q", c.Attr, c.Name, len(c.Claims), c.Why)
				}
				for _, n := range c.Claims {
					compared[n]++
					if c.Conflict {
						places[lineOf(w, &x.Claims[n].Claim)] = true
					}
				}
				if c.Conflict {
					explained[c.Attr+" of "+c.Name]++
				}
			}
			reported := map[string]int{}
			all := All(w, claim.Of, claim.English().Sayings)
			for _, c := range all {
				if c.Score < Warns {
					continue
				}
				reported[c.Attr+" of "+c.Entity]++
				for _, s := range c.Sides {
					if !places[lineOf(w, &s)] {
						t.Errorf("%s %q, which contradicts another, is not shown so", s.Path, s.Text)
					}
				}
			}
			if !maps.Equal(explained, reported) || len(reported) == 0 || len(all) <= len(Search(w, claim.Of)) {
				t.Errorf("explained are %v, found %v", explained, reported)
			}
			for _, p := range w.Pages() {
				claims += len(claim.Of(p))
			}
			if len(x.Claims) < claims {
				t.Errorf("%d claims are explained of %d", len(x.Claims), claims)
			}
			for i, c := range x.Claims {
				if (c.Cluster >= 0) != (compared[i] == 1) || (c.Cluster < 0) == (c.Why == "") {
					t.Errorf("%s %q: in %d clusters, cluster %d, %q", c.Path, c.Text, compared[i], c.Cluster, c.Why)
				}
				if i > 0 && c.Path == x.Claims[i-1].Path && c.Span.Start < x.Claims[i-1].Span.Start {
					t.Errorf("%s %q stands behind what follows it", c.Path, c.Text)
				}
			}
		})
	}
}

func TestWhyNotCompared(t *testing.T) {
	t.Parallel()
	const thing = "-- thing.md --\n---\ntitle: Thing pump\nport: 1\n---\n# Thing pump\n"
	for name, c := range map[string]struct{ pages, want string }{
		"alone":     {thing, "nothing else is said of this attribute"},
		"same":      {thing + "-- b.md --\n# B\n\n| Part | Port |\n|---|---|\n| [[thing]] | 1 |\n", "all say the same"},
		"both hold": {thing + "-- b.md --\n# B\n\n| Part | Port |\n|---|---|\n| [[thing]] | about 1 |\n", "the values can all hold"},
		"unknown":   {"-- b.md --\n# B\n\n| Part | Port |\n|---|---|\n| some pump | 1 |\n", `no page is called "some pump", or several are`},
		"no page":   {"-- b.md --\n# B\n\n| Part | Port |\n|---|---|\n| [[gone]] | 1 |\n", "the link leads to no page about one thing"},
		"index":     {"-- index.md --\n---\nport: 1\n---\n# Index\n", "the page is about no one thing"},
		"guests": {thing + "-- b.md --\n---\ncomponent: Thing pump\n---\n# B\n\nport:: 1\n-- c.md --\n---\ncomponent: Thing pump\n---\n# C\n\nport:: 2\n",
			"the values come from pages about things of their own"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := Explain(compilertest.Compile(t, compilertest.Write(t, c.pages)), claim.Of, claim.English().Sayings)
			var said []string
			for _, cl := range x.Clusters {
				said = append(said, cl.Why)
			}
			for _, cl := range x.Claims {
				said = append(said, cl.Why)
			}
			if !strings.Contains(strings.Join(said, "\n"), c.want) {
				t.Errorf("said %q, want %q", said, c.want)
			}
		})
	}
}
