package site

import (
	"encoding/xml"
	"slices"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// feedName is the Atom feed of changes. Its addresses are absolute, so that there is none
// without site.url.
const feedName = "feed.xml"

// maxFeed is how many changes the feed has.
const maxFeed = 50

type feedOutput struct{}

// The elements of RFC 4287 that the feed has.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Lang    string      `xml:"xml:lang,attr"`
		Title   string      `xml:"title"`
		About   string      `xml:"subtitle,omitempty"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Links   []atomLink  `xml:"link"`
		Author  string      `xml:"author>name"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		Title     string     `xml:"title"`
		ID        string     `xml:"id"`
		Link      atomLink   `xml:"link"`
		Published string     `xml:"published,omitempty"`
		Updated   string     `xml:"updated"`
		Summary   string     `xml:"summary,omitempty"`
		Tags      []atomTerm `xml:"category"`
	}
	atomTerm struct {
		Term string `xml:"term,attr"`
	}
)

func (feedOutput) render(s *Site, name string) ([]byte, error) {
	feed := atomFeed{
		Lang: s.language(), Title: s.siteTitle(), About: s.cfg.Description, ID: s.url, Author: s.siteTitle(),
		Links: []atomLink{{Href: s.url}, {Rel: "self", Type: "application/atom+xml", Href: s.absolute(name)}},
	}
	for _, c := range s.newest() {
		p := c.page
		e := atomEntry{Title: s.titles[p.ID], Summary: description(p), Updated: c.at.Format(time.RFC3339)}
		e.ID = s.absolute(s.place[p.ID])
		e.Link.Href = e.ID
		if t := s.fresh[p.ID].Created.Time; !t.IsZero() {
			e.Published = t.Format(time.RFC3339)
		}
		for _, tag := range s.tagLinks(name, p) {
			e.Tags = append(e.Tags, atomTerm{tag.Title})
		}
		feed.Entries = append(feed.Entries, e)
	}
	feed.Updated = feed.Entries[0].Updated // there is no feed without changes
	return encodeXML(feed)
}

// dated is a page and the time of its last change.
type dated struct {
	page *schema.Page
	at   time.Time
}

// newest are the changes of the feed. Of the changes of one day the list of changes
// doesn't know the order.
func (s *Site) newest() []dated {
	var out []dated
	for _, c := range s.recent {
		at := s.fresh[c.page.ID].Updated.Time
		if at.IsZero() {
			at = s.fresh[c.page.ID].Created.Time
		}
		out = append(out, dated{c.page, at.UTC()})
	}
	slices.SortStableFunc(out, func(a, b dated) int { return b.at.Compare(a.at) })
	return out[:min(len(out), maxFeed)]
}
