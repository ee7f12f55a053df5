package worklist

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/docs"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// lintOf returns the warnings and errors of a wiki that are not in the baseline, with
// paths relative to the repository.
func (l *Lister) lintOf(ctx context.Context, w *compiler.Wiki) ([]finding, error) {
	cfg := linter.Config{Rules: l.Rules, Today: l.Now()}
	var err error
	if cfg.Baseline, cfg.Acknowledged, err = gate.Debt(w.Workspace()); err != nil {
		return nil, err
	}
	res, err := linter.Run(ctx, w, cfg)
	if res == nil {
		return nil, err
	}
	var out []finding
	for i := range res.Findings {
		f := &res.Findings[i]
		if f.Severity < schema.Warning || res.Notice(f) {
			continue
		}
		text := fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message)
		out = append(out, finding{f.Rule, gate.Mended(f), loops.Reason{
			Path: path.Join(w.Workspace().RootPath, f.Path), Line: f.From.Line, Message: strings.ToValidUTF8(text[:min(len(text), longestFinding)], ""),
		}})
	}
	return out, nil
}

// finding is what a rule of the linter says of a page.
type finding struct {
	rule string
	// mendable is set if the runner settles it, without a writer.
	mendable bool
	at       loops.Reason
}

// listed reports whether a spec lets a page be on the work list at all.
func listed(s *plan.LoopSpec) func(page string) bool {
	within := loops.Area{Globs: s.Within()}
	return func(page string) bool { return len(within.Globs) == 0 || within.Holds(page) }
}

// byFindings adds pages in which the linter finds something, in order of path, as
// long as it is no more than is left to a writer: the rest is found again.
func byFindings(s *plan.LoopSpec, found []finding, pages []loops.DocumentationPage) []loops.DocumentationPage {
	only := listed(s)
	at := make(map[string][]loops.Reason)
	var order []string
	for _, f := range found {
		if !only(f.at.Path) || docs.Kept(f.at.Path) || path.Ext(f.at.Path) != ".md" || !asked(s, f.rule) {
			continue
		}
		if at[f.at.Path] == nil {
			order = append(order, f.at.Path)
		}
		at[f.at.Path] = append(at[f.at.Path], f.at)
	}
	slices.Sort(order)
	n := 0
	for _, page := range order {
		if slices.ContainsFunc(pages, func(o loops.DocumentationPage) bool { return o.Path == page }) {
			continue
		}
		if n += len(at[page]); n > loops.MostFindings && n > len(at[page]) {
			break
		}
		why := at[page][0].Message
		if more := len(at[page]) - 1; more > 0 {
			why += fmt.Sprintf(", and %d more", more)
		}
		pages = append(pages, loops.DocumentationPage{Path: page, Reason: repo.OneLine(why)})
	}
	return pages
}

// asked reports whether a spec is about findings of a rule.
func asked(s *plan.LoopSpec, rule string) bool {
	return !slices.ContainsFunc(s.May, func(r plan.Rule) bool {
		return r.Kind == plan.RuleFinding && !slices.ContainsFunc(r.Words, func(w string) bool { return strings.EqualFold(w, rule) })
	})
}

// narrow leaves to a person what the rules of a spec do not let a writer take.
func narrow(s *plan.LoopSpec, d *loops.DocumentationRequest) {
	var areas []plan.Rule
	for _, r := range s.Rules() {
		if r.Kind == plan.RuleClear || r.Kind == plan.RuleTouches {
			areas = append(areas, r)
		}
	}
	kept := d.Pages[:0]
	for _, page := range d.Pages {
		it := plan.WorkItem{ID: page.Path, Files: []string{page.Path}}
		if why := plan.Refuse(s.Path, areas, &it, plan.Knowledge{}); why != nil {
			d.Left = append(d.Left, loops.Reason{Path: page.Path, Message: why.String()})
			continue
		}
		kept = append(kept, page)
	}
	d.Pages = kept
	for _, r := range s.May {
		if r.Kind == plan.RuleFiles && len(d.Pages) > r.N {
			d.Ask = fmt.Sprintf("%d pages listed, more than %d (%s:%d: %q)", len(d.Pages), r.N, s.Path, r.At.Line, r.Text)
		}
	}
}
