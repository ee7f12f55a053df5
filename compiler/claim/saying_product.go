package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// keeping are the classes of products that something is kept in, sent through or served by.
var keeping = wordSet(`database broker cache filesystem metrics proxy orchestrator`)

// productRow reads a row whose first cell is a well-known product, or the name of a bucket or the like,
// and another of whose cells says in words what it is for: | Redis | 7.2 | carts of the shop |.
func (x *sayer) productRow(t *schema.Table, row []schema.Cell) {
	class, name := x.codeCell(t.Head[0].Text, row[0])
	if class == "" {
		name = toolName(strings.TrimSpace(plainText(row[0].Text)))
		if class = "class:" + x.words.classes[name]; !keeping[x.words.classes[name]] || !x.english(row[0].Span) {
			return
		}
	}
	for k := 1; k < len(row); k++ {
		if len(strings.Fields(row[k].Text)) < 2 || figures(row[k].Text) || !x.english(row[k].Span) {
			continue
		}
		switch v := x.words.ParseValue(row[k].Text, nil); v.Kind {
		case schema.ValueNone:
		case schema.ValueName:
			if plain := plainText(row[k].Text); plain[0] < 'a' || plain[0] > 'z' {
				continue // somebody or something by name
			}
		default:
			continue
		}
		s := x.begin(schema.OriginTable, row[k].Span)
		if s == nil {
			return
		}
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[k].Span.Start)}
		x.purpose(s, tk.read(row[k].Span))
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("keep"), Link: -1, At: -1, Label: true})
		s.Values = append(s.Values, SaidValue{Span: row[0].Span, Text: strings.TrimSpace(row[0].Text), Class: class, Value: schema.Value{Kind: schema.ValueName, Words: []string{name}}})
		x.end(s)
		return
	}
}
