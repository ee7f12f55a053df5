package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// SlotRow marks a claim of a cell that is compared by the words it stands under alone.
const SlotRow = "row"

// labels reads the words that the cells of a table stand under, so that a row can be
// compared with a sentence: of its first cell, of the head of its column, and of
// what the cell says beside its value.
type labels struct {
	x      *extraction
	table  *schema.Table
	heads  []label
	each   bool // no two rows have one name
	second int  // a column that tells rows of one name from each other, 0 for none

	entity int      // the column that names what a row is about
	kind   []string // the words of its head
	name   string   // of the row being read
	row    label
	owns   bool // a column lists what a row owns
	near   []string
}

// label are the words of one cell that names something.
type label struct {
	terms []schema.Term
	bound schema.Bound
	role  string

	product string // whose versions a column holds
	inverse string // the slot that a row fills for what a column lists
}

func (x *extraction) labels(t *schema.Table, times map[string]int) *labels {
	l := &labels{x: x, table: t, heads: make([]label, len(t.Head))}
	for j := range t.Head {
		l.heads[j] = x.label(t.Head[j].Span, schema.PartObject)
		l.heads[j].product, l.heads[j].inverse = x.product(l.heads[j].terms), x.inverse(t.Head[j].Text)
		l.owns = l.owns || j > 0 && l.heads[j].inverse != ""
	}
	l.entity, l.each = l.linked(), len(times) >= len(t.Rows)
	if l.each {
		l.kind = x.words.Words(t.Head[l.entity].Text)
	}
	if len(times) < len(t.Rows) && len(t.Head) > 2 {
		l.second = l.telling()
	}
	return l
}

// linked returns the only column of which every cell is a link, when the first has none: what a
// row is about.
func (l *labels) linked() int {
	links := make([]int, len(l.table.Head))
	for _, row := range l.table.Rows {
		for j := 0; j < len(row) && j < len(links); j++ {
			if l.x.linkIn(row[j].Span) >= 0 && len(strings.Fields(row[j].Text)) < 4 {
				links[j]++
			}
		}
	}
	found := 0
	for j, n := range links {
		if n == len(l.table.Rows) && n > 0 {
			if j == 0 || found > 0 {
				return 0
			}
			found = j
		}
	}
	if found > 0 && links[0] > 0 {
		return 0
	}
	return found
}

// telling returns the second column if its words, with those of the first, tell all
// rows from each other.
func (l *labels) telling() int {
	seen := map[string]bool{}
	for _, row := range l.table.Rows {
		if len(row) < 3 {
			return 0
		}
		key := strings.ToLower(plainText(row[0].Text) + "\x00" + plainText(row[1].Text))
		if seen[key] || !worded(row[1].Text) {
			return 0
		}
		seen[key] = true
	}
	return 1
}

// worded reports whether a cell holds a few words and no number.
func worded(text string) bool {
	text = plainText(text)
	return text != "" && !strings.ContainsAny(text, "0123456789") && len(strings.Fields(text)) <= mostWords
}

// label reads the words of a cell or a head; what they say of the value is kept apart.
func (x *extraction) label(span schema.Span, part schema.Part) (l label) {
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start), out: x.scratch.tokens}
	s := &statement{x: x, tokens: t.read(span), verb: len(t.out)}
	x.scratch.tokens = t.out
	for i := range s.tokens {
		if s.tokens[i].text == "(" && i > 0 && i+2 < len(s.tokens) && s.tokens[i+2].text == ")" && s.isUnit(i+1) {
			s.tokens = s.tokens[:i]
			break
		}
	}
	s.parsed()
	if len(s.tokens) == 0 || s.tokens[0].text != "how" { // how often
		l.role = s.role
	}
	from := len(x.kept)
	for _, term := range s.append(x.scratch.terms[:0], 0, len(s.tokens), part) {
		if term.Word == "max" || term.Word == "min" || term.Word == "limit" {
			l.bound = limit(strings.Replace(term.Word, "limit", "max", 1), l.bound)
		} else {
			term.Part = part
			x.kept = append(x.kept, term)
		}
	}
	if n := len(x.kept); n > from {
		l.terms = x.kept[from:n:n]
	}
	return l
}

// read begins a row.
func (l *labels) read(row []schema.Cell) {
	l.name = strings.ToLower(plainText(row[0].Text))
	l.row = label{}
	if l.entity < len(row) {
		l.row = l.x.label(row[l.entity].Span, schema.PartSubject)
	}
	l.near = l.near[:0:0]
	for _, term := range l.heads[0].terms {
		l.near = append(l.near, term.Word)
	}
	for j := 1; j < len(row) && j < len(l.table.Head); j++ {
		if worded(row[j].Text) && !anyWord(l.table.Head[j].Text, conditionHeads) {
			l.near = append(l.near, l.x.words.Words(plainText(row[j].Text))...)
		}
	}
}

// all adds claims for all cells of a row whose name others have too: its second
// cell is part of its name.
func (l *labels) all(row []schema.Cell) {
	name := l.x.label(row[l.second].Span, schema.PartSubject)
	l.row.terms = slices.Concat(l.row.terms, name.terms)
	l.row.bound, l.row.role = max(l.row.bound, name.bound), l.row.role+name.role
	for j := l.second + 1; j < len(row) && j < len(l.table.Head); j++ {
		if !anyWord(l.table.Head[j].Text, conditionHeads) {
			l.put(row, j, len(l.x.claims), nil)
		}
	}
}

// put notes the words that a cell stands under with the claim that was read from it, the
// first since before, or adds one for the value that stands among its words.
func (l *labels) put(row []schema.Cell, j, before int, scope []string) {
	x := l.x
	head := &l.heads[j]
	terms := x.keep(append(append(x.scratch.terms[:0], l.row.terms...), head.terms...))
	role := l.row.role + head.role
	bound := max(l.row.bound, head.bound, l.heads[0].bound)
	if l.row.bound != schema.Exactly {
		bound = l.row.bound
	}
	if j == l.entity || len(l.row.terms) == 0 || len(terms) > mostTerms {
		return
	}
	if len(x.claims) > before {
		c := &x.claims[before]
		if product := head.product; product != "" && c.Value.Kind != schema.ValueName {
			if v, ok := x.versionOf(product, row[j]); ok {
				c.Value = v
			}
		}
		if c.Value.Kind == schema.ValueName && strings.Contains(row[j].Text, ",") {
			if v, _, ok := l.among(row[j].Span); ok && v.Kind == schema.ValueSet && len(head.terms) > 0 {
				c.Value, c.Attr.Words = v, c.Attr.Words[:0:0]
				c.Value.Words, c.Slot = []string{head.terms[0].Word}, SlotRow
				c.Terms, c.Label = l.row.terms, l.row.terms
			}
		}
		c.Near = l.near
		if c.Label == nil {
			c.Label = terms
		}
		if (c.Value.Kind == schema.ValueQuantity || c.Value.Kind == schema.ValueVersion) && c.Value.Quantity.Bound == schema.Exactly {
			c.Value.Quantity.Bound = bound
		}
		if c.Role == "" {
			c.Role = role
		}
		if c.Value.Kind == schema.ValueName && strings.ContainsAny(row[j].Text, "0123456789") {
			l.rest(row, j, terms, role, bound, scope) // Debian 12
		}
		return
	}
	l.rest(row, j, terms, role, bound, scope)
}

// rest adds the claim for the value that stands among the words of a cell.
func (l *labels) rest(row []schema.Cell, j int, terms []schema.Term, role string, bound schema.Bound, scope []string) {
	x, head, before := l.x, &l.heads[j], len(l.x.claims)
	if row[j].Span.Len() == 0 || row[j].Span.Len() > longestValue || x.untold(x.section(row[j].Span.Start)) || x.abroad {
		return
	}
	v, more, ok := l.among(row[j].Span)
	if product := head.product; product != "" {
		if own, is := x.versionOf(product, row[j]); is {
			v, more, ok = own, nil, true
		}
	}
	if !ok {
		return
	}
	if (v.Kind == schema.ValueQuantity || v.Kind == schema.ValueVersion) && v.Quantity.Bound == schema.Exactly {
		v.Quantity.Bound = bound
	}
	if v.Kind == schema.ValueSet {
		terms = l.row.terms
		for _, term := range head.terms {
			v.Words = append(v.Words, term.Word)
		}
		if len(v.Words) == 0 {
			return
		}
	}
	terms = append(terms, more...)
	x.state(schema.Claim{Span: row[j].Span, Text: plainText(row[j].Text), From: schema.OriginTable, Value: v, Terms: terms, Label: terms, Near: l.near,
		Slot: SlotRow, Role: role, Scope: slices.Clone(scope)})
	if n := len(x.claims); n > before {
		x.claims[n-1].Attr.Name = l.table.Head[j].Text
		if l.entity == 0 {
			x.claims[n-1].Subject = schema.Entity{Names: []string{plainText(row[0].Text)}, Link: x.linkIn(row[0].Span), Kind: l.kind}
		}
	}
}

// among reads the only value among the words of a cell, or the names that it lists.
func (l *labels) among(span schema.Span) (v schema.Value, more []schema.Term, ok bool) {
	x := l.x
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}
	s := &statement{x: x, tokens: t.read(span), verb: -1}
	if len(s.tokens) > longestClause/2 {
		return v, nil, false
	}
	return s.among()
}

// among reads the only value of a statement that has no verb, or the names that it lists.
func (s *statement) among() (v schema.Value, more []schema.Term, ok bool) {
	if len(s.tokens) == 0 {
		return v, nil, false
	}
	s.parsed()
	if s.find(); s.past || s.was || s.negative && !s.bounded() {
		return v, nil, false
	}
	switch len(s.values) {
	case 0:
		v.Items = s.listing()
		v.Kind = schema.ValueSet
		return v, nil, len(v.Items) > 1 && len(v.Items) <= mostItems
	case 1:
		f := &s.values[0]
		if f.value.Kind == schema.ValueQuantity && f.value.Quantity.Dimension == "" && len(f.nouns) == 0 && len(s.tokens) > f.to-f.from {
			return v, nil, false
		}
		var rest []schema.Term
		rest = s.append(rest, 0, f.from, schema.PartObject)
		for _, n := range f.nouns {
			rest = s.append(rest, n, n+1, schema.PartObject)
		}
		return f.value, s.append(rest, f.to, len(s.tokens), schema.PartObject), true
	}
	return v, nil, false
}

// bounded reports whether all that denies something among the tokens is part of a limit: no
// more than 8.
func (s *statement) bounded() bool {
	for i := range s.tokens {
		if s.tokens[i].is(isNegation) && !s.isValue(i) {
			return false
		}
	}
	return true
}

// listing returns the names that the tokens list, sorted; nil when one is none.
func (s *statement) listing() (items []string) {
	from := 0
	for i := 0; i <= len(s.tokens); i++ {
		if i < len(s.tokens) && s.tokens[i].text != "," && s.tokens[i].text != "and" {
			continue
		}
		if i == from && i > 0 && i < len(s.tokens) && s.tokens[i].text == "and" {
			from++ // a, b, and c
			continue
		}
		name := itemName(s.tokens[from:i])
		if name == "" {
			return nil
		}
		items = append(items, name)
		from = i + 1
	}
	slices.Sort(items)
	return items
}
