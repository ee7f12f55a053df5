package site

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
		if b.From == p.ID || s.place[b.From] == "" {
			continue
		}
		counts[b.From]++
		switch n := len(firsts); {
		case counts[b.From] == 1:
			firsts = append(firsts, b)
		case telling(s.link(b)) > telling(s.link(firsts[n-1])):
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
	for _, b := range append(own, indexes...) {
		if len(v.Backlinks) == maxBacklinks {
			v.MoreBacklinks = len(firsts) - maxBacklinks
			break
		}
		page, l := s.wiki.Page(b.From), s.link(b)
		entry := theme.Backlink{Count: counts[b.From]}
		entry.Title, entry.Href = s.titles[b.From], relative(from, s.place[b.From])
		entry.Anchor = theme.Anchor(entry.Href, entry.Title)
		if entry.Count > 1 {
			entry.Times = entry.Count
		}
		if l.Field == "" {
			entry.Before, entry.Marked, entry.After = sentence(page.Source, l)
			entry.Context = theme.Marked(entry.Before, entry.Marked, entry.After)
		}
		v.Backlinks = append(v.Backlinks, entry)
	}
}

// telling orders links by how much the text around them says: one in running
// text, an embed that stands alone, a value of the frontmatter.
func telling(l *schema.Link) int {
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

// sentence returns the sentence around a link as a reader sees it: what comes
// before the link, the link's text, and what follows.
func sentence(src []byte, l *schema.Link) (before, marked, after string) {
	block := l.Block
	if block.Len() <= 0 || l.Span.Start < block.Start || l.Span.End > block.End {
		block = l.Span
	}
	// Only the surroundings are looked at: a block may be a whole list.
	block.Start, block.End = max(block.Start, l.Span.Start-4*maxSentence), min(block.End, l.Span.End+4*maxSentence)
	label := l.Label
	if label == "" {
		label = l.Target
	}
	text := clean(src, schema.Span{Start: block.Start, End: l.Span.Start}) + string(linkStart) + private(label) + string(linkEnd) +
		clean(src, schema.Span{Start: l.Span.End, End: block.End})
	text = stripMarkup(text)
	before, rest, _ := strings.Cut(text, string(linkStart))
	marked, after, _ = strings.Cut(rest, string(linkEnd))
	// What is left of the spaces at both ends of a part says whether they were there.
	return lastSentence(strings.TrimLeft(oneLine(before), " ")), strings.TrimSpace(oneLine(marked)), firstSentence(strings.TrimRight(oneLine(after), " "))
}

// oneLine puts one space in place of each run of white space.
func oneLine(s string) string {
	var b strings.Builder
	from := 0 // of what is not written yet
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if !unicode.IsSpace(r) {
			i += n
			continue
		}
		end := i + n
		for end < len(s) {
			if r, n = utf8.DecodeRuneInString(s[end:]); !unicode.IsSpace(r) {
				break
			}
			end += n
		}
		if s[i:end] != " " {
			if b.Cap() == 0 {
				b.Grow(len(s))
			}
			b.WriteString(s[from:i])
			b.WriteByte(' ')
			from = end
		}
		i = end
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// clean is a part of a page without characters that are not text.
func clean(src []byte, at schema.Span) string {
	return private(strings.ToValidUTF8(string(at.In(src)), ""))
}

// private takes out control characters and the stand-ins.
func private(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c >= ' ' && c != 0xee || c == '\n' || c == '\t' // both stand-ins begin with 0xee
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == linkStart || r == linkEnd || r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// lastSentence cuts what stands before a link to the sentence it is in.
func lastSentence(s string) string {
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if endsSentence(s, i-n, r) {
			s = s[i:]
			break
		}
		i -= n
	}
	s = strings.TrimLeft(s, " ")
	if len(s) > maxSentence {
		s = s[len(s)-maxSentence:]
		if i := strings.IndexByte(s, ' '); i >= 0 && i < maxSentence/2 {
			s = s[i+1:]
		}
		s = "…" + strings.ToValidUTF8(s, "")
	}
	return s
}

// firstSentence cuts what follows a link to the sentence it is in.
func firstSentence(s string) string {
	for i, r := range s {
		if endsSentence(s, i, r) {
			s = s[:i+utf8.RuneLen(r)]
			break
		}
	}
	if len(s) > maxSentence {
		s = s[:maxSentence]
		if i := strings.LastIndexByte(s, ' '); i > maxSentence/2 {
			s = s[:i]
		}
		s = strings.ToValidUTF8(s, "") + "…"
	}
	return strings.TrimRight(s, " ")
}

// endsSentence reports whether the character at i ends a sentence: one of the
// full stops of East Asia, or a stop that a space and a capital follow.
func endsSentence(s string, i int, r rune) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '.', '!', '?':
		rest := s[i+1:]
		if !strings.HasPrefix(rest, " ") {
			return false
		}
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
		return unicode.IsUpper(next) || unicode.IsNumber(next) || next == linkStart || next == utf8.RuneError
	}
	return false
}
