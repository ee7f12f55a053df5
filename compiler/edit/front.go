package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// AddValue returns the edits that add one value, written as YAML, to a field of
// the page's front matter, or the field with it when it is not there: everything
// else keeps its form. It returns nil when there is no front matter, or none that
// this can be done to. What the edits make is read again before they are
// offered.
func AddValue(page *schema.Page, key, value string) []schema.Edit {
	if page.Front == nil || page.Front.TOML || unreadable(page) {
		return nil
	}
	before := yamlOf(page)
	edits := valueEdits(page, page.Front.Pair(key), key, value)
	if edits == nil {
		return nil
	}
	after := part(page.Source, before, edits)
	root, faults := yaml.Parse(after, 0)
	want, wantFaults := yaml.Parse([]byte("x: ["+value+"]\n"), 0)
	if len(faults)+len(wantFaults) > 0 || root == nil || want == nil || len(want.Get("x").Items) != 1 {
		return nil
	}
	added := texts(want.Get("x"))
	got := texts(root.Get(key))
	if len(got) < len(added) || !slices.Equal(got[len(got)-len(added):], added) || len(texts(root)) != len(texts(page.Front.Root))+len(added) {
		return nil
	}
	return edits
}

// yamlOf returns the lines between the fences of a page's frontmatter.
func yamlOf(page *schema.Page) schema.Span {
	from := lineOf(page, page.Front.Span.Start).End
	return schema.Span{Start: from, End: max(from, lineOf(page, page.Front.Span.End).Start)}
}

// texts returns the scalars below a node, in order, each with its kind.
func texts(n *schema.Node) []string {
	var out []string
	n.Walk(func(n *schema.Node) {
		if n.IsScalar() {
			out = append(out, n.Kind.String()+" "+n.Text)
		}
	})
	return out
}

// part returns a part of a file with edits in it done.
func part(src []byte, at schema.Span, edits []schema.Edit) []byte {
	var out []byte
	from := at.Start
	for _, e := range edits {
		out = append(append(out, src[from:e.Span.Start]...), e.Text...)
		from = e.Span.End
	}
	return append(out, src[from:at.End]...)
}

func valueEdits(page *schema.Page, pair *schema.Pair, key, value string) []schema.Edit {
	insert := func(at int, text string) schema.Edit {
		return schema.Edit{Path: page.Path, Span: schema.Span{Start: at, End: at}, Text: text}
	}
	if pair == nil {
		return []schema.Edit{insert(yamlOf(page).End, key+": "+value+Newline(page))}
	}
	v := pair.Value
	switch {
	case v.Kind == schema.KindNull && v.Span.Len() > 0:
		return []schema.Edit{{Path: page.Path, Span: v.Span, Text: value}}
	case v.Kind == schema.KindNull:
		return []schema.Edit{insert(pair.KeySpan.End+1, " "+value)}
	case v.Kind != schema.KindList:
		return []schema.Edit{insert(v.Span.Start, "["), insert(v.Span.End, ", "+value+"]")}
	case bytes.HasPrefix(v.Span.In(page.Source), []byte("[[")):
		return nil // a wikilink without quotes, which is a list to YAML only
	case len(v.Items) == 0:
		return []schema.Edit{insert(v.Span.Start+1, value)}
	}
	last := v.Items[len(v.Items)-1].Span
	if page.Source[v.Span.Start] == '[' {
		return []schema.Edit{insert(last.End, ", "+value)}
	}
	line := lineOf(page, last.Start)
	item := string(page.Source[line.Start:last.Start])
	if strings.Trim(item, " -") != "" || strings.Count(item, "-") != 1 || last.End > line.End {
		return nil
	}
	return []schema.Edit{insert(line.End, item+value+Newline(page))}
}

// Newline returns the line ending of a page's first line.
func Newline(page *schema.Page) string {
	if i := bytes.IndexByte(page.Source, '\n'); i > 0 && page.Source[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineOf returns the span of the whole line that offset is in, its line ending
// included.
func lineOf(page *schema.Page, offset int) schema.Span {
	s := page.Lines.Line(page.Lines.Position(offset).Line)
	for s.End < len(page.Source) && (page.Source[s.End] == '\n' || page.Source[s.End] == '\r') {
		s.End++
		if page.Source[s.End-1] == '\n' {
			break
		}
	}
	return s
}

// unreadable reports whether a page's front matter, or the page, could not be read
// as a whole.
func unreadable(page *schema.Page) bool {
	return slices.ContainsFunc(page.Faults, func(f schema.Fault) bool {
		return f.Kind == schema.FaultFrontmatterInvalid || f.Kind == schema.FaultFrontmatterUnclosed || f.Kind == schema.FaultUnreadable
	})
}
