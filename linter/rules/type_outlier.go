package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "type-outlier",
	Group:    linter.Layout,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page has a type that no other page has.",
	Doc: `Lists and agents group pages by type, and this page is in no group. Usually the type is a variant spelling of
an existing one.

Types are an open vocabulary, so a type is reported only if a single page has it and no dialect knows it. It
is a warning if the wiki has a similar type, otherwise info, and only in wikis with at least ten typed pages
of which nearly all share their type. Types listed in wiki.yaml, and folders whose types the dialect fixes,
are left to field-type.

Correct the type, or list the new one under ` + "`frontmatter.types`" + ` in wiki.yaml.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages have a type that no other page has: %s", n, first.Message)
	},
	Check: typeOutlier,
})

const (
	fewestTyped  = 10  // pages with a type, from which on types are a habit
	mostOutliers = 10  // of so many pages with a type one may be an outlier
	manyTypes    = 100 // with which one is compared letter by letter
	commonType   = 3   // pages that share a type, so that a slip of the pen is not taken for it
)

func typeOutlier(p *linter.Pass) {
	uses, typed := map[string]int{}, 0
	var all []*schema.Page
	for _, page := range kept(p) {
		if page.Meta.Type != "" && page.Front.Lookup(schema.FieldTypeName) != nil && !template(page) {
			uses[page.Meta.Type]++
			typed++
			all = append(all, page)
		}
	}
	var common []string
	for _, t := range sortedKeys(uses) {
		if uses[t] >= commonType {
			common = append(common, t)
		}
	}
	byKey := make(map[string]string, len(common))
	for _, t := range slices.Backward(common) {
		byKey[variantKey(t)] = t
	}
	known := knownTypes(p.Wiki.Config().Frontmatter)
	var strange []*schema.Page
	for _, page := range all {
		t := page.Meta.Type
		pair := page.Front.Lookup(schema.FieldTypeName)
		if uses[t] > 1 || page.Reserved() || placeholder(pair.Value) || closedTypes(p, page, pair.Key) {
			continue
		}
		near := nearType(t, common, byKey)
		switch {
		case near != "":
			p.Report(page.Path, pair.Value.Span, "no other page has the type %q; did you mean %q (%s)?", t, near, text.Count(uses[near], "page"))
		case !known[fold(t)]:
			strange = append(strange, page)
		}
	}
	if typed < fewestTyped || mostOutliers*len(strange) > typed {
		return
	}
	for _, page := range strange {
		d := p.ReportCause("strange", page.Path, page.Front.Lookup(schema.FieldTypeName).Value.Span,
			"no other page has the type %q; use an existing type, such as %s, or list it under frontmatter.types in wiki.yaml", page.Meta.Type, firstNames(common, 3))
		d.Severity = schema.Info
	}
}

// firstNames names the first n of names.
func firstNames(names []string, n int) string {
	var out []string
	for _, name := range names[:min(n, len(names))] {
		out = append(out, fmt.Sprintf("%q", name))
	}
	return strings.Join(out, ", ")
}

// knownTypes returns the types, folded, that some dialect or wiki.yaml knows.
// A type that every wiki has one page of is not an outlier either.
func knownTypes(cfg schema.FrontConfig) map[string]bool {
	known := map[string]bool{"glossary": true, "overview": true, "index": true, "log": true, "home": true, "schema": true, "moc": true,
		"readme": true, "changelog": true, "backlog": true, "roadmap": true, "faq": true, "meta": true, "dashboard": true, "template": true}
	for _, d := range schema.Dialects() {
		for _, t := range d.Types {
			known[fold(t)] = true
		}
		for _, f := range d.Folders {
			for _, t := range f.Types {
				known[fold(t)] = true
			}
		}
	}
	for t := range cfg.Types {
		known[fold(t)] = true
	}
	return known
}

// closedTypes reports whether the types of a page are not open: wiki.yaml or
// the dialect lists them.
func closedTypes(p *linter.Pass, page *schema.Page, key string) bool {
	cfg := p.Wiki.Config().Frontmatter
	if _, ok := cfg.Types[page.Meta.Type]; ok {
		return true
	}
	if f, ok := configured(cfg, key); ok && len(f.Values) > 0 {
		return true
	}
	f, ok := p.Wiki.Workspace().Dialect.Folder(path.Dir(page.Path))
	return ok && len(f.Types) > 0
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// nearType returns the common type of which t is another spelling: by letter case,
// separators, plural, or one letter. A short word is similar to too many others.
func nearType(t string, common []string, byKey map[string]string) string {
	key := variantKey(t)
	if same := byKey[key]; same != "" || len(key) > longestGuess {
		return same
	}
	if len(key) <= 5 {
		return ""
	}
	for _, c := range common[:min(len(common), manyTypes)] {
		if diff := len(c) - len(t); len(c) > 5 && -3 < diff && diff < 3 && oneEdit(variantKey(c), key) {
			return c
		}
	}
	return ""
}

// variantKey returns the common form of a name's spellings: letters and digits, folded,
// without a plural's s. Other characters distinguish names, as in C++, and so do
// separators between digits.
func variantKey(name string) string {
	if strings.ContainsAny(name, "+#*&.@!?=<>%$~^") {
		return fold(name)
	}
	s := slug(name)
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '-' || digit(s[i-1]) && digit(s[i+1]) {
			b.WriteByte(s[i])
		}
	}
	key := b.String()
	if n := len(key); n > 4 && key[n-1] == 's' && !strings.ContainsRune("sui", rune(key[n-2])) {
		return key[:n-1]
	}
	return key
}
