package conflict

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// Two places are apart if they are of one size, and one is not short for the other.
func TestSitesApart(t *testing.T) {
	t.Parallel()
	m := &matcher{finder: &finder{lexicon: claim.English()}}
	for _, c := range []struct {
		a, b []string
		want bool
	}{
		{[]string{"station garage"}, []string{"opera garage"}, true},
		{[]string{"third floor", "printer room"}, []string{"basement"}, true},
		{[]string{"basement"}, []string{"cellar"}, false},
		{[]string{"0.12 room"}, []string{"1.03 room"}, true},
		{[]string{"0.12 room"}, []string{"printer room"}, false},
		{[]string{"room"}, []string{"printer room"}, false},
		{[]string{"basement", "town hall"}, []string{"town hall"}, false},
		{[]string{"basement", "town hall"}, []string{"attic", "town hall"}, true},
		{[]string{"laboratory"}, []string{"office"}, true},
		{[]string{"laboratory"}, []string{"0.12 room"}, false},
		{[]string{"printer room"}, []string{"c building"}, false},
		{[]string{"red folder"}, []string{"steel cabinet"}, false},
		{[]string{"locked cabinet"}, []string{"steel cabinet"}, false},
		{[]string{"second floor"}, []string{"0 level"}, false},
	} {
		for range 2 {
			if got := m.sitesApart(c.a, c.b); got != c.want {
				t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, c.want)
			}
			c.a, c.b = c.b, c.a
		}
	}
}

// Of several values of a kind each is read with the words of its clause, and what stands behind a turn may be left unsaid.
func TestOfClause(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"The Studio plan includes seats for up to 15 users, the Office plan for up to 40 users.": {"studio plan includ seat user", "offic plan user"},
		"Planned outages are rare in the heating season, which takes 20 letters.":                {"heat season which take letter"},
		"The relay is painted and keeps 20 letters.":                                             {"relay keep letter"},
		"The relay keeps 20 letters, because boats are late.":                                    {"relay keep letter"},
		"The relay keeps 20 letters and lights the lamp of the pier.":                            {"relay keep letter"},
		"The relay keeps 20 letters with the lamp of the pier.":                                  {"relay keep letter lamp pier"},
	} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Harbour\n\n"+text+"\n"))
		m := &matcher{finder: newFinder(w), seen: map[string]int{}}
		m.read(claim.English().Sayings)
		var got []string
		for _, x := range m.all {
			if x.Counted == "" {
				continue
			}
			words := ""
			for _, k := range x.said.words {
				if words != "" {
					words += " "
				}
				words += k.Concept
			}
			got = append(got, words)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
