package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "field-type",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A front matter field has a value of the wrong type.",
	Doc: `Sorting by an invalid date or filtering by an unknown status doesn't work.

Define types with ` + "`frontmatter.fields`" + ` in wiki.yaml, or in a YAML block on the wiki's schema page: a type
(text, date, number, integer, boolean, list, map, link) or a list of allowed values. Without configuration
only three things are reported: a date that doesn't exist (` + "`2026-02-30`" + `), as an error; a date in another
format than 2026-01-05, as a warning; and a value or page type unknown to the wiki's dialect, as a warning,
unless other pages use it too.

Correct the value. The safe fix rewrites an unambiguous date as 2006-01-02, and corrects the letter case of an
allowed value. Placeholders such as ` + "`{{date}}`" + ` are ignored.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d fields share one cause: %s", n, first.Message)
	},
	CheckPage: fieldTypes,
	Check:     pageTypes,
})

// fieldTypes looks at what the conventions and the dialect say of fields.
func fieldTypes(p *linter.Pass, page *schema.Page) {
	cfg := linter.ConventionsOf(p).Frontmatter
	for i := range pairs(page) {
		pair := &page.Front.Root.Pairs[i]
		if !filled(pair) {
			continue
		}
		if want, ok := configured(cfg, pair.Key); ok {
			configuredField(p, page, pair, want)
			continue
		}
		vocabularyDate(p, page, pair)
		dialectValue(p, page, pair)
	}
}

// pageTypes looks at the types of pages, which may be what others have too.
func pageTypes(p *linter.Pass) {
	if len(p.Wiki.Workspace().Dialect.Folders) == 0 {
		return
	}
	types := typeCounts(p)
	cfg := linter.ConventionsOf(p).Frontmatter
	for _, page := range p.Wiki.Pages() {
		for i := range pairs(page) {
			pair := &page.Front.Root.Pairs[i]
			if schema.FieldOf(pair.Key) != schema.FieldTypeName || !filled(pair) {
				continue
			}
			if _, ok := configured(cfg, pair.Key); !ok {
				dialectType(p, page, pair, types)
			}
		}
	}
}

// filled reports whether a field has a value, and not one to be filled in.
func filled(pair *schema.Pair) bool {
	return pair.Value != nil && pair.Value.Kind != schema.KindNull && !placeholder(pair.Value)
}

// configured returns what wiki.yaml or the schema page says about a field.
func configured(cfg schema.FrontConfig, key string) (schema.FieldType, bool) {
	if f, ok := cfg.Fields[key]; ok {
		return f, true
	}
	found := ""
	for name := range cfg.Fields {
		if schema.SameKey(name, key) && (found == "" || name < found) {
			found = name
		}
	}
	return cfg.Fields[found], found != ""
}

// placeholder reports whether something else fills the value in.
func placeholder(n *schema.Node) bool {
	return strings.Contains(n.Text, "{{") || strings.HasPrefix(n.Text, "<%") || strings.HasPrefix(n.Text, "${") ||
		n.Kind == schema.KindMap && len(n.Pairs) == 1 && strings.HasPrefix(n.Pairs[0].Key, "{")
}

func configuredField(p *linter.Pass, page *schema.Page, pair *schema.Pair, want schema.FieldType) {
	if expected := mismatch(want.Type, pair.Value); expected != "" {
		d := p.ReportCause("type:"+pair.Key, page.Path, pair.Value.Span, "%s must be %s, not %s", pair.Key, expected, describe(pair.Value))
		if iso, ok := looseDate(pair.Value.Text); ok && want.Type == "date" {
			d.Fixes = replaceScalar(page, pair.Value, iso)
		}
		return
	}
	if len(want.Values) == 0 {
		return
	}
	for _, v := range pair.Value.Scalars() {
		if !slices.Contains(want.Values, v.Text) {
			allowedOnly(p, page, pair.Key, v, want.Values)
		}
	}
}

// mismatch returns the expected type if the value has another one, else "".
func mismatch(want string, v *schema.Node) string {
	is := func(kinds ...schema.NodeKind) bool { return slices.Contains(kinds, v.Kind) }
	switch want {
	case "text", "link":
		if !v.IsScalar() {
			return "text"
		}
	case "date":
		if _, _, ok := schema.ParseTime(v.Text); !v.IsScalar() || !ok {
			return "a date such as 2006-01-02"
		}
	case "number":
		if !is(schema.KindInt, schema.KindFloat) {
			return "a number"
		}
	case "integer":
		if !is(schema.KindInt) {
			return "a whole number"
		}
	case "boolean":
		if !is(schema.KindBool) {
			return "true or false"
		}
	case "list":
		if !is(schema.KindList) {
			return "a list"
		}
	case "map":
		if !is(schema.KindMap) {
			return "a map"
		}
	}
	return ""
}

func describe(v *schema.Node) string {
	if v.IsScalar() {
		return fmt.Sprintf("%q", short(v.Text))
	}
	return "a " + v.Kind.String()
}

// short cuts text that would fill the screen.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// allowedOnly reports a value that is not one of those allowed.
func allowedOnly(p *linter.Pass, page *schema.Page, key string, v *schema.Node, values []string) *schema.Diagnostic {
	d := p.ReportCause("value:"+key+"="+v.Text, page.Path, v.Span, "%s is %q; expected %s", key, short(v.Text), list(values, 8))
	for _, ok := range values {
		if strings.EqualFold(ok, v.Text) {
			d.Fixes = replaceScalar(page, v, ok)
		}
	}
	return d
}

// replaceScalar replaces a scalar that is written without quotes, or in quotes without
// escapes.
func replaceScalar(page *schema.Page, v *schema.Node, text string) []schema.Fix {
	written := string(v.Span.In(page.Source))
	quote := ""
	for _, q := range []string{`"`, `'`} {
		if len(written) >= 2 && strings.HasPrefix(written, q) && strings.HasSuffix(written, q) {
			quote = q
		}
	}
	if written != quote+v.Text+quote {
		return nil
	}
	return []schema.Fix{{Title: "write " + text, Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: v.Span, Text: quote + text + quote}}}}
}

// dateFields are the fields of the vocabulary that hold a date and nothing
// else a page may well write there.
var dateFields = []schema.FieldName{schema.FieldCreated, schema.FieldUpdated, schema.FieldVerified, schema.FieldExpires}

// vocabularyDate reports an invalid date, or one in another format.
func vocabularyDate(p *linter.Pass, page *schema.Page, pair *schema.Pair) {
	v := pair.Value
	if !slices.Contains(dateFields, schema.FieldOf(pair.Key)) || !v.IsScalar() {
		return
	}
	if _, _, ok := schema.ParseTime(v.Text); ok {
		return
	}
	if iso, ok := looseDate(v.Text); ok {
		d := p.ReportCause("form", page.Path, v.Span, "%s is %q, a date format that not every tool reads; write %s", pair.Key, v.Text, iso)
		d.Severity = schema.Warning
		d.Fixes = replaceScalar(page, v, iso)
		lowerSeverity(d, page)
		return
	}
	if isoShaped(v.Text) {
		lowerSeverity(p.Report(page.Path, v.Span, "%s is %q, which is not a valid date; correct it", pair.Key, v.Text), page)
	}
}

// isoShaped reports whether s looks like 2006-01-02.
func isoShaped(s string) bool {
	if len(s) != len(time.DateOnly) {
		return false
	}
	for i := range len(s) {
		digit := '0' <= s[i] && s[i] <= '9'
		if digit == (i == 4 || i == 7) || !digit && s[i] != '-' {
			return false
		}
	}
	return true
}

// looseLayouts are ways to write a day that can be read in one way only.
var looseLayouts = []string{"2006/1/2", "2006.1.2", "2006-1-2", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "2006年1月2日"}

// looseDate reads a day that is written in another form than 2006-01-02.
func looseDate(s string) (iso string, ok bool) {
	if len(s) > 24 {
		return "", false
	}
	for _, layout := range looseLayouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	return "", false
}

// dialectValue reports a value that the dialect does not know.
func dialectValue(p *linter.Pass, page *schema.Page, pair *schema.Pair) {
	d := p.Wiki.Workspace().Dialect
	for field, values := range d.Values {
		if len(values) == 0 || !schema.SameKey(field, pair.Key) || !pair.Value.IsScalar() || slices.Contains(values, pair.Value.Text) {
			continue
		}
		allowedOnly(p, page, pair.Key, pair.Value, values).Severity = schema.Warning
	}
}

// typeCounts counts how many pages are of each type.
func typeCounts(p *linter.Pass) map[string]int {
	m := map[string]int{}
	for _, page := range p.Wiki.Pages() {
		m[fold(page.Meta.Type)]++
	}
	return m
}

// dialectType reports a type that the dialect doesn't know for any folder, and that no
// other page has.
func dialectType(p *linter.Pass, page *schema.Page, pair *schema.Pair, types map[string]int) {
	if !pair.Value.IsScalar() || page.Reserved() || types[fold(pair.Value.Text)] > 1 {
		return
	}
	d := p.Wiki.Workspace().Dialect
	folder, ok := d.Folder(path.Dir(page.Path))
	if !ok || len(folder.Types) == 0 {
		return
	}
	for _, t := range d.Types {
		if strings.EqualFold(t, pair.Value.Text) {
			return
		}
	}
	for _, t := range folder.Types {
		if strings.EqualFold(t, pair.Value.Text) {
			return
		}
	}
	f := p.Report(page.Path, pair.Value.Span, "the dialect %s has no %s %q; expected %s in %s", d.Name, pair.Key, pair.Value.Text, list(folder.Types, 8), path.Dir(page.Path))
	f.Severity = schema.Warning
}
