package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "tag-variant",
	Group:    linter.Layout,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A tag is a rarer spelling of another tag.",
	Doc: `Tags group pages. ` + "`agent`" + ` next to ` + "`agents`" + ` splits the group in two, and each half looks complete.

Reported once per tag is the less frequent of two spellings that differ in hyphens and underscores, in a
plural s, or in letter case (not in Obsidian, which ignores case). Tags listed under ` + "`tags:`" + ` in wiki.yaml are
always right, and raw sources are not checked. Duplicate tags on one page, and tags with a standard form in
the dialect, are left to tag-taxonomy.

Use the spelling of the other pages.`,
	Check: tagVariant,
})

// tagUse is one spelling of a tag and where it is used.
type tagUse struct {
	name  string
	pages int
	page  *schema.Page // the first
	at    schema.Span
	more  []schema.Related // other places of it
}

func tagVariant(p *linter.Pass) {
	caseMatters := p.Wiki.Workspace().Dialect.Name != "obsidian"
	allowed := map[string]bool{}
	for _, t := range p.Wiki.Config().Tags {
		allowed[strings.TrimPrefix(t, "#")] = true
	}
	groups := map[string][]*tagUse{}
	spelled := map[string]*tagUse{}
	for _, page := range kept(p) {
		if template(page) {
			continue
		}
		seen := map[string]bool{}
		for _, t := range page.Tags {
			name := t.Name
			if !caseMatters {
				name = fold(name)
			}
			if seen[name] {
				continue
			}
			seen[name] = true
			u := spelled[name]
			if u == nil {
				u = &tagUse{name: t.Name, page: page, at: t.Span}
				spelled[name] = u
				key := tagKey(name)
				groups[key] = append(groups[key], u)
			} else if len(u.more) < 10 {
				u.more = append(u.more, schema.Related{Path: page.Path, Span: t.Span, Message: "here too"})
			}
			u.pages++
		}
	}
	for _, key := range sortedKeys(groups) {
		reportVariants(p, groups[key], allowed)
	}
}

func reportVariants(p *linter.Pass, uses []*tagUse, allowed map[string]bool) {
	if len(uses) < 2 {
		return
	}
	best := slices.MaxFunc(uses, func(a, b *tagUse) int {
		return cmp.Or(cmp.Compare(btoi(allowed[a.name]), btoi(allowed[b.name])), cmp.Compare(a.pages, b.pages), cmp.Compare(a.name, b.name))
	})
	for _, u := range uses {
		if u == best || allowed[u.name] {
			continue
		}
		d := p.Report(u.page.Path, u.at, "the tag %q (%s) is another spelling of %q (%s); use one of the two everywhere",
			u.name, text.Count(u.pages, "page"), best.name, text.Count(best.pages, "page"))
		d.Count, d.Related = u.pages, u.more
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tagKey returns what the spellings of one tag have in common. A nested tag keeps its parent.
func tagKey(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if parts[i] = variantKey(part); parts[i] == "" {
			parts[i] = part // all signs
		}
	}
	return strings.Join(parts, "/")
}
