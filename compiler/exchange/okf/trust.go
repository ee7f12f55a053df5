package okf

import (
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// instant returns a date as the format writes it, a date-time with an offset; n itself
// if it is one.
func instant(n *schema.Node) (*schema.Node, bool) {
	t, day, ok := schema.ParseTime(strings.TrimSpace(n.ScalarText()))
	if !ok {
		return nil, false
	}
	if !day && n.Kind != schema.KindNull && hasOffset(n.Text) {
		return n, true
	}
	return &schema.Node{Kind: schema.KindDate, Text: t.UTC().Format("2006-01-02T15:04:05Z")}, true
}

func hasOffset(s string) bool {
	return isInstant().MatchString(strings.TrimSpace(s))
}

// isInstant matches an ISO 8601 date-time with an offset.
var isInstant = schema.Expression(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$`)

// instants writes the moments of some keys of a map as the format does; nil if nothing
// changes.
func instants(n *schema.Node, keys ...string) *schema.Node {
	var out *schema.Node
	for i, pair := range n.Pairs {
		for _, key := range keys {
			if at, ok := instant(pair.Value); pair.Key == key && ok && at != pair.Value {
				if out == nil {
					copied := *n
					copied.Pairs = append([]schema.Pair{}, n.Pairs...)
					out = &copied
				}
				out.Pairs[i].Value = at
			}
		}
	}
	return out
}

// trust writes generated and verified in the shapes of the format. A bare date names
// nobody who verified the page, and moves to a key that needs no name.
func (f *fronter) trust() {
	if x := f.find("generated"); x != nil && x.node.Kind != schema.KindNull {
		if x.node.Get("by").ScalarText() == "" {
			f.aside("generated")
		} else if n := instants(x.node, "at"); n != nil {
			f.set("generated", n)
		}
	}
	x := f.find("verified")
	if x == nil || x.node.Kind == schema.KindNull {
		return
	}
	list := []*schema.Node{x.node}
	if x.node.Kind == schema.KindList {
		list = x.node.Items
	}
	changed := false
	for i, n := range list {
		by, at := n.Get("by").ScalarText(), n.Get("at").ScalarText()
		if by == "" || at == "" {
			if x.node.IsScalar() && f.find("last_verified") == nil {
				f.rename("last_verified", "verified")
			} else {
				f.aside("verified")
			}
			return
		}
		if !strings.Contains(by, ":") && !strings.Contains(by, "/") {
			f.note(f.page, n.Span.Start, "verified by "+by+": readers of the format take who has no prefix human: for a program")
		}
		if m := instants(n, "at"); m != nil {
			if !changed {
				list = append([]*schema.Node{}, list...)
			}
			list[i], changed = m, true
		}
	}
	if changed {
		f.set("verified", &schema.Node{Kind: schema.KindList, Items: list})
	}
}

// sources makes a list of maps with a resource each of what the page was made from.
func (f *fronter) sources() {
	x := f.rename("sources", "source", "source_url", "source_urls", "source_file", "source_files")
	if x == nil || x.node.Kind == schema.KindNull {
		return
	}
	items := []*schema.Node{x.node}
	if x.node.Kind == schema.KindList && !f.bracketed(x.node) {
		items = x.node.Items
	}
	out, same := &schema.Node{Kind: schema.KindList}, x.node.Kind == schema.KindList && len(x.node.Items) == len(items)
	for _, n := range items {
		if f.gone(n) {
			same = false
			continue
		}
		s := f.source(n)
		same = same && s == n
		out.Items = append(out.Items, s)
	}
	switch {
	case same:
	case len(out.Items) == 0:
		f.drop("sources")
	default:
		f.set("sources", out)
	}
}

// gone reports whether a value names a page that is left out.
func (f *fronter) gone(n *schema.Node) bool {
	for _, e := range f.public.Links(f.page) {
		if e.Span.Overlaps(n.Span) || n.Span.Contains(e.Span.Start) {
			return true
		}
	}
	return false
}

// bracketed reports whether a list is a wikilink without quotes.
func (f *fronter) bracketed(n *schema.Node) bool {
	return strings.HasPrefix(string(n.Span.In(f.page.Source)), "[[") && len(n.Items) == 1
}

// source returns a source as a map with a resource; n itself if it is one.
func (f *fronter) source(n *schema.Node) *schema.Node {
	if n.Kind == schema.KindMap {
		if n.Get("resource").ScalarText() != "" && f.resource(n.Get("resource")) == n.Get("resource").Text {
			if m := instants(n, "last_modified"); m != nil {
				return m
			}
			return n
		}
		m := &schema.Node{Kind: schema.KindMap}
		found := false
		for _, pair := range n.Pairs {
			if !found && isResource(pair.Key) && (pair.Value.IsScalar() || f.bracketed(pair.Value)) {
				pair.Key, pair.Value, found = "resource", str(f.resource(pair.Value)), true
			}
			m.Pairs = append(m.Pairs, pair)
		}
		if !found {
			name := n.Get("title").ScalarText()
			if name == "" {
				name = n.Get("id").ScalarText()
			}
			if name == "" {
				name = "unknown"
			}
			m.Pairs = append(m.Pairs, schema.Pair{Key: "resource", Value: str(name)})
		}
		if i := instants(m, "last_modified"); i != nil {
			return i
		}
		return m
	}
	return &schema.Node{Kind: schema.KindMap, Pairs: []schema.Pair{{Key: "resource", Value: str(f.resource(n))}}}
}

func isResource(key string) bool {
	switch key {
	case "resource", "path", "file", "url", "href", "source", "uri", "link", "page":
		return true
	}
	return false
}

// resource is where a source is: a page or file of the bundle from its root, others as
// written.
func (f *fronter) resource(n *schema.Node) string {
	raw := strings.TrimSpace(n.ScalarText())
	if !n.IsScalar() {
		raw = strings.TrimSpace(string(n.Span.In(f.page.Source)))
	}
	for l, res := range f.wiki.Links(f.page) {
		if l.Field != "" && n.Span.Len() > 0 && (n.Span.Contains(l.Span.Start) || l.Span == n.Span) {
			switch {
			case res.Kind == schema.TargetPage && f.names[res.Path] != "":
				return "/" + f.names[res.Path]
			case res.Kind == schema.TargetFile:
				f.copied[res.Path] = true
				return "/" + res.Path
			}
			return l.Target
		}
	}
	ref := schema.ParseAnchor(raw)
	if ref.Path == "" || strings.HasPrefix(raw, "/") || !strings.HasPrefix(raw, ref.Path) {
		return raw
	}
	for _, name := range []string{path.Clean(ref.Path), path.Join(path.Dir(f.page.Path), ref.Path)} {
		to := f.names[name]
		if to == "" {
			to = f.names[name+".md"]
		}
		if to != "" {
			return "/" + to + raw[len(ref.Path):]
		}
	}
	return raw
}
