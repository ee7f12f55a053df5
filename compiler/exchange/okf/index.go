package okf

import (
	"bytes"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

const versionBlock = "---\nokf_version: \"" + Version + "\"\n---\n"

// index is a page that lists others. It has no front matter but the version, in the root
// of the bundle, and begins with a heading.
func (b *bundler) index(p *schema.Page, edits []schema.Edit) []byte {
	b.keysLost(p)
	var out bytes.Buffer
	if p.Path == indexName {
		out.WriteString(versionBlock + "\n")
	}
	body := public.Apply(p.Source, bodyOf(p), edits)
	if len(p.Headings) == 0 {
		out.WriteString("# " + text.Collapse(p.Title) + "\n\n")
	}
	out.Write(bytes.TrimLeft(body, "\r\n"))
	return out.Bytes()
}

// rootIndex is an index of all pages, for a wiki that has none.
func (b *bundler) rootIndex() []byte {
	var out bytes.Buffer
	out.WriteString(versionBlock)
	title := b.wiki.Config().Title
	if title == "" {
		title = "Pages"
	}
	dir := "."
	out.WriteString("\n# " + text.Collapse(title) + "\n\n")
	list := func(p *schema.Page) {
		name := b.names[p.Path]
		out.WriteString("* [" + brackets.Replace(text.Collapse(p.Title)) + "](" + escape(name) + ")")
		if about := text.Collapse(p.Meta.Summary); about != "" {
			out.WriteString(" - " + about)
		}
		out.WriteByte('\n')
	}
	for _, p := range b.pages { // those of the root first
		if path.Dir(p.Path) == "." {
			list(p)
		}
	}
	for _, p := range b.pages {
		if d := path.Dir(p.Path); d != "." {
			if d != dir {
				dir = d
				out.WriteString("\n# " + strings.TrimSpace(text.Collapse(d)) + "\n\n")
			}
			list(p)
		}
	}
	return out.Bytes()
}
