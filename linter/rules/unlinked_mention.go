package rules

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

var _ = linter.Register(linter.Rule{
	ID:       "unlinked-mention",
	Group:    linter.GraphRules,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Mentions: true,
	Summary:  "A page mentions another page by name without linking to it.",
	Doc: `A link costs nothing here and connects the two pages. Only the first mention on a page is reported, and none
if the page links there already.

Names are page titles and aliases. A one-word name counts only if spelled with the same capitals, and if it is
not short, not an everyday word and not on every page; a name shared by two pages never counts. Code,
headings, links, comments, formulas, quotations, logs, parts of longer words, paths and URLs are not checked,
nor are pages in another language or version. The safe fix adds the link around the words, in the wiki's most
used syntax.

Switch it off if titles are everyday words.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages miss the same link: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		found, pagesWith := mentions(p)
		most := max(10, len(p.Wiki.Pages())/20)
		for i, page := range p.Wiki.Pages() {
			reportMentions(p, page, found[i], func(n *name) bool { return len(n.words) == 1 && pagesWith[n] > most })
		}
	},
})

// mentionsOn are the mentions on one page, cached as long as the page and all names are
// unchanged.
var mentionsOn = linter.NewRelativeFact(func(names *trie, page *schema.Page) []mention {
	toks := tokenPool.Get().(*[]token)
	defer tokenPool.Put(toks)
	*toks = names.tokens((*toks)[:0], page)
	return names.in(page, *toks)
})

var tokenPool = sync.Pool{New: func() any { return new([]token) }}

// mentions returns the mentions of every page, in the order of pages, and how
// many pages have each name. Pages are read by all processors: no other rule
// reads so much text, and most are done long before this one.
func mentions(p *linter.Pass) ([][]mention, map[*name]int) {
	names, pages := mentionFact.Of(p), p.Wiki.Pages()
	found := make([][]mention, len(pages))
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(pages)) && p.Err() == nil; i = next.Add(1) - 1 {
				if linkable(pages[i]) && !isLog(pages[i].Path) {
					found[i] = mentionsOn.Of(p, names, pages[i])
				}
			}
		})
	}
	all.Wait()
	pagesWith := map[*name]int{}
	for _, list := range found {
		for _, m := range list {
			pagesWith[m.name]++
		}
	}
	return found, pagesWith
}

func reportMentions(p *linter.Pass, page *schema.Page, found []mention, common func(*name) bool) {
	if len(found) == 0 {
		return
	}
	linked := map[schema.PageID]bool{page.ID: true}
	for _, id := range p.Wiki.Graph().Out(page.ID) {
		linked[id] = true
	}
	n := nameFact.Of(p)
	wikilinks := styleFact.Of(p)
	for _, m := range found {
		if linked[m.name.page.ID] || common(m.name) || foreign(p.Wiki, page, m.name.page) {
			continue
		}
		linked[m.name.page.ID] = true
		d := p.ReportMention(m.name.page, page.Path, m.at, "%q is mentioned without a link to its page, %q; link to it", m.name.text, m.name.page.Path)
		text := string(m.at.In(page.Source))
		if strings.ContainsAny(text, "\n\r[]|") {
			continue
		}
		link := "[" + text + "](" + schema.EscapeDestination(schema.RelativePath(page.Path, m.name.page.Path), "") + ")"
		if wikilinks {
			link = n.mentionLink(page, m, text)
		}
		d.Fixes = []schema.Fix{{Title: "write " + link, Safe: true,
			Edits: []schema.Edit{{Path: page.Path, Span: m.at, Text: link}}}}
	}
}

// foreign reports whether a page is in another language or edition than another.
func foreign(w *compiler.Wiki, page, other *schema.Page) bool {
	ids := w.Identity()
	return ids.Language(page.Path) != ids.Language(other.Path) || ids.Editions(page.Path, other.Path)
}

// mentionLink returns a wikilink around the words of a mention.
func (n *names) mentionLink(page *schema.Page, m mention, text string) string {
	name := n.wikiName(m.name.page.Path, "")
	switch {
	case name == text:
		return "[[" + name + "]]"
	case n.labelFirst:
		return "[[" + text + "|" + name + "]]"
	}
	return "[[" + name + n.bar(page, m.at) + text + "]]"
}

// styleFact is whether the wiki's own pages link by wikilinks more than by
// markdown links.
var styleFact = linter.NewFact(func(w *compiler.Wiki) bool {
	wiki, markdown := 0, 0
	for _, page := range w.Pages() {
		for l, res := range w.Links(page) {
			switch {
			case l.Embed || l.Field != "" || res.Kind != schema.TargetPage:
			case l.Syntax == schema.SyntaxWikilink:
				wiki++
			default:
				markdown++
			}
		}
	}
	return wiki >= markdown
})

// name is a title or alias as it may be mentioned.
type name struct {
	text  string // as the page has it
	words []string
	page  *schema.Page // nil when several pages share it
}

// mention is one name found in a page's text.
type mention struct {
	name *name
	at   schema.Span
}

// trie holds every name, word by word, so that looking for all of them at once
// costs one walk over the text. Words are numbered; a word of no name has no
// number, and most words of a page are such.
type trie struct {
	numbers map[string]int // of the root only
	next    map[int]*trie
	name    *name // the name that ends here
}

// token is one word of running text, by its number, at its place. 0 is a word
// of no name, or the end of a stretch of text.
type token struct {
	word int
	at   schema.Span
}

// mostWords is the longest name looked for.
const mostWords = 8

var mentionFact = linter.NewLastingFact(namesKey, func(w *compiler.Wiki) *trie {
	root := &trie{numbers: map[string]int{}}
	for _, page := range w.Pages() {
		if !linkable(page) {
			continue
		}
		root.add(page.Title, page)
		for _, a := range page.Meta.Aliases {
			root.add(a.Name, page)
		}
	}
	return root
})

// namesKey hashes all titles and aliases with their pages.
func namesKey(w *compiler.Wiki) uint64 {
	var h xxh3.Hasher
	for _, page := range w.Pages() {
		if !linkable(page) {
			continue
		}
		h.WriteString(page.Path + "\x00" + page.Title)
		for _, a := range page.Meta.Aliases {
			h.WriteString("\x00" + a.Name)
		}
		h.WriteString("\x00\x00")
	}
	return h.Sum64()
}

// add enters a name, unless it is one that would be found everywhere.
func (t *trie) add(text string, page *schema.Page) {
	if len(text) > longestTitle {
		return
	}
	words := wordsOf(text)
	if len(words) == 0 || len(words) > mostWords || len(words) == 1 && !distinctive(text, words[0]) {
		return
	}
	node := t
	for _, w := range words {
		n := t.numbers[w]
		if n == 0 {
			n = len(t.numbers) + 1
			t.numbers[w] = n
		}
		if node.next == nil {
			node.next = map[int]*trie{}
		}
		if node.next[n] == nil {
			node.next[n] = &trie{}
		}
		node = node.next[n]
	}
	switch {
	case node.name == nil:
		node.name = &name{text: strings.TrimSpace(text), words: words, page: page}
	case node.name.page != page:
		node.name.page = nil
	}
}

// distinctive reports whether a single word is likely to mean the page whose name
// it is: it is long enough, no number and no everyday word.
func distinctive(text, word string) bool {
	if utf8.RuneCountInString(word) < 4 || everyday[word] || everyday[strings.TrimSuffix(word, "s")] {
		return false
	}
	plain := strings.ToLower(text) == text && strings.ToUpper(text) != text // a word without a capital
	return !plain && strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, func(r rune) bool { return r == '.' || r == '/' || r == '_' })
}

// tokens appends the words of a page that are part of any name, and one 0 for everything
// between them.
func (t *trie) tokens(toks []token, page *schema.Page) []token {
	end := func() {
		if n := len(toks); n > 0 && toks[n-1].word != 0 {
			toks = append(toks, token{})
		}
	}
	for _, gap := range prose(page) {
		eachWord(gap.In(page.Source), gap.Start, func(word []byte, at schema.Span) {
			if n := t.numbers[string(word)]; n != 0 {
				toks = append(toks, token{n, at})
			} else {
				end()
			}
		})
		end() // a gap ends every name
	}
	return toks
}

// in returns the mentions among the words of a page, the longest name at each
// place, none overlapping another.
func (t *trie) in(page *schema.Page, toks []token) []mention {
	var out []mention
	q := quotes{src: page.Source}
	for i := 0; i < len(toks); {
		if toks[i].word == 0 {
			i++
			continue
		}
		n, used := t.longest(page, toks[i:])
		if n == nil {
			i++
			continue
		}
		at := schema.Span{Start: toks[i].at.Start, End: toks[i+used-1].at.End}
		if n.page != nil && standsAlone(page.Source, at) && !q.hold(at) {
			out = append(out, mention{n, at})
		}
		i += used
	}
	return out
}

// standsAlone reports whether a name is not part of a longer word, a path or an address.
func standsAlone(src []byte, at schema.Span) bool {
	const inside = `-_/\@#=&%+~:$`
	before, _ := utf8.DecodeLastRune(src[:at.Start])
	if at.Start > 0 && (strings.ContainsRune(inside+".", before) || unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return false
	}
	rest := src[at.End:]
	after, n := utf8.DecodeRune(rest)
	switch {
	case n == 0:
		return true
	case strings.ContainsRune(`-_/\@#=&%+~$(`, after) || unicode.IsLetter(after) || unicode.IsDigit(after):
		return false
	case after == '.' || after == ':': // of a sentence, not of a name
		next, _ := utf8.DecodeRune(rest[1:])
		return len(rest) == 1 || unicode.IsSpace(next)
	}
	return true
}

// longest returns the longest name that toks begin with, and of how many words
// it is.
func (t *trie) longest(page *schema.Page, toks []token) (found *name, used int) {
	node := t
	for k := 0; k < len(toks) && k < mostWords; k++ {
		if node = node.next[toks[k].word]; node == nil {
			break
		}
		if k > 0 && !joined(page.Source[toks[k-1].at.End:toks[k].at.Start]) {
			break
		}
		if node.name == nil {
			continue
		}
		text := page.Source[toks[0].at.Start:toks[k].at.End]
		if !sameName(node.name.text, string(text), k == 0) {
			continue
		}
		found, used = node.name, k+1
	}
	return found, used
}

// joined reports whether two words with a gap between them can be one name.
func joined(gap []byte) bool {
	lines := 0
	for _, c := range gap {
		switch c {
		case '\n':
			lines++
		case ' ', '-', '\'', '.', '/', '&', '+', ':', ',', '\r':
		default:
			return false
		}
	}
	return lines < 2
}

// sameName reports whether text on a page is the name as its page writes it, ignoring
// white space, hyphens and, in names of several words, letter case.
func sameName(name, text string, exact bool) bool {
	if exact {
		return strings.Trim(name, " \t") == text
	}
	even := func(s string) string {
		return strings.Join(strings.FieldsFunc(fold(s), func(r rune) bool { return unicode.IsSpace(r) || r == '-' }), " ")
	}
	return strings.TrimFunc(even(name), unicode.IsPunct) == even(text)
}
