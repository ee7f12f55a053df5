package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "forbidden-term",
	Group:    linter.Hygiene,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page uses a term that the wiki replaces with another one.",
	Doc: `With one name per thing, a search finds everything about it. Define terms with ` + "`terms`" + ` in wiki.yaml
(` + "`terms: {client: customer}`" + `), or in a LANGUAGE.md in the wiki, at the top of the repository or in agents/: a
table with the columns avoid and use, or list items of the forms ` + "`~~client~~ → customer`" + `,
` + "`**customer** (not: client, user)` and `don't say \"client\" — say \"customer\"`" + `.

Whole words are matched in text, link labels and headings. Letter case is ignored, unless the term has a
capital inside, like "iPhone". Code, link destinations, quotations, words in quotation marks, compounds such
as client-side, raw sources, logs and the pages that define the terms are not checked.

The safe fix writes the replacement if there is exactly one, with matching capitals. In a heading it is
unsafe, because it breaks links to the heading.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		terms := linter.TermsOf(p).List
		if len(terms) == 0 {
			return
		}
		t := newTermTrie(terms)
		var toks []token
		for _, page := range kept(p) {
			if p.Err() != nil {
				return
			}
			if linter.LanguagePage(page) || linter.SchemaPage(page) || template(page) || logged(page) {
				continue
			}
			toks = t.tokens(toks[:0], page, wordsFact.Of(p, page))
			t.report(p, page, toks)
		}
	},
})

var wordsFact = linter.NewPageFact(linter.Words)

// logged reports whether a page is a record of the past, which nobody rewords: a log, or
// a page in a folder of logs.
func logged(page *schema.Page) bool {
	names := strings.Split(strings.ToLower(page.Path), "/")
	last := len(names) - 1
	names[last] = fold(stem(names[last]))
	return slices.ContainsFunc(names, func(n string) bool {
		return slices.Contains([]string{"log", "logs", "90_log", "changelog", "journal", "journals"}, n)
	})
}

// termTrie holds all terms by words, so that one pass over a text finds all of them. It
// includes the preferred terms, in which an avoided one doesn't count.
type termTrie struct {
	numbers map[string]int
	root    termNode
	longest int
}

type termNode struct {
	next  map[int]*termNode
	terms []*entry
}

// entry is one text to look for.
type entry struct {
	*linter.Term        // nil for a preferred word
	text         string // white space evened, and folded unless exact
	exact        bool
	before       string // what is before its first word and behind its last
	after        string
}

func newTermTrie(terms []linter.Term) *termTrie {
	t := &termTrie{numbers: map[string]int{}}
	for i := range terms {
		t.add(terms[i].Avoid, &terms[i])
		for _, use := range terms[i].Use {
			t.add(use, nil)
		}
	}
	return t
}

// add enters a text, unless there is no word in it.
func (t *termTrie) add(written string, term *linter.Term) {
	var first, last schema.Span
	node, n := &t.root, 0
	eachWord([]byte(written), 0, func(word []byte, at schema.Span) {
		if n == 0 {
			first = at
		}
		last = at
		n++
		id := t.numbers[string(word)]
		if id == 0 {
			id = len(t.numbers) + 1
			t.numbers[string(word)] = id
		}
		if node.next == nil {
			node.next = map[int]*termNode{}
		}
		if node.next[id] == nil {
			node.next[id] = &termNode{}
		}
		node = node.next[id]
	})
	if n == 0 {
		return
	}
	e := &entry{Term: term, text: text.Collapse(written[first.Start:last.End]), before: written[:first.Start], after: written[last.End:]}
	inner := string([]rune(written)[1:])
	if e.exact = strings.ToLower(inner) != inner; !e.exact {
		e.text = fold(e.text)
	}
	if term == nil { // a word that is preferred is not avoided, even where both are said
		node.terms = slices.Insert(node.terms, 0, e)
	} else {
		node.terms = append(node.terms, e)
	}
	t.longest = max(t.longest, n)
}

// tokens appends the words of a page that are part of any term, and one 0 for everything
// between them.
func (t *termTrie) tokens(toks []token, page *schema.Page, text []schema.Span) []token {
	end := func() {
		if n := len(toks); n > 0 && toks[n-1].word != 0 {
			toks = append(toks, token{})
		}
	}
	for _, gap := range text {
		eachWord(gap.In(page.Source), gap.Start, func(word []byte, at schema.Span) {
			if n := t.numbers[string(word)]; n != 0 {
				toks = append(toks, token{n, at})
			} else {
				end()
			}
		})
		end()
	}
	return toks
}

// mostOnPage bounds how many words of one page are reported.
const mostOnPage = 1000

// report reports the terms among the words of a page, the longest at each
// place, none overlapping another.
func (t *termTrie) report(p *linter.Pass, page *schema.Page, toks []token) {
	var in *places
	q := &quotes{src: page.Source}
	for i, n := 0, 0; i < len(toks) && n < mostOnPage; {
		e, used := t.at(page, toks[i:])
		if e == nil {
			i++
			continue
		}
		at := schema.Span{Start: toks[i].at.Start - len(e.before), End: toks[i+used-1].at.End + len(e.after)}
		i += used
		found := string(at.In(page.Source))
		if e.Term != nil && !slices.Contains(e.Use, text.Collapse(found)) && free(page.Source, at) && !q.hold(at) {
			if in == nil {
				in = placesOf(page)
			}
			reportTerm(p, page, e.Term, at, in)
			n++
		}
	}
}

// at returns the longest text that toks begin with, and of how many words it is.
func (t *termTrie) at(page *schema.Page, toks []token) (found *entry, used int) {
	node := &t.root
	for k := 0; k < len(toks) && k < t.longest; k++ {
		if node = node.next[toks[k].word]; node == nil {
			break
		}
		at := schema.Span{Start: toks[0].at.Start, End: toks[k].at.End}
		for _, e := range node.terms {
			if e.is(page.Source, at) {
				found, used = e, k+1
				break
			}
		}
	}
	return found, used
}

// is reports whether the entry is at a place of src.
func (e *entry) is(src []byte, at schema.Span) bool {
	s := string(at.In(src))
	if strings.Count(s, "\n") > 1 {
		return false
	}
	if s = text.Collapse(s); !e.exact {
		s = fold(s)
	}
	return s == e.text && bytes.HasSuffix(src[:at.Start], []byte(e.before)) && bytes.HasPrefix(src[at.End:], []byte(e.after))
}

// free reports whether the text at a place is a separate word: not part of a compound, a
// path, an address or a key.
func free(src []byte, at schema.Span) bool {
	const joints = "-_/@\\.#$&+="
	before, after := around(src, at.Start-2, at.Start), around(src, at.End, at.End+2)
	if before[1] != 0 && strings.IndexByte(joints, before[1]) >= 0 && (wordByte(before[0]) || strings.IndexByte("/@#$\\_", before[1]) >= 0) {
		return false
	}
	if after[0] != 0 && strings.IndexByte(joints, after[0]) >= 0 && (wordByte(after[1]) || strings.IndexByte("/\\_", after[0]) >= 0) {
		return false
	}
	return string(after[:]) != "::" && string(after[:]) != "()"
}

// around returns the two bytes of src from an offset, 0 beyond the end.
func around(src []byte, from, to int) (b [2]byte) {
	for i := from; i < to; i++ {
		if 0 <= i && i < len(src) {
			b[i-from] = src[i]
		}
	}
	return b
}

func wordByte(c byte) bool { return c >= 0x80 || asciiWord[c] }

// places are the parts of a page where other words may lead elsewhere.
type places struct {
	headings   []schema.Span
	references []schema.Span // links whose label says where they lead
}

func placesOf(page *schema.Page) *places {
	in := &places{}
	for i := range page.Headings {
		in.headings = append(in.headings, page.Headings[i].Span)
	}
	for i := range page.Links {
		if page.Links[i].Syntax == schema.SyntaxReference {
			in.references = append(in.references, page.Links[i].Span)
		}
	}
	return in
}

// overlaps reports whether one of spans, which are in order, shares a byte
// with at.
func overlaps(spans []schema.Span, at schema.Span) bool {
	i, _ := slices.BinarySearchFunc(spans, at.Start, func(s schema.Span, offset int) int { return s.End - 1 - offset })
	return i < len(spans) && spans[i].Overlaps(at)
}

func reportTerm(p *linter.Pass, page *schema.Page, term *linter.Term, at schema.Span, in *places) {
	found := string(at.In(page.Source))
	remedy := "use another term"
	if len(term.Use) > 0 {
		remedy = "write " + list(term.Use, 8)
	}
	cause, heading := "term:"+term.Avoid, overlaps(in.headings, at)
	if heading {
		cause = "heading:" + term.Avoid
	}
	d := p.ReportCause(cause, page.Path, at, "%q is a term to avoid (%s); %s", text.Collapse(found), term.By, remedy)
	if len(term.Use) == 1 && !strings.ContainsAny(found, "\r\n") && !overlaps(in.references, at) {
		text := likeFound(term.Use[0], found, term.Avoid)
		d.Fixes = []schema.Fix{{Title: "write " + text, Safe: !heading, Edits: []schema.Edit{{Path: page.Path, Span: at, Text: text}}}}
	}
}

// likeFound capitalizes the preferred term like the found one, if neither it nor the
// avoided term has capitals.
func likeFound(use, found, avoid string) string {
	if use != strings.ToLower(use) || found == avoid {
		return use
	}
	letters := []rune(found)
	switch {
	case len(letters) > 1 && found == strings.ToUpper(found) && found != strings.ToLower(found):
		return strings.ToUpper(use)
	case string(letters[:1]) != strings.ToLower(string(letters[:1])):
		first := []rune(use)
		return strings.ToUpper(string(first[:1])) + string(first[1:])
	}
	return use
}
