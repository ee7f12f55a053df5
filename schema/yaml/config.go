package yaml

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/loopwiki/wiki/schema"
)

// LoadConfig parses wiki.yaml. Faults are of kind [schema.FaultConfig], in order of
// position; the configuration contains everything valid, and is never nil. For a newer
// version than this program's, it is empty.
func LoadConfig(src []byte) (*schema.Config, []schema.Fault) {
	cfg := &schema.Config{}
	root, faults := Parse(src, 0)
	invalid := slices.ContainsFunc(faults, func(f schema.Fault) bool { return f.Kind == schema.FaultFrontmatterInvalid })
	for i := range faults {
		faults[i].Kind = schema.FaultConfig
	}
	if root == nil {
		return cfg, faults
	}
	if f, newer := checkVersion(root, "wiki.yaml", schema.ConfigVersion); newer {
		return cfg, []schema.Fault{*f}
	} else if f != nil {
		faults = append(faults, *f)
	}
	syntax := len(faults)
	faults = append(faults, Decode(root, cfg)...)
	c := &configCheck{}
	c.check(root)
	c.rules(root.Get("rules"))
	faults = append(faults, c.faults...)
	if invalid { // what is no YAML is not of the wrong type too
		faults = faults[:syntax]
	}
	placeRules(src, root.Get("rules"), cfg.Rules)
	slices.SortStableFunc(faults, func(a, b schema.Fault) int { return a.Span.Start - b.Span.Start })
	return cfg, faults
}

// checkVersion returns what is wrong with the version of a file, and whether it is newer than
// this program.
func checkVersion(root *schema.Node, file string, current int) (f *schema.Fault, newer bool) {
	v := root.Get("version")
	if v == nil || v.Kind != schema.KindInt {
		return nil, false
	}
	var version int
	Decode(v, &version)
	switch {
	case version > current:
		return &schema.Fault{Kind: schema.FaultConfig, Span: v.Span, Message: fmt.Sprintf(
			"%s has version %s, this program reads up to %d: upgrade wiki to a newer release", file, v.Text, current)}, true
	case version < 1:
		return &schema.Fault{Kind: schema.FaultConfig, Span: v.Span, Message: fmt.Sprintf("version: unsupported %q: expected %d", v.Text, current)}, false
	}
	return nil, false
}

// configCheck holds what the types of wiki.yaml do not say.
type configCheck struct{ decoder }

func (c *configCheck) check(root *schema.Node) {
	c.oneOf(root.Get("dialect"), "dialect", schema.DialectNames())
	c.globs(root.Get("ignore"), "ignore")
	c.globs(root.Get("sources"), "sources")
	for _, key := range []string{"languages", "versions", "series", "distinct"} {
		c.globs(root.Get("identity").Get(key), "identity."+key)
	}
	c.globs(root.Get("judge").Get("exclude"), "judge.exclude") // one that is not understood would hide nothing
	c.globs(root.Get("site").Get("raw_files"), "site.raw_files")
	c.oneOf(root.Get("site").Get("remote_media"), "site.remote_media", schema.RemoteMediaModes)
	c.oneOf(root.Get("site").Get("link_text"), "site.link_text", schema.LinkTexts)
	lint := root.Get("lint")
	c.oneOf(lint.Get("fail_on"), "lint.fail_on", []string{"error", "warning", "info"})
	if overrides := lint.Get("overrides"); overrides != nil {
		for i, o := range overrides.Items {
			c.globs(o.Get("paths"), fmt.Sprintf("lint.overrides[%d].paths", i))
		}
	}
	c.oneOf(root.Get("site").Get("sources"), "site.sources", []string{"public", "as-written"})
	c.loops(root.Get("loops"))
	c.conventions(root)
	c.units(root.Get("claims").Get("units"))
	if limits := root.Get("limits"); limits != nil {
		for _, p := range limits.Pairs {
			if p.Value.Kind == schema.KindInt && strings.HasPrefix(p.Value.Text, "-") {
				c.wrong(p.Value, "limits."+p.Key, "a number above 0")
			}
		}
	}
}

// units checks the units that a wiki adds: the amount that one of each is, and its names.
func (c *configCheck) units(units *schema.Node) {
	if units == nil {
		return
	}
	for _, p := range units.Pairs {
		amount, unit, _ := strings.Cut(p.Key, " ")
		if n, err := strconv.ParseFloat(amount, 64); err != nil || n <= 0 || strings.TrimSpace(unit) == "" {
			c.fault(p.KeySpan, "claims.units: %q is not an amount: expected a number above 0 and a unit, such as 14 days", p.Key)
		}
		if p.Value == nil {
			continue
		}
		for _, name := range p.Value.Items {
			if name.IsScalar() && (name.Text == "" || strings.ContainsAny(name.Text, " \t0123456789")) {
				c.fault(name.Span, "claims.units: %q is not a unit: expected one word without digits", name.Text)
			}
		}
	}
}

// conventions checks what a schema page may say too.
func (c *configCheck) conventions(root *schema.Node) {
	if fields := root.Get("frontmatter").Get("fields"); fields != nil {
		for _, p := range fields.Pairs {
			c.oneOf(p.Value.Get("type"), "frontmatter.fields."+p.Key+".type",
				[]string{"text", "date", "number", "integer", "boolean", "list", "map", "link"})
		}
	}
	c.naming(root.Get("naming"), "naming")
	if types := root.Get("frontmatter").Get("types"); types != nil {
		for _, p := range types.Pairs {
			c.naming(p.Value.Get("naming"), "frontmatter.types."+p.Key+".naming")
		}
	}
}

// naming checks how pages are named.
func (c *configCheck) naming(n *schema.Node, path string) {
	if !n.IsScalar() {
		return
	}
	if _, err := schema.ParseNaming(n.Text); err != nil {
		c.fault(n.Span, "%s: %v", path, err)
	}
}

// LoadConventions parses a YAML block on a wiki's schema page; its first byte is at
// offset base of the file. Faults are of kind [schema.FaultConfig], in order of
// position; the block contains everything valid, and is never nil.
func LoadConventions(src []byte, base int) (*schema.ConventionBlock, []schema.Fault) {
	out := &schema.ConventionBlock{}
	root, faults := Parse(src, base)
	if root == nil {
		return out, faults
	}
	c := &configCheck{}
	c.conventions(root)
	c.faults = append(c.faults, Decode(root, out)...)
	if len(faults) == 0 { // what is no YAML is not of the wrong type too
		faults = c.faults
	}
	for i := range faults {
		faults[i].Kind = schema.FaultConfig
	}
	slices.SortStableFunc(faults, func(a, b schema.Fault) int { return a.Span.Start - b.Span.Start })
	return out, faults
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
			c.fault(it.Span, "%s[%d]: %q is not a valid pattern: expected one such as drafts/** or *.tmp, with every [ and { closed", path, i, it.Text)
		} else if err := schema.CheckGlob(it.Text); it.IsScalar() && err != nil {
			c.fault(it.Span, "%s[%d]: the pattern %q is too slow, %v: use several patterns", path, i, short(it.Text), err)
		}
	}
}
