package okf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// writePair writes a key and its value in block style.
func writePair(out *bytes.Buffer, indent int, key string, n *schema.Node) {
	out.WriteString(strings.Repeat(" ", indent) + scalar(&schema.Node{Kind: schema.KindString, Text: key}) + ":")
	writeValue(out, indent, n)
}

func writeValue(out *bytes.Buffer, indent int, n *schema.Node) {
	switch {
	case n == nil || n.Kind == schema.KindNull:
		out.WriteString("\n")
	case n.Kind == schema.KindList && len(n.Items) == 0:
		out.WriteString(" []\n")
	case n.Kind == schema.KindMap && len(n.Pairs) == 0:
		out.WriteString(" {}\n")
	case n.Kind == schema.KindList:
		out.WriteString("\n")
		for _, it := range n.Items {
			writeItem(out, indent+2, it)
		}
	case n.Kind == schema.KindMap:
		out.WriteString("\n")
		for _, pair := range n.Pairs {
			writePair(out, indent+2, pair.Key, pair.Value)
		}
	default:
		out.WriteString(" " + scalar(n) + "\n")
	}
}

// writeItem writes an item of a list; the first key of a map follows the dash.
func writeItem(out *bytes.Buffer, indent int, n *schema.Node) {
	out.WriteString(strings.Repeat(" ", indent) + "-")
	if n.Kind != schema.KindMap || len(n.Pairs) == 0 {
		writeValue(out, indent, n)
		return
	}
	var block bytes.Buffer
	for _, pair := range n.Pairs {
		writePair(&block, indent+2, pair.Key, pair.Value)
	}
	out.WriteString(" ")
	out.Write(bytes.TrimLeft(block.Bytes(), " "))
}

// scalar writes a value plain if it is read as the same, else in double quotes.
func scalar(n *schema.Node) string {
	s := n.Text
	if !n.Quoted && !strings.ContainsAny(s, "\n\r\t") && strings.TrimSpace(s) == s && s != "" {
		root, faults := yaml.Parse([]byte("- "+s+"\n"), 0)
		if len(faults) == 0 && root != nil && len(root.Items) == 1 && root.Items[0].Kind == n.Kind && root.Items[0].Text == s && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") {
			return s
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}
