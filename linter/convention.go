package linter

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Conventions are the conventions for pages: from wiki.yaml, or else from the wiki's
// schema page.
type Conventions struct {
	Frontmatter schema.FrontConfig // of both, wiki.yaml first
	Tags        []string
	Naming      schema.Naming            // of every page
	naming      map[string]schema.Naming // of pages of one type
	// Understood lists the conventions read from the schema page.
	Understood []Understood
	// Unread lists blocks that should have been read but could not.
	Unread []Unread

	terms  []block           // the blocks that give terms
	origin map[string]string // key to who says so
}

// Understood is something that a page other than wiki.yaml was taken to say.
type Understood struct {
	Path string `json:"path" jsonschema:"page, below the wiki's root"`
	Line int    `json:"line" jsonschema:"1-based"`
	What string `json:"what" jsonschema:"the convention"`
}

// Unread is a block of a schema page for this program that can't be read.
type Unread struct {
	Page    *schema.Page
	Span    schema.Span
	Message string
}

// block is a block of a schema page with its place.
type block struct {
	*schema.ConventionBlock
	page *schema.Page
	at   schema.Span
}

// fromConfig is the origin of conventions in wiki.yaml.
const fromConfig = "wiki.yaml"

var conventionFact = NewFact(ReadConventions)

// ConventionsOf returns the conventions of the wiki of p. They are shared and
// must not be changed.
func ConventionsOf(p *Pass) *Conventions { return conventionFact.Of(p) }

// SchemaPage reports whether a page is one that says how the wiki's pages are
// written: SCHEMA.md or 00_SCHEMA.md at its top, in any letter case.
func SchemaPage(page *schema.Page) bool {
	switch strings.ToLower(page.Path) {
	case "schema.md", "00_schema.md":
		return page.Layer != schema.LayerSource
	}
	return false
}

// schemaPages returns the schema pages of a wiki, in order of path.
func schemaPages(w *compiler.Wiki) []*schema.Page {
	var out []*schema.Page
	for _, page := range w.Pages() {
		if SchemaPage(page) {
			out = append(out, page)
		}
	}
	return out
}

// ReadConventions returns the conventions of a wiki.
func ReadConventions(w *compiler.Wiki) *Conventions {
	c := &Conventions{naming: map[string]schema.Naming{}, origin: map[string]string{}}
	cfg := w.Config()
	c.take(&schema.ConventionBlock{Frontmatter: cfg.Frontmatter, Tags: cfg.Tags, Naming: cfg.Naming}, fromConfig)
	for _, page := range schemaPages(w) {
		r := conventionReader{c: c, page: page, root: w.Workspace().RootPath}
		r.read()
	}
	slices.SortStableFunc(c.Understood, func(a, b Understood) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	return c
}

// Origin returns where a key, such as "tags" or "types.concept.required", is set: the
// name of wiki.yaml, or a page and line; "" if nowhere.
func (c *Conventions) Origin(key string) string { return c.origin[key] }

// TypeOf returns the declared type that a page is of: the one it names, else
// that of the deepest declared folder it is in.
func (c *Conventions) TypeOf(page *schema.Page) (name string, t schema.PageType, ok bool) {
	types := c.Frontmatter.Types
	if given := page.Meta.Type; given != "" {
		if t, ok := types[given]; ok {
			return given, t, true
		}
		for _, name := range slices.Sorted(maps.Keys(types)) {
			if strings.EqualFold(name, given) {
				return name, types[name], true
			}
		}
		return "", schema.PageType{}, false
	}
	length := -1
	for n, candidate := range types {
		folder := strings.Trim(candidate.Folder, "/")
		if folder != "" && strings.HasPrefix(page.Path, folder+"/") && (len(folder) > length || len(folder) == length && n < name) {
			name, length = n, len(folder)
		}
	}
	return name, types[name], length >= 0
}

// NamingOf returns the naming convention for a page and its origin: for its type, else
// for all pages. The zero Naming is no convention.
func (c *Conventions) NamingOf(page *schema.Page) (n schema.Naming, origin string) {
	if t, _, ok := c.TypeOf(page); ok && c.naming[t].Text != "" {
		return c.naming[t], c.origin["types."+t+".naming"]
	}
	return c.Naming, c.origin["naming"]
}

// take adds conventions that are not set yet, and returns the keys that wiki.yaml sets
// already.
func (c *Conventions) take(b *schema.ConventionBlock, origin string) (decided []string) {
	claim := func(key string, given bool) bool {
		if !given {
			return false
		}
		if by := c.origin[key]; by != "" {
			if by == fromConfig {
				decided = append(decided, key)
			}
			return false
		}
		c.origin[key] = origin
		return true
	}
	if claim("required", len(b.Frontmatter.Required) > 0) {
		c.Frontmatter.Required = b.Frontmatter.Required
	}
	if claim("tags", len(b.Tags) > 0) {
		c.Tags = b.Tags
	}
	if claim("naming", b.Naming != "") {
		c.Naming, _ = schema.ParseNaming(b.Naming) // a fault when it can't be read
	}
	if claim("closed", b.Frontmatter.Closed) {
		c.Frontmatter.Closed = true
	}
	c.takeFields(b.Frontmatter.Fields, claim)
	c.takeTypes(b.Frontmatter.Types, claim)
	return decided
}

func (c *Conventions) takeFields(given map[string]schema.FieldType, claim func(string, bool) bool) {
	fields := map[string]schema.FieldType{}
	maps.Copy(fields, c.Frontmatter.Fields)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if claim("fields."+name, true) {
			fields[name] = given[name]
		}
	}
	c.Frontmatter.Fields = fields
}

func (c *Conventions) takeTypes(given map[string]schema.PageType, claim func(string, bool) bool) {
	types := map[string]schema.PageType{}
	maps.Copy(types, c.Frontmatter.Types)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		from := given[name]
		known := c.typeName(name)
		t, key := types[known], "types."+known
		if claim(key+".required", len(from.Required) > 0) {
			t.Required = from.Required
		}
		if claim(key+".folder", from.Folder != "") {
			t.Folder = from.Folder
		}
		if claim(key+".sections", len(from.Sections) > 0) {
			t.Sections, t.Ordered = from.Sections, from.Ordered
		}
		if claim(key+".naming", from.Naming != "") {
			t.Naming = from.Naming
			c.naming[known], _ = schema.ParseNaming(from.Naming)
		}
		types[known] = t
	}
	c.Frontmatter.Types = types
}

// typeName returns the known spelling of a type, ignoring letter case, or name.
func (c *Conventions) typeName(name string) string {
	if _, ok := c.Frontmatter.Types[name]; ok {
		return name
	}
	for _, known := range slices.Sorted(maps.Keys(c.Frontmatter.Types)) {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

// describeBlock describes a block, one line per convention.
func describeBlock(b *schema.ConventionBlock) []string {
	var out []string
	if f := b.Frontmatter.Required; len(f) > 0 {
		out = append(out, "every page: required "+strings.Join(f, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Frontmatter.Types)) {
		t := b.Frontmatter.Types[name]
		parts := []string{}
		for _, p := range []struct{ what, value string }{
			{"folder", t.Folder}, {"required", strings.Join(t.Required, ", ")}, {"sections", strings.Join(t.Sections, ", ")}, {"naming", t.Naming},
		} {
			if p.value != "" {
				parts = append(parts, p.what+" "+p.value)
			}
		}
		out = append(out, strings.TrimSuffix("type "+name+": "+strings.Join(parts, "; "), ": "))
	}
	if n := len(b.Frontmatter.Fields); n > 0 {
		out = append(out, "fields: "+strings.Join(slices.Sorted(maps.Keys(b.Frontmatter.Fields)), ", "))
	}
	if len(b.Tags) > 0 {
		out = append(out, "tags: "+strings.Join(b.Tags, ", "))
	}
	if b.Naming != "" {
		out = append(out, "naming "+b.Naming)
	}
	if len(b.Terms) > 0 {
		out = append(out, "terms: "+strings.Join(slices.Sorted(maps.Keys(b.Terms)), ", "))
	}
	return out
}

// belowRoot returns a folder as the wiki has it: without the root's own path
// before it and without slashes at its ends.
func belowRoot(folder, root string) string {
	folder = strings.Trim(folder, "/")
	if root != "." {
		folder = strings.TrimPrefix(folder, root+"/")
	}
	return path.Clean(folder)
}
