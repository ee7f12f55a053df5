package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// reportFaults returns a check that reports what the compiler recovered from.
// earlier words the second place that some faults have.
func reportFaults(kind schema.FaultKind, earlier string) func(*linter.Pass, *schema.Page) {
	return func(p *linter.Pass, page *schema.Page) {
		for _, f := range page.Faults {
			if f.Kind != kind {
				continue
			}
			d := p.Report(page.Path, f.Span, "%s", f.Message)
			if earlier != "" && f.Related.Len() > 0 {
				d.Related = []schema.Related{{Path: page.Path, Span: f.Related, Message: earlier}}
			}
		}
	}
}
