package exchange

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"github.com/loopwiki/wiki/schema/text"
)

// graphML is GraphML 1.0 (http://graphml.graphdrawing.org/specification.html),
// which yEd, Gephi and networkx read.
var graphML = Format{Name: "graphml", Extension: ".graphml", Media: "application/graphml+xml", write: writeGraphML}

type xmlDocument struct {
	XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
	Keys    []xmlKey `xml:"key"`
	Graph   struct {
		ID      string    `xml:"id,attr"`
		Default string    `xml:"edgedefault,attr"`
		Nodes   []xmlNode `xml:"node"`
		Edges   []xmlEdge `xml:"edge"`
	} `xml:"graph"`
}

type xmlKey struct {
	ID   string `xml:"id,attr"`
	For  string `xml:"for,attr"`
	Name string `xml:"attr.name,attr"`
	Type string `xml:"attr.type,attr"`
}

type xmlNode struct {
	ID   string    `xml:"id,attr"`
	Data []xmlData `xml:"data"`
}

type xmlEdge struct {
	Source string    `xml:"source,attr"`
	Target string    `xml:"target,attr"`
	Data   []xmlData `xml:"data"`
}

type xmlData struct {
	Key   string `xml:"key,attr"`
	Value string `xml:",chardata"`
}

// graphMLKeys declares what nodes and edges carry; the ids are unique in the
// document.
var graphMLKeys = []xmlKey{
	{"page", "node", "id", "string"},
	{"path", "node", "path", "string"},
	{"title", "node", "title", "string"},
	{"type", "node", "type", "string"},
	{"in", "node", "in", "int"},
	{"out", "node", "out", "int"},
	{"kind", "edge", "kind", "string"},
	{"count", "edge", "count", "int"},
}

func writeGraphML(out io.Writer, g *graph) error {
	doc := xmlDocument{Keys: graphMLKeys}
	out = text.XML(out)
	doc.Graph.ID, doc.Graph.Default = "wiki", "directed"
	for i, n := range g.Nodes {
		// Ids are NMTOKENs, which page ids with a space are not.
		node := xmlNode{ID: xmlNodeID(i), Data: []xmlData{{"page", n.ID}, {"path", n.Path}, {"title", n.Title}}}
		if n.Type != "" {
			node.Data = append(node.Data, xmlData{"type", n.Type})
		}
		node.Data = append(node.Data, xmlData{"in", strconv.Itoa(n.In)}, xmlData{"out", strconv.Itoa(n.Out)})
		doc.Graph.Nodes = append(doc.Graph.Nodes, node)
	}
	for _, e := range g.Edges {
		doc.Graph.Edges = append(doc.Graph.Edges, xmlEdge{Source: xmlNodeID(e.From), Target: xmlNodeID(e.To),
			Data: []xmlData{{"kind", e.Kind}, {"count", strconv.Itoa(e.Count)}}})
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(out)
	enc.Indent("", " ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write graphml: %w", err)
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func xmlNodeID(i int) string { return "n" + strconv.Itoa(i) }
