package exchange

import (
	"encoding/json"
	"io"

	"github.com/loopwiki/wiki/schema/text"
)

// JSONVersion is the version of the graph as JSON.
const JSONVersion = 1

// jsonGraph is nodes and edges that name their pages by id:
//
//	{"version":1,
//	 "nodes":[{"id","path","title","type","in","out"}],
//	 "edges":[{"from","to","kind":"link"|"embed"|"frontmatter","count"}]}
var jsonGraph = Format{Name: "json", Extension: ".json", Media: "application/json", write: writeJSON}

type jsonDocument struct {
	Version int        `json:"version"`
	Nodes   []jsonNode `json:"nodes"`
	Edges   []jsonEdge `json:"edges"`
}

type jsonNode struct {
	ID    string `json:"id"`
	Path  string `json:"path"`
	Title string `json:"title"`
	Type  string `json:"type"`
	In    int    `json:"in"`
	Out   int    `json:"out"`
}

type jsonEdge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

func writeJSON(out io.Writer, g *graph) error {
	doc := jsonDocument{Version: JSONVersion, Nodes: make([]jsonNode, len(g.Nodes)), Edges: make([]jsonEdge, len(g.Edges))}
	for i, n := range g.Nodes {
		doc.Nodes[i] = jsonNode(n)
	}
	for i, e := range g.Edges {
		doc.Edges[i] = jsonEdge{From: g.Nodes[e.From].ID, To: g.Nodes[e.To].ID, Kind: e.Kind, Count: e.Count}
	}
	enc := json.NewEncoder(text.JSON(out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(doc)
}

// Document is the graph as the format json writes it.
type Document = jsonDocument
