package site

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// DataVersion is the version of [PageData].
const DataVersion = 1

// Bounds on lists of the data of one page.
const (
	maxDataLinks = 500
	maxDataFacts = 200
)

// PageData is the JSON beside a page: all that the site knows of it but the text. All
// addresses are relative to the file.
type PageData struct {
	Version   int           `json:"version" jsonschema:"version of this document, 1"`
	Title     string        `json:"title"`
	HTML      string        `json:"html" jsonschema:"address of the page"`
	Markdown  string        `json:"markdown" jsonschema:"address of its published source"`
	Layer     schema.Layer  `json:"layer" jsonschema:"wiki or source"`
	Language  string        `json:"language" jsonschema:"of the text, BCP 47"`
	Type      string        `json:"type,omitempty"`
	Status    string        `json:"status,omitempty" jsonschema:"as the page writes it"`
	Summary   string        `json:"summary,omitempty"`
	Tags      []string      `json:"tags,omitempty"`
	Aliases   []string      `json:"aliases,omitempty"`
	Created   string        `json:"created,omitempty" jsonschema:"a day"`
	Updated   string        `json:"updated,omitempty" jsonschema:"a day"`
	Expires   string        `json:"expires,omitempty" jsonschema:"a day"`
	Freshness DataFreshness `json:"freshness"`
	Sources   []DataSource  `json:"sources,omitempty"`
	Links     []string      `json:"links,omitempty" jsonschema:"addresses that the page links to, each once"`
	Backlinks []string      `json:"backlinks,omitempty" jsonschema:"addresses of the pages that link to it"`
	Facts     []DataFact    `json:"facts,omitempty" jsonschema:"values that tables, fields and lists of the page state"`
}

// DataFreshness is how far the page can be trusted.
type DataFreshness struct {
	State  schema.FreshnessState `json:"state" jsonschema:"verified, unverified, draft, stale, contested or superseded"`
	Detail string                `json:"detail,omitempty" jsonschema:"in the words of the page"`
}

// DataSource is what the page was made from.
type DataSource struct {
	Title string `json:"title"`
	Href  string `json:"href,omitempty"`
	Place string `json:"place,omitempty" jsonschema:"lines or symbol"`
}

// DataFact is a value that the page states.
type DataFact struct {
	Subject   string `json:"subject,omitempty" jsonschema:"without one, the page"`
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
}

// dataOutput is the data of a page.
type dataOutput struct{ page *schema.Page }

// putData puts the data of each page beside it. The files that pages link to keep their
// names.
func (s *Site) putData(n *names) {
	for _, p := range s.built {
		s.data[p.ID] = s.put(n, strings.TrimSuffix(s.place[p.ID], ".html")+".json", dataOutput{p})
	}
}

func (o dataOutput) render(s *Site, name string) ([]byte, error) {
	p, m := o.page, &o.page.Meta
	fresh := s.freshness(p)
	language, _ := s.languageOf(p)
	d := PageData{
		Version: DataVersion, Title: s.titles[p.ID], HTML: relative(name, s.place[p.ID]), Markdown: relative(name, s.raw[p.ID]),
		Layer: p.Layer, Language: language, Type: clip(m.Type, 60), Status: clip(m.Status.Word, 60), Summary: description(p),
		Created: fresh.Created, Updated: fresh.Updated, Expires: day(m.Expires),
		Freshness: DataFreshness{s.fresh[p.ID].State, fresh.Detail},
		Links:     s.linkData(p, name), Backlinks: s.backlinkData(p, name), Facts: s.factData(p),
	}
	for _, t := range s.tagLinks(name, p) {
		d.Tags = append(d.Tags, t.Title)
	}
	for _, a := range m.Aliases[:min(len(m.Aliases), maxRedirects)] {
		d.Aliases = append(d.Aliases, clip(oneLine(a.Name), maxName))
	}
	sources, _ := s.sources(p, name)
	for _, src := range sources {
		d.Sources = append(d.Sources, DataSource{src.Title, src.Href, src.Place})
	}
	b, err := json.Marshal(d)
	return append(b, '\n'), err
}

// linkData are the links of a page that a reader can follow, without their fragments.
func (s *Site) linkData(p *schema.Page, from string) (out []string) {
	seen := map[string]bool{"": true, plainHref: true, brokenHref: true}
	for l, res := range s.wiki.Links(p) {
		href := s.href(from, l, res)
		if res.Kind == schema.TargetPage && res.Page != p.ID {
			href, _, _ = strings.Cut(href, "#")
		}
		if seen[href] || len(out) == maxDataLinks || strings.HasPrefix(href, "#") {
			continue
		}
		seen[href] = true
		out = append(out, href)
	}
	return out
}

// backlinkData are the listed pages that link to a page.
func (s *Site) backlinkData(p *schema.Page, from string) (out []string) {
	last := p.ID
	for _, b := range s.wiki.Backlinks(p.ID) {
		if b.From == last || b.From == p.ID || s.place[b.From] == "" || s.unlisted[b.From] || len(out) == maxDataLinks {
			continue
		}
		last = b.From
		out = append(out, relative(from, s.place[b.From]))
	}
	return out
}

// factData are the facts that a reader sees on the page: not those of comments and front
// matter, nor those with a link to a page that is not published.
func (s *Site) factData(p *schema.Page) (out []DataFact) {
	if s.opt.Facts == nil {
		return nil
	}
	left := append(s.public.Links(p), public.Comments(p)...)
	var comments []string
	for _, c := range p.Comments {
		if said := oneLine(strings.Trim(string(p.Source[c.Start:c.End]), "%<!-> \t\r\n")); said != "" {
			comments = append(comments, said)
		}
	}
	for _, c := range s.opt.Facts(p) {
		if len(out) == maxDataFacts {
			break
		}
		if c.From == schema.OriginFrontmatter || slices.ContainsFunc(left, func(e schema.Edit) bool { return e.Span.Overlaps(c.Span) }) {
			continue
		}
		f := DataFact{Attribute: oneLine(c.Attr.Name), Value: oneLine(c.Text)}
		if len(c.Subject.Names) > 0 {
			f.Subject = oneLine(c.Subject.Names[0])
		}
		// The names of a fact may be from elsewhere, such as the first cell of its row.
		if all := f.Subject + "\n" + f.Attribute + "\n" + f.Value; slices.ContainsFunc(comments, func(said string) bool { return strings.Contains(all, said) }) {
			continue
		}
		f.Subject, f.Attribute, f.Value = clip(f.Subject, 100), clip(f.Attribute, 100), clip(f.Value, 200)
		out = append(out, f)
	}
	return out
}
