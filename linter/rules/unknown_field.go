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
	Summary:  "A front matter field looks like a typo of another field.",
	Doc: `Front matter is open: any field is allowed. But a field one letter away from a known one (` + "`tittle`, `udpated`" + `)
is a typo, and its value is ignored. Names used on several pages are a convention, and plurals are not typos;
neither is reported.

With ` + "`frontmatter.closed: true`" + ` in wiki.yaml or on the schema page, every field not listed under
` + "`frontmatter.fields`" + ` is reported.

The safe fix corrects the name, unless the page already has the right field.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		said := linter.ConventionsOf(p)
		cfg := said.Frontmatter
		known := newSpellings(knownFields(p))
		uses := map[string]int{}
		for _, page := range p.Wiki.Pages() {
			for _, pair := range pairs(page) {
				uses[pair.Key]++
			}
		}
		for _, page := range p.Wiki.Pages() {
			for _, pair := range pairs(page) {
				if near := known.misspelled(pair.Key); near != "" && uses[pair.Key] <= 2 {
					reportMisspelled(p, page, pair, near)
				} else if _, ok := configured(cfg, pair.Key); cfg.Closed && !ok && !linter.SuppressionField(pair.Key) {
					p.ReportCause("closed:"+pair.Key, page.Path, pair.KeySpan, "the field %q is not listed in %s; remove it, or add it to frontmatter.fields", pair.Key, said.Origin("closed"))
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
	said := linter.ConventionsOf(p).Frontmatter
	for f := range said.Fields {
		known[f] = true
	}
	for _, t := range said.Types {
		for _, f := range t.Required {
			known[f] = true
		}
	}
	for _, f := range said.Required {
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

// spellings finds the known names that are one letter away from another.
type spellings struct {
	known map[string]string   // in lower case, with _ for -, to the name
	typo  map[string][]string // with one letter left out, to names in lower case
}

func newSpellings(names []string) *spellings {
	s := &spellings{map[string]string{}, map[string][]string{}}
	for _, n := range names {
		key := fieldKey(n)
		if s.known[key] != "" {
			continue
		}
		s.known[key] = n
		for _, v := range shortened(key) {
			s.typo[v] = append(s.typo[v], key)
		}
	}
	return s
}

func fieldKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// misspelled returns the known field that key misspells by one letter, or "".
func (s *spellings) misspelled(key string) string {
	lower := fieldKey(key)
	if len(key) < shortestSlip || len(key) > longestGuess || schema.FieldOf(key) != "" || s.known[lower] != "" {
		return ""
	}
	near := ""
	for _, v := range shortened(lower) {
		for _, want := range s.typo[v] {
			inflected := lower == want+"s" || want == lower+"s" || lower == want+"d"
			if !inflected && oneEdit(lower, want) && (near == "" || want < near) {
				near = want
			}
		}
	}
	return s.known[near]
}

func reportMisspelled(p *linter.Pass, page *schema.Page, pair schema.Pair, near string) {
	d := p.Report(page.Path, pair.KeySpan, "unknown field %q; did you mean %q?", pair.Key, near)
	if given(page, near) || string(pair.KeySpan.In(page.Source)) != pair.Key {
		return
	}
	d.Fixes = []schema.Fix{{Title: "write " + near, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: pair.KeySpan, Text: near}}}}
}
