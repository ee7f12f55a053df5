package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// required returns the front matter keys of a new page: title, type and day of
// creation, then what configuration and dialect ask for, each in the spelling
// that they ask for it in.
func required(w *compiler.Wiki, file string, spec PageSpec) []string {
	cfg, d := w.Config().Frontmatter, w.Workspace().Dialect
	asked := slices.Concat(cfg.Required, cfg.Types[spec.Type].Required, d.Required)
	if f, ok := d.Folder(path.Dir(file)); ok {
		asked = append(asked, f.Required...)
	}
	keys := []string{"title", "type", "created"}
	for i, k := range keys {
		if j := slices.IndexFunc(asked, func(a string) bool { return schema.FieldOf(a) == schema.FieldOf(k) }); j >= 0 {
			keys[i] = asked[j]
		}
	}
	for _, a := range asked {
		if !slices.ContainsFunc(keys, func(k string) bool { return schema.SameKey(k, a) }) {
			keys = append(keys, a)
		}
	}
	return keys
}

// has reports whether a page gives a field, in any spelling.
func has(p *schema.Page, key string) bool {
	if p.Front == nil || p.Front.Root == nil {
		return false
	}
	if field := schema.FieldOf(key); field != "" {
		pair := p.Front.Lookup(field)
		return pair != nil && pair.Value.Kind != schema.KindNull
	}
	return slices.ContainsFunc(p.Front.Root.Pairs, func(pair schema.Pair) bool {
		return schema.SameKey(pair.Key, key) && pair.Value.Kind != schema.KindNull
	})
}

// value returns the initial YAML value of a required field: the known value, an allowed one,
// or an empty list.
func value(w *compiler.Wiki, p *schema.Page, key string, spec PageSpec) string {
	day := spec.Day.Format(time.DateOnly)
	field := schema.FieldOf(key)
	switch field {
	case schema.FieldTitle:
		return scalar(spec.Title)
	case schema.FieldTypeName:
		return scalar(spec.Type)
	case schema.FieldID:
		return scalar(strings.TrimSuffix(path.Base(p.Path), ".md"))
	case schema.FieldSummary:
		if spec.Summary != "" {
			return scalar(spec.Summary)
		}
	}
	typ, allowed := declared(w, key)
	switch {
	case len(allowed) > 0:
		if i := slices.IndexFunc(allowed, func(v string) bool { return schema.StatusWord(v) == schema.StatusDraft }); i >= 0 {
			return scalar(allowed[i])
		}
		return scalar(allowed[0])
	case typ == "date" || typ == "" && dated(field):
		return day
	case typ == "list" || typ == "" && listed(field):
		return "[]"
	case typ == "number" || typ == "integer":
		return "0"
	case typ == "boolean" || field == schema.FieldDraft:
		return strconv.FormatBool(field == schema.FieldDraft)
	case typ == "map":
		return "{}"
	case typ == "link":
		return fmt.Sprintf("%q", "[["+strings.TrimSuffix(path.Base(p.Path), ".md")+"]]")
	case field == schema.FieldStatus:
		return "draft"
	}
	return scalar(spec.Title)
}

// declared returns the type and allowed values of a field, from configuration and
// dialect.
func declared(w *compiler.Wiki, key string) (typ string, allowed []string) {
	for name, f := range w.Config().Frontmatter.Fields {
		if schema.SameKey(name, key) {
			return f.Type, f.Values
		}
	}
	for name, values := range w.Workspace().Dialect.Values {
		if schema.SameKey(name, key) {
			return "", values
		}
	}
	return "", nil
}

func dated(f schema.FieldName) bool {
	return f == schema.FieldCreated || f == schema.FieldUpdated || f == schema.FieldVerified
}

func listed(f schema.FieldName) bool {
	return f == schema.FieldSources || f == schema.FieldTags || f == schema.FieldAliases || f == schema.FieldSupersedes || f == schema.FieldContradicts
}
