package site

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

const (
	maxBacklinks = 40  // pages shown below a page
	maxSentence  = 160 // bytes of a sentence on either side of the link
)

// backlinks shows the pages that link to p, each with the sentence around its
// first link. Pages that keep an index of everything come last.
func (s *Site) backlinks(v *theme.Page, p *schema.Page, from string) {
	counts := map[schema.PageID]int{}
	var firsts []schema.Backlink
	for _, b := range s.wiki.Backlinks(p.ID) {
		if b.From == p.ID || s.place[b.From] == "" || s.unlisted[b.From] {
			continue
		}
		counts[b.From]++
		switch n := len(firsts); {
		case counts[b.From] == 1:
			firsts = append(firsts, b)
		case contextRank(s.link(b)) > contextRank(s.link(firsts[n-1])):
			firsts[n-1] = b
		}
	}
	v.BacklinkPages = len(firsts)
	var own, indexes []schema.Backlink
	for _, b := range firsts {
		if s.wiki.Page(b.From).Reserved() {
			indexes = append(indexes, b)
		} else {
			own = append(own, b)
		}
	}
	v.Backlinks = slices.Grow(v.Backlinks, min(len(firsts), maxBacklinks))
	for _, b := range append(own, indexes...) {
		if len(v.Backlinks) == maxBacklinks {
			v.MoreBacklinks = len(firsts) - maxBacklinks
			break
		}
		page, l := s.wiki.Page(b.From), s.link(b)
		entry := theme.Backlink{Count: counts[b.From]}
		entry.Title, entry.Href = s.titles[b.From], relative(from, s.place[b.From])
		if entry.Count > 1 {
			entry.Times = entry.Count
		}
		if l.Field == "" {
			label := l.Label
			if label == "" {
				label = l.Target
			}
			entry.Before, entry.Marked, entry.After = sentence(page, l.Span, l.Block, label)
		}
		v.Backlinks = append(v.Backlinks, entry)
	}
}

// contextRank ranks links by how informative their context is: running text, an embed, a
// value in front matter.
func contextRank(l *schema.Link) int {
	switch {
	case l.Field != "":
		return 0
	case l.Embed:
		return 1
	}
	return 2
}

func (s *Site) link(b schema.Backlink) *schema.Link { return &s.wiki.Page(b.From).Links[b.Link] }

// Stand-ins for the ends of a link while its surroundings lose their markup.
// They are private-use characters, which are taken out of the page's text first.
const (
	linkStart = '\ue0f0'
	linkEnd   = '\ue0f1'
)

// sentence returns the sentence around a link or a mention as a reader sees it: what
// comes before it, its text, which is label, and what follows.
func sentence(p *schema.Page, at, block schema.Span, label string) (before, marked, after string) {
	if block.Len() <= 0 || at.Start < block.Start || at.End > block.End {
		block = at
	}
	// Only the surroundings are looked at: a block may be a whole list.
	block.Start, block.End = max(block.Start, at.Start-4*maxSentence), min(block.End, at.End+4*maxSentence)
	e := excerpts.Get().(*excerpt)
	defer excerpts.Put(e)
	raw := clean(e.raw[:0], public.WithoutComments(p, schema.Span{Start: block.Start, End: at.Start}))
	raw = append(utf8.AppendRune(raw, linkStart), private(label)...)
	raw = clean(utf8.AppendRune(raw, linkEnd), public.WithoutComments(p, schema.Span{Start: at.End, End: block.End}))
	text := appendStripped(e.text[:0], raw)
	e.raw, e.text = raw, text
	one, rest, _ := bytes.Cut(text, []byte(string(linkStart)))
	two, three, _ := bytes.Cut(rest, []byte(string(linkEnd)))
	// What is left of the spaces at both ends of a part reports whether they were there.
	return lastSentence(bytes.TrimLeft(foldSpace(one), " ")), string(bytes.TrimSpace(foldSpace(two))), firstSentence(bytes.TrimRight(foldSpace(three), " "))
}

// excerpts are used again: a page needs one for each of its backlinks.
var excerpts = sync.Pool{New: func() any { return new(excerpt) }}

// excerpt is the surroundings of a link, with and without markup.
type excerpt struct{ raw, text []byte }

// oneLine puts one space instead of each run of white space.
func oneLine(s string) string { return string(foldSpace([]byte(s))) }

// foldSpace does so where s is.
func foldSpace(s []byte) []byte {
	out, from := s[:0], 0 // from is the beginning of what is not written yet
	for i := 0; i < len(s); {
		if c := s[i]; c > ' ' && c < utf8.RuneSelf || c == ' ' && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < utf8.RuneSelf { // most
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if !unicode.IsSpace(r) {
			i += n
			continue
		}
		end := i + n
		for end < len(s) {
			if r, n = utf8.DecodeRune(s[end:]); !unicode.IsSpace(r) {
				break
			}
			end += n
		}
		if end != i+1 || s[i] != ' ' {
			out = append(append(out, s[from:i]...), ' ')
			from = end
		}
		i = end
	}
	if from == 0 {
		return s
	}
	return append(out, s[from:]...)
}

// clean appends a part of a page without characters that are not text.
func clean(dst, part []byte) []byte {
	if utf8.Valid(part) && isPublic(part) {
		return append(dst, part...)
	}
	return append(dst, private(strings.ToValidUTF8(string(part), ""))...)
}

// private removes control characters and private stand-ins.
func private(s string) string {
	if isPublic(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == linkStart || r == linkEnd || r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// isPublic reports whether there is nothing to take out.
func isPublic[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c == 0xee { // both stand-ins begin with 0xee
			return false
		}
	}
	return true
}

// lastSentence returns the part of the last sentence before a link.
func lastSentence(s []byte) string {
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRune(s[:i])
		if endsSentence(s, i-n, r) {
			s = s[i:]
			break
		}
		i -= n
	}
	s = bytes.TrimLeft(s, " ")
	if len(s) <= maxSentence {
		return string(s)
	}
	s = s[len(s)-maxSentence:]
	if i := bytes.IndexByte(s, ' '); i >= 0 && i < maxSentence/2 {
		s = s[i+1:]
	}
	return "…" + strings.ToValidUTF8(string(s), "")
}

// firstSentence cuts what follows a link to the sentence it is in.
func firstSentence(s []byte) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		if endsSentence(s, i, r) {
			s = s[:i+n]
			break
		}
		i += n
	}
	s = bytes.TrimRight(s, " ")
	if len(s) <= maxSentence {
		return string(s)
	}
	s = s[:maxSentence]
	if i := bytes.LastIndexByte(s, ' '); i > maxSentence/2 {
		s = s[:i]
	}
	return strings.ToValidUTF8(string(s), "") + "…"
}

// endsSentence reports whether the character at i ends a sentence: one of the
// full stops of East Asia, or a stop that a space and a capital follow.
func endsSentence(s []byte, i int, r rune) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '.', '!', '?':
		rest := s[i+1:]
		if len(rest) == 0 || rest[0] != ' ' {
			return false
		}
		next, _ := utf8.DecodeRune(bytes.TrimLeft(rest, " "))
		return unicode.IsUpper(next) || unicode.IsNumber(next) || next == linkStart || next == utf8.RuneError
	}
	return false
}
