package compiler

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// parseTOML reads the front matter between +++ of Hugo and Zola: keys, tables, and
// values that are text, numbers, dates, truths or lists of them. What else TOML has,
// maps in braces and lists of tables, says nothing to this program and is left
// out. Places are offsets of src.
func parseTOML(src []byte, span schema.Span) (*schema.Node, []schema.Fault) {
	root := &schema.Node{Kind: schema.KindMap, Span: span}
	table, skipping := root, false
	for at := span.Start; at < span.End; {
		start, end, next, ok := nextLine(src[:span.End], at)
		if !ok {
			break
		}
		at = next
		for start < end && (src[start] == ' ' || src[start] == '\t') {
			start++
		}
		line := string(src[start:end])
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == '[':
			name, _, closed := strings.Cut(strings.TrimLeft(line, "["), "]")
			if !closed {
				return root, tomlFault(start, end)
			}
			skipping = strings.HasPrefix(line, "[[")
			table = tomlTable(root, strings.TrimSpace(name), schema.Span{Start: start, End: end})
		default:
			eq := keyEnd(line)
			if eq < 0 {
				return root, tomlFault(start, end)
			}
			value, after := tomlValue(src, start+eq+1, span.End)
			at = after
			if value != nil && !skipping {
				key := schema.Span{Start: start, End: start + len(strings.TrimRight(line[:eq], " \t"))}
				table.Pairs = append(table.Pairs, schema.Pair{Key: tomlKey(key.In(src)), KeySpan: key, Value: value})
			}
		}
	}
	return root, nil
}

func tomlFault(start, end int) []schema.Fault {
	return []schema.Fault{{Kind: schema.FaultFrontmatterInvalid, Span: schema.Span{Start: start, End: end},
		Message: "the TOML front matter has an invalid line; expected key = value, or [table]"}}
}

// keyEnd is the offset of the = of a line outside quotes, or -1.
func keyEnd(line string) int {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '=':
			return i
		}
	}
	return -1
}

// tomlKey returns a key without its quotes.
func tomlKey(b []byte) string {
	if n, _ := yaml.Parse(b, 0); n.IsScalar() {
		return n.Text
	}
	return string(b)
}

// tomlValue reads the value at an offset, and returns where the line begins that
// follows it. The value is nil when it is a map.
func tomlValue(src []byte, at, stop int) (value *schema.Node, next int) {
	for at < stop && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	_, end, next, _ := nextLine(src[:stop], at)
	rest := src[at:stop]
	for _, mark := range []string{`"""`, "'''"} {
		if bytes.HasPrefix(rest, []byte(mark)) {
			n := bytes.Index(rest[3:], []byte(mark))
			if n < 0 {
				n = len(rest) - 3
			}
			last := min(at+n+6, stop)
			_, _, next, _ = nextLine(src[:stop], last)
			text := strings.TrimPrefix(strings.TrimPrefix(string(rest[3:3+n]), "\r"), "\n")
			return &schema.Node{Kind: schema.KindString, Span: schema.Span{Start: at, End: last}, Text: text, Quoted: true}, next
		}
	}
	if at < end && src[at] == '[' {
		if n := tomlListEnd(rest); n > 0 {
			end = at + n
			_, _, next, _ = nextLine(src[:stop], end)
		}
	}
	if at < end && src[at] == '{' {
		return nil, next
	}
	value, _ = yaml.Parse(src[at:end], at)
	return value, next
}

// tomlListEnd returns the length of the list that b begins with, over lines; 0 when it
// has no end.
func tomlListEnd(b []byte) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			j := bytes.IndexByte(b[i:], '\n')
			if j < 0 {
				return 0
			}
			i += j
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// tomlTable returns the map that a [table] begins. The taxonomies of Zola, tags and
// the like, are fields of the page.
func tomlTable(root *schema.Node, name string, at schema.Span) *schema.Node {
	if name == "taxonomies" {
		return root
	}
	if n := root.Get(name); n != nil && n.Kind == schema.KindMap {
		return n
	}
	n := &schema.Node{Kind: schema.KindMap, Span: at}
	root.Pairs = append(root.Pairs, schema.Pair{Key: name, KeySpan: at, Value: n})
	return n
}
