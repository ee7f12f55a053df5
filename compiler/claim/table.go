package claim

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// keyHeads are the heads of a first column that names attributes or keys, and
// valueHeads those of the column with their values.
var (
	keyHeads   = wordSet(`key property setting parameter option field variable flag config configuration constant limit attribute env name`)
	valueHeads = wordSet(`value default setting`)
)

// conditionHeads are the heads of columns that say when a row holds.
var conditionHeads = wordSet(`version release env environment region plan tier client platform os model year month day since until mode edition
	branch stage hardware gpu dataset profile scenario case locale market`)

// traitHeads are those of them that, in a table with one row for each thing, also say
// what it is.
var traitHeads = wordSet(`version release os platform region model edition hardware plan tier day`)

// Trait reports whether a condition that a column sets says what the thing of a row is.
func Trait(condition string) bool {
	head, _, ok := strings.Cut(condition, "=")
	return ok && anyWord(head, traitHeads)
}

// ordinalHeads are the heads of first columns that number or date their rows.
var ordinalHeads = wordSet(`no nr number step version date day year month commit time when release phase chapter`)

// tables reads every row whose first cell says what it is about.
func (x *extraction) tables() {
	for i := range x.page.Tables {
		x.table(&x.page.Tables[i])
		x.releases(&x.page.Tables[i], false)
	}
}

func (x *extraction) table(t *schema.Table) {
	if len(t.Head) < 2 || anyWord(t.Head[0].Text, ordinalHeads) || strings.TrimSpace(t.Head[0].Text) == "#" {
		return
	}
	value := valueColumn(t)
	times := map[string]int{}
	rows := x.rows(t)
	for _, row := range rows {
		if len(row) > 0 {
			times[strings.ToLower(plainText(row[0].Text))]++
		}
	}
	l := x.labels(t, times)
	for _, row := range rows {
		if len(row) < 2 {
			continue
		}
		l.read(row)
		x.owned(l, row)
		if times[l.name] == 1 { // rows of one name differ in what only a reader sees
			x.row(t, row, value, l)
		} else if l.second > 0 {
			l.all(row)
		}
	}
}

// mostNames is how many things a row may be about.
const mostNames = 8

// rows returns the rows of a table, one for each thing where a first cell lists several.
func (x *extraction) rows(t *schema.Table) [][]schema.Cell {
	if !slices.ContainsFunc(t.Rows, func(row []schema.Cell) bool { return len(row) > 1 && strings.Contains(row[0].Text, ", ") }) {
		return t.Rows
	}
	var out [][]schema.Cell
	for _, row := range t.Rows {
		if len(row) < 2 || !strings.Contains(row[0].Text, ", ") {
			out = append(out, row)
			continue
		}
		parts := x.names(row[0])
		if len(parts) < 2 {
			out = append(out, row)
		}
		for _, part := range parts {
			out = append(out, append([]schema.Cell{part}, row[1:]...))
		}
	}
	return out
}

// names returns the names that a cell lists, nil when it is no list of names.
func (x *extraction) names(cell schema.Cell) (out []schema.Cell) {
	at := cell.Span.Start
	for part := range strings.SplitSeq(string(cell.Span.In(x.page.Source)), ",") {
		lead := len(part) - len(strings.TrimLeft(part, " "))
		text := strings.TrimSpace(part)
		words := len(strings.Fields(text))
		if words == 0 || words > 3 || strings.ContainsAny(text, "()") || len(out) == mostNames {
			return nil
		}
		out = append(out, schema.Cell{Text: text, Span: schema.Span{Start: at + lead, End: at + lead + len(text)}})
		at += len(part) + 1
	}
	return out
}

// valueColumn returns the column that holds the values of a table of keys, -1
// in any other table.
func valueColumn(t *schema.Table) int {
	if !anyWord(t.Head[0].Text, keyHeads) {
		return -1
	}
	found := -1
	for j := 1; j < len(t.Head); j++ {
		if words := split(t.Head[j].Text); len(words) == 1 && valueHeads[words[0]] {
			if found >= 0 {
				return -1
			}
			found = j
		}
	}
	return found
}

func anyWord(text string, among map[string]bool) bool {
	for w := range wordsOf(text) {
		if oneOf(w, among) {
			return true
		}
	}
	return false
}

func (x *extraction) row(t *schema.Table, row []schema.Cell, value int, l *labels) {
	name := plainText(row[0].Text)
	subject := schema.Entity{Names: []string{name}, Link: x.linkIn(row[0].Span)}
	subject.Sure = subject.Link >= 0 || strings.HasPrefix(string(row[0].Span.In(x.page.Source)), "`")
	subject.Kind = l.kind
	if name == "" || len(name) > longestValue {
		return
	}
	var scope []string
	for j := 1; j < len(row) && j < len(t.Head); j++ {
		switch text := plainText(row[j].Text); {
		case condition(t, j, subject) && subject.Link >= 0 && l.each && anyWord(t.Head[j].Text, traitHeads):
		case condition(t, j, subject):
			scope = append(scope, strings.ToLower(t.Head[j].Text+"="+text))
		case value > 0 && j != value && text != "" && len(split(text)) <= mostWords+1:
			subject.Names = append(subject.Names, text)
		}
	}
	for j := 1; j < len(row) && j < len(t.Head); j++ {
		before := len(x.claims)
		switch {
		case condition(t, j, subject):
			if value < 0 && l.each && anyWord(t.Head[j].Text, traitHeads) {
				x.add(schema.OriginTable, row[j].Span, subject, t.Head[j].Text, row[j].Text, nil, nil)
				l.put(row, j, before, nil)
			}
			continue
		case value > 0 && j != value:
			continue
		case value > 0:
			x.add(schema.OriginTable, row[j].Span, subject, "value"+x.settingUnit(t, row, j), row[j].Text, nil, scope)
			if len(x.claims) > before {
				x.claims[before].Attr.Name = "value"
			}
			x.described(t, row, j)
			x.starts(row, j, l.near)
			x.add(schema.OriginTable, row[j].Span, schema.Entity{Link: -1}, name, row[j].Text, nil, scope)
		default:
			x.add(schema.OriginTable, row[j].Span, subject, t.Head[j].Text, row[j].Text, nil, scope)
			x.owner(t, row[j])
		}
		l.put(row, j, before, scope)
	}
}

// condition reports whether a column says when a row holds. The date of what a
// row links to is its own.
func condition(t *schema.Table, j int, subject schema.Entity) bool {
	head := beforePer(t.Head[j].Text)
	return anyWord(head, conditionHeads) && English().Class(strings.TrimSpace(head)) == "" || // the versions of a product are no condition
		strings.EqualFold(strings.TrimSpace(t.Head[j].Text), "date") && subject.Link < 0
}

// beforePer returns a head without what its amounts are counted by: price per month.
func beforePer(head string) string {
	if i := strings.Index(head, " per "); i > 0 {
		return head[:i]
	}
	return head
}

var ownerHeads = wordSet(`owner maintainer lead responsible`)

// owner notes that the team of a row is its owner, in a table that names no other.
func (x *extraction) owner(t *schema.Table, cell schema.Cell) {
	n := len(x.claims)
	if n == 0 || x.claims[n-1].Span != cell.Span || x.claims[n-1].Value.Kind != schema.ValueName || !slices.Equal(x.claims[n-1].Attr.Words, []string{"team"}) {
		return
	}
	for _, head := range t.Head {
		if anyWord(head.Text, ownerHeads) {
			return
		}
	}
	x.claims[n-1].Attr.Words = []string{"owner"}
}

// described notes, with the claim just added, the words that describe the key of
// a row, so that sentences that use them are understood.
func (x *extraction) described(t *schema.Table, row []schema.Cell, value int) {
	if len(x.claims) == 0 || x.claims[len(x.claims)-1].Span != row[value].Span {
		return
	}
	c := &x.claims[len(x.claims)-1]
	c.Slot = SlotKey
	for _, w := range Words(row[0].Text) {
		c.Value.Quantity.Bound = limit(w, c.Value.Quantity.Bound)
	}
	for j := 1; j < len(row) && j < len(t.Head); j++ {
		if j == value || anyWord(t.Head[j].Text, conditionHeads) || row[j].Span.Len() > 200 {
			continue
		}
		s := &statement{x: x, tokens: (&tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[j].Span.Start)}).read(row[j].Span), verb: -1}
		if s.parsed(); s.role != "" {
			c.Role = s.role
		}
		for _, term := range s.description() {
			if b := limit(term.Word, c.Value.Quantity.Bound); term.Word == "max" || term.Word == "min" {
				c.Value.Quantity.Bound = b
			} else {
				c.Terms = append(c.Terms, term)
			}
		}
	}
}

// SlotKey marks the claim about a key of a table of settings.
const SlotKey = "key"

func limit(word string, bound schema.Bound) schema.Bound {
	switch word {
	case "max":
		return schema.AtMost
	case "min":
		return schema.AtLeast
	}
	return bound
}

// linkFrom returns the index of the first link of the body at or behind an offset;
// those of the frontmatter come before it.
func (x *extraction) linkFrom(at int) int {
	i, _ := slices.BinarySearchFunc(x.page.Links, at, func(l schema.Link, at int) int {
		if l.Field != "" || l.Span.Start < at {
			return -1
		}
		return 1
	})
	return i
}

// linkIn returns the index of the only link in a cell, -1 when there is none or
// there are several.
func (x *extraction) linkIn(cell schema.Span) int {
	links := x.page.Links
	i := x.linkFrom(cell.Start)
	if i >= len(links) || !within(links[i].Span, cell) || i+1 < len(links) && within(links[i+1].Span, cell) {
		return -1
	}
	return i
}

func within(s, outer schema.Span) bool { return outer.Start <= s.Start && s.End <= outer.End }

// edition returns the folder that a page lies in down to the last part that is a
// version, a commit or a year: what stands in one edition of a wiki is compared with that
// edition only. It is empty when no part is.
func edition(file string) string {
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		base := strings.ToLower(path.Base(dir))
		hex := strings.TrimPrefix(base, "v")
		if isVersion(base) || len(conditions(base)) > 0 || len(hex) >= 7 && strings.Trim(hex, "0123456789abcdef") == "" {
			return dir
		}
	}
	return ""
}
