package site

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// How much of its surroundings a page draws.
const (
	nearPages = 24 // the most connected ones
	nearArcs  = 40 // links between them
)

// nearby tells the script that draws the pages joined with one which they are; nil if
// there are none. article is the text of the page, as published: most of them are linked
// there, or listed as backlinks, so that their addresses and titles are not repeated.
//
// A row is a page, in the order of their links. It begins with what it refers to: "12" is
// the link of that number in the text, "b3" a backlink, "oADDRESS" none. Behind a space is
// its title, if it is not the text of the link. It begins with "-" if the page links here and is
// not linked.
func (s *Site) nearby(v *theme.Page, p *schema.Page, from string, article []byte) *theme.Near {
	n := s.net()
	at, ok := n.at[p.ID]
	if !ok || len(n.near[at]) == 0 {
		return nil
	}
	all := n.near[at]
	shown := slices.Clone(all)
	slices.SortFunc(shown, n.byLinks)
	shown = shown[:min(len(shown), nearPages)]
	backlinks := make(map[string]int, len(v.Backlinks))
	for i := range v.Backlinks {
		backlinks[v.Backlinks[i].Href] = i
	}
	links := linksOf(article)
	var rows, arcs []byte
	drawn := 0
	for i, k := range shown {
		q := s.pages[k]
		href, title := relative(from, s.place[q.ID]), clip(s.titles[q.ID], 80)
		if i > 0 {
			rows = append(rows, '\n')
		}
		if _, to := slices.BinarySearch(n.out[at], k); !to {
			rows = append(rows, '-')
		}
		if b, ok := backlinks[href]; ok {
			rows = strconv.AppendInt(append(rows, 'b'), int64(b), 10)
		} else if l, ok := links[href]; ok {
			rows = strconv.AppendInt(rows, int64(l.number), 10)
			if string(l.text) != html.EscapeString(title) {
				rows = append(append(rows, ' '), title...)
			}
		} else {
			rows = append(append(append(append(rows, 'o'), href...), ' '), title...)
		}
		for j := 0; j < i && drawn < nearArcs; j++ {
			if n.linked(shown[j], k) {
				arcs = strconv.AppendInt(append(strconv.AppendInt(append(arcs, ' '), int64(j), 10), '-'), int64(i), 10)
				drawn++
			}
		}
	}
	return &theme.Near{
		Rows: string(rows), Arcs: strings.TrimPrefix(string(arcs), " "), More: len(all) - len(shown), Graph: relative(from, s.graphFile),
	}
}

// textLink is the first link of a text to a page.
type textLink struct {
	number int    // among all links, from zero
	text   []byte // as HTML
}

// linksOf returns the links of a text by their address without a fragment.
func linksOf(article []byte) map[string]textLink {
	links := map[string]textLink{}
	for n := 0; ; {
		at := bytes.Index(article, []byte("<a "))
		if at < 0 {
			return links
		}
		tag := article[at : at+tagEnd(article[at:])]
		article = article[at+len(tag):]
		href := attribute(tag, "href")
		if href == "" && !bytes.Contains(tag, []byte(` href="`)) {
			continue
		}
		href, _, _ = strings.Cut(html.UnescapeString(href), "#")
		if _, known := links[href]; !known {
			text, _, _ := bytes.Cut(article, []byte("</a>"))
			links[href] = textLink{n, text}
		}
		n++
	}
}
