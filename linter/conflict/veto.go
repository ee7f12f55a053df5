package conflict

import (
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// pageVetoes drop all pairs of two pages.
var pageVetoes = []struct {
	name string
	bars func(x *index, a, b *schema.Page) bool
}{
	{"another edition", func(x *index, a, b *schema.Page) bool { return x.Wiki.Identity().Apart(a.Path, b.Path) }},
	{"copy of one text", func(_ *index, a, b *schema.Page) bool { return a.Hash == b.Hash }},
}

// pairVetoes drop a pair of facts.
var pairVetoes = []struct {
	name string
	bars func(a, b *schema.Claim) bool
}{
	{"metadata of the page", func(a, b *schema.Claim) bool {
		front := a.From == schema.OriginFrontmatter || b.From == schema.OriginFrontmatter
		return front && (a.Value.Kind == schema.ValueDate || schema.FieldOf(a.Attr.Name) != "" || schema.FieldOf(b.Attr.Name) != "")
	}},
	{"prose", func(a, b *schema.Claim) bool {
		return a.Value.Kind == schema.ValueName && (prose(a.Text) || prose(b.Text))
	}},
	{"cited line", func(a, b *schema.Claim) bool { return claim.LineCited(a.Text) || claim.LineCited(b.Text) }},
}

// vetoPages returns the veto on two pages, "" for none.
func (x *index) vetoPages(a, b *schema.Page) string {
	for _, v := range pageVetoes {
		if v.bars(x, a, b) {
			return v.name
		}
	}
	return ""
}

// vetoCells returns the veto on a pair, "" for none.
func (x *index) vetoCells(p *Pair) string {
	for _, v := range pairVetoes {
		if v.bars(&p.A, &p.B) {
			return v.name
		}
	}
	return ""
}

// mostNameWords is how many words a name has at most that is compared with another.
const mostNameWords = 3

// prose reports whether a text is more than a name.
func prose(text string) bool {
	return len(strings.Fields(text)) > mostNameWords || strings.ContainsAny(text, "()`.,;")
}
