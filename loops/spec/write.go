package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Format writes a document as YAML, in the order of its keys. What fits on a line
// is written in flow style below the second level. Reading it gives the same
// values, to readers of YAML 1.1 too.
func Format(n *schema.Node) []byte {
	var b bytes.Buffer
	for _, p := range n.Pairs {
		writePair(&b, p, 0)
	}
	return b.Bytes()
}

// lineWidth is how long a line in flow style may be.
const lineWidth = 110

func writePair(b *bytes.Buffer, p schema.Pair, indent int) {
	b.WriteString(strings.Repeat(" ", indent) + scalarText(&schema.Node{Kind: schema.KindString, Text: p.Key}) + ":")
	writeValue(b, p.Value, indent, p.Key)
}

// writeValue writes what follows a key or the dash of an item.
func writeValue(b *bytes.Buffer, n *schema.Node, indent int, key string) {
	short := flow(n)
	// Lists of parts and the maps of the root are read best in block style.
	block := len(n.Pairs)+len(n.Items) > 0 && (indent == 0 && n.Kind >= schema.KindList && !scalars(n) || indent+len(key)+2+len(short) > lineWidth)
	switch {
	case n.Kind == schema.KindString && strings.Contains(n.Text, "\n") && literal(n.Text):
		writeLiteral(b, n.Text, indent+2)
	case !block:
		b.WriteString(" " + short + "\n")
	case n.Kind == schema.KindMap:
		b.WriteByte('\n')
		for _, p := range n.Pairs {
			writePair(b, p, indent+2)
		}
	default:
		b.WriteByte('\n')
		for _, it := range n.Items {
			writeItem(b, it, indent+2)
		}
	}
}

func scalars(n *schema.Node) bool {
	return !slices.ContainsFunc(n.Items, func(it *schema.Node) bool { return it.Kind >= schema.KindList }) && len(n.Pairs) == 0
}

func writeItem(b *bytes.Buffer, n *schema.Node, indent int) {
	dash := strings.Repeat(" ", indent) + "-"
	if short := flow(n); n.Kind < schema.KindList || len(dash)+1+len(short) <= lineWidth || len(n.Pairs)+len(n.Items) == 0 {
		b.WriteString(dash + " " + short + "\n")
		return
	}
	var item bytes.Buffer
	for _, p := range n.Pairs {
		writePair(&item, p, indent+2)
	}
	for _, it := range n.Items {
		writeItem(&item, it, indent+2)
	}
	b.WriteString(dash + " " + strings.TrimLeft(item.String(), " "))
}

// literal reports whether a block of | keeps the text as it is.
func literal(s string) bool {
	return strings.TrimSpace(s) != "" && !strings.HasPrefix(s, " ") && !strings.HasPrefix(s, "\n") && !strings.HasSuffix(s, "\n\n") &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff)
		})
}

func writeLiteral(b *bytes.Buffer, s string, indent int) {
	mark := " |-\n"
	if strings.HasSuffix(s, "\n") {
		mark, s = " |\n", strings.TrimSuffix(s, "\n")
	}
	b.WriteString(mark)
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" {
			b.WriteString(strings.Repeat(" ", indent) + line)
		}
		b.WriteByte('\n')
	}
}

// flow writes a value in flow style, on one line.
func flow(n *schema.Node) string {
	switch n.Kind {
	case schema.KindList:
		var parts []string
		for _, it := range n.Items {
			parts = append(parts, flow(it))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case schema.KindMap:
		var parts []string
		for _, p := range n.Pairs {
			parts = append(parts, scalarText(&schema.Node{Kind: schema.KindString, Text: p.Key})+": "+flow(p.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return scalarText(n)
}

var (
	plainText = schema.Expression(`^[A-Za-z][A-Za-z0-9 _./()<>=%+$@-]*$`)
	// reserved are plain words that some reader of YAML takes for something else.
	reserved = schema.Expression(`^(?i:true|false|yes|no|on|off|null|y|n)$`)
)

// scalarText writes a scalar: text in quotes unless every reader takes it for text.
func scalarText(n *schema.Node) string {
	switch {
	case n.Kind == schema.KindNull:
		return "null"
	case n.Kind != schema.KindString && n.Kind != schema.KindDate:
		return n.Text
	case plainText().MatchString(n.Text) && !reserved().MatchString(n.Text) && !strings.HasSuffix(n.Text, " "):
		return n.Text
	}
	return jsonText(n.Text)
}

// quote writes text as a scalar of YAML, for templates.
func quote(s string) string { return scalarText(textNode(s)) }

// jsonText quotes text so that JSON and every YAML read it as it was.
func jsonText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string always encodes
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if r >= 0x7f && r < 0xa0 || r == 0xfeff { // YAML folds U+0085
			fmt.Fprintf(&out, "\\u%04x", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// compactJSON writes a value as JSON without spaces, in the order of its keys.
func compactJSON(n *schema.Node) string {
	switch n.Kind {
	case schema.KindNull:
		return "null"
	case schema.KindBool:
		return strings.ToLower(n.Text)
	case schema.KindInt, schema.KindFloat:
		if text, err := json.Marshal(value(n)); err == nil {
			return string(text)
		}
	case schema.KindList:
		var parts []string
		for _, it := range n.Items {
			parts = append(parts, compactJSON(it))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case schema.KindMap:
		var parts []string
		for _, p := range n.Pairs {
			parts = append(parts, jsonText(p.Key)+":"+compactJSON(p.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return jsonText(n.Text)
}

// textNode, intNode, listNode and mapNode make nodes that were in no file.
func textNode(s string) *schema.Node { return &schema.Node{Kind: schema.KindString, Text: s} }

func intNode(i int) *schema.Node {
	return &schema.Node{Kind: schema.KindInt, Text: strconv.Itoa(i)}
}

func listNode(items ...*schema.Node) *schema.Node {
	return &schema.Node{Kind: schema.KindList, Items: items}
}

func mapNode(pairs ...schema.Pair) *schema.Node {
	return &schema.Node{Kind: schema.KindMap, Pairs: pairs}
}

// pick is a map of some keys of n, in the order given; those that are missing are
// left out.
func pick(n *schema.Node, keys ...string) *schema.Node {
	out := mapNode()
	for _, k := range keys {
		if v := n.Get(k); v != nil {
			out.Pairs = append(out.Pairs, schema.Pair{Key: k, Value: v})
		}
	}
	return out
}

// with is a copy of a map in which key has a value; a new key is the last one.
func with(n *schema.Node, key string, value *schema.Node) *schema.Node {
	out := mapNode()
	if n != nil && n.Kind == schema.KindMap {
		out.Pairs = slices.Clone(n.Pairs)
	}
	i := slices.IndexFunc(out.Pairs, func(p schema.Pair) bool { return p.Key == key })
	if i < 0 {
		out.Pairs = append(out.Pairs, schema.Pair{Key: key, Value: value})
	} else {
		out.Pairs[i].Value = value
	}
	return out
}
