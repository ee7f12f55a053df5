package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unknown-field",
	Group:    linter.Front,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A frontmatter field is the misspelling of another.",
	Doc: `Frontmatter is open: any field may be there, and most are nobody's business. A field whose name is
one letter away from a known one (` + "`tittle`, `udpated`" + `) is a slip, and what it says is lost. A name that
several pages use is a convention, and a plural is not a slip: neither is reported.

With ` + "`frontmatter.closed: true`" + ` in wiki.yaml every field that is not listed under
` + "`frontmatter.fields`" + ` is reported.

The safe fix corrects the name, unless the page has the right field too.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		cfg := p.Wiki.Config().Frontmatter
		known := knownFields(p)
		uses := map[string]int{}
		for _, page := range p.Wiki.Pages() {
			for _, pair := range pairs(page) {
				uses[pair.Key]++
			}
		}
		for _, page := range p.Wiki.Pages() {
			for _, pair := range pairs(page) {
				if near := misspelled(pair.Key, known); near != "" && uses[pair.Key] <= 2 {
					reportMisspelled(p, page, pair, near)
				} else if _, ok := configured(cfg, pair.Key); cfg.Closed && !ok {
					p.ReportCause("closed:"+pair.Key, page.Path, pair.KeySpan, "the field %q is not one of those listed in wiki.yaml; remove it, or list it under frontmatter.fields", pair.Key)
				}
			}
		}
	},
})

func pairs(page *schema.Page) []schema.Pair {
	if page.Front == nil || page.Front.Root == nil {
		return nil
	}
	return page.Front.Root.Pairs
}

// knownFields returns the names of the fields this wiki is known to use.
func knownFields(p *linter.Pass) []string {
	known := map[string]bool{}
	for _, w := range schema.Vocabulary {
		for _, s := range w.Spellings {
			if !strings.Contains(s, ".") {
				known[s] = true
			}
		}
	}
	for f := range p.Wiki.Config().Frontmatter.Fields {
		known[f] = true
	}
	for f := range p.Wiki.Workspace().Dialect.Values {
		known[f] = true
	}
	return slices.Sorted(maps.Keys(known))
}

// shortestSlip is the length of a name below which one letter makes another
// word of it.
const shortestSlip = 5

// misspelled returns the known field that key misspells by one letter, or "".
func misspelled(key string, known []string) string {
	if len(key) < shortestSlip || len(key) > longestGuess || schema.FieldOf(key) != "" {
		return ""
	}
	lower := strings.ToLower(key)
	near := ""
	for _, k := range known {
		switch want := strings.ToLower(k); {
		case schema.SameKey(k, key):
			return ""
		case near != "" || lower == want+"s" || want == lower+"s" || lower[len(lower)-1] == 'd' && lower[:len(lower)-1] == want:
		case oneEdit(lower, want):
			near = k
		}
	}
	return near
}

func reportMisspelled(p *linter.Pass, page *schema.Page, pair schema.Pair, near string) {
	d := p.Report(page.Path, pair.KeySpan, "the field %q is not known; did you mean %q?", pair.Key, near)
	if given(page, near) || string(pair.KeySpan.In(page.Source)) != pair.Key {
		return
	}
	d.Fixes = []schema.Fix{{Title: "write " + near, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: pair.KeySpan, Text: near}}}}
}
