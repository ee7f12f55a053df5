package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// leaf reads a block that holds running text.
func (r *reader) leaf(n ast.Node) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	r.block = trimSpan(r.src, schema.Span{Start: lines.At(0).Start, End: lines.At(lines.Len() - 1).Stop})
	r.masks, r.coded = r.masks[:0], len(r.p.Citations)
	r.inlines(n)
	r.runningText(n)
}

func (r *reader) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			r.p.Words += countWords(c.Segment.Value(r.src))
		case *inline:
			r.inline(c)
		}
	}
}

func (r *reader) inline(n *inline) {
	p := r.p
	if n.form > formMark {
		r.masks = append(r.masks, n.span)
	}
	switch n.form {
	case formText:
	case formCode:
		if at := trimSpan(r.src, n.inner); isFileLine(at.In(r.src)) {
			p.Citations = append(p.Citations, schema.Citation{Span: at, Ref: schema.ParseAnchor(string(at.In(r.src))), Code: true})
		}
	case formMath, formDisplay:
		p.Math = append(p.Math, schema.Math{Span: n.span, Display: n.form == formDisplay})
	case formComment:
		p.Comments = append(p.Comments, n.span)
	case formHTML:
		r.tag(n.span, n.lines)
	case formWikilink:
		r.addLink(n)
	case formAutolink:
		if r.inLink == 0 {
			r.addLink(n)
		}
	case formLink, formImage:
		r.addLink(n)
		r.inLink++
		r.inlines(n)
		r.inLink--
	case formTag:
		if r.inLink == 0 {
			p.Tags = append(p.Tags, schema.Tag{Name: string(n.inner.In(r.src)), Span: n.span})
		}
	case formBlockID:
		p.Blocks = append(p.Blocks, schema.BlockID{Name: string(n.inner.In(r.src)), Span: n.span, Block: r.named(n)})
	case formCitation:
		citations(r.src, n.inner, true, func(c schema.Citation) { p.Citations = append(p.Citations, c) })
	case formNoteRef:
		p.Footnotes = append(p.Footnotes, schema.Footnote{ID: string(n.inner.In(r.src)), Span: n.span})
	case formTask:
		p.Tasks = append(p.Tasks, schema.Task{Span: schema.Span{Start: n.span.Start, End: r.block.End}, Mark: r.src[n.inner.Start]})
	default:
		r.inlines(n)
	}
}

func (r *reader) addLink(n *inline) {
	n.link.Block = r.block
	l := n.link.Link
	switch {
	case n.form == formWikilink && l.Wiki != nil:
		l.Wiki.Block = r.block
	case n.form == formLink || n.form == formImage:
		l.Label = r.plain(n)
	}
	if n.form == formWikilink {
		r.p.Words += countWords([]byte(wikiLabel(&l)))
	}
	r.p.Links = append(r.p.Links, l)
}

// named is the block of a ^name at the end of a leaf block: the list item or the leaf
// itself, or, if it is alone, the block before.
func (r *reader) named(n *inline) schema.Span {
	leaf := n.Parent()
	target := namedNode(leaf, n)
	if target == leaf {
		return r.block
	}
	return r.spanOf(target)
}

func namedNode(leaf ast.Node, n *inline) ast.Node {
	for leaf.Type() == ast.TypeInline {
		leaf = leaf.Parent()
	}
	if leaf.FirstChild() == ast.Node(n) && leaf.PreviousSibling() != nil {
		return leaf.PreviousSibling()
	}
	if item := leaf.Parent(); item != nil && item.Kind() == ast.KindListItem && item.FirstChild() == leaf {
		return item
	}
	return leaf
}

func (r *reader) spanOf(n ast.Node) schema.Span {
	start := n.Pos()
	if b, ok := n.(*block); ok {
		return b.span
	}
	if n.Kind() == ast.KindCodeBlock && n.Lines().Len() > 0 {
		start = n.Lines().At(0).Start
	}
	return schema.Span{Start: start, End: max(start, r.end(n))}
}

// runningText finds content without nodes: fields, and citations in parentheses.
func (r *reader) runningText(n ast.Node) {
	lines := n.Lines()
	next, end := 0, 0
	masked := func(pos int) bool {
		for next < len(r.masks) && r.masks[next].Start <= pos {
			end = max(end, r.masks[next].End)
			next++
		}
		return pos < end
	}
	for i := range lines.Len() {
		seg := lines.At(i)
		line := r.src[seg.Start:seg.Stop]
		fields := bytes.Contains(line, []byte("::"))
		if !fields && !bytes.ContainsAny(line, "([") {
			continue
		}
		closed := [2]int{-1, -1}
		for k := 0; k < len(line); k++ {
			j := bytes.IndexAny(line[k:], "([:")
			if j < 0 {
				break
			}
			k += j
			switch {
			case line[k] == '(' && k+1 < len(line) && !masked(seg.Start+k):
				if m := parenCitation(line[k:]); m > 0 {
					at := seg.Start + k
					citations(r.src, schema.Span{Start: at + 1, End: at + m - 1}, false, r.cite)
				}
			case line[k] == '[' && !masked(seg.Start+k):
				if from, to := bracketCitation(line[k:]); to > 0 {
					at := seg.Start + k
					citations(r.src, schema.Span{Start: at + from, End: at + to}, false, r.cite)
				}
			case line[k] == ':' && fields && k+1 < len(line) && line[k+1] == ':':
				if !masked(seg.Start + k) {
					r.field(schema.Span{Start: seg.Start, End: seg.Stop}, seg.Start+k, &closed)
				}
				k++
			}
		}
	}
}

// cite notes a citation, which may have been read between backticks before.
func (r *reader) cite(c schema.Citation) {
	for ; r.coded < len(r.p.Citations) && r.p.Citations[r.coded].Span.Start <= c.Span.Start; r.coded++ {
		if r.p.Citations[r.coded].Span == c.Span {
			r.p.Citations[r.coded] = c
			return
		}
	}
	r.p.Citations = append(r.p.Citations, c)
}

// maxKey is the longest key of a Dataview field.
const maxKey = 80

// field reads key:: value around the colons at pos: the rest of the line if it begins
// with the key, else the text in brackets. closed caches the position of the next
// closing bracket of either kind.
func (r *reader) field(line schema.Span, pos int, closed *[2]int) {
	if pos+2 < line.End && !isSpace(r.src[pos+2]) {
		return
	}
	from := max(line.Start, pos-maxKey)
	before := r.src[from:pos]
	if i := bytes.LastIndexAny(before, "[("); i >= 0 {
		kind, closer := 0, byte(']')
		if before[i] == '(' {
			kind, closer = 1, ')'
		}
		if closed[kind] < pos {
			closed[kind] = line.End
			if j := bytes.IndexByte(r.src[pos:line.End], closer); j >= 0 {
				closed[kind] = pos + j
			}
		}
		if closed[kind] < line.End && bytes.IndexByte(before[i:], closer) < 0 {
			span := schema.Span{Start: from + i, End: closed[kind] + 1}
			r.addField(schema.Span{Start: span.Start + 1, End: pos}, schema.Span{Start: pos + 2, End: span.End - 1}, span)
		}
		return
	}
	if from == line.Start && bytes.Count(before, []byte("::")) == 0 {
		r.addField(schema.Span{Start: from, End: pos}, schema.Span{Start: pos + 2, End: line.End}, trimSpan(r.src, line))
	}
}

func (r *reader) addField(key, value, span schema.Span) {
	name := bytes.Trim(bytes.TrimSpace(key.In(r.src)), "*_~` \t")
	value = trimSpan(r.src, value)
	if len(name) == 0 || bytes.ContainsAny(name, "|[](){}<>") {
		return
	}
	r.p.Fields = append(r.p.Fields, schema.Field{Key: string(name), Value: string(value.In(r.src)), Span: span, Val: value})
}
