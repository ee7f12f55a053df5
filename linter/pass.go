package linter

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Pass is one rule's run over one wiki.
type Pass struct {
	context.Context
	Wiki *compiler.Wiki
	Rule *Rule
	// Today is the day that dates are judged by; zero when it is not known, and
	// then nothing is in the future or out of date.
	Today time.Time
	// HTTP is used for links into the web, never nil.
	HTTP *http.Client
	// CacheDir is where derived data may be kept between runs; empty when
	// nothing may be kept.
	CacheDir string

	pages   []*schema.Page // to check
	focused bool           // pages are not all
	facts   *Facts
	lock    *source.Lock
	sel     *selection
	docket  func() *Docket // nil without a judge
	found   []finding
	skipped []schema.Skipped
	silent  bool // runs for the sake of others, what it finds is not reported
	page    string
	onPage  int // findings on page
}

// finding is a diagnostic with its cause, for grouping, and its identity across edits.
type finding struct {
	schema.Diagnostic
	cause string
	named string // path of the page that the place names, see [Pass.ReportMention]
	text  uint64 // see identify
	nth   int    // which of those on its page with the same text it is
}

// Pages returns the pages to check, in order of path: those of the wiki, or those of
// [Config].Focus. The slice must not be changed.
func (p *Pass) Pages() []*schema.Page { return p.pages }

// Focused reports whether only some pages are checked.
func (p *Pass) Focused() bool { return p.focused }

// Report reports a finding at span of the file path and returns it so that
// fixes and related places can be added before the next report.
//
// A rule may set the severity of what is returned to say that this finding is
// milder, or worse, than the rule's own; it holds unless the configuration
// gives the rule a severity.
func (p *Pass) Report(path string, span schema.Span, format string, args ...any) *schema.Diagnostic {
	return p.ReportCause("", path, span, format, args...)
}

// ReportCause is Report for a finding that may share its cause with others: many with
// the same cause become one finding, worded by the rule's Cause. Beyond
// [schema.MaxRuleFindings] on one page, it reports once that there are more.
func (p *Pass) ReportCause(cause, path string, span schema.Span, format string, args ...any) *schema.Diagnostic {
	if path != p.page {
		p.page, p.onPage = path, 0
	}
	switch p.onPage++; {
	case p.onPage == schema.MaxRuleFindings+1:
		cause, format, args = "", "further findings of this rule on this page are not reported: there are more than %d", []any{schema.MaxRuleFindings}
	case p.onPage > schema.MaxRuleFindings:
		return &schema.Diagnostic{}
	}
	p.found = append(p.found, finding{cause: cause, Diagnostic: schema.Diagnostic{
		Rule: p.Rule.ID, Path: path, Span: span, Message: fmt.Sprintf(format, args...), Count: 1,
	}})
	return &p.found[len(p.found)-1].Diagnostic
}

// ReportMention is ReportCause for a place that names a page without a link to it, which
// the result lists as well; see [Result].Mentions.
func (p *Pass) ReportMention(of *schema.Page, path string, span schema.Span, format string, args ...any) *schema.Diagnostic {
	d := p.ReportCause("page:"+of.Path, path, span, format, args...)
	if f := &p.found[len(p.found)-1]; &f.Diagnostic == d && f.cause != "" {
		f.named = of.Path
	}
	return d
}

// Runs reports whether a rule runs and is not off in path, so that one of two
// overlapping rules can leave a place to the other. It must not be called from
// CheckPage, whose findings outlast the run.
func (p *Pass) Runs(rule, path string) bool {
	return p.sel != nil && p.sel.runs(rule, path)
}

// Skip records that the rule could not run, and why; the reason ends with the remedy. It
// must not be called from CheckPage.
func (p *Pass) Skip(format string, args ...any) {
	p.skipped = append(p.skipped, schema.Skipped{Check: p.Rule.ID, Reason: fmt.Sprintf(format, args...)})
}
