package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// versioned adds a cell that is a version: 12 and later, below Android; Python 3.9. A product is
// also a name of its kind.
func (x *sayer) versioned(s *Saying, head string, cell schema.Cell) bool {
	said := SaidValue{Span: cell.Span, Text: plainText(cell.Text), Class: "version"}
	product := ""
	for w := range strings.FieldsSeq(strings.ToLower(head)) {
		switch x.words.classes[w] {
		case "system", "language", "database":
			product = w
		}
	}
	if product != "" {
		v, ok := x.versionOf(product, cell)
		if said.Value = v; ok {
			s.Values = append(s.Values, said)
		}
		return ok
	}
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(cell.Span.Start)}
	st := &statement{x: &x.extraction, tokens: tk.read(cell.Span), verb: -1, alone: true}
	if len(st.tokens) < 2 || len(st.tokens) > 5 || x.words.classes[st.tokens[0].text] == "" {
		return false
	}
	v, ok := st.version(0)
	if said.Value = v.value; !ok || v.to < len(st.tokens) {
		return false
	}
	s.Values = append(s.Values, said, x.productOf(&said))
	return true
}

// productOf returns the product of a version as a name of its kind.
func (x *sayer) productOf(v *SaidValue) SaidValue {
	name := *v
	name.Class, name.Value = x.kindOf(v.Value.Words), schema.Value{Kind: schema.ValueName, Words: v.Value.Words[:1]}
	return name
}

// products makes versions of the numbers that a sentence says are those of a product, the
// minimum Android version: 10, and adds products as names of their kind.
func (x *sayer) products(s *Saying, st *statement, first int) {
	for i := first; i < len(s.Values); i++ {
		v := &s.Values[i]
		if before := v.From - 2; v.Class == "" && v.Counted == "" && before > 0 && wordIn(st.word(before+1), ":", "is") && st.word(before) == "version" && st.tokens[v.From].kind == 'n' {
			lo, hi, ok := versionInterval(st.tokens[v.From].text)
			if product := &st.tokens[before-1]; ok && product.kind == 'w' && product.capital {
				v.Class, v.Value = "version", schema.Value{Kind: schema.ValueVersion, Words: []string{product.text}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}
			}
		}
		st.oldest(v)
		if v.Value.Kind == schema.ValueVersion && len(v.Value.Words) > 0 && x.kindOf(v.Value.Words[:1]) != "" {
			name := x.productOf(v)
			if !slices.ContainsFunc(s.Values, func(o SaidValue) bool { return o.Class == name.Class }) {
				s.Values = append(s.Values, name)
			}
		}
	}
}

// stated adds what a status says: that something is in use, or is no more.
func (x *sayer) stated(s *Saying, span schema.Span, text string) {
	concept := x.words.concept(plainText(text))
	if o, ok := x.words.opposite[concept]; ok && o.concept == x.words.concept("active") {
		s.Values = append(s.Values, SaidValue{Span: span, Text: text, Class: "pole:" + o.concept, Value: schema.Value{Kind: schema.ValueBool, Bool: !o.negative}})
	}
}

// whichOf returns as what the name of one of several things of a kind is compared, the C of
// freezer C; empty for other words.
func (s *statement) whichOf(i int) string {
	if i == 0 || s.tokens[i].link >= 0 || !lettering(&s.tokens[i]) || !s.x.words.numbering[s.tokens[i-1].text] || s.tokens[i-1].kind != 'w' {
		return ""
	}
	return "class:" + whichSlot(s.tokens[i-1].word)
}

// oldest makes a version of the number behind "is" where the subject is the first or the last of
// the versions of a product: the oldest Python that we support is 3.9.
func (s *statement) oldest(v *SaidValue) {
	is := v.From - 1
	if v.Class != "" || v.Counted != "" || is < 2 || !wordIn(s.word(is), "is", "remains", "stays") || s.tokens[v.From].kind != 'n' || !strings.Contains(s.tokens[v.From].text, ".") {
		return
	}
	for i := is - 1; i > 0; i-- {
		t := &s.tokens[i]
		if class := s.x.words.classes[t.text]; !t.capital || class != "language" && class != "system" && class != "database" {
			continue
		}
		bound, ends := versionEnds[s.word(i-1)]
		lo, hi, ok := versionInterval(s.tokens[v.From].text)
		if !ends || !ok {
			return
		}
		v.Class, v.Value = "version", schema.Value{Kind: schema.ValueVersion, Words: []string{t.text}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi, Bound: bound}}
		return
	}
}

// versionEnds are what the first and the last of the versions that will do are called.
var versionEnds = map[string]schema.Bound{"oldest": schema.AtLeast, "earliest": schema.AtLeast, "lowest": schema.AtLeast, "minimum": schema.AtLeast,
	"newest": schema.AtMost, "latest": schema.AtMost, "highest": schema.AtMost}

// named are the nouns of things that programs know by a name, which texts write as code.
var named = wordSet(`bucket queue topic branch repository repo channel table schema database namespace cluster bot account group role label tag folder
	directory file script command header cookie index image container host hostname domain level profile stream collection secret job flag event metric alias endpoint parameter attribute prefix suffix exchange image metric dataset view bucket`)

// ClassNamed is what the classes of such names begin with; the noun follows.
const ClassNamed = "class:named:"

// codeName returns as what a name written as code is compared: the branch `stable`, the branch of the
// release is called `stable`; empty for others.
func (s *statement) codeName(i int) string {
	t := &s.tokens[i]
	if t.kind != 'c' || i == 0 || !plainName(t.text) || i+1 < len(s.tokens) && (s.tokens[i+1].kind == 'c' || wordIn(s.tokens[i+1].text, "and", "or") && i+2 < len(s.tokens) && s.tokens[i+2].kind == 'c') {
		return ""
	}
	before := s.word(i - 1)
	if named[before] && s.tokens[i-1].kind == 'w' {
		return ClassNamed + s.tokens[i-1].word
	}
	if !wordIn(before, "called", "named", "is", ":") || s.negative {
		return ""
	}
	for k := range s.tokens[:i-1] {
		switch w := s.word(k); {
		case !named[w] || s.tokens[k].kind != 'w':
		case wordIn(s.word(k+1), "of", "for", "in", "is", ":") || s.tokens[k+1].is(isAuxiliary|isVerb):
			return ClassNamed + s.tokens[k].word
		}
	}
	return ""
}

// plainName reports whether a text written as code is a name and neither a setting nor a call.
func plainName(text string) bool {
	return len(text) > 1 && !strings.ContainsAny(text, " =:(){}<>$*|") && !strings.HasPrefix(text, "-") && strings.Trim(text, "0123456789.") != ""
}

// codeCell returns as what the only name of a cell is compared that is written as code, by the head of its
// column; empty for others.
func (x *sayer) codeCell(head string, cell schema.Cell) (class, name string) {
	text := strings.TrimSpace(string(cell.Span.In(x.page.Source)))
	if len(text) < 4 || text[0] != '`' || strings.IndexByte(text[1:], '`') != len(text)-2 || !plainName(text[1:len(text)-1]) {
		return "", ""
	}
	words := split(head)
	if len(words) == 0 || !named[words[len(words)-1]] || words[len(words)-1] == "job" {
		return "", ""
	}
	return ClassNamed + x.words.concept(words[len(words)-1]), strings.ToLower(text[1 : len(text)-1])
}

// codeValue adds the name that a cell gives, written as code.
func (x *sayer) codeValue(s *Saying, head string, cell schema.Cell) bool {
	class, name := x.codeCell(head, cell)
	if class == "" {
		return false
	}
	s.Values = append(s.Values, SaidValue{Span: cell.Span, Text: strings.TrimSpace(cell.Text), Class: class, Value: schema.Value{Kind: schema.ValueName, Words: []string{name}}})
	return true
}

// hyphen reports whether a token is the hyphen between a number and what it counts: 32-bit.
func (s *statement) hyphen(i int) bool {
	t := s.tokens
	return t[i].text == "-" && i > 0 && i+1 < len(t) && t[i-1].kind == 'n' && t[i-1].span.End == t[i].span.Start && t[i].span.End == t[i+1].span.Start
}

// articles are words behind which a verb is a noun: on every build agent, the start. After that
// and this a verb may follow.
var articles = wordSet(`the a an every its their our your`)

// nounBehind reports whether a word that may be a verb is a noun by what stands before it.
func (s *statement) nounBehind(i int) bool { return i > 0 && articles[s.tokens[i-1].text] }

// perPiece takes the conditions off a price that only name what it is paid for: 540 EUR for each
// production server.
func (s *statement) perPiece(said *Saying, first int) {
	priced := false
	for _, v := range said.Values[first:] {
		priced = priced || isMoney(&v.Value)
	}
	if !priced {
		return
	}
	t := s.tokens
	for i := 1; i+2 < len(t); i++ {
		if !wordIn(t[i].text, "each", "every", "per") || !t[i+1].is(isScope) || t[i+2].kind != 'w' || t[i+2].is(isCondition|isVerb|isJoiner|isAuxiliary) {
			continue
		}
		said.Scope = slices.DeleteFunc(slices.Clone(said.Scope), func(c string) bool { return c == t[i+1].text })
	}
}

// isMoney reports whether a value is an amount of money, or one of a time.
func isMoney(v *schema.Value) bool {
	d := strings.TrimPrefix(string(v.Quantity.Dimension), "rate:")
	return v.Kind == schema.ValueQuantity && strings.HasPrefix(d, "money:")
}

// releaseOf adds the number of the release that a row is of to the labels, where its column says
// that it is one.
func (x *sayer) releaseOf(s *Saying, t *schema.Table, row []schema.Cell) {
	number := strings.TrimPrefix(strings.ToLower(plainText(row[0].Text)), "v")
	if _, _, ok := versionInterval(number); ok && strings.Contains(number, ".") && !isVersion(number) && anyWord(t.Head[0].Text, releaseHeads) {
		s.Words = append(s.Words, SaidWord{Concept: number, Link: -1, At: -1, Label: true})
	}
}

// leastSpelled is how many letters a well-known name has that some write with a hyphen: shorter ones
// are marks of parts and rooms.
const leastSpelled = 4

// spelled returns a well-known name that is written with a hyphen as others write it, wifi for
// Wi-Fi, and other words as they are.
func (l *Lexicon) spelled(word string) string {
	if !strings.Contains(word, "-") || l.classes[word] != "" {
		return word
	}
	joined := strings.ReplaceAll(word, "-", "")
	if len(joined) < leastSpelled || l.classes[joined] == "" || strings.ContainsAny(joined, "0123456789") {
		return word
	}
	return joined
}

// joinedNouns are nouns that a verb and the particle behind it make: it times out, the timeout.
var joinedNouns = wordSet(`timeout backup rollout rollback login logout signin signup signout setup startup shutdown lookup cleanup failover takeover handover lockout checkout checkin roundup rounddown`)

// particles are the words that stand behind such a verb.
var particles = wordSet(`out up in off over down back by around on`)

// joined returns the noun that a verb at a token makes with the particle behind it; empty for others.
func (s *statement) joined(i int) string {
	if i+1 >= len(s.tokens) || s.tokens[i].kind != 'w' || s.tokens[i+1].kind != 'w' || !particles[s.tokens[i+1].text] || s.word(i+1) == "up" && s.word(i+2) == "to" || s.tokens[i].link >= 0 && s.tokens[i].link != s.tokens[i+1].link {
		return ""
	}
	verb, particle := s.tokens[i].word, s.tokens[i+1].text
	for _, noun := range []string{verb + particle, verb + "e" + particle, verb + "-" + particle} {
		if joinedNouns[noun] {
			return s.x.words.concept(noun)
		}
	}
	return ""
}
