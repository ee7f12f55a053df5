package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// owned reads a column that lists what the thing of the row owns, or has in another way that only
// one can: Owns, Maintains, Responsible for. Each of what it lists has the row for its owner.
func (x *extraction) owned(l *labels, row []schema.Cell) {
	if !l.owns {
		return
	}
	who := plainText(row[0].Text)
	if who == "" || len(strings.Fields(who)) > 3 || x.words.ParseValue(who, nil).Kind != schema.ValueName {
		return
	}
	for j := 1; j < len(row) && j < len(l.heads); j++ {
		slot := l.heads[j].inverse
		if slot == "" {
			continue
		}
		things := x.names(row[j])
		if len(things) == 0 && len(strings.Fields(row[j].Text)) <= 3 {
			things = []schema.Cell{row[j]}
		}
		for _, thing := range things {
			link := x.linkIn(thing.Span)
			x.add(schema.OriginTable, row[0].Span, schema.Entity{Names: []string{plainText(thing.Text)}, Link: link, Sure: link >= 0}, slot, row[0].Text, nil, nil)
		}
	}
}

// inverse returns the slot that the thing of a row fills for what a column with a head lists;
// empty for none.
func (x *extraction) inverse(head string) string {
	words := split(head)
	if len(words) == 0 || len(words) > 2 {
		return ""
	}
	if words[0] == "responsible" && len(words) == 2 && words[1] == "for" {
		return "owner"
	}
	if len(words) > 1 || !plural(words[0]) {
		return ""
	}
	return x.words.slots[stem(x.words.form(words[0]))+" by"]
}
