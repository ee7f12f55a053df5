package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "missing-field",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page lacks a required front matter field.",
	Doc: `Fields are required only if the wiki says so: in wiki.yaml with ` + "`frontmatter.required`" + ` for every page or
` + "`frontmatter.types`" + ` for one type; on the schema page, where wiki.yaml is silent (a table with the columns type
and required fields in 00_SCHEMA.md); or by the dialect: Open Knowledge Format requires ` + "`type`" + `, nvk certain
fields per folder. Any accepted spelling counts: ` + "`description`" + ` is a ` + "`summary`" + `. A field without a value doesn't
count.

All missing fields of a page are one finding, and many pages that lack the same fields are grouped. Indexes,
logs and other special pages are exempt.

Add the fields, or drop the requirement.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause (first: %q): %s", n, first.Path, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if page.Reserved() || unread(page) {
			return
		}
		var lacks []string
		why := ""
		for _, need := range requirements(p, page) {
			if !given(page, need.field) && !slices.Contains(lacks, need.field) {
				lacks = append(lacks, need.field)
				why = need.why
			}
		}
		if len(lacks) == 0 {
			return
		}
		at := titleAt(page)
		if page.Front != nil {
			at = firstLine(page, page.Front.Span)
		}
		names := strings.Join(lacks, ", ")
		p.ReportCause("lacks:"+names, page.Path, at, "missing in front matter: %s (required by %s); add it", names, why)
	},
})

// requirement is a required field, and its origin.
type requirement struct{ field, why string }

// requirements returns what the configuration and the dialect require of a page.
func requirements(p *linter.Pass, page *schema.Page) []requirement {
	var out []requirement
	add := func(fields []string, format string, args ...any) {
		for _, f := range fields {
			out = append(out, requirement{f, fmt.Sprintf(format, args...)})
		}
	}
	said := linter.ConventionsOf(p)
	if page.Layer != schema.LayerSource {
		add(said.Frontmatter.Required, "%s for every page", said.Origin("required"))
	}
	if name, t, ok := said.TypeOf(page); ok {
		add(t.Required, "%s for type %s", said.Origin("types."+name+".required"), name)
	}
	d := p.Wiki.Workspace().Dialect
	if page.Layer != schema.LayerSource {
		add(d.Required, "the dialect %s for every page", d.Name)
	}
	dir := path.Dir(page.Path)
	if f, ok := d.Folder(dir); ok {
		add(f.Required, "the dialect %s for pages in %s", d.Name, dir)
	}
	return out
}

// given reports whether a page's front matter has the field, in any spelling,
// with a value.
func given(page *schema.Page, field string) bool {
	if name := schema.FieldOf(field); name != "" {
		pair := page.Front.Lookup(name)
		return pair != nil && pair.Value.Kind != schema.KindNull
	}
	if page.Front == nil || page.Front.Root == nil {
		return false
	}
	for _, pair := range page.Front.Root.Pairs {
		if schema.SameKey(pair.Key, field) && pair.Value.Kind != schema.KindNull {
			return true
		}
	}
	return false
}

// unread reports whether the page or its front matter could not be read completely, so
// that missing fields may exist.
func unread(page *schema.Page) bool {
	for _, f := range page.Faults {
		switch f.Kind {
		case schema.FaultFrontmatterInvalid, schema.FaultFrontmatterUnclosed, schema.FaultUnreadable, schema.FaultTooComplex:
			return true
		}
	}
	return false
}

// firstLine returns the part of span on its first line.
func firstLine(page *schema.Page, span schema.Span) schema.Span {
	line := page.Lines.Line(page.Lines.Position(span.Start).Line)
	return schema.Span{Start: max(span.Start, line.Start), End: min(span.End, line.End)}
}
