package exchange

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// dot is the language of Graphviz (https://graphviz.org/doc/info/lang.html),
// with one cluster for each folder.
var dot = Format{Name: "dot", Extension: ".dot", Media: "text/vnd.graphviz", write: writeDot}

func writeDot(out io.Writer, g *graph) error {
	b := bufio.NewWriter(out)
	b.WriteString("digraph wiki {\n\trankdir=LR;\n\tnode [shape=box];\n")
	folders := map[string][]int{}
	for i, n := range g.Nodes {
		dir := path.Dir(n.Path)
		folders[dir] = append(folders[dir], i)
	}
	names := make([]string, 0, len(folders))
	for dir := range folders {
		names = append(names, dir)
	}
	slices.Sort(names)
	for _, dir := range names {
		indent := "\t"
		if dir != "." {
			fmt.Fprintf(b, "\tsubgraph %s {\n\t\tlabel=%s;\n", dotID("cluster_"+dir), dotLabel(dir))
			indent = "\t\t"
		}
		for _, i := range folders[dir] {
			fmt.Fprintf(b, "%s%s [label=%s];\n", indent, dotID(g.Nodes[i].ID), dotLabel(g.Nodes[i].Title))
		}
		if dir != "." {
			b.WriteString("\t}\n")
		}
	}
	for _, e := range g.Edges {
		fmt.Fprintf(b, "\t%s -> %s%s;\n", dotID(g.Nodes[e.From].ID), dotID(g.Nodes[e.To].ID), dotStyle(e))
	}
	b.WriteString("}\n")
	return b.Flush()
}

func dotStyle(e edge) string {
	var attrs []string
	switch e.Kind {
	case kindEmbed:
		attrs = append(attrs, "style=dashed")
	case kindFrontmatter:
		attrs = append(attrs, "style=dotted")
	}
	if e.Count > 1 {
		attrs = append(attrs, fmt.Sprintf("weight=%d", e.Count))
	}
	if attrs == nil {
		return ""
	}
	return " [" + strings.Join(attrs, ", ") + "]"
}

// In a quoted id only \" is an escape; other backslashes are kept, so that ids stay
// distinct, and a doubled one can't end the quote. Labels have more escapes, all of
// which begin with a backslash.
var (
	dotIDEscapes    = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\\r`, "\n", `\\n`)
	dotLabelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r\n", `\n`, "\n", `\n`, "&", "&amp;")
)

func dotID(s string) string    { return `"` + dotIDEscapes.Replace(text.Clean(s)) + `"` }
func dotLabel(s string) string { return `"` + dotLabelEscapes.Replace(text.Clean(s)) + `"` }
