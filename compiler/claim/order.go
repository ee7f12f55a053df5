package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Step is something that comes before or after something else.
type Step struct {
	Text string // as the page calls it
	Key  string // its words, by which it is compared
	Link int    // index of the link that it is, -1 for none
	// Sure is set when it is hardly a word of prose: a link, a name in a code span,
	// or several words.
	Sure bool
	Span schema.Span
}

// Order is what a page says about which of some steps comes first.
type Order struct {
	Steps []Step // the first comes first, or wins
	// Of says of which order: "run" in time, "precedence", or the verb's own, as
	// in "is loaded before"; empty for a list.
	Of string
	// Topic are the words of the heading of a list, or of the heading that a
	// statement stands under.
	Topic string
	List  bool
	Scope []string // see [schema.Claim]
	Span  schema.Span
}

// Orders returns the orders that a page states: explicit statements (the parser
// runs before the linter; flags override the environment), and numbered lists
// of three or more steps under a heading or a line that speaks of an order.
// Statements under a condition are left out.
func Orders(page *schema.Page) []Order {
	if Mute(page) || schema.TemplatePath(page.Path) {
		return nil
	}
	o := &orderReader{extraction: extraction{page: page, words: English(), scope: titled(page.Title)}}
	if e := edition(page.Path); e != "" {
		o.scope = append(o.scope, "in "+e)
	}
	o.sections = sections(page)
	t := &tokenizer{page: page, words: English()}
	all := blocks(page, nil)
	for i := 0; i < len(all); {
		if items, n := o.numbered(all[i:]); len(items) > 1 {
			o.list(items)
			i += n
			continue
		}
		if mayOrder(all[i].span.In(page.Source)) && o.reads(all[i].span.Start) {
			sentences(t.read(all[i].span), page.Source, o.statement)
		}
		i++
	}
	return o.found
}

// orderMarks are in every text that a statement about an order is in: the words
// of orderVerbs, or what they begin with.
var orderMarks = [][]byte{[]byte("before"), []byte("after"), []byte("precede"), []byte("follows"), []byte("override"), []byte("priority")}

// mayOrder reports whether a text is worth reading: most say nothing of orders.
func mayOrder(text []byte) bool {
	return slices.ContainsFunc(orderMarks, func(mark []byte) bool { return bytes.Contains(text, mark) })
}

type orderReader struct {
	extraction
	found []Order
}

// reads reports whether what stands at a place is a statement about the present.
func (o *orderReader) reads(at int) bool { return !muteSection(o.section(at)) }

// topic returns the words of the heading above a place, or of the title.
func (o *orderReader) topic(at int) string {
	heading := o.page.Title
	if section := o.section(at); len(section) > 0 {
		heading = section[len(section)-1]
	}
	return strings.Join(Words(heading), " ")
}

func (o *orderReader) add(order Order, at int) {
	order.Topic = o.topic(at)
	order.Scope = slices.Clone(o.scope)
	for _, heading := range o.section(at) {
		order.Scope = append(order.Scope, titled(heading)...)
	}
	slices.Sort(order.Scope)
	order.Scope = slices.Compact(order.Scope)
	o.found = append(o.found, order)
}

// orderly are words of headings and of lines before a list that say that its
// order matters, as their stems.
var orderly = wordSet(`step stag stage phas phase order pipelin pipeline proces process flow workflow sequenc sequence procedur procedure precedenc precedence
	priorit priority lifecycl lifecycle lookup resolution startup shutdown boot sequential ladder`)

func speaksOfOrder(text string) bool {
	return slices.ContainsFunc(split(text), func(w string) bool { return orderly[w] || orderly[stem(w)] || orderly[strings.TrimSuffix(w, "s")] })
}

// numbered returns the items of the numbered list that begins with the first
// block, and how many blocks it has with what stands below the items.
func (o *orderReader) numbered(all []block) (items []block, n int) {
	src := o.page.Source
	for n < len(all) {
		b := &all[n]
		line := bytes.LastIndexByte(src[:b.span.Start], '\n') + 1
		below := n > 0 && (src[line] == ' ' || src[line] == '\t')
		if !below && (!b.item || o.number(b, line) != len(items)+1 || n > 0 && o.topic(b.span.Start) != o.topic(all[0].span.Start)) {
			break
		}
		if !below {
			items = append(items, *b)
		}
		n++
	}
	return items, n
}

// number returns the number that stands before an item at the left margin, 0 for none.
func (o *orderReader) number(b *block, line int) int {
	src := o.page.Source
	mark := bytes.TrimSpace(src[line:b.span.Start])
	if len(mark) < 2 || len(mark) > 4 || src[line] == ' ' || src[line] == '\t' {
		return 0
	}
	n := 0
	for _, c := range mark[:len(mark)-1] {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// list reads the steps of a numbered list, if its order is said to matter.
func (o *orderReader) list(items []block) {
	at := items[0].span.Start
	if len(items) < 3 || !o.reads(at) {
		return
	}
	heading := o.page.Title
	if section := o.section(at); len(section) > 0 {
		heading = section[len(section)-1]
	}
	if intro := items[0].intro.In(o.page.Source); !speaksOfOrder(heading) && !speaksOfOrder(string(intro)) {
		return
	}
	order := Order{List: true, Span: schema.Span{Start: at, End: items[len(items)-1].span.End}}
	for i := range items {
		s := o.step(items[i].span)
		if s.Key == "" {
			continue
		}
		if slices.ContainsFunc(order.Steps, func(other Step) bool { return other.Key == s.Key }) {
			return // a step that comes twice
		}
		order.Steps = append(order.Steps, s)
	}
	if len(order.Steps) >= 3 {
		o.add(order, at)
	}
}

// longestStep bounds, in words, what is taken for the name of a step.
const longestStep = 6

// step returns what an item calls its step: what is emphasised or written as code
// at its beginning, or else its words up to the first mark.
func (o *orderReader) step(item schema.Span) Step {
	src := o.page.Source
	text := item.In(src)
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	for _, mark := range []string{"**", "__", "`"} {
		if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok {
			if i := bytes.Index(rest, []byte(mark)); i > 0 {
				return o.called(schema.Span{Start: item.Start + len(mark), End: item.Start + len(mark) + i})
			}
		}
	}
	if i := o.linkFrom(item.Start); i < len(o.page.Links) && o.page.Links[i].Span.Start == item.Start {
		l := &o.page.Links[i]
		label := l.Label
		if label == "" {
			label = l.Target
		}
		return Step{Text: label, Key: strings.Join(Words(label), " "), Link: i, Sure: true, Span: l.Span}
	}
	end := len(text)
	for i := range text {
		if strings.IndexByte(":;,(", text[i]) >= 0 || text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ') || bytes.HasPrefix(text[i:], []byte("—")) ||
			bytes.HasPrefix(text[i:], []byte("–")) || bytes.HasPrefix(text[i:], []byte(" - ")) {
			end = i
			break
		}
	}
	return o.called(schema.Span{Start: item.Start, End: item.Start + len(bytes.TrimRight(text[:end], " "))})
}

func (o *orderReader) called(span schema.Span) Step {
	text := strings.TrimRight(strings.TrimSpace(string(span.In(o.page.Source))), ".:")
	words := Words(text)
	if len(words) == 0 || len(strings.Fields(text)) > longestStep {
		return Step{}
	}
	return Step{Text: text, Key: strings.Join(words, " "), Link: -1, Sure: len(words) > 1, Span: span}
}

// comesTo are verbs that say no more than when something happens.
var comesTo = wordSet(`runs run comes come executes execute executed happens happen occurs occur goes go takes place performed done`)

// orderVerbs are the words for an order, and whether what stands before them comes first.
var orderVerbs = map[string]struct {
	of    string
	first bool
	verb  bool // it is the verb; else one stands before it
}{
	"before": {"", true, false}, "after": {"", false, false}, "precedes": {"run", true, true}, "precede": {"run", true, true},
	"follows": {"run", false, true}, "overrides": {"precedence", true, true}, "override": {"precedence", true, true},
}

// sooner are words that may stand between a verb and before or after.
var sooner = wordSet(`always directly immediately right just only strictly shortly well`)

// statement reads one sentence that says of two things which comes first, and
// nothing else.
func (o *orderReader) statement(tokens []token) {
	at := slices.IndexFunc(tokens, func(t token) bool { _, ok := orderVerbs[t.text]; return ok && t.kind == 'w' && t.link < 0 })
	of, first, from, to := "", true, 0, 0
	if at > 0 {
		v := orderVerbs[tokens[at].text]
		of, first, to = v.of, v.first, at+1
		from = at
		if !v.verb {
			if of, from = o.happens(tokens, at); of == "" {
				return
			}
		}
	} else if at = slices.IndexFunc(tokens, func(t token) bool { return t.text == "precedence" || t.text == "priority" }); at > 1 &&
		at+1 < len(tokens) && tokens[at+1].text == "over" && wordIn(tokens[at-1].text, "takes", "take", "has", "have") {
		of, from, to = "precedence", at-1, at+2
	} else {
		return
	}
	end := to
	for end < len(tokens) && tokens[end].text != "," && tokens[end].text != ":" {
		end++
	}
	for _, t := range tokens {
		if conditionWords[t.text] || wordIn(t.text, "if", "when", "unless", "except", "only", "but", "while", "not", "never", "may", "might", "can", "could", "was", "were", "until", "once",
			"usually", "often", "sometimes", "normally", "or") && (t.text != "only" || at == 0) {
			return
		}
	}
	subject, object := o.phrase(tokens[:from]), o.phrase(tokens[to:end])
	if subject.Key == "" || object.Key == "" || subject.Key == object.Key {
		return
	}
	order := Order{Of: of, Steps: []Step{subject, object}, Span: schema.Span{Start: tokens[0].span.Start, End: tokens[end-1].span.End}}
	if !first {
		slices.Reverse(order.Steps)
	}
	o.add(order, tokens[0].span.Start)
}

// happens returns what the verb before "before" or "after" says, and where it begins.
func (o *orderReader) happens(tokens []token, at int) (of string, from int) {
	i := at - 1
	for i > 0 && sooner[tokens[i].text] {
		i--
	}
	if i < 1 || tokens[i].kind != 'w' || tokens[i].link >= 0 {
		return "", 0
	}
	verb := tokens[i].text
	switch {
	case comesTo[verb]:
		of = "run"
		if verb == "place" {
			i--
		}
	case strings.HasSuffix(verb, "ed") || o.words.Verb(tokens[i].word) || wordIn(tokens[i-1].text, "is", "are", "be"):
		of = stem(verb)
	default:
		return "", 0
	}
	for i > 0 && (auxiliaries[tokens[i-1].text] || sooner[tokens[i-1].text] || wordIn(tokens[i-1].text, "be", "gets", "get", "should", "to", "also")) {
		i--
	}
	return of, i
}

// phrase returns the one thing that some tokens name.
func (o *orderReader) phrase(tokens []token) Step {
	for len(tokens) > 0 && determiners[tokens[0].text] && !wordIn(tokens[0].text, "this", "that", "these", "those", "each", "every", "some", "any", "no", "all") {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 || len(tokens) > 4 {
		return Step{}
	}
	s := Step{Link: -1, Sure: len(tokens) > 1, Span: schema.Span{Start: tokens[0].span.Start, End: tokens[len(tokens)-1].span.End}}
	for i := range tokens {
		t := &tokens[i]
		switch {
		case t.kind == 'p' || t.kind == 'n' || pronouns[t.text] || determiners[t.text] || joiners[t.text] || emptyWords[t.text] || o.words.condition[t.text]:
			return Step{}
		case t.link >= 0:
			s.Link, s.Sure = t.link, true
		case t.kind == 'c':
			s.Sure = true
		}
		s.Text += " " + t.text
	}
	s.Text = strings.TrimSpace(s.Text)
	s.Key = strings.Join(Words(s.Text), " ")
	if len(tokens) == 1 && tokens[0].kind == 'c' {
		s.Key = s.Text // --root and root: are two things
	}
	if s.Link < 0 {
		s.Text = strings.Join(strings.Fields(strings.Trim(string(s.Span.In(o.page.Source)), "*_`")), " ")
	}
	return s
}
