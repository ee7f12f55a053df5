package conflict

import (
	"flag"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

var missed = flag.Bool("missed", false, "name every contradiction between said-again claims that is not found")

// tally counts how many of the claims were found.
type tally struct{ found, of int }

func (t tally) String() string { return fmt.Sprintf("%d/%d", t.found, t.of) }

func (t tally) rate() float64 {
	if t.of == 0 {
		return 1
	}
	return float64(t.found) / float64(t.of)
}

// results are counts by kind, and by kind and phrasing.
type results map[string]*tally

func (r results) add(found bool, keys ...string) {
	for _, k := range keys {
		if r[k] == nil {
			r[k] = &tally{}
		}
		r[k].of++
		if found {
			r[k].found++
		}
	}
}

// mutant is the path of the page that says a claim again, beside the page of the claim, so
// that both are of one edition.
func mutant(c *taken, n int) string {
	return path.Join(path.Dir(c.Path), fmt.Sprintf("said-again-%d.md", n))
}

// say writes the page that says a claim again; nil when it can not be said so.
func say(c *taken, n int, p phrasing, value string) []byte {
	if value == "" {
		return nil
	}
	front, body := p.say(c, value)
	if body == "" {
		return nil
	}
	return fmt.Appendf(nil, "---\ntitle: Notes of the week %d\n%s---\n# Notes of the week %d\n\n%s\n", n, front, n, body)
}

// TestMutations says claims of real pages again with another value, in ten ways, and
// counts how many contradictions are found; and with the same value in other units
// or another spelling, which must give none.
func TestMutations(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes minutes under the race detector, and one wiki is linted after the other")
	}
	wikis := mutationWikis(t)
	all := takeClaims(wikis)
	other := func(c *taken) string { return c.mutated(all) }
	recall, alarms := results{}, results{}
	var ways []phrasing // all there are, or a sample
	for i := 0; i < len(phrasings); i += schematest.Every(1, 4) {
		ways = append(ways, phrasings[i])
	}
	for _, p := range ways {
		for root, w := range wikis {
			for c, found := range sayAgain(t, w, claimsOf(all, root), p, other) {
				recall.add(found, "all", c.kind, p.name, c.kind+"/"+p.name, "from "+string(c.From))
				if !found && *missed {
					t.Logf("missed %s %s: %q, %q", c.kind, p.name, c.title, say(c, 0, p, other(c)))
				}
			}
			for c, found := range sayAgain(t, w, claimsOf(all, root), p, (*taken).respelled) {
				alarms.add(found, "all", c.kind, p.name, c.kind+"/"+p.name, "from "+string(c.From))
				if found {
					t.Logf("false alarm %s %s: %s, %q, %q", c.kind, p.name, c.Path, c.head+c.text, say(c, 0, p, c.respelled()))
				}
			}
		}
	}
	report(t, all, ways, recall, alarms)
	hold(t, recall, alarms)
}

func claimsOf(all []*taken, root int) (out []*taken) {
	for _, c := range all {
		if c.root == root {
			out = append(out, c)
		}
	}
	return out
}

// sayAgain adds to a wiki a page for each claim that says it again with another
// value, and returns of which claims that is reported as a contradiction.
func sayAgain(t *testing.T, w *compiler.Wiki, claims []*taken, p phrasing, value func(*taken) string) map[*taken]bool {
	o := compiler.Overlay{}
	said := map[string]*taken{}
	for i, c := range claims {
		if src := say(c, i, p, value(c)); src != nil {
			o[mutant(c, i)] = src
			said[mutant(c, i)] = c
		}
	}
	if len(o) == 0 {
		return nil
	}
	next, err := w.WithOverlay(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	found := map[*taken]bool{}
	for _, c := range said {
		found[c] = false
	}
	for _, conflict := range surest(next, claim.Of) {
		for _, s := range conflict.Sides {
			if c := said[s.Path]; c != nil && stands(&conflict, c) {
				found[c] = true
			}
		}
	}
	return found
}

// stands reports whether a claim is one side of a contradiction.
func stands(conflict *schema.Conflict, c *taken) bool {
	for _, s := range conflict.Sides {
		if s.Path == c.Path && s.Span.Start < c.Span.End && c.Span.Start < s.Span.End {
			return true
		}
	}
	return false
}

// report prints the counts as a table: recall, and behind it the false alarms.
func report(t *testing.T, all []*taken, ways []phrasing, recall, alarms results) {
	kinds := []string{"quantity", "version", "date", "name", "set", "polarity", "all"}
	cell := func(key string) string {
		r, a := recall[key], alarms[key]
		switch {
		case r == nil && a == nil:
			return "-"
		case a == nil:
			return r.String()
		case r == nil:
			return "- !" + a.String()
		}
		return fmt.Sprintf("%s !%s", r, a)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d claims; contradictions found of those made, and behind ! false alarms of the same values in other words\n%-22s", len(all), "")
	for _, k := range kinds {
		fmt.Fprintf(&b, "%20s", k)
	}
	for _, p := range ways {
		fmt.Fprintf(&b, "\n%-22s", p.name)
		for _, k := range kinds[:len(kinds)-1] {
			fmt.Fprintf(&b, "%20s", cell(k+"/"+p.name))
		}
		fmt.Fprintf(&b, "%20s", cell(p.name))
	}
	fmt.Fprintf(&b, "\n%-22s", "all")
	for _, k := range kinds {
		fmt.Fprintf(&b, "%20s", cell(k))
	}
	for _, from := range []schema.Origin{schema.OriginFrontmatter, schema.OriginField, schema.OriginTable, schema.OriginList, schema.OriginSentence} {
		fmt.Fprintf(&b, "\nfrom %-17s%20s", from, cell("from "+string(from)))
	}
	said := 0
	if r := recall["all"]; r != nil {
		said = r.of
	}
	t.Logf("%s\n%d of %d sayings left out: no person would say these claims so", b.String(), len(all)*len(ways)-said, len(all)*len(ways))
}

// floors are the least recall of each kind. They leave room for the project's own
// pages, which the sample is taken from too and which change every day. Sets and
// versions are few, and held by their own tests.
var floors = map[string]float64{"all": 0.58, "quantity": 0.56, "date": 0.56, "name": 0.56, "polarity": 0.40}

// mostAlarms is how many false alarms there may be among some six hundred equal values.
const mostAlarms = 0

// hold holds the least recall of each kind, and the most false alarms.
func hold(t *testing.T, recall, alarms results) {
	t.Helper()
	for kind, least := range floors {
		if r := recall[kind]; r == nil || r.rate() < least {
			t.Errorf("of %s %v are found, want %.2f", kind, r, least)
		}
	}
	if a := alarms["all"]; a == nil || a.found > mostAlarms {
		t.Errorf("%v false alarms, want at most %d", a, mostAlarms)
	}
}
