// Package claims says in one document what was understood of what the pages of
// a wiki state, for somebody who does not agree with a contradiction.
package claims

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// Version is that of the document.
const Version = 1

// Document is what was understood.
type Document struct {
	Version  int       `json:"version"`
	Claims   []Claim   `json:"claims"`
	Clusters []Cluster `json:"clusters" jsonschema:"claims that were compared with each other"`
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
	Cluster int       `json:"cluster" jsonschema:"index of the claims it was compared with, -1 for none"`
	Why     string    `json:"why,omitempty" jsonschema:"why it was compared with none"`
}

// Subject is who a claim is about.
type Subject struct {
	Names  []string `json:"names" jsonschema:"as the page calls it; none for the page's own subject"`
	By     string   `json:"by" jsonschema:"how it was found"`
	Entity string   `json:"entity,omitempty" jsonschema:"page:ID, id:ID or key:NAME; nothing when it is not certain"`
	Name   string   `json:"name,omitempty"`
}

// Attribute is what a claim says of its subject.
type Attribute struct {
	Name    string   `json:"name"`
	Words   []string `json:"words" jsonschema:"that tell it from others, reduced to their stems"`
	Context []string `json:"context" jsonschema:"further words that the page adds"`
}

// Value is what is compared.
type Value struct {
	Kind      string `json:"kind"`
	Text      string `json:"text" jsonschema:"normalised: numbers in the base unit"`
	Dimension string `json:"dimension,omitempty"`
}

// Cluster are claims that were compared with each other.
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

// Of returns what was understood of a wiki. wanted says which claims matter:
// they are returned with those that they were compared with; mute says so of
// pages that claim nothing.
func Of(w *compiler.Wiki, wanted func(*conflict.Placed) bool, mute func(*schema.Page) bool) *Document {
	lexicon := claim.English().Extended(&w.Config().Claims)
	x := conflict.Explain(w, lexicon.Claims, lexicon.Sayings)
	d := &Document{Version: Version, Claims: []Claim{}, Clusters: []Cluster{}, Mute: []Mute{}}
	keep, clusters := make([]bool, len(x.Claims)), map[int]int{}
	for i := range x.Claims {
		c := &x.Claims[i]
		if !wanted(c) {
			continue
		}
		keep[i] = true
		if c.Cluster >= 0 {
			for _, n := range x.Clusters[c.Cluster].Claims {
				keep[n] = true
			}
		}
	}
	now := make([]int, len(x.Claims))
	for i := range x.Claims {
		if !keep[i] {
			continue
		}
		now[i] = len(d.Claims)
		c := newClaim(w, &x.Claims[i])
		if n := x.Claims[i].Cluster; n >= 0 {
			at, ok := clusters[n]
			if !ok {
				at = len(d.Clusters)
				clusters[n] = at
				of := &x.Clusters[n]
				d.Clusters = append(d.Clusters, Cluster{Entity: of.Entity, Name: of.Name, Attr: of.Attr, Conflict: of.Conflict, Why: of.Why})
			}
			c.Cluster = at
			d.Clusters[at].Claims = append(d.Clusters[at].Claims, now[i])
		}
		d.Claims = append(d.Claims, c)
	}
	for _, p := range w.Pages() {
		if reason := claim.MuteReason(p); reason != "" && mute(p) {
			d.Mute = append(d.Mute, Mute{p.Path, reason})
		}
	}
	return d
}

func newClaim(w *compiler.Wiki, c *conflict.Placed) Claim {
	out := Claim{
		ID: fmt.Sprintf("%016x", c.ID), Path: c.Path, Section: append([]string{}, c.Section...), From: string(c.From), Text: c.Text,
		Subject: Subject{Names: append([]string{}, c.Subject.Names...), By: by(c), Entity: c.Entity, Name: c.Name},
		Attr:    Attribute{Name: c.Attr.Name, Words: append([]string{}, c.Attr.Words...), Context: append([]string{}, c.Attr.Context...)},
		Value:   Value{Kind: kind(c.Value.Kind), Text: Normalised(c.Value)},
		Scope:   append([]string{}, c.Scope...), Cluster: -1, Why: c.Why,
	}
	if c.Value.Kind == schema.ValueQuantity {
		out.Value.Dimension = string(c.Value.Quantity.Dimension)
	}
	if p := w.Page(c.Page); p != nil {
		at := p.Lines.Position(c.Span.Start)
		out.Line, out.Column = at.Line, at.Column
	}
	return out
}

// by says how the subject of a claim was found.
func by(c *conflict.Placed) string {
	switch {
	case len(c.Subject.Names) == 0 && c.Entity == "" && c.Name != "":
		return "the contradiction"
	case len(c.Subject.Names) == 0:
		return "the page itself"
	case c.Subject.Link >= 0:
		return "link"
	case strings.HasPrefix(c.Entity, "key:"):
		return "key"
	case c.Subject.Sure:
		return "marked name"
	}
	return "name"
}
