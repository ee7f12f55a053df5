// Package claim reads what a page states: the cells of its tables, its fields, its items of the form "key:
// value", and its sentences with a number. It looks at one page alone, so that an edit reads that page again
// and no other; which facts of two pages are about the same thing is decided in linter/conflict.
//
// Facts are kept as places in the page, with hashes of the names that they are found by. A value is only
// parsed when another page states something under the same names, since most are never compared.
package claim

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Facts are the claims of a page.
type Facts struct {
	Groups    []Group
	Sentences []Sentence
}

// Group is a table, a list of fields, or a list of items: claims that belong together,
// and that may agree with those of another page.
type Group struct {
	From  schema.Origin
	At    schema.Span
	Rows  []Key
	Cols  []Key // of fields and items without a unit one without a name
	Cells []Cell
}

// Key is the name of a row or of a column.
type Key struct {
	At   schema.Span // as written
	Hash uint64      // of the folded text; 0 when another key of the group has it too
	Alt  uint64      // of the folded name of the file that a link in the key leads to; 0 without one
	Link int32       // index of the link in the key, -1 for none
	Unit *schema.Unit
}

// Cell is one value of a group, not yet parsed.
type Cell struct {
	Row, Col int32
	At       schema.Span
}

// Sentence is a sentence with a number in it, known by its other words.
type Sentence struct {
	Hash uint64
	At   schema.Span
}

// HashOf returns the hash of a name, as [Key] holds it.
func (l *Lexicon) HashOf(name string) uint64 {
	key := l.key(name)
	if key == "" {
		return 0
	}
	return xxh3.HashString(key)
}

// Facts returns what a page states.
func (l *Lexicon) Facts(page *schema.Page) *Facts {
	r := &reader{Lexicon: l, page: page, out: &Facts{}}
	r.fields()
	for i := range page.Tables {
		r.table(&page.Tables[i])
	}
	all := blocks(page)
	r.items(all)
	r.sentences(all)
	return r.out
}

// reader reads the facts of one page.
type reader struct {
	*Lexicon
	page *schema.Page
	out  *Facts
}

// add keeps a group that has cells. Names that two of its rows or columns share name neither.
func (r *reader) add(g Group) {
	if len(g.Cells) == 0 {
		return
	}
	for _, keys := range [][]Key{g.Rows, g.Cols} {
		seen := make(map[uint64]int, 2*len(keys))
		for _, k := range keys {
			seen[k.Hash]++
			if k.Alt != k.Hash {
				seen[k.Alt]++
			}
		}
		for i := range keys {
			if k := &keys[i]; seen[k.Hash] > 1 {
				k.Hash = 0
			}
			if k := &keys[i]; seen[k.Alt] > 1 {
				k.Alt = 0
			}
		}
	}
	r.out.Groups = append(r.out.Groups, g)
}

// key returns the name that is at a span.
func (r *reader) key(at schema.Span) Key {
	k := Key{At: at, Link: -1, Hash: r.HashOf(PlainText(at.In(r.page.Source)))}
	i, _ := slices.BinarySearchFunc(r.page.Links, at.Start, func(l schema.Link, start int) int { return l.Span.Start - start })
	if i < len(r.page.Links) && r.page.Links[i].Span.End <= at.End {
		l := &r.page.Links[i]
		k.Link = int32(i)
		if base := path.Base(l.Target); l.Target != "" && !l.External {
			k.Alt = r.HashOf(strings.TrimSuffix(base, path.Ext(base)))
		}
	}
	return k
}

// fields reads the front matter and the inline fields of a page, as one list.
func (r *reader) fields() {
	g := Group{From: schema.OriginFrontmatter, Cols: []Key{{Link: -1}}}
	add := func(key Key, at schema.Span) {
		g.Cells = append(g.Cells, Cell{Row: int32(len(g.Rows)), At: at})
		g.Rows = append(g.Rows, key)
	}
	if f := r.page.Front; f != nil && f.Root != nil {
		for i := range f.Root.Pairs {
			p := &f.Root.Pairs[i]
			if p.Value != nil && p.Value.Text != "" && p.Value.Span.Len() <= longestValue {
				add(Key{At: p.KeySpan, Link: -1, Hash: r.HashOf(p.Key)}, p.Value.Span)
			}
		}
	}
	r.add(g)
	g = Group{From: schema.OriginField, Cols: []Key{{Link: -1}}}
	for i := range r.page.Fields {
		if f := &r.page.Fields[i]; f.Val.Len() > 0 && f.Val.Len() <= longestValue {
			add(Key{At: schema.Span{Start: f.Span.Start, End: f.Val.Start}, Link: -1, Hash: r.HashOf(f.Key)}, trimmed(r.page.Source, f.Val))
		}
	}
	r.add(g)
}

// trimmed is a span without the white space at its ends.
func trimmed(src []byte, s schema.Span) schema.Span {
	text := s.In(src)
	left := bytes.TrimLeft(text, " \t\r\n")
	s.Start += len(text) - len(left)
	s.End = s.Start + len(bytes.TrimRight(left, " \t\r\n"))
	return s
}

// table reads the cells of a table. Rows are named by their first cell, or by the first
// two if first cells repeat or only number the rows.
func (r *reader) table(t *schema.Table) {
	if len(t.Head) < 2 || len(t.Rows) == 0 {
		return
	}
	g := Group{From: schema.OriginTable, At: t.Span, Rows: make([]Key, len(t.Rows)), Cols: make([]Key, len(t.Head))}
	for j := range t.Head {
		name, unit := r.attributeUnit(PlainText(t.Head[j].Span.In(r.page.Source)))
		g.Cols[j] = Key{At: t.Head[j].Span, Link: -1, Hash: r.HashOf(name), Unit: unit}
	}
	names := 1
	seen := map[uint64]bool{}
	numbered, first := len(t.Rows) > 1, 0
	for i, row := range t.Rows {
		g.Rows[i] = Key{Link: -1}
		if len(row) == 0 || row[0].Span.Len() == 0 {
			continue
		}
		k := r.key(row[0].Span)
		if seen[k.Hash] && len(t.Head) > 2 {
			names = 2
		}
		seen[k.Hash] = true
		g.Rows[i] = k
		n, err := strconv.Atoi(string(row[0].Span.In(r.page.Source)))
		if i == 0 {
			first = n
		}
		numbered = numbered && err == nil && n == first+i
	}
	if numbered && len(t.Head) > 2 {
		names = 2
	}
	for i, row := range t.Rows {
		if names == 2 && len(row) > 1 && g.Rows[i].Hash != 0 {
			second := r.key(row[1].Span)
			g.Rows[i].Hash = mix(g.Rows[i].Hash, second.Hash)
			g.Rows[i].Alt, g.Rows[i].At.End = 0, row[1].Span.End
		}
		for j := names; j < len(row) && j < len(t.Head) && g.Rows[i].Hash != 0; j++ {
			if n := row[j].Span.Len(); n > 0 && n <= longestCell {
				g.Cells = append(g.Cells, Cell{Row: int32(i), Col: int32(j), At: row[j].Span})
			}
		}
	}
	r.add(g)
}

// longestCell bounds, in bytes, the cells that can hold a value, with its markup; longer ones hold prose.
const longestCell = 160

// mix joins two hashes into one that depends on their order.
func mix(a, b uint64) uint64 { return a*0x9E3779B97F4A7C15 ^ (b + 0x7F4A7C159E3779B9) }

// items reads the lines and items of the form "key: value"; those of one section are a list. An item may hold
// several numbers of things that it counts: **solver**: 310 files, 481 classes.
func (r *reader) items(all []block) {
	g := Group{From: schema.OriginList, Cols: []Key{{Link: -1}}}
	units := map[uint64]int32{}
	heads := r.page.Headings
	for i := range all {
		b := &all[i]
		for len(heads) > 0 && heads[0].Span.Start <= b.span.Start {
			r.add(g)
			g = Group{From: schema.OriginList, Cols: []Key{{Link: -1}}}
			clear(units)
			heads = heads[1:]
		}
		text := b.span.In(r.page.Source)
		key, value := keyOf(text)
		if b.term.Len() > 0 {
			key, value = schema.Span{Start: b.term.Start - b.span.Start, End: b.term.End - b.span.Start}, schema.Span{End: len(text)}
		}
		if key.Len() == 0 || value.Len() > longestCell || bytes.IndexByte(value.In(text), '\n') >= 0 {
			continue
		}
		at := trimmed(r.page.Source, schema.Span{Start: b.span.Start + value.Start, End: b.span.Start + value.End})
		if at.Len() == 0 {
			continue
		}
		row := int32(len(g.Rows))
		counts := r.counts(at)
		if len(counts) == 0 {
			g.Cells = append(g.Cells, Cell{Row: row, At: at})
		}
		for _, c := range counts {
			col, ok := units[c.Hash]
			if !ok {
				col = int32(len(g.Cols))
				units[c.Hash] = col
				g.Cols = append(g.Cols, Key{At: c.At, Hash: c.Hash, Link: -1})
			}
			g.Cells = append(g.Cells, Cell{Row: row, Col: col, At: c.At})
		}
		g.Rows = append(g.Rows, r.key(schema.Span{Start: b.span.Start + key.Start, End: b.span.Start + key.End}))
	}
	r.add(g)
}

// counts returns the parts of a value that each count something: 310 files, 481 classes. There are at least
// two of them.
func (r *reader) counts(at schema.Span) []Sentence {
	text := at.In(r.page.Source)
	if bytes.Count(text, []byte(", ")) == 0 {
		return nil
	}
	var out []Sentence
	for start := 0; start < len(text); {
		end := len(text)
		if i := bytes.Index(text[start:], []byte(", ")); i >= 0 {
			end = start + i
		}
		part := string(text[start:end])
		_, _, rest, ok := leadingNumber(part)
		if !ok || !strings.HasPrefix(rest, " ") || strings.ContainsAny(rest, "0123456789") || len(rest) > 24 {
			return nil
		}
		out = append(out, Sentence{Hash: r.HashOf(rest), At: schema.Span{Start: at.Start + start, End: at.Start + end}})
		start = end + 2
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// Value parses the value of a cell.
func (l *Lexicon) Value(page *schema.Page, g *Group, c *Cell) schema.Value {
	text := PlainText(c.At.In(page.Source))
	unit := g.Cols[c.Col].Unit
	if unit == nil && g.From != schema.OriginTable {
		_, unit = l.attributeUnit(strings.TrimRight(PlainText(g.Rows[c.Row].At.In(page.Source)), ": "))
	}
	v := l.ParseValue(text, unit)
	if v.Kind == schema.ValueNone || v.Kind == schema.ValueName && strings.ContainsAny(text, "0123456789") {
		return pattern(text)
	}
	return v
}

// pattern reads a short text with numbers that is not a plain quantity, as a name with
// numbers: PowerShell 3.0, 4.37 (200 epochs). Its words are compared as words, its
// numbers as numbers.
func pattern(text string) schema.Value {
	if text == "" || len(text) > longestValue || strings.Contains(text, "://") || LineCited(text) {
		return schema.Value{}
	}
	words, numbers := masked(text)
	if len(numbers) == 0 {
		return schema.Value{}
	}
	return schema.Value{Kind: schema.ValueVersion, Words: []string{words}, Items: numbers}
}

// masked splits a text into its folded words, with # for each number, and its numbers.
func masked(text string) (words string, numbers []string) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if n := NumberAt(text[i:]); n > 0 {
			numbers = append(numbers, text[i:i+n])
			b.WriteByte('#')
			i += n
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return foldCase(b.String()), numbers
}

// NumberAt returns the length of the number at the beginning of a text, with thousands
// separators and decimals; 0 if there is none.
func NumberAt[T string | []byte](text T) int {
	n := 0
	for n < len(text) {
		c := text[n]
		if c >= '0' && c <= '9' || n > 0 && (c == '.' || c == ',') && n+1 < len(text) && text[n+1] >= '0' && text[n+1] <= '9' {
			n++
			continue
		}
		break
	}
	return n
}

// LineCited reports whether a text cites a line of a file: store.go:12.
func LineCited(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == ':' && text[i+1] >= '0' && text[i+1] <= '9' && letter(text[i-1]) {
			return true
		}
	}
	return strings.Contains(text, "#L")
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
