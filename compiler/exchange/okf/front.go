package okf

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// field is one key of the front matter that is written.
type field struct {
	key  string
	node *schema.Node
	raw  string // its lines as the page has them, when they stay so
}

// fronter makes the front matter of one page.
type fronter struct {
	*bundler
	page   *schema.Page
	edits  []schema.Edit
	fields []field
}

// front returns the front matter of a page with its fences. Keys whose values have the
// shapes of the format keep their lines; others are written anew.
func (b *bundler) front(p *schema.Page, edits []schema.Edit) []byte {
	f := &fronter{bundler: b, page: p, edits: edits}
	f.read()
	f.drop("okf_version")
	f.description()
	f.tags()
	f.sources()
	f.trust()
	f.lifecycle()
	f.title()
	f.kind()
	var out bytes.Buffer
	out.WriteString("---\n")
	for _, x := range f.fields {
		if x.raw != "" {
			out.WriteString(x.raw)
			continue
		}
		writePair(&out, 0, x.key, x.node)
	}
	out.WriteString("---\n")
	if body := bodyOf(p); p.Front == nil && body.Len() > 0 && p.Source[body.Start] != '\n' && p.Source[body.Start] != '\r' {
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// read takes the keys of the page: with their lines where these are valid YAML, one key
// after another; else by what was understood of them.
func (f *fronter) read() {
	if f.page.Front == nil || f.page.Front.Root == nil {
		return
	}
	src, pairs := f.page.Source, f.page.Front.Root.Pairs
	starts, verbatim := f.starts(pairs)
	end := bytes.LastIndexByte(src[:f.page.Front.Span.End], '\n') + 1
	seen := map[string]bool{}
	for i, pair := range pairs {
		if seen[pair.Key] {
			continue
		}
		seen[pair.Key] = true
		x := field{key: pair.Key, node: pair.Value}
		if verbatim {
			to := end
			if i+1 < len(pairs) {
				to = starts[i+1]
			}
			x.raw = string(public.Apply(src, schema.Span{Start: starts[i], End: to}, f.edits))
		}
		f.fields = append(f.fields, x)
	}
	if !verbatim {
		f.note(f.page, f.page.Front.Span.Start, "front matter written anew: it is not a YAML map with one key per line")
	}
}

// starts are the beginnings of the lines of keys; ok is false if the lines can't stay.
func (f *fronter) starts(pairs []schema.Pair) (out []int, ok bool) {
	p := f.page
	broken := slices.ContainsFunc(p.Faults, func(x schema.Fault) bool {
		return x.Kind == schema.FaultFrontmatterInvalid || x.Kind == schema.FaultFrontmatterUnclosed || x.Kind == schema.FaultDuplicateKey
	})
	if p.Front.TOML || broken {
		return nil, false
	}
	for i, pair := range pairs {
		at := bytes.LastIndexByte(p.Source[:pair.KeySpan.Start], '\n') + 1
		if at != pair.KeySpan.Start || i > 0 && at <= out[i-1] {
			return nil, false
		}
		out = append(out, at)
	}
	return out, true
}

func (f *fronter) find(key string) *field {
	for i := range f.fields {
		if f.fields[i].key == key {
			return &f.fields[i]
		}
	}
	return nil
}

func (f *fronter) drop(key string) {
	f.fields = slices.DeleteFunc(f.fields, func(x field) bool { return x.key == key })
}

// set gives a key another value, and puts one that is not there behind the others.
func (f *fronter) set(key string, n *schema.Node) {
	if x := f.find(key); x != nil {
		x.node, x.raw = n, ""
		return
	}
	f.fields = append(f.fields, field{key: key, node: n})
}

// rename gives the first of some spellings the key of the format, if that is free.
func (f *fronter) rename(to string, from ...string) *field {
	if x := f.find(to); x != nil {
		return x
	}
	for _, key := range from {
		if x := f.find(key); x != nil && x.node.Kind != schema.KindNull {
			if x.raw != "" {
				x.raw = to + x.raw[len(x.key):]
			}
			if quoted := strings.HasPrefix(x.raw, to+"\"") || strings.HasPrefix(x.raw, to+"'"); quoted {
				x.raw = ""
			}
			x.key = to
			return x
		}
	}
	return nil
}

// aside moves a value that the format has another shape for to a key of its own.
func (f *fronter) aside(key string) {
	x := f.find(key)
	to := "x_" + key
	for f.find(to) != nil {
		to += "_"
	}
	if x.raw != "" {
		x.raw = to + x.raw[len(key):]
	}
	x.key = to
	f.note(f.page, f.page.Front.Span.Start, key+" is "+to+" in the bundle: the format has another shape for it")
}

func str(s string) *schema.Node { return &schema.Node{Kind: schema.KindString, Text: s} }

// kind makes sure that there is a type, the one field that the format requires.
func (f *fronter) kind() {
	if x := f.find("type"); x != nil && x.node.Kind == schema.KindString && strings.TrimSpace(x.node.Text) != "" {
		return
	}
	name := f.page.Meta.Type
	if name == "" {
		name = f.folderType()
	}
	if f.find("type") != nil {
		f.set("type", str(name))
		return
	}
	f.fields = slices.Insert(f.fields, 0, field{key: "type", node: str(name)})
}

// folderType is the type of a page by its place: of its folder in the dialect or
// wiki.yaml, else what it is.
func (f *fronter) folderType() string {
	dir := path.Dir(f.page.Path)
	for _, name := range []string{dir, path.Base(dir)} {
		if t := f.wiki.Workspace().Dialect.Types[name]; t != "" {
			return t
		}
	}
	types := f.wiki.Config().Frontmatter.Types
	for _, name := range sortedKeys(types) {
		if folder := strings.Trim(types[name].Folder, "/"); folder != "" && folder == dir {
			return name
		}
	}
	switch {
	case f.page.Layer == schema.LayerSource:
		return "Source"
	case f.names[f.page.Path] != f.page.Path && path.Base(f.page.Path) == indexName:
		return "Overview"
	}
	return "Page"
}

func (f *fronter) title() {
	if f.rename("title", "name") == nil && f.page.H1.Len() > 0 && f.page.Title != "" {
		f.fields = slices.Insert(f.fields, 0, field{key: "title", node: str(strings.Join(strings.Fields(f.page.Title), " "))})
	}
}

func (f *fronter) description() {
	f.rename("description", schema.Spellings(schema.FieldSummary)[1:]...)
}

// tags makes a list of tags that are one text.
func (f *fronter) tags() {
	x := f.rename("tags", schema.Spellings(schema.FieldTags)[1:]...)
	if x == nil || x.node.Kind == schema.KindList || x.node.Kind == schema.KindNull {
		return
	}
	list := &schema.Node{Kind: schema.KindList}
	for _, t := range f.page.Tags {
		if t.Field == "tags" || schema.FieldOf(t.Field) == schema.FieldTags {
			list.Items = append(list.Items, str(t.Name))
		}
	}
	f.set("tags", list)
}

// lifecycle writes status and expiry in the words of the format. Its draft is a page
// that nobody but its authors reads here, so that no other word becomes it.
func (f *fronter) lifecycle() {
	if x := f.rename("stale_after", "expires", "valid_until", "review_by"); x != nil {
		if n, ok := instant(x.node); ok && n != x.node {
			f.set("stale_after", n)
		} else if !ok {
			f.aside("stale_after")
		}
	}
	x := f.find("status")
	if x == nil || x.node.Kind == schema.KindNull {
		return
	}
	word := strings.TrimSpace(x.node.ScalarText())
	if word == "draft" || word == "stable" || word == "deprecated" {
		return
	}
	to := map[schema.StatusClass]string{schema.StatusStable: "stable", schema.StatusDeprecated: "deprecated"}[schema.StatusWord(word)]
	if f.find("lifecycle") != nil {
		f.aside("status")
	} else {
		if x.raw != "" {
			x.raw = "lifecycle" + x.raw[len("status"):]
		}
		x.key = "lifecycle"
	}
	if to != "" {
		f.set("status", str(to))
	}
}
