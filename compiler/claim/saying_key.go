package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// twoKeys reports whether the rows of a table are told apart by their first two cells and not by the
// first alone: of one system, one row for the logs and another for the backups.
func twoKeys(t *schema.Table) bool {
	if len(t.Head) < 3 {
		return false
	}
	first, both := map[string]bool{}, map[string]bool{}
	again := false
	for _, row := range t.Rows {
		if len(row) < 3 {
			continue
		}
		a, b := strings.ToLower(plainText(row[0].Text)), strings.ToLower(plainText(row[1].Text))
		if a == "" || b == "" || both[a+"\x00"+b] {
			return false
		}
		again = again || first[a]
		first[a], both[a+"\x00"+b] = true, true
	}
	return again
}

// secondKey adds the second cell of a row to the labels of those behind it, where it tells which row
// of several it is: what is meant, or the number of a version.
func (x *sayer) secondKey(s *Saying, t *schema.Table, row []schema.Cell, j int) {
	if !x.grid.twoKeys || j < 2 || x.describes(row, 1) {
		return
	}
	text := plainText(row[1].Text)
	switch v := x.words.ParseValue(text, nil); {
	case len(strings.Fields(text)) > mostWords:
	case v.Kind == schema.ValueNone, v.Kind == schema.ValueName:
		x.labelled(s, row[1].Span)
	case figures(text) && anyWord(t.Head[1].Text, releaseHeads) && !strings.Contains(text, " "):
		s.Words = append(s.Words, SaidWord{Concept: strings.ToLower(text), Link: -1, At: -1, Label: true})
	}
}
