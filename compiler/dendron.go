package compiler

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// dendronLinks turns the wikilinks of a page, [[label|target]] in Dendron, so that
// Target, Dest and the like are those of what stands behind the bar. The vault
// of dendron://vault/note is left out, and so is what a fragment such as
// #heading,1:#* says of where a shown part ends.
func dendronLinks(p *schema.Page) {
	for i := range p.Links {
		l := &p.Links[i]
		if l.Syntax != schema.SyntaxWikilink {
			continue
		}
		raw := l.Raw
		if l.Label != "" {
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
