//go:build unix

package conflict

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// BenchmarkBesideParse measures what extracting and comparing the claims of all pages
// costs beside a bare parse of the same pages, in processor time of the process: the
// three in turn, with the garbage of one collected before the next begins.
func BenchmarkBesideParse(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		w := compilertest.Compile(b, compilertest.Write(b, stating(n)))
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			var parse, extract, compare []time.Duration
			all := map[schema.PageID][]schema.Claim{}
			for b.Loop() {
				clear(all)
				parse = append(parse, spent(b, func() {
					for _, p := range w.Pages() {
						goldmark.DefaultParser().Parse(text.NewReader(p.Source))
					}
				}))
				extract = append(extract, spent(b, func() {
					for _, p := range w.Pages() {
						all[p.ID] = claim.Of(p)
					}
				}))
				compare = append(compare, spent(b, func() {
					Search(w, func(p *schema.Page) []schema.Claim { return all[p.ID] })
				}))
			}
			p, e, c := middle(parse), middle(extract), middle(compare)
			b.ReportMetric(p*1e3, "parse-ms")
			b.ReportMetric(e*1e3, "extract-ms")
			b.ReportMetric(c*1e3, "compare-ms")
			b.ReportMetric((e+c)/p, "×parse")
		})
	}
}

// middle returns the median in seconds.
func middle(d []time.Duration) float64 {
	slices.Sort(d)
	return d[len(d)/2].Seconds()
}

// spent returns the processor time that the process takes while f runs.
func spent(b *testing.B, f func()) time.Duration {
	runtime.GC()
	from := processorTime(b)
	f()
	return processorTime(b) - from
}

// processorTime returns what the process took so far, of itself and in the kernel.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
