package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// longestText bounds, in bytes, what of a sentence is a claim's text.
const longestText = 600

// NewClaim returns a cell of a page as a claim.
func NewClaim(l *claim.Lexicon, page *schema.Page, g *claim.Group, cell int) schema.Claim {
	c := &g.Cells[cell]
	row, col := &g.Rows[c.Row], &g.Cols[c.Col]
	out := schema.Claim{
		Page: page.ID, Path: page.Path, Section: claim.Section(page, c.At.Start), Span: c.At, From: g.From,
		Text: claim.PlainText(c.At.In(page.Source)), Value: l.Value(page, g, c), Subject: schema.Entity{Link: -1},
	}
	rowName := strings.TrimRight(claim.PlainText(row.At.In(page.Source)), ": ")
	out.Attr.Name = rowName
	if g.From == schema.OriginTable || col.At.Len() > 0 {
		out.Attr.Name = strings.TrimLeft(claim.PlainText(col.At.In(page.Source)), "0123456789, ")
		out.Subject = schema.Entity{Names: []string{rowName}, Link: int(row.Link), Sure: row.Link >= 0}
	}
	if n := len(out.Section); n > 0 && len(out.Subject.Names) == 0 {
		out.Subject.Names = out.Section[n-1:]
	}
	out.Attr.Words = claim.Words(out.Attr.Name)
	out.ID = identify(&out)
	return out
}

// identify hashes a claim by its content and page, without its line.
func identify(c *schema.Claim) uint64 {
	return xxh3.HashString(strings.Join(append(append([]string{c.Attr.Name, strings.ToLower(c.Text)}, c.Subject.Names...), c.Section...), "\x00"))
}

// sentenceClaim returns a sentence of a page as a claim, whose value is its number at an index.
func sentenceClaim(page *schema.Page, s *claim.Sentence, number int) schema.Claim {
	text := string(s.At.In(page.Source))
	out := schema.Claim{
		Page: page.ID, Path: page.Path, Section: claim.Section(page, s.At.Start), Span: s.At, From: schema.OriginSentence,
		Text: text[:min(len(text), longestText)], Subject: schema.Entity{Link: -1}, Attr: schema.Attribute{Name: "statement"},
	}
	if n := claim.Numbers(s.At.In(page.Source)); number < len(n) {
		out.Value = claim.ParseValue(string(n[number].In([]byte(text))), nil)
	}
	out.ID = identify(&out)
	return out
}

// Claims returns the facts of a page that have a value: its cells, fields and items, and its sentences with
// one number.
func Claims(in *Input, page *schema.Page) []schema.Claim {
	facts := in.Facts(page)
	out := Cells(in.Lexicon, page, facts)
	for i := range facts.Sentences {
		s := &facts.Sentences[i]
		if len(claim.Numbers(s.At.In(page.Source))) == 1 {
			out = append(out, sentenceClaim(page, s, 0))
		}
	}
	slices.SortStableFunc(out, func(a, b schema.Claim) int { return a.Span.Start - b.Span.Start })
	return out
}

// Cells returns the cells, fields and items of a page that have a value.
func Cells(l *claim.Lexicon, page *schema.Page, facts *claim.Facts) (out []schema.Claim) {
	for i := range facts.Groups {
		for k := range facts.Groups[i].Cells {
			if c := NewClaim(l, page, &facts.Groups[i], k); c.Value.Kind != schema.ValueNone {
				out = append(out, c)
			}
		}
	}
	return out
}
