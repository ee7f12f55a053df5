package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/math"
)

// maxSlowFormulas is how many formulas of a page and what it embeds may take too long,
// before the source of the others is shown.
const maxSlowFormulas = 2

// formula returns a formula of p as MathML, or why its source is shown instead.
func (s *Site) formula(p *schema.Page, e embeds, at int, tex string, display bool) (mathML, problem string) {
	err := errTooManyFormulas
	if e.total.formulas+len(tex) <= schema.MaxFormulas && e.total.slow < maxSlowFormulas {
		e.total.formulas += len(tex)
		if mathML, err = math.Convert(tex, display); err == nil {
			return mathML, ""
		}
	}
	if errors.Is(err, math.ErrTooSlow) {
		e.total.slow++
	}
	s.failed.add(p, at, err)
	return "", err.Error()
}

var errTooManyFormulas = fmt.Errorf("too many formulas on one page: at most %d KB are converted", schema.MaxFormulas>>10)

// failedFormulas are the formulas that could not be converted so far.
type failedFormulas struct {
	mu   sync.Mutex
	seen map[failedFormula]bool
}

type failedFormula struct {
	path    string
	line    int
	problem string
}

func (f *failedFormulas) add(p *schema.Page, at int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[failedFormula]bool{}
	}
	f.seen[failedFormula{p.Path, p.Lines.Position(at).Line, err.Error()}] = true
}

// notes list formulas whose source is shown, and why.
func (f *failedFormulas) notes() []string {
	const most = 10
	all := make([]failedFormula, 0, len(f.seen))
	for one := range f.seen {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b failedFormula) int {
		return cmp.Or(strings.Compare(a.path, b.path), a.line-b.line, strings.Compare(a.problem, b.problem))
	})
	var notes []string
	for _, one := range all[:min(len(all), most)] {
		notes = append(notes, fmt.Sprintf("%s:%d: formula shown as source: %s", one.path, one.line, one.problem))
	}
	if more := len(all) - len(notes); more > 0 {
		notes = append(notes, text.Count(more, "more formula")+" shown as source")
	}
	return notes
}
