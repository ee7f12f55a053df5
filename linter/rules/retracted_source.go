package rules

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "retracted-source",
	Group:    linter.Layout,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page is still based on a retracted source.",
	Doc: `Claims taken from a retracted source have no support. Check each of them: cite another source, or remove it,
then remove the marker or the reference.

Reported are the marker ` + "`<!--RETRACTED-SOURCE: …-->`" + ` that stays in a page when its source is deleted, and a
source in the page's front matter, links or citations whose status is retracted or withdrawn.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	Check: retractedSource,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for _, at := range page.Comments {
			if note, ok := retraction(at.In(page.Source)); ok && page.Layer != schema.LayerSource {
				p.Report(page.Path, at, "this text is based on a retracted source%s; cite another source or remove the text, then remove the marker", note)
			}
		}
	},
})

var retractionMarks = [][]byte{[]byte("RETRACTED-SOURCE"), []byte("RETRACTED SOURCE"), []byte("RETRACTED_SOURCE")}

// retraction reports whether a comment marks what a retracted source left
// behind, and what it says about that.
func retraction(comment []byte) (note string, ok bool) {
	text := bytes.TrimLeft(comment, "<!-% \t\r\n")
	for _, mark := range retractionMarks {
		if len(text) < len(mark) || !bytes.EqualFold(text[:len(mark)], mark) {
			continue
		}
		rest := bytes.TrimRight(bytes.TrimLeft(text[len(mark):], ": \t"), "->% \t\r\n")
		if rest = bytes.Join(bytes.Fields(rest), []byte(" ")); len(rest) == 0 {
			return "", true
		}
		return fmt.Sprintf(" (%s)", short(string(rest))), true
	}
	return "", false
}

// retractedWords are the words for the status of a source that is not to be
// relied on any more; those of pages that were merely replaced are not among
// them.
var retractedWords = []string{"retracted", "withdrawn"}

func retracted(page *schema.Page) bool {
	return slices.Contains(retractedWords, fold(page.Meta.Status.Word))
}

func retractedSource(p *linter.Pass) {
	if !slices.ContainsFunc(p.Wiki.Pages(), func(page *schema.Page) bool { return source(page) && retracted(page) }) {
		return
	}
	for _, page := range kept(p) {
		if page.Reserved() || inactive(page) != "" {
			continue
		}
		seen := map[*schema.Page]bool{}
		report := func(to *schema.Page, at schema.Span) {
			if to == nil || !source(to) || !retracted(to) || seen[to] {
				return
			}
			seen[to] = true
			d := p.ReportCause("source:"+to.Path, page.Path, at, "the source %q is %s; cite another source, or remove the claims based on it", to.Path, fold(to.Meta.Status.Word))
			d.Related = []schema.Related{{Path: to.Path, Span: to.Meta.Status.Span, Message: "its status"}}
		}
		for _, s := range statedSources(page) {
			report(sourceAt(p.Wiki, page, s.path), s.at)
		}
		for l, res := range p.Wiki.Links(page) {
			if res.Kind == schema.TargetPage && (l.Field != "" || !p.Runs("link-to-inactive", page.Path)) {
				report(p.Wiki.Page(res.Page), site{page, l, res}.at())
			}
		}
	}
}
