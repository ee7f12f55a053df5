package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "tag-taxonomy",
	Group:    linter.Front,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A tag is duplicated, spelled unusually, or not in the wiki's tag list.",
	Doc: `Tags group pages, and each spelling variant splits the group. Reported are a tag that occurs twice in one
page's front matter, a spelling for which the wiki's dialect has a standard form (` + "`ml`" + ` for
` + "`machine-learning`" + `), and, if wiki.yaml lists ` + "`tags:`" + ` or the schema page lists them under a heading "Tags" or
"Taxonomy", a tag that is not listed. Tags below a listed one (` + "`lang/go`" + ` below ` + "`lang`" + `) are allowed.

The safe fix removes the duplicate and writes the standard spelling.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d tags share one cause: %s", n, first.Message)
	},
	CheckPage: tagTaxonomy,
})

// tagWords are the tags that the dialect and the conventions know, folded.
type tagWords struct {
	usual   map[string]string // another spelling to the usual one
	allowed map[string]bool   // empty when every tag is
	by      string            // where the allowed ones are listed
}

var tagFact = linter.NewFact(func(w *compiler.Wiki) tagWords {
	t := tagWords{map[string]string{}, map[string]bool{}, "tags in wiki.yaml"}
	for other, tag := range w.Workspace().Dialect.Tags {
		t.usual[fold(other)] = tag
	}
	said := linter.ReadConventions(w)
	if from := said.Origin("tags"); from != "wiki.yaml" {
		t.by = "the list at " + from
	}
	for _, tag := range said.Tags {
		t.allowed[fold(strings.TrimPrefix(tag, "#"))] = true
	}
	return t
})

func tagTaxonomy(p *linter.Pass, page *schema.Page) {
	if len(page.Tags) == 0 {
		return
	}
	words := tagFact.Of(p)
	first := map[string]schema.Tag{}
	for _, t := range page.Tags {
		key := fold(t.Name)
		if prior, ok := first[key]; ok && t.Field != "" && prior.Field == t.Field {
			d := p.Report(page.Path, t.Span, "duplicate tag %q; remove one", t.Name)
			d.Related = []schema.Related{{Path: page.Path, Span: prior.Span, Message: "given here first"}}
			d.Fixes = removeItem(page, t)
			continue
		}
		first[key] = t
		tagSpelling(p, page, t, words)
	}
}

func tagSpelling(p *linter.Pass, page *schema.Page, t schema.Tag, words tagWords) {
	key := fold(t.Name)
	if better := words.usual[key]; better != "" && fold(better) != key && !words.allowed[key] {
		d := p.ReportCause("usual:"+key, page.Path, t.Span, "the tag %q is usually spelled %q; use that spelling", t.Name, better)
		written := string(t.Span.In(page.Source))
		if inner := strings.Trim(written, `#"'`); inner == t.Name && !carries(page, t.Field, better) {
			d.Fixes = []schema.Fix{{Title: "write " + better, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: t.Span,
				Text: strings.Replace(written, inner, better, 1)}}}}
		}
		return
	}
	if len(words.allowed) == 0 {
		return
	}
	for k := key; ; {
		if words.allowed[k] {
			return
		}
		i := strings.LastIndexByte(k, '/')
		if i < 0 {
			break
		}
		k = k[:i]
	}
	p.ReportCause("unlisted:"+key, page.Path, t.Span, "the tag %q is not in the wiki's list of tags; use a listed tag, or add it to %s", t.Name, words.by)
}

// manyTags is how many tags of one page are too many to fix them one by one.
const manyTags = 500

// carries reports whether the page has a tag of that name under field already,
// or may have.
func carries(page *schema.Page, field, tag string) bool {
	if len(page.Tags) > manyTags {
		return true
	}
	for _, t := range page.Tags {
		if t.Field == field && fold(t.Name) == fold(tag) {
			return true
		}
	}
	return false
}

// removeItem returns the fix that removes a tag from the list in front matter, or nil if
// it is not a separate item.
func removeItem(page *schema.Page, t schema.Tag) []schema.Fix {
	node := page.Front.Get(t.Field)
	if node == nil || node.Kind != schema.KindList || len(node.Items) > manyTags {
		return nil
	}
	for i, it := range node.Items {
		if !it.Span.Overlaps(t.Span) || i == 0 {
			continue
		}
		cut := schema.Span{Start: node.Items[i-1].Span.End, End: it.Span.End}
		between := string(schema.Span{Start: cut.Start, End: it.Span.Start}.In(page.Source))
		if strings.ContainsRune(between, '#') || strings.Trim(between, " \t\r\n,-") != "" {
			return nil
		}
		return []schema.Fix{{Title: "remove the second " + t.Name, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: cut}}}}
	}
	return nil
}
