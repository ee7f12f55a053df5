package conflict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// stating returns a wiki of n pages that make a dozen statements each, among
// text that makes none.
func stating(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- p%d.md --\n---\ntitle: Pumping station %d\nowner: Team %d\n---\n# Pumping station %d\n\n", i, i, i%7, i)
		fmt.Fprintf(&b, "The station moves water from the river to the basin, as described in [[p%d]], and nobody needs to be there.\n\n", (i+1)%n)
		fmt.Fprintf(&b, "It runs on Debian %d. The pump is inspected every %d weeks, and the filter is cleaned every %d days.\n", 10+i%3, 1+i%9, 2+i%5)
		fmt.Fprintf(&b, "The basin holds %d litres. Pumping station %d listens on port %d in production.\n\n", 1000+i%13, (i+1)%n, 8000+i%97)
		fmt.Fprintf(&b, "## Limits\n\n- **Flow:** %d litres\n- **Depth:** %d m\n\n", 10+i%11, 2+i%4)
		fmt.Fprintf(&b, "| Part | Weight | Count |\n|---|---|---|\n| [[p%d]] | %d kg | %d |\n\n", (i+2)%n, 10+i%5, 1+i%3)
		b.WriteString("Whoever works here should know the river, its moods and its seasons. The keeper writes down what was seen,\nand reads what others wrote before.\n\n")
	}
	return b.String()
}

// BenchmarkSearch measures what comparing the claims of all pages costs.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		w := compilertest.Compile(b, compilertest.Write(b, stating(n)))
		all := map[schema.PageID][]schema.Claim{}
		for _, p := range w.Pages() {
			all[p.ID] = claim.Of(p)
		}
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			for b.Loop() {
				Search(w, func(p *schema.Page) []schema.Claim { return all[p.ID] })
			}
		})
	}
}

// BenchmarkQueue measures what finding the doubts of all pages costs.
func BenchmarkQueue(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		w := compilertest.Compile(b, compilertest.Write(b, stating(n)))
		all, passages := map[schema.PageID][]schema.Claim{}, map[schema.PageID][]schema.Claim{}
		for _, p := range w.Pages() {
			all[p.ID], passages[p.ID] = claim.Of(p), claim.English().Passages(p)
		}
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			for b.Loop() {
				q := Queue(w, func(p *schema.Page) []schema.Claim { return all[p.ID] }, func(p *schema.Page) []schema.Claim { return passages[p.ID] }, nil)
				b.ReportMetric(float64(len(q)), "pairs")
			}
		})
	}
}

// mostCompared is how many comparisons a claim may cost on average, however large the
// wiki is.
const mostCompared = 1.0

// TestComparisonsGrowLinearly holds the number of comparisons of a claim at two sizes.
func TestComparisonsGrowLinearly(t *testing.T) {
	t.Parallel()
	var perClaim [2]float64
	for i, n := range []int{200, 1600} {
		f := newFinder(compilertest.Compile(t, compilertest.Write(t, stating(n))))
		f.search(claim.Of)
		if f.compared == 0 {
			t.Fatalf("%d pages: nothing was compared", n)
		}
		perClaim[i] = float64(f.compared) / float64(len(f.claims))
		t.Logf("%d pages: %d claims, %d comparisons", n, len(f.claims), f.compared)
		if perClaim[i] > mostCompared {
			t.Errorf("%d pages: %.1f comparisons a claim, at most %.1f", n, perClaim[i], mostCompared)
		}
	}
	if perClaim[1] > 1.5*perClaim[0] {
		t.Errorf("%.2f comparisons a claim in a small wiki, %.2f in one eight times as large", perClaim[0], perClaim[1])
	}
}
