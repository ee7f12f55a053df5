package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// token is a word, a number or a mark of running text.
type token struct {
	span    schema.Span
	text    string // in lower case
	word    string // the concept that it says; empty for marks and numbers
	kind    byte   // 'w' word, 'n' number, 'p' mark, 'c' code
	capital bool   // begins with a capital letter, or is written in code
	classes classes
	link    int // index of the link that it is part of, -1 for none
}

// mostTokens bounds what is read of one block; longer ones explain more than they state.
const mostTokens = 400

// tokenizer reads the tokens of blocks in order.
type tokenizer struct {
	page  *schema.Page
	words *Lexicon
	link  int // the next link
	out   []token
}

// read returns the tokens of a span; they are valid until the next call.
func (t *tokenizer) read(span schema.Span) []token {
	t.out = t.out[:0]
	src := t.page.Source
	for at := span.Start; at < span.End && len(t.out) < mostTokens; {
		if l := t.linkAt(at, span.End); l >= 0 {
			at = t.label(l)
			continue
		}
		c := src[at]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '*':
			at++
		case fixedSpace(src[at:span.End]) > 0:
			at += fixedSpace(src[at:span.End])
		case c == '`':
			at = t.code(at, span.End)
		case c >= '0' && c <= '9':
			at = t.number(at, span.End)
		default:
			at = t.text(at, span.End, -1)
		}
	}
	return t.out
}

// fixedSpace returns how many bytes a space has that begins a text and at which no line is broken; 0 for others.
func fixedSpace(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 0
	}
	switch r, size := utf8.DecodeRune(text); r {
	case '\u00a0', '\u202f', '\u2009', '\u2007':
		return size
	}
	return 0
}

// linkAt returns the link that begins at an offset, -1 when none does.
func (t *tokenizer) linkAt(at, end int) int {
	links := t.page.Links
	for t.link < len(links) && (links[t.link].Field != "" || links[t.link].Span.Start < at) {
		t.link++
	}
	if t.link < len(links) && links[t.link].Span.Start == at && links[t.link].Span.End <= end && links[t.link].Span.Len() > 0 {
		return t.link
	}
	return -1
}

// label reads the words of a link as a reader sees them.
func (t *tokenizer) label(i int) (end int) {
	l := &t.page.Links[i]
	label := l.Label
	if label == "" {
		label = l.Target[strings.LastIndexByte(l.Target, '/')+1:]
	}
	if l.Embed || l.Syntax == schema.SyntaxAutolink {
		label = ""
	}
	for _, w := range split(label) {
		m := t.words.meet([]byte(w))
		t.out = append(t.out, token{span: l.Span, text: w, word: m.word, classes: m.classes, kind: 'w', capital: true, link: i})
	}
	if label == "" {
		t.out = append(t.out, token{span: l.Span, kind: 'p', text: "…", link: -1})
	}
	end = l.Span.End
	for end < len(t.page.Source) && t.page.Source[end] >= 'a' && t.page.Source[end] <= 'z' {
		end++ // the plural of [[gate]]s
	}
	return end
}

// code reads a code span as one name.
func (t *tokenizer) code(at, end int) int {
	src := t.page.Source
	n := 0
	for at+n < end && src[at+n] == '`' {
		n++
	}
	close := strings.Index(string(src[at+n:min(end, at+n+longestValue)]), strings.Repeat("`", n))
	if close < 0 {
		return at + n
	}
	span := schema.Span{Start: at + n, End: at + n + close}
	name := strings.TrimSpace(string(span.In(src)))
	if q, ok := t.words.ParseQuantity(name, nil); ok && q.Dimension == "" {
		t.out = append(t.out, token{span: span, text: name, kind: 'n', link: -1})
	} else {
		t.out = append(t.out, token{span: span, text: strings.ToLower(name), word: strings.ToLower(name), kind: 'c', capital: true, link: -1})
	}
	return span.End + n
}

// number reads a number with its thousands and its points: 1,500, 0.5, 3.11.2,
// 05:30, 2025-03-31.
func (t *tokenizer) number(at, end int) int {
	src := t.page.Source
	i := at
	for i < end {
		c := src[i]
		digit := c >= '0' && c <= '9'
		joined := (c == '.' || c == ',' || c == ':' || c == '-' || c == '_') && i+1 < end && src[i+1] >= '0' && src[i+1] <= '9'
		if !digit && !joined && (c != '.' || i+1 >= end || src[i+1] != 'x') && (c != 'x' || i == at || src[i-1] != '.') {
			break
		}
		i++
	}
	t.out = append(t.out, token{span: schema.Span{Start: at, End: i}, text: string(src[at:i]), kind: 'n', link: -1})
	return i
}

// text reads a word, or the mark at an offset.
func (t *tokenizer) text(at, end, link int) int {
	src := t.page.Source
	i := at
	for i < end {
		if c := src[i]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:end])
		inner := i > at && i+size < end && (r == '\'' || r == '’' || r == '-' || r == '_') && isWordStart(src[i+size:end])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && (i == at || !unicode.IsDigit(r)) && !inner {
			break
		}
		i += size
	}
	if i == at {
		if src[at] == '>' && beginsLine(src, at) {
			return at + 1 // of a callout
		}
		_, size := utf8.DecodeRune(src[at:end])
		t.out = append(t.out, token{span: schema.Span{Start: at, End: at + size}, text: string(src[at : at+size]), kind: 'p', link: -1})
		return at + size
	}
	span := schema.Span{Start: at, End: i}
	m := t.words.meet(src[at:i])
	t.out = append(t.out, token{span: span, text: m.text, word: m.word, classes: m.classes, kind: 'w', capital: capital(m.raw), link: link})
	return i
}

// beginsLine reports whether nothing but white space and the marks of quotations stand before an offset on its line.
func beginsLine(src []byte, at int) bool {
	for at > 0 && (src[at-1] == ' ' || src[at-1] == '\t' || src[at-1] == '>') {
		at--
	}
	return at == 0 || src[at-1] == '\n'
}

// capital reports whether a word is written with a capital letter that is not its last: iOS.
func capital(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c >= 'A' && c <= 'Z' {
			return i == 0 || i+1 < len(word)
		} else if c >= utf8.RuneSelf {
			r, _ := utf8.DecodeRuneInString(word[i:])
			return unicode.IsUpper(r)
		}
	}
	return false
}

func isWordStart(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// abbreviations end with a point that ends no sentence.
var abbreviations = wordSet(`e.g i.e eg ie approx max min vs no nr etc cf ca resp incl excl fig sec dr mr mrs st`)

// sentences cuts the tokens of a block where one ends: at a point, a question
// or exclamation mark, and at a semicolon. Questions are left out.
func sentences(tokens []token, src []byte, yield func([]token)) {
	sentencesAt(".!?;", tokens, src, yield)
}

// sentencesAt is [sentences] with the marks that end one.
func sentencesAt(marks string, tokens []token, src []byte, yield func([]token)) {
	start := 0
	for i := range tokens {
		t := &tokens[i]
		if t.kind != 'p' || !strings.Contains(marks, t.text) {
			continue
		}
		if t.text == "." && i > 1 && lettering(&tokens[i-1]) && English().numbering[tokens[i-2].text] && !tokens[i-2].capital {
			yield(tokens[start:i]) // in freezer C.
			start = i + 1
			continue
		}
		if t.text == "." && i > 0 && (abbreviations[tokens[i-1].text] || len(tokens[i-1].text) == 1 && tokens[i-1].kind == 'w' && (i < 2 || tokens[i-2].kind != 'n' && !strings.Contains("°/µ", tokens[i-2].text))) {
			continue
		}
		if t.text == "." && t.span.End < len(src) && !strings.ContainsRune(" \n\r\t)\"”*_[", rune(src[t.span.End])) {
			continue
		}
		if t.text != "?" {
			yield(tokens[start:i])
		}
		start = i + 1
	}
	yield(tokens[start:])
}
