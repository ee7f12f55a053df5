package markdown

import (
	"github.com/yuin/goldmark/ast"

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
	depth uint8       // of nested emphasis and images
	span  schema.Span // the whole construct
	inner schema.Span // what is between the delimiters
	link  *link
}

func (n *inline) Kind() ast.NodeKind { return kindInline }

func (n *inline) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// Pos is the offset of the construct.
func (n *inline) Pos() int { return n.span.Start }

// link is what link nodes hold beside their spans.
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
