// Package yaml is the one reader of YAML: it gives every value its exact place
// in the file, and reads what can be read of a block that is not valid.
//
// Most blocks that people write are a handful of plain lines. Those are read
// by a small exact reader, [doc.fastPair]; all else goes through the lexer and
// parser of goccy/go-yaml, one top-level key at a time, so that one bad line
// costs that line only. Both give the same nodes.
package yaml

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// The bounds of one block. The parser behind the general path takes quadratic
// time on some hostile input, so what it is given is bounded; the exact reader
// is linear and is bounded by maxBlock alone.
const (
	maxBlock  = schema.MaxFront       // bytes of a block
	maxChunk  = 64 << 10              // bytes the general parser reads at once
	maxParsed = schema.MaxFrontParsed // bytes it reads of one block in all
	maxDepth  = schema.MaxFrontDepth  // nesting of lists and maps
	maxCopies = schema.MaxFrontCopies // nodes that aliases may add to a block
	maxFaults = schema.MaxFrontFaults // faults of one block
)

// doc is one block being read.
type doc struct {
	src     []byte
	base    int // offset of src in its file
	lines   []line
	faults  []schema.Fault
	anchors map[string]*schema.Node
	budget  int  // bytes the general parser may still read
	copies  int  // nodes that aliases may still add
	slow    bool // leave the exact reader out; for tests that compare the two
	merges  bool // a merge key was seen
}

// Parse reads one YAML document that begins at offset base of its file. The
// node is nil when src holds nothing but comments. Spans count from the
// beginning of the file.
//
// Faults are of kind [schema.FaultFrontmatterInvalid] or
// [schema.FaultDuplicateKey], in order of place. When src is not valid YAML,
// the node still holds every top-level key that can be read, the value of a
// line that is not valid as text.
func Parse(src []byte, base int) (*schema.Node, []schema.Fault) {
	return parse(src, base, false)
}

func parse(src []byte, base int, slow bool) (*schema.Node, []schema.Fault) {
	d := &doc{src: src, base: base, budget: maxParsed, copies: maxCopies, slow: slow}
	if len(src) > maxBlock {
		d.fault(0, len(src), fmt.Sprintf("the YAML is %d bytes long: expected at most %d", len(src), maxBlock))
		return nil, d.faults
	}
	d.lines = splitLines(src)
	root := d.root()
	if d.merges {
		d.merge(root)
	}
	d.duplicates(root)
	slices.SortStableFunc(d.faults, func(a, b schema.Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return root, d.faults
}

// span turns offsets in src to a place in the file.
func (d *doc) span(start, end int) schema.Span {
	return schema.Span{Start: d.base + start, End: d.base + end}
}

func (d *doc) fault(start, end int, message string) {
	if len(d.faults) < maxFaults {
		d.faults = append(d.faults, schema.Fault{Kind: schema.FaultFrontmatterInvalid, Span: d.span(start, end), Message: message})
	}
}

// root reads the whole block.
func (d *doc) root() *schema.Node {
	first := d.nextContent(0, len(d.lines))
	if first == len(d.lines) {
		return nil
	}
	if chunks, ok := d.chunks(first, len(d.lines), d.lines[first].indent); ok {
		if n, ok := d.readMap(chunks, d.lines[first].indent); ok {
			return n
		}
	}
	n, failed := d.parseLines(first, len(d.lines))
	if failed == nil {
		return n
	}
	return d.recover(first, failed)
}

// chunk is a key of a map with the lines of its value.
type chunk struct{ from, to int }

// chunks splits the map whose keys have the given indentation; ok is false if other text
// is before the first key or at that indentation.
func (d *doc) chunks(from, to, indent int) (out []chunk, ok bool) {
	ok = true
	for i := from; i < to; i++ {
		ln := d.lines[i]
		if ln.blank || d.src[ln.start+ln.indent] == '#' {
			continue
		}
		switch {
		case ln.indent == indent && d.keyLine(ln):
			if len(out) > 0 {
				out[len(out)-1].to = i
			}
			out = append(out, chunk{i, to})
		case ln.indent > indent || ln.indent == indent && d.dash(ln) && len(out) > 0:
			// part of the value above
		default:
			ok = false
		}
	}
	return out, ok && len(out) > 0 && out[0].from == from
}

// readMap reads a map key by key; ok is false when one of them is not valid.
func (d *doc) readMap(chunks []chunk, indent int) (*schema.Node, bool) {
	pairs := make([]schema.Pair, 0, len(chunks))
	for _, c := range chunks {
		got, failed := d.readChunk(c, indent)
		if failed != nil {
			return nil, false
		}
		pairs = append(pairs, got...)
	}
	return mapOf(pairs), true
}

// readChunk reads one key of a map, with the exact reader if it can.
func (d *doc) readChunk(c chunk, indent int) ([]schema.Pair, *failure) {
	if !d.slow {
		if p, ok := d.fastPair(c, indent); ok {
			return []schema.Pair{p}, nil
		}
	}
	n, failed := d.parseLines(c.from, c.to)
	if failed != nil {
		return nil, failed
	}
	if n == nil || n.Kind != schema.KindMap {
		return nil, &failure{line: c.from, at: d.lines[c.from].start + indent, message: "expected `key: value`"}
	}
	return n.Pairs, nil
}

// mapOf makes a block map of at least one pair, in the order of the file.
func mapOf(pairs []schema.Pair) *schema.Node {
	end := pairs[0].KeySpan.End
	for i := range pairs {
		end = max(end, pairs[i].Value.Span.End)
	}
	return &schema.Node{Kind: schema.KindMap, Pairs: pairs, Span: schema.Span{Start: pairs[0].KeySpan.Start, End: end}}
}

// duplicates reports the keys that a map gives more than once.
func (d *doc) duplicates(n *schema.Node) {
	n.Walk(func(n *schema.Node) {
		if len(n.Pairs) < 2 {
			return
		}
		first := make(map[string]int, len(n.Pairs))
		for i, p := range n.Pairs {
			j, seen := first[p.Key]
			if !seen {
				first[p.Key] = i
				continue
			}
			if p.KeySpan == n.Pairs[j].KeySpan || len(d.faults) >= maxFaults {
				continue
			}
			d.faults = append(d.faults, schema.Fault{
				Kind: schema.FaultDuplicateKey, Span: p.KeySpan, Related: n.Pairs[j].KeySpan,
				Message: fmt.Sprintf("key %q occurs twice and only the first is used; remove one of them", p.Key),
			})
		}
	})
}
