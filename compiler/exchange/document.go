package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// WikiVersion is the version of [WikiDocument] and [PageLine].
const WikiVersion = 1

// WikiDocument is a wiki as one JSON document.
type WikiDocument struct {
	Version     int          `json:"version" jsonschema:"version of this document, 1"`
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	Pages       []PageRecord `json:"pages"`
}

// PageLine is a page on a line of its own.
type PageLine struct {
	Version int `json:"version" jsonschema:"version of this line, 1"`
	PageRecord
}

// PageRecord is a page with its text.
type PageRecord struct {
	ID        string         `json:"id" jsonschema:"path without .md"`
	Path      string         `json:"path" jsonschema:"below the wiki's root"`
	Title     string         `json:"title"`
	Layer     schema.Layer   `json:"layer" jsonschema:"wiki or source"`
	Type      string         `json:"type,omitempty"`
	Status    string         `json:"status,omitempty" jsonschema:"as the page writes it"`
	Summary   string         `json:"summary,omitempty"`
	Tags      []string       `json:"tags,omitempty"`
	Aliases   []string       `json:"aliases,omitempty"`
	Created   string         `json:"created,omitempty" jsonschema:"a day"`
	Updated   string         `json:"updated,omitempty" jsonschema:"a day"`
	Expires   string         `json:"expires,omitempty" jsonschema:"a day"`
	Sources   []SourceRecord `json:"sources,omitempty"`
	Links     []string       `json:"links,omitempty" jsonschema:"ids of the pages that it links to, each once"`
	Backlinks []string       `json:"backlinks,omitempty" jsonschema:"ids of the pages that link to it"`
	Text      string         `json:"text" jsonschema:"markdown without front matter"`
}

// SourceRecord is what a page was made from.
type SourceRecord struct {
	ID       string `json:"id,omitempty" jsonschema:"footnotes refer to it"`
	Title    string `json:"title,omitempty"`
	Resource string `json:"resource,omitempty" jsonschema:"path or URL, as the page writes it"`
}

func writeDocument(_ context.Context, x *exporter) error {
	doc := WikiDocument{Version: WikiVersion, Title: x.wiki.Config().Title, Description: x.wiki.Config().Description, Pages: []PageRecord{}}
	for _, p := range x.pages {
		doc.Pages = append(doc.Pages, x.record(p))
	}
	b, err := encode(doc, " ")
	x.add("", b)
	return err
}

func writeLines(ctx context.Context, x *exporter) error {
	var all bytes.Buffer
	for _, p := range x.pages {
		b, err := encode(PageLine{WikiVersion, x.record(p)}, "")
		if err = firstOf(err, ctx.Err()); err != nil {
			return err
		}
		all.Write(b)
	}
	x.add("", all.Bytes())
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(text.JSON(&b))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// record is a page with what others may know of it.
func (x *exporter) record(p *schema.Page) PageRecord {
	m, fresh := &p.Meta, x.wiki.Freshness(p)
	r := PageRecord{
		ID: valid(string(p.ID)), Path: valid(p.Path), Title: valid(p.Title), Layer: p.Layer, Type: valid(m.Type), Status: valid(m.Status.Word),
		Created: fresh.Created.String(), Updated: fresh.Updated.String(), Expires: m.Expires.String(),
		Text: strings.ToValidUTF8(strings.TrimLeft(string(x.source(p, schema.Span{Start: p.Body, End: len(p.Source)})), "\r\n"), "\uFFFD"),
	}
	if !x.public.Names(p, m.Summary) {
		r.Summary = valid(text.Collapse(m.Summary))
	}
	seen := map[string]bool{}
	once := func(list *[]string, kind, s string) {
		if s = valid(s); s != "" && !seen[kind+s] {
			seen[kind+s] = true
			*list = append(*list, s)
		}
	}
	hidden := x.public.Links(p)
	covered := func(at schema.Span) bool {
		for _, e := range hidden {
			if e.Span.Overlaps(at) {
				return true
			}
		}
		return false
	}
	for _, t := range p.Tags {
		once(&r.Tags, "tag ", t.Name)
	}
	for _, a := range m.Aliases {
		once(&r.Aliases, "alias ", a.Name)
	}
	for _, ref := range m.Sources {
		if !covered(ref.Span) {
			r.Sources = append(r.Sources, SourceRecord{valid(ref.ID), valid(ref.Title), valid(ref.Anchor.Raw)})
		}
	}
	for _, id := range x.wiki.Graph().Out(p.ID) {
		if !x.public.Hidden(id) {
			once(&r.Links, "to ", string(id))
		}
	}
	for _, id := range x.wiki.Graph().In(p.ID) {
		if !x.public.Hidden(id) {
			once(&r.Backlinks, "from ", string(id))
		}
	}
	return r
}
