// Package claims describes the claims of a wiki's pages, and how they were compared, for
// people who disagree with a contradiction.
package claims

import (
	"fmt"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// Version is that of the document.
const Version = 1

// Document lists the claims and clusters.
type Document struct {
	Version  int       `json:"version"`
	Claims   []Claim   `json:"claims"`
	Clusters []Cluster `json:"clusters" jsonschema:"pairs of claims that differ, with the reason why they were reported, doubted or dropped"`
	Mute     []Mute    `json:"mute" jsonschema:"pages of which nothing is a claim about the present"`
}

// Claim is one statement.
type Claim struct {
	ID      string    `json:"id" jsonschema:"the same as long as the text and its headings are"`
	Path    string    `json:"path" jsonschema:"below the wiki's root"`
	Line    int       `json:"line"`
	Column  int       `json:"column"`
	Section []string  `json:"section" jsonschema:"the headings it stands under"`
	From    string    `json:"from" jsonschema:"the construct it was read from"`
	Text    string    `json:"text" jsonschema:"the value as the page has it"`
	Subject Subject   `json:"subject"`
	Attr    Attribute `json:"attribute"`
	Value   Value     `json:"value"`
	Scope   []string  `json:"scope" jsonschema:"the conditions it holds under"`
	Cluster int       `json:"cluster" jsonschema:"index of the first pair it is part of, -1 for none"`
	Why     string    `json:"why,omitempty" jsonschema:"why it was compared with none"`
}

// Subject is who a claim is about.
type Subject struct {
	Names  []string `json:"names" jsonschema:"as the page calls it; none for the page's own subject"`
	By     string   `json:"by" jsonschema:"how it was found"`
	Entity string   `json:"entity,omitempty" jsonschema:"page:ID, id:ID or key:NAME; nothing when it is not certain"`
	Name   string   `json:"name,omitempty"`
}

// Attribute is the property of the subject that a claim is about.
type Attribute struct {
	Name    string   `json:"name"`
	Words   []string `json:"words" jsonschema:"that tell it from others, folded"`
	Context []string `json:"context" jsonschema:"always empty"`
}

// Value is the value as compared.
type Value struct {
	Kind      string `json:"kind"`
	Text      string `json:"text" jsonschema:"normalised: numbers in the base unit"`
	Dimension string `json:"dimension,omitempty"`
}

// Cluster is a pair of claims that differ.
type Cluster struct {
	Entity   string `json:"entity"`
	Name     string `json:"name"`
	Attr     string `json:"attribute"`
	Claims   []int  `json:"claims" jsonschema:"indexes"`
	Conflict bool   `json:"conflict"`
	Why      string `json:"why"`
}

// Mute is a page that claims nothing.
type Mute struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Of returns the facts of a wiki that are wanted, with every pair that one of them is part of.
// mute picks the pages of which nothing is compared.
func Of(w *compiler.Wiki, wanted func(*schema.Claim, schema.PageID) bool, mute func(*schema.Page) bool) *Document {
	in := conflict.NewInput(w)
	in.All = true
	b := &builder{w: w, d: &Document{Version: Version, Claims: []Claim{}, Clusters: []Cluster{}, Mute: []Mute{}}, at: map[place]int{}}
	for _, p := range w.Pages() {
		if reason := claim.MuteReason(p); reason != "" {
			if mute(p) {
				b.d.Mute = append(b.d.Mute, Mute{p.Path, reason})
			}
			continue
		}
		for _, c := range conflict.Claims(in, p) {
			if wanted(&c, b.entity(&c)) {
				b.add(&c)
			}
		}
	}
	pairs := conflict.Find(in).Pairs
	for i := range pairs {
		p := &pairs[i]
		if !wanted(&p.A, b.entity(&p.A)) && !wanted(&p.B, b.entity(&p.B)) {
			continue
		}
		sides := []int{b.add(&p.A), b.add(&p.B)}
		for _, n := range sides {
			if c := &b.d.Claims[n]; c.Cluster < 0 {
				c.Cluster, c.Why = len(b.d.Clusters), ""
			}
		}
		c := &b.d.Claims[sides[0]]
		verdict := p.Verdict()
		b.d.Clusters = append(b.d.Clusters, Cluster{Entity: c.Subject.Entity, Name: c.Subject.Name, Attr: c.Attr.Name, Claims: sides, Conflict: verdict == conflict.Reported, Why: verdict + ": " + p.Why()})
	}
	return b.d
}

// Reader returns a function that reads the values in the tables, fields and lists of a
// page, for many goroutines.
func Reader(w *compiler.Wiki) func(*schema.Page) []schema.Claim {
	l := claim.NewLexicon(&w.Config().Claims)
	return func(p *schema.Page) []schema.Claim {
		if claim.Mute(p) {
			return nil
		}
		return conflict.Cells(l, p, l.Facts(p))
	}
}

// place is the position of a claim.
type place struct {
	path string
	span schema.Span
}

// builder collects claims, each once.
type builder struct {
	w  *compiler.Wiki
	d  *Document
	at map[place]int
}

// add adds a claim, if it isn't there, and returns its index.
func (b *builder) add(c *schema.Claim) int {
	key := place{c.Path, c.Span}
	if n, ok := b.at[key]; ok {
		return n
	}
	b.at[key] = len(b.d.Claims)
	b.d.Claims = append(b.d.Claims, b.claim(c))
	return b.at[key]
}

// entity returns the page that a claim is about: the one that its subject links to, or its own; "" for other
// subjects.
func (b *builder) entity(c *schema.Claim) schema.PageID {
	if c.Subject.Link >= 0 {
		if res := b.w.Resolution(b.w.Page(c.Page), c.Subject.Link); res != nil && res.Kind == schema.TargetPage {
			return res.Page
		}
	}
	if len(c.Subject.Names) == 0 {
		return c.Page
	}
	return ""
}

func (b *builder) claim(c *schema.Claim) Claim {
	out := Claim{
		ID: fmt.Sprintf("%016x", c.ID), Path: c.Path, Section: append([]string{}, c.Section...), From: string(c.From), Text: c.Text,
		Subject: Subject{Names: append([]string{}, c.Subject.Names...), By: "row"},
		Attr:    Attribute{Name: c.Attr.Name, Words: append([]string{}, c.Attr.Words...), Context: []string{}},
		Value:   Value{Kind: kind(c.Value.Kind), Text: Normalised(c.Value)},
		Scope:   append([]string{}, c.Scope...), Cluster: -1, Why: "no other page gives another value under the same names",
	}
	if len(c.Subject.Names) > 0 {
		out.Subject.Name = c.Subject.Names[0]
	}
	if id := b.entity(c); id != "" {
		out.Subject.Entity, out.Subject.Name, out.Subject.By = "page:"+string(id), b.w.Page(id).Title, "link"
		if len(c.Subject.Names) == 0 {
			out.Subject.By = "page"
		}
	}
	if c.Value.Kind == schema.ValueQuantity {
		out.Value.Dimension = string(c.Value.Quantity.Dimension)
	}
	if p := b.w.Page(c.Page); p != nil {
		at := p.Lines.Position(c.Span.Start)
		out.Line, out.Column = at.Line, at.Column
	}
	return out
}
