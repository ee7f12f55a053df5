package yaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopwiki/wiki/schema"
)

// LoadConfig reads wiki.yaml. Faults are of kind [schema.FaultConfig], in
// order of place; the configuration holds what is right, and is never nil. One
// of a newer version than this program's is refused: it is empty then.
func LoadConfig(src []byte) (*schema.Config, []schema.Fault) {
	cfg := &schema.Config{}
	root, faults := Parse(src, 0)
	for i := range faults {
		faults[i].Kind = schema.FaultConfig
	}
	if root == nil {
		return cfg, faults
	}
	if v := root.Get("version"); v != nil && v.Kind == schema.KindInt {
		var version int
		Decode(v, &version)
		if version > schema.ConfigVersion {
			return cfg, []schema.Fault{{Kind: schema.FaultConfig, Span: v.Span, Message: fmt.Sprintf(
				"wiki.yaml has version %s, this program reads up to %d: upgrade wiki to a newer release", v.Text, schema.ConfigVersion)}}
		}
		if version < 1 {
			faults = append(faults, schema.Fault{Kind: schema.FaultConfig, Span: v.Span,
				Message: fmt.Sprintf("version: integer %q is given: expected %d", v.Text, schema.ConfigVersion)})
		}
	}
	faults = append(faults, Decode(root, cfg)...)
	c := &configCheck{}
	c.check(root)
	faults = append(faults, c.faults...)
	slices.SortStableFunc(faults, func(a, b schema.Fault) int { return a.Span.Start - b.Span.Start })
	return cfg, faults
}

// configCheck holds what the types of wiki.yaml do not say.
type configCheck struct{ decoder }

func (c *configCheck) check(root *schema.Node) {
	c.oneOf(root.Get("dialect"), "dialect", schema.DialectNames())
	c.globs(root.Get("ignore"), "ignore")
	c.globs(root.Get("sources"), "sources")
	lint := root.Get("lint")
	c.oneOf(lint.Get("fail_on"), "lint.fail_on", []string{"error", "warning", "info"})
	if overrides := lint.Get("overrides"); overrides != nil {
		for i, o := range overrides.Items {
			c.globs(o.Get("paths"), fmt.Sprintf("lint.overrides[%d].paths", i))
		}
	}
	if fields := root.Get("frontmatter").Get("fields"); fields != nil {
		for _, p := range fields.Pairs {
			c.oneOf(p.Value.Get("type"), "frontmatter.fields."+p.Key+".type",
				[]string{"text", "date", "number", "integer", "boolean", "list", "map", "link"})
		}
	}
	if limits := root.Get("limits"); limits != nil {
		for _, p := range limits.Pairs {
			if p.Value.Kind == schema.KindInt && strings.HasPrefix(p.Value.Text, "-") {
				c.wrong(p.Value, "limits."+p.Key, "a number above 0")
			}
		}
	}
}

// oneOf checks a value that is one of a few words.
func (c *configCheck) oneOf(n *schema.Node, path string, words []string) {
	if !n.IsScalar() || slices.Contains(words, n.Text) {
		return
	}
	if near, ok := schema.Nearest(n.Text, words); ok {
		c.fault(n.Span, "%s: %q is unknown: did you mean %q?", path, n.Text, near)
		return
	}
	c.fault(n.Span, "%s: %q is unknown: expected one of %s", path, n.Text, strings.Join(words, ", "))
}

// globs checks a list of patterns for paths.
func (c *configCheck) globs(n *schema.Node, path string) {
	if n == nil {
		return
	}
	for i, it := range n.Items {
		if it.IsScalar() && !doublestar.ValidatePattern(it.Text) {
			c.fault(it.Span, "%s[%d]: %q is no valid pattern: expected one such as drafts/** or *.tmp, with every [ and { closed", path, i, it.Text)
		}
	}
}
