package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// BenchmarkOf measures what it costs to extract the claims of pages that make a
// dozen statements each, next to a bare parse of the same pages.
func BenchmarkOf(b *testing.B) {
	const pages = 1000
	var archive strings.Builder
	for i := range pages {
		fmt.Fprintf(&archive, "-- p%d.md --\n---\ntitle: Pumping station %d\nowner: Team %d\n---\n# Pumping station %d\n\n", i, i, i%7, i)
		fmt.Fprintf(&archive, "The station moves water from the river to the basin, as described in [[p%d]], and nobody needs to be there.\n\n", (i+1)%pages)
		fmt.Fprintf(&archive, "It runs on Debian %d. The pump is inspected every %d weeks, and the filter is cleaned every %d days.\n", 10+i%3, 1+i%9, 2+i%5)
		fmt.Fprintf(&archive, "The basin holds %d litres. Pumping station %d listens on port %d in production.\n\n", 1000+i%13, (i+1)%pages, 8000+i%97)
		fmt.Fprintf(&archive, "## Limits\n\n- **Flow:** %d litres\n- **Depth:** %d m\n\n", 10+i%11, 2+i%4)
		fmt.Fprintf(&archive, "| Part | Weight | Count |\n|---|---|---|\n| [[p%d]] | %d kg | %d |\n\n", (i+2)%pages, 10+i%5, 1+i%3)
		archive.WriteString("Whoever works here should know the river, its moods and its seasons. The keeper writes down what was seen,\nand reads what others wrote before.\n\n")
	}
	w := compilertest.Compile(b, compilertest.Write(b, archive.String()))
	b.Run("goldmark", func(b *testing.B) {
		for b.Loop() {
			for _, p := range w.Pages() {
				goldmark.DefaultParser().Parse(text.NewReader(p.Source))
			}
		}
	})
	b.Run("claims", func(b *testing.B) {
		for b.Loop() {
			for _, p := range w.Pages() {
				claim.Of(p)
			}
		}
	})
}

// tablePage is a page of that many rows.
func tablePage(rows int) string {
	var b strings.Builder
	b.WriteString("-- a.md --\n# Stations\n\n")
	for i := range rows {
		if i%500 == 0 {
			fmt.Fprintf(&b, "\n## Part %d\n\n| Station | Flow | Owner | Built |\n|---|---|---|---|\n", i/500)
		}
		fmt.Fprintf(&b, "| Pumping station %d | %d l | Team %d | 20%02d-01-02 |\n", i, i%97, i%7, i%30)
	}
	return b.String()
}

// BenchmarkTables compiles a page of tables of half a megabyte and one of two, and
// extracts their claims; four times the rows should take four times as long.
func BenchmarkTables(b *testing.B) {
	for _, rows := range []int{10_000, 40_000} {
		archive := tablePage(rows)
		dir := compilertest.Write(b, archive)
		b.Run(fmt.Sprintf("%d KB", len(archive)>>10), func(b *testing.B) {
			claims := 0
			for b.Loop() {
				claims = 0
				for _, p := range compilertest.Compile(b, dir).Pages() {
					claims += len(claim.Of(p))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*rows), "µs/row")
			b.ReportMetric(float64(claims)/float64(rows), "claims/row")
		})
	}
}
