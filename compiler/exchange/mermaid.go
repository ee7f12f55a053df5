package exchange

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// The sizes at which Mermaid refuses to draw, unless configured otherwise
// (maxEdges and maxTextSize of its configuration).
const (
	MermaidEdges = 500
	MermaidChars = 50000
)

// mermaid is a Mermaid flowchart. A graph that Mermaid would refuse to draw is
// an error, since half a graph would mislead.
var mermaid = Format{Name: "mermaid", Extension: ".mmd", Media: "text/vnd.mermaid", write: writeMermaid}

func writeMermaid(out io.Writer, g *graph) error {
	const instead = "use dot, graphml or json"
	if len(g.Edges) > MermaidEdges {
		return fmt.Errorf("the graph has %d edges, but mermaid draws at most %d; %s", len(g.Edges), MermaidEdges, instead)
	}
	var b bytes.Buffer
	b.WriteString("flowchart LR\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[\"%s\"]\n", i, mermaidLabel(n.Title))
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Kind != kindLink {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  n%d %s n%d\n", e.From, arrow, e.To)
	}
	if n := len([]rune(b.String())); n > MermaidChars {
		return fmt.Errorf("the graph has %d characters, but mermaid reads at most %d; %s", n, MermaidChars, instead)
	}
	_, err := out.Write(b.Bytes())
	return err
}

// mermaidEscapes writes as entities, which Mermaid spells with #, all that has
// a meaning in a quoted label: HTML, entities, the start of a Markdown string.
var mermaidEscapes = strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;", `\`, "#92;", ";", "#59;")

func mermaidLabel(s string) string {
	s = text.Collapse(s)
	if s == "" {
		return " "
	}
	return mermaidEscapes.Replace(text.Clean(s))
}
