package site

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// maxMentions bounds the pages that are shown to mention one page.
const maxMentions = 20

// takeMentions keeps the mentions that readers may see: of a listed page on a listed page.
func (s *Site) takeMentions(all []schema.Mention) {
	if len(all) == 0 {
		return
	}
	listed := make(map[string]schema.PageID, len(s.pages))
	for _, p := range s.pages {
		listed[p.Path] = p.ID
	}
	for _, m := range all {
		of, known := listed[m.Of]
		if by, ok := listed[m.Path]; ok && known {
			s.mentions[of] = append(s.mentions[of], mention{by, m.Span})
		}
	}
}

// mention is the place of a page's name in another page.
type mention struct {
	by schema.PageID
	at schema.Span
}

// mentionsOf shows the pages that mention p without a link, with the sentence around it.
func (s *Site) mentionsOf(v *theme.Page, p *schema.Page, from string) {
	all := s.mentions[p.ID]
	v.MentionPages, v.MoreMentions = len(all), max(0, len(all)-maxMentions)
	for _, m := range all[:min(len(all), maxMentions)] {
		by := s.wiki.Page(m.by)
		entry := theme.Backlink{Link: theme.Link{Title: s.titles[m.by], Href: relative(from, s.place[m.by])}}
		entry.Before, entry.Marked, entry.After = s.around(by, m.at)
		v.Mentions = append(v.Mentions, entry)
	}
}

// around is the sentence around a mention, or its line in a list or a table.
func (s *Site) around(p *schema.Page, at schema.Span) (before, marked, after string) {
	src := p.Source
	line := p.Lines.Line(p.Lines.LineOf(at.Start)).In(src)
	if first := bytes.TrimLeft(line, " \t>"); len(first) > 0 && bytes.IndexByte([]byte("-*+|0123456789"), first[0]) >= 0 {
		return s.quote(p, &schema.Side{Path: p.Path, Span: at})
	}
	paragraph := schema.Span{Start: max(p.Body, bytes.LastIndex(src[:at.Start], []byte("\n\n"))+1), End: len(src)}
	if i := bytes.Index(src[at.End:], []byte("\n\n")); i >= 0 {
		paragraph.End = at.End + i
	}
	return sentence(p, at, paragraph, string(at.In(src)))
}
