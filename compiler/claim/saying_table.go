package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// describingHeads are the heads of columns that say what the key of a row is for.
var describingHeads = wordSet(`description meaning purpose explanation effect use usage note notes comment comments remark remarks details what`)

// grid is what the heads of a table say of its columns.
type grid struct {
	value      int      // the column with the values of a table of keys, -1 in others
	keys       bool     // every first cell is a key
	named      int      // the column of links that says what each row is about, 0 for none
	owners     int      // the column of teams, which are owners where no other column names them; 0 for none
	describing []bool   // columns that say what the key of a row is for
	never      []bool   // columns that do not, whatever stands in them
	remarking  []bool   // columns of remarks, on rows that say in full of what they are
	products   []string // whose versions a column holds
	twoKeys    bool     // what a row is about, its first two cells say together

	row  *schema.Cell // that was asked for last
	says []bool       // which of its cells say what its key is for
}

// gridOf reads the heads of a table.
func (x *sayer) gridOf(t *schema.Table) grid {
	n := len(t.Head)
	if n == 0 {
		return grid{value: -1}
	}
	g := grid{value: valueColumn(t), describing: make([]bool, n), never: make([]bool, n), remarking: make([]bool, n), products: make([]string, n)}
	teams, owned := 0, false
	for j := range t.Head {
		head := t.Head[j].Text
		owner := anyWord(head, ownerHeads)
		owned = owned || owner
		g.products[j] = x.product(x.plain(head))
		g.describing[j], g.remarking[j] = anyWord(head, describingHeads), anyWord(head, remarkHeads)
		g.never[j] = j == 0 || j == g.value || owner || anyWord(head, conditionHeads)
		if j > 0 && strings.EqualFold(plainText(head), "team") {
			teams = j
		}
	}
	if !owned {
		g.owners = teams
	}
	g.keys = g.value > 0 || n > 2 && g.describing[n-1] && anyWord(t.Head[0].Text, keyHeads)
	g.named, g.twoKeys = x.linkedColumn(t), twoKeys(t)
	return g
}

// remarkHeads are the heads of columns of remarks.
var remarkHeads = wordSet(`remark remarks note notes comment comments`)

// kindHeads are the heads of columns that say only of which kind their values are.
var kindHeads = wordSet(`limit limits maximum max most quota cap value values default setting amount figure number presence necessity obligation rule requirement target targets goal objective`)

// ofState returns status for the head of a column that says with another word in which state something is.
func ofState(head string) string {
	if wordIn(strings.ToLower(strings.TrimSpace(head)), "stage", "phase", "maturity", "readiness", "release stage", "lifecycle stage", "rollout") {
		return "status"
	}
	return head
}

// ofKind takes such a head off the labels: a sentence says in other words that something is a limit.
func (s *Saying) ofKind(head string) {
	switch word := strings.ToLower(strings.TrimSpace(head)); {
	case !kindHeads[word]:
		return
	case wordIn(word, "maximum", "max", "most"):
		s.Roles = append(s.Roles, "max")
	}
	s.keyed(0, len(s.Words))
}

// linkedColumn returns the only column with links, 0 for none and where the first cells are links
// themselves: what it links to is what a row is about, unless it is whom to ask or where to read on.
func (x *sayer) linkedColumn(t *schema.Table) (found int) {
	times := 0
	for _, row := range t.Rows {
		for j := 0; j < len(row) && j < len(t.Head); j++ {
			switch link := x.linkIn(row[j].Span); {
			case link < 0:
			case j == 0 || found > 0 && found != j || x.page.Links[link].Span != row[j].Span:
				return 0
			default:
				found = j
				times++
			}
		}
	}
	if found == 0 || 2*times < len(t.Rows) || anyWord(t.Head[found].Text, ownerHeads) || anyWord(t.Head[found].Text, describingHeads) || anyWord(t.Head[found].Text, pointingHeads) {
		return 0
	}
	return found
}

// pointingHeads are the heads of columns that say whom to ask or where to read on.
var pointingHeads = wordSet(`see more page pages link links docs runbook runbooks decision decisions source sources reference author team contact reviewer people who`)

// ofKey reports whether a row gives the value of a key: one that is written as code, or any in a
// table whose heads say so.
func (x *sayer) ofKey(row []schema.Cell) bool {
	return row[0].Span.Len() > 0 && (x.grid.keys || x.page.Source[row[0].Span.Start] == '`')
}

// describes reports whether a cell says in words what the key of its row is for: its numbers are
// no values of the key.
func (x *sayer) describes(row []schema.Cell, k int) bool {
	g := &x.grid
	if g.row != &row[0] {
		g.row, g.says = &row[0], g.says[:0]
		key := x.ofKey(row)
		for k := range row {
			g.says = append(g.says, key && k < len(g.never) && !g.never[k] && x.inWords(row, k))
		}
	}
	return k < len(g.says) && g.says[k]
}

// inWords reports whether a cell is words and no value.
func (x *sayer) inWords(row []schema.Cell, k int) bool {
	words := strings.Fields(row[k].Text)
	if len(words) < 3 {
		return false
	}
	if len(words) > 2*mostWords {
		return true
	}
	switch v := x.words.ParseValue(row[k].Text, nil); v.Kind {
	case schema.ValueNone:
		return x.grid.describing[k] || !figures(row[k].Text)
	case schema.ValueName:
		return x.grid.describing[k] || slices.ContainsFunc(words, func(w string) bool { return w[0] >= 'a' && w[0] <= 'z' })
	}
	return false
}

// figures reports whether a text begins with a number: 10 and later.
func figures(text string) bool {
	text = plainText(text)
	return text != "" && text[0] >= '0' && text[0] <= '9'
}

// explain adds to the saying of a cell what its row says of the key, how long the relay keeps a
// message, and what the row is about, where another cell than the first says so. They belong to the
// value as the label of the row does.
func (x *sayer) explain(s *Saying, row []schema.Cell, j int) {
	if n := x.grid.named; n > 0 && n != j && n < len(row) && x.linkIn(row[n].Span) >= 0 {
		from := len(s.Words)
		x.labelled(s, row[n].Span)
		s.About = x.linkIn(row[n].Span) + 1
		s.keyed(from, len(s.Words))
	}
	for k := 1; k < j && k < len(row); k++ {
		if line := plainText(row[k].Text); strings.HasSuffix(line, ".x") && isVersion(line) {
			s.Words = append(s.Words, SaidWord{Concept: line, Link: -1, At: -1, Label: true})
		}
	}
	if j == x.grid.owners && x.words.ParseValue(row[j].Text, nil).Kind == schema.ValueName {
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("owner"), Link: -1, At: -1, Label: true})
	}
	if v := x.grid.value; v > 0 && v != j {
		return
	}
	for k := 1; k < len(row); k++ {
		if k == j || !x.describes(row, k) || x.grid.remarking[k] && strings.Contains(plainText(row[0].Text), " ") && row[0].Text[0] != '`' {
			continue
		}
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[k].Span.Start)}
		first := true
		sentences(tk.read(row[k].Span), x.page.Source, func(tokens []token) {
			if first {
				x.purpose(s, tokens)
			}
			first = false
		})
	}
}

// mostPurpose bounds how many words of a description are kept.
const mostPurpose = 16

// purpose adds the words of a description behind those that only say that a value is one. What
// stands in brackets or behind a comma says more of the value.
func (x *sayer) purpose(s *Saying, tokens []token) {
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	telling := min(st.describing(), len(tokens))
	if role := limitRole(tokens[:telling]); role != "" {
		s.Roles = append(s.Roles, role)
	}
	tokens = tokens[telling:]
	if end := slices.IndexFunc(tokens, func(t token) bool { return wordIn(t.text, "(", ",", ";", ":") }); end > 2 {
		tokens = tokens[:end]
	}
	if len(tokens) == 0 {
		return
	}
	var d Saying
	x.read(&d, tokens, false)
	s.Words = append(s.Words, d.Words[:min(len(d.Words), mostPurpose)]...)
	if len(tokens) != 2 || tokens[1].text != "time" { // in local time
		s.Scope = append(s.Scope, d.Scope...)
	}
	s.Roles = append(s.Roles, d.Roles...)
}

// limitRole returns the role that the words before what a value is of give it: the maximum length of, the longest time that.
func limitRole(tokens []token) string {
	for i := range tokens {
		switch t := &tokens[i]; {
		case wordIn(t.text, "maximum", "max", "maximal", "longest", "largest", "highest", "greatest", "biggest"):
			return "max"
		case wordIn(t.text, "minimum", "min", "minimal", "shortest", "smallest", "lowest"):
			return "min"
		}
	}
	return ""
}

// said adds a yes or a no in a cell as what the head of its column says that is so: Reptiles, accepted, no.
func (x *sayer) said(s *Saying, head string, cell schema.Span) {
	words := split(head)
	if len(s.Values) == 0 || s.Values[0].Class != "yes" || len(words) == 0 || len(words) > 3 {
		return
	}
	if last := words[len(words)-1]; (strings.HasSuffix(last, "ed") || strings.HasSuffix(last, "able") || strings.HasSuffix(last, "ible")) && !x.words.Opposed(x.words.concept(last)) {
		f := SaidFact{Concept: x.words.concept(last), Denied: !s.Values[0].Value.Bool, Span: cell}
		for _, w := range s.Words {
			if w.Label && w.Concept != f.Concept {
				f.Words = append(f.Words, w.Concept) // of what it is said
			}
		}
		s.Facts = append(s.Facts, f)
	}
}

// fewestInFull is how many tokens a cell has at least that says something without its row.
const fewestInFull = 4

// inFull reads a cell that is a sentence with a subject of its own as one of the running text: a row of what was decided.
func (x *sayer) inFull(row []schema.Cell, j int) {
	if row[j].Span.Len() == 0 || !x.english(row[j].Span) || x.describes(row, j) {
		return
	}
	b := &block{span: row[j].Span, item: true}
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[j].Span.Start)}
	var near []string
	sentences(tk.read(row[j].Span), x.page.Source, func(tokens []token) {
		if len(tokens) < fewestInFull {
			return
		}
		st := x.parse(tokens, nil)
		if st.verb <= st.lead || tokens[st.lead].is(isVerb) || !slices.ContainsFunc(tokens[st.lead:st.verb], func(t token) bool { return t.kind == 'c' || t.word != "" && !t.is(isEmpty|isDeterminer|isPronoun) }) {
			return
		}
		if near == nil {
			for k := range row {
				if k != j {
					near = append(near, x.words.Concepts(plainText(row[k].Text))...)
				}
			}
		}
		x.sentence(b, tokens, near, nil)
	})
}

// unitOf returns the unit of a number that brings none, as the description or the name of its row
// gives it; nil when neither does.
func (x *sayer) unitOf(t *schema.Table, row []schema.Cell, j int) *schema.Unit {
	if strings.Trim(plainText(row[j].Text), "0123456789.,_ ") != "" {
		return nil
	}
	if _, ok := x.words.perTime(row[0].Text); ok {
		return nil
	}
	if x.ofKey(row) {
		_, unit := x.words.attributeUnit("value" + x.settingUnit(t, row, j))
		return unit
	}
	if text := row[0].Text; strings.ContainsAny(text, "([") {
		_, unit := x.words.attributeUnit(text)
		return unit
	}
	return NameUnit(row[0].Text)
}

// measured takes the word for the unit off the labels of a saying: wait_ms is what is waited.
func (x *sayer) measured(s *Saying, name string) {
	words := split(name)
	if NameUnit(name) == nil || len(words) < 2 {
		return
	}
	unit := x.words.concept(words[len(words)-1])
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool { return w.Label && w.Concept == unit })
}

// released adds the version that a token names to the labels: 3.x is which of them a row is of.
func (x *sayer) released(s *Saying, t *token) {
	if t.kind == 'n' && isVersion(t.text) {
		s.Words = append(s.Words, SaidWord{Concept: t.text, Link: t.link, At: -1, Label: true})
	}
}

// editions adds the versions among the values of a saying to its words, where another value is
// what it says of them: support for firmware 2.x ends on 30 June.
func (x *sayer) editions(s *Saying, st *statement, first int) {
	other := func(v SaidValue) bool {
		return v.Value.Kind == schema.ValueDate || v.Value.Kind == schema.ValueQuantity && v.Value.Quantity.Dimension != ""
	}
	if !slices.ContainsFunc(s.Values[first:], other) {
		return
	}
	for i := first; i < len(s.Values); i++ {
		v := &s.Values[i]
		if v.Value.Kind != schema.ValueVersion {
			continue
		}
		for at := v.From; at < v.To; at++ {
			w := SaidWord{Link: st.tokens[at].link, At: at}
			if t := &st.tokens[at]; t.kind == 'n' && (isVersion(t.text) || releaseHeads[st.word(at-1)]) {
				w.Concept = t.text
				s.Words = append(s.Words, w)
			} else if t.kind == 'w' && !t.is(isEmpty|isDeterminer|isPronoun|isCondition) {
				x.word(s, st, w)
			}
		}
	}
}

// counts makes rates of the amounts of a cell whose row or column says by which time they are
// counted, and shares of numbers that are called so.
func (x *sayer) counts(s *Saying, t *schema.Table, row []schema.Cell, j int) {
	if len(s.Values) == 0 {
		return
	}
	names := []string{t.Head[j].Text, row[0].Text}
	for k := 1; k < len(row); k++ {
		if k != j && x.describes(row, k) {
			names = append(names, row[k].Text)
		}
	}
	for i := range s.Values {
		x.words.reckon(s, &s.Values[i], names)
	}
}

// reckon is what counts does to one value.
func (l *Lexicon) reckon(s *Saying, v *SaidValue, names []string) {
	q := v.Value.Quantity
	money := strings.HasPrefix(string(q.Dimension), "money:")
	if v.Value.Kind != schema.ValueQuantity || !money && q.Dimension != schema.Dimensionless {
		return
	}
	for _, name := range names {
		if u, ok := l.perTime(name); ok {
			amount := *v
			q.Lo, q.Hi, q.Step, q.Dimension = q.Lo/u.Hi, q.Hi/u.Lo, q.Step/u.Lo, "rate:"+q.Dimension
			v.Value.Quantity, v.Class = q, string(q.Dimension)
			if money { // who names it may leave the time out
				s.Values = append(s.Values, amount)
			}
			return
		}
		if words := split(name); q.Dimension == schema.Dimensionless && q.Lo > 0 && q.Hi <= 1 && q.Decimals > 0 && slices.ContainsFunc(words, func(w string) bool { return shares[w] }) {
			share := *v
			share.Value.Quantity.Dimension, share.Class = schema.Ratio, string(schema.Ratio)
			s.Values = append(s.Values, share)
			return
		}
	}
}

// shares are what numbers between 0 and 1 are called that others give in percent.
var shares = wordSet(`share ratio fraction percentage portion proportion probability likelihood confidence occupancy utilisation utilization coverage humidity
	efficiency discount`)

// perTime returns the unit of time by which a name says that its amount is counted, with what it
// is counted for besides: price per seat and month, rate_per_minute.
func (l *Lexicon) perTime(name string) (u schema.Unit, ok bool) {
	if u, ok = l.perUnit(name); ok {
		return u, ok
	}
	words := split(name)
	for i := 1; i+1 < len(words); i++ {
		if words[i] != "per" && words[i] != "each" {
			continue
		}
		for k := i + 1; k < len(words) && k < i+4; k++ {
			if u, ok = l.UnitOf(words[k]); ok && u.Dimension == schema.Duration && !plural(words[k]) && (k == i+1 || wordIn(words[k-1], "and", "per", "a", "each")) {
				return u, true
			}
		}
	}
	return schema.Unit{}, false
}

// versionBelow reads what stands below the head of a product as a version of
// it: 12 and later.
func (x *sayer) versionBelow(s *Saying, cell schema.Cell, j int) bool {
	if x.grid.products[j] == "" {
		return false
	}
	v, ok := x.versionOf(x.grid.products[j], cell)
	if ok {
		s.Values = append(s.Values, SaidValue{Span: cell.Span, Text: cell.Text, Value: v, Class: classOfValue(&v)})
	}
	return ok
}

// worded reports whether the words of a cell with a value are to be read one by one: those of a
// name, and those of a well-known one with a number behind it, which is its version.
func (x *sayer) worded(s *Saying) bool {
	v := &s.Values[0]
	if strings.HasPrefix(v.Class, "class:") && strings.ContainsAny(v.Text, "0123456789") {
		v.Value.Words = slices.DeleteFunc(v.Value.Words, func(w string) bool { return x.words.classes[w] == "" })
		return true
	}
	return v.Class == "name"
}

// registers are logs that are kept up to date, by the word before log: what their tables say of the
// state of an entry is so.
var registers = wordSet(`decision decisions risk risks issue issues action`)

// register reports whether a page is a log that is kept up to date.
func register(page *schema.Page) bool {
	title := split(page.Title)
	n := len(title)
	return page.Layer != schema.LayerSource && n > 1 && title[n-1] == "log" && registers[title[n-2]]
}

// registered reports whether a value is the state that a register gives an entry.
func (x *sayer) registered(s *Saying, v *SaidValue) bool {
	return x.muted && s.From == schema.OriginTable && v.Value.Kind == schema.ValueName && register(x.page) &&
		slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.Label && w.Concept == x.words.concept("status") })
}

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

// pricesIn is a sentence that says in which currency the prices of a table are.
var pricesIn = schema.Expression(`(?i)\b(?:prices?|fees?|fares?|amounts?|costs?|rates?|sums?)\b[^.|]{0,40}\bin ([a-z]{3,12}|[€$£])`)

// currencyAround returns the currency that the text before a table says that its prices are in, nil where it says none.
func (x *sayer) currencyAround(t *schema.Table) *schema.Unit {
	from := 0
	for i := range x.page.Headings {
		if h := x.page.Headings[i].Span; h.End <= t.Span.Start {
			from = h.End
		}
	}
	m := pricesIn().FindSubmatch(x.page.Source[max(from, t.Span.Start-longestValue):t.Span.Start])
	if m == nil {
		return nil
	}
	if u, ok := x.words.UnitOf(strings.ToLower(string(m[1]))); ok && strings.HasPrefix(string(u.Dimension), "money:") {
		return &u
	}
	return nil
}

// decimal reports whether a text is a number and nothing else.
func decimal(text string) bool {
	text = plainText(text)
	return text != "" && strings.Trim(text, "0123456789.,") == "" && text[0] >= '0' && text[0] <= '9'
}
