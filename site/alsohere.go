package site

import (
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// maxAlso bounds the pages listed below the page of a folder.
const maxAlso = 24

// alsoBlock lists what is in a folder and its page does not link to.
var alsoBlock = block{name: "also", data: func(s *Site, p *schema.Page, from string) any {
	f := s.folderOf(p)
	if f.index != p {
		return nil
	}
	linked := map[schema.PageID]bool{}
	for _, id := range s.wiki.Graph().Out(p.ID) {
		linked[id] = true
	}
	var subs []*folder
	for _, sub := range f.subs {
		if len(subs) <= maxAlso && (sub.index == nil || !linked[sub.index.ID]) {
			subs = append(subs, sub)
		}
	}
	var pages []*schema.Page
	for _, other := range f.pages {
		if len(subs)+len(pages) <= maxAlso && !linked[other.ID] {
			pages = append(pages, other)
		}
	}
	links := append(s.folderLinks(from, subs), s.pageLinks(from, pages, leadOf)...)
	if len(links) == 0 {
		return nil
	}
	also := theme.Also{Links: links[:min(len(links), maxAlso)]}
	if len(links) > maxAlso {
		also.More = relative(from, f.list)
	}
	return also
}}
