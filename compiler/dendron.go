package compiler

import (
	"strings"

	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/schema"
)

// labelFirst turns the wikilinks of a page, [[label|target]] in Dendron and in GitHub
// wikis, so that Target, Dest and the like are those of what stands behind the bar;
// behind that of an image stand options. The vault
// of dendron://vault/note is left out, and so is what a fragment such as
// #heading,1:#* says of where a shown part ends.
func labelFirst(p *schema.Page) {
	for i := range p.Links {
		l := &p.Links[i]
		if l.Syntax != schema.SyntaxWikilink {
			continue
		}
		raw := l.Raw
		if l.Label != "" && !markdown.ImageName(l.Raw) {
			raw, l.Label = l.Label, l.Raw
			l.Dest, l.LabelAt = l.LabelAt, l.Dest
		}
		if note, ok := strings.CutPrefix(raw, "dendron://"); ok {
			_, raw, _ = strings.Cut(note, "/")
		}
		l.External = schema.IsExternal(raw)
		setTarget(l, raw)
		part, _, _ := strings.Cut(l.Fragment, ":#")
		if j := strings.LastIndexByte(part, ','); j >= 0 && strings.Trim(part[j+1:], "0123456789") == "" {
			part = part[:j]
		}
		if part == "*" || part == "^begin" || part == "^end" {
			part = ""
		}
		if l.Fragment != part {
			setTarget(l, l.Target+"#"+part)
		}
	}
}
