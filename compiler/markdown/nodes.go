package markdown

import (
	"bytes"
	"sort"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// form says what a node of ours is.
type form uint8

const (
	formText       form = iota // a bracket or delimiter that stayed text
	formEmphasis               // *…*
	formStrong                 // **…**
	formStrike                 // ~~…~~
	formMark                   // ==…==
	formCode                   // `…`
	formMath                   // $…$
	formDisplay                // $$…$$ in running text
	formComment                // %%…%% or <!--…-->
	formHTML                   // one raw tag
	formWikilink               // [[…]]
	formLink                   // […](…) and references
	formImage                  // ![…](…) and references
	formAutolink               // <https://…> or a bare URL
	formTag                    // #tag
	formBlockID                // ^name
	formCitation               // ^[path:12]
	formNoteRef                // [^id]
	formInlineNote             // ^[a note in its place]
	formTask                   // [ ] at the head of an item
)

var kindInline = ast.NewNodeKind("WikiInline")

// inline is every inline node but running text.
type inline struct {
	ast.BaseInline
	form  form
	depth uint8          // of nested emphasis and images
	span  schema.Span    // the whole construct
	inner schema.Span    // what is between the delimiters
	lines *text.Segments // of the block, when the construct goes over its lines
	link  *link
}

func (n *inline) Kind() ast.NodeKind { return kindInline }

func (n *inline) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// Pos is the offset of the construct.
func (n *inline) Pos() int { return n.span.Start }

// text is the part of the construct that is in span, without the quote marks
// and indents before its lines.
func (n *inline) text(src []byte, span schema.Span) []byte { return folded(src, n.lines, span) }

// folded is the text of span in the lines of a block. Lines may be nil if span is in one
// line.
func folded(src []byte, lines *text.Segments, span schema.Span) []byte {
	b := span.In(src)
	if lines == nil || bytes.IndexByte(b, '\n') < 0 {
		return b
	}
	var out []byte
	for i := lineOf(lines, span.Start); i < lines.Len() && lines.At(i).Start < span.End; i++ {
		seg := lines.At(i)
		out = append(out, src[max(seg.Start, span.Start):min(seg.Stop, span.End)]...)
	}
	return out
}

// unfolded is the source offset of byte k of the text folded from start.
func unfolded(lines *text.Segments, start, k int) int {
	if lines == nil {
		return start + k
	}
	for i := lineOf(lines, start); i < lines.Len(); i++ {
		seg := lines.At(i)
		from := max(seg.Start, start)
		if k < seg.Stop-from {
			return from + k
		}
		k -= seg.Stop - from
	}
	return lines.At(lines.Len() - 1).Stop
}

// lineOf is the first line that ends behind an offset.
func lineOf(lines *text.Segments, at int) int {
	return sort.Search(lines.Len(), func(i int) bool { return lines.At(i).Stop > at })
}

// link is the data of link nodes besides their spans.
type link struct {
	schema.Link
	title string
	// wikiEnd is where the wikilink ends that the link is read as when its
	// destination is not there; see [schema.Link.Wiki].
	wikiEnd int
}

type blockForm uint8

const (
	blockComment blockForm = iota // %% … %%
	blockMath                     // $$ … $$
	blockNote                     // [^id]: …
	blockCallout                  // the title line of a callout
	blockTable
	blockRow
	blockCell
)

var kindBlock = ast.NewNodeKind("WikiBlock")

// block is every block node that goldmark does not have.
type block struct {
	ast.BaseBlock
	form    blockForm
	span    schema.Span
	inner   schema.Span // of a comment or formula its content, of a note its id
	callout *schema.Callout
	align   []byte // of a table: l, c, r or 0 per column
	head    bool   // of a row
}

func (n *block) Kind() ast.NodeKind { return kindBlock }

func (n *block) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// IsRaw reports whether the block holds no inline markup.
func (n *block) IsRaw() bool { return n.form == blockComment || n.form == blockMath }
