package linter

import (
	"context"
	"math/big"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// pagesAtATime is how many pages a worker takes at once.
const pagesAtATime = 16

// checkPages runs the page rules, page by page so that the text stays in the processor's
// cache, and adds their findings to the passes. Pages that a rule has checked already
// are skipped. It adds the time of each rule to took, unless that is nil, and returns
// the bugs in the order of the passes.
func checkPages(passes []*Pass, cfg Config, took []time.Duration) []error {
	bugs := make([]error, len(passes))
	if len(passes) == 0 {
		return bugs
	}
	facts, ctx := passes[0].facts, passes[0].Context
	facts.book.Lock()
	defer facts.book.Unlock()
	facts.begin(cfg.Today)
	numbers := make([]int, len(passes))
	for i, p := range passes {
		if p.Rule.CheckPage != nil {
			numbers[i] = facts.book.number(p.Rule)
		}
	}
	pages := passes[0].pages
	var mu sync.Mutex
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers(cfg), len(pages)/pagesAtATime+1) {
		wg.Go(func() {
			w := newPageWorker(ctx, passes, numbers, took != nil)
			for ctx.Err() == nil {
				from := int(next.Add(pagesAtATime)) - pagesAtATime
				if from >= len(pages) {
					break
				}
				for _, page := range pages[from:min(from+pagesAtATime, len(pages))] {
					w.check(page, facts.pages[page])
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for i := range passes {
				if w.took != nil {
					took[i] += w.took[i]
				}
				if bugs[i] == nil {
					bugs[i] = w.bugs[i]
				}
			}
		})
	}
	wg.Wait()
	facts.gather(passes)
	return bugs
}

// begin drops findings of another day.
func (f *Facts) begin(today time.Time) {
	if f.book.today.Equal(today) {
		return
	}
	f.book.today = today
	for _, n := range f.pages {
		n.checked, n.found = big.Int{}, nil
	}
}

// gather adds the page rules' findings to the passes, in order of the pages.
func (f *Facts) gather(passes []*Pass) {
	byRule := make(map[*Rule]*Pass, len(passes))
	for _, p := range passes {
		byRule[p.Rule] = p
	}
	for _, page := range passes[0].pages {
		for _, pf := range f.pages[page].found {
			if p := byRule[pf.rule]; p != nil {
				p.found = append(p.found, pf.found...)
			}
		}
	}
}

// pageWorker checks one page after the other. Its passes are its own, so that
// rules report without waiting for each other.
type pageWorker struct {
	ctx     context.Context
	passes  []Pass
	numbers []int
	took    []time.Duration // nil when nobody asks
	bugs    []error         // of rules that panicked, which are not run again
}

func newPageWorker(ctx context.Context, passes []*Pass, numbers []int, timed bool) *pageWorker {
	w := &pageWorker{ctx: ctx, passes: make([]Pass, len(passes)), numbers: numbers, bugs: make([]error, len(passes))}
	for i, p := range passes {
		w.passes[i] = *p
	}
	if timed {
		w.took = make([]time.Duration, len(passes))
	}
	return w
}

func (w *pageWorker) check(page *schema.Page, n *notes) {
	for i := range w.passes {
		p := &w.passes[i]
		if p.Rule.CheckPage == nil || w.bugs[i] != nil || n.checked.Bit(w.numbers[i]) == 1 {
			continue
		}
		var start time.Time
		if w.took != nil {
			start = time.Now()
		}
		p.found = nil
		w.bugs[i] = guard(p.Rule, func() { p.Rule.CheckPage(p, page) })
		if w.took != nil {
			w.took[i] += time.Since(start)
		}
		if w.bugs[i] != nil || w.ctx.Err() != nil {
			continue
		}
		identify(p.found, func(string) *schema.Page { return page })
		n.checked.SetBit(&n.checked, w.numbers[i], 1)
		if len(p.found) > 0 {
			n.found = append(n.found, pageFindings{p.Rule, p.found})
		}
	}
}
