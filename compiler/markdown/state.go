package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// maxInlineDepth bounds nested emphasis and images, maxOpenBrackets the
// brackets of one block that wait for their end.
const (
	maxInlineDepth  = 100
	maxOpenBrackets = 10_000
)

var stateKey = parser.NewContextKey()

// state is shared by the parsers of one page.
type state struct {
	src    []byte // the page, lone carriage returns read as line feeds
	limits schema.Limits
	page   *schema.Page

	defs     map[string]*definition
	defOrder []*definition
	expanded int               // bytes of the targets of links by reference
	defItems map[ast.Node]bool // items that lost definitions: whether behind a blank line
	notes    map[string]bool
	closed   map[ast.Node]int // where the closing line of a fence ends
	nodes    int

	faults  []schema.Fault
	complex *schema.Fault // why the page is to be read as plain text

	// The next place of a block's end marker, so that looking for it again
	// and again costs no more than one pass over the page.
	nextComment, nextMath marker

	// Of the block being read.
	lines    *text.Segments
	brackets []bracket
	delims   []delim
	last     int32 // of delims, -1 when there is none
	noMath   bool  // no $ ahead can close a formula
	noTitle  [3]bool
	noHTML   [4]bool
	ticks    [maxTicks]int // offset after the last run of so many backticks
	ticked   bool
}

// definition is a link reference definition.
type definition struct {
	schema.Definition
	dest  schema.Span
	title string
	raw   string
	made  *schema.Link // what its links lead to, made for the first of them
}

// bracket is a [, ![ or ^[ that waits for its ].
type bracket struct {
	node   *inline
	form   form // formLink, formImage or formInlineNote
	bottom int32
	inert  bool // a link must not hold a link
	holds  bool // another bracket stands behind it
}

func stateOf(pc parser.Context) *state { return pc.Get(stateKey).(*state) }

// begin forgets what belonged to the previous block.
func (s *state) begin() {
	s.lines = nil
	s.brackets = s.brackets[:0]
	s.delims = s.delims[:0]
	s.last = -1
	s.noMath = false
	s.noTitle = [3]bool{}
	s.noHTML = [4]bool{}
	if s.ticked {
		s.ticked = false
		s.ticks = [maxTicks]int{}
	}
}

func (s *state) fault(kind schema.FaultKind, span schema.Span, message string) {
	s.faults = append(s.faults, schema.Fault{Kind: kind, Span: span, Message: message})
}

// abort ends the parsing of a page that is too complex. goldmark can't be
// cancelled otherwise.
type abort struct{}

// tooComplex gives the page up, to be read as plain text.
func (s *state) tooComplex(span schema.Span, message string) {
	s.complex = &schema.Fault{Kind: schema.FaultTooComplex, Span: span, Message: message}
	panic(abort{})
}

// maxNodes bounds the pieces of markup of one page; with so many a page
// takes about half a second. A page of a megabyte with a link on every line has some
// fifty thousand.
const maxNodes = schema.MaxMarkup

// count counts one piece of markup.
func (s *state) count(at int) {
	if s.nodes++; s.nodes > maxNodes {
		s.tooComplex(schema.Span{Start: at, End: at + 1},
			"page holds more than 300,000 pieces of markup: it is read as plain text; split it")
	}
}

// marker remembers where a search from an offset ended; nothing is between.
type marker struct {
	from, at int
	valid    bool
}

// cursor reads the text of one block line by line, without the quote marks
// and indents before the lines.
type cursor struct {
	src   []byte
	lines *text.Segments
	line  int
	pos   int
	stop  int
}

func (s *state) cursor(r text.Reader, parent ast.Node) cursor {
	if s.lines == nil {
		s.lines = parent.Lines()
	}
	l, seg := r.Position()
	return cursor{src: s.src, lines: s.lines, line: l, pos: seg.Start, stop: seg.Stop}
}

// more moves to the next line when this one is used up; it reports false at
// the end of the block.
func (c *cursor) more() bool {
	for c.pos >= c.stop {
		if c.lines == nil || c.line+1 >= c.lines.Len() {
			return false
		}
		c.line++
		seg := c.lines.At(c.line)
		c.pos, c.stop = seg.Start, seg.Stop
	}
	return true
}

// peek returns the next byte, 0 at the end of the block.
func (c *cursor) peek() byte {
	if !c.more() {
		return 0
	}
	return c.src[c.pos]
}

// rest is the rest of the line.
func (c *cursor) rest() []byte { return c.src[c.pos:c.stop] }

// skipSpace skips white space, line ends included, and reports whether there
// was any.
func (c *cursor) skipSpace() bool {
	skipped := false
	for c.more() {
		switch c.src[c.pos] {
		case ' ', '\t', '\n', '\r', '\v', '\f':
			c.pos++
			skipped = true
		default:
			return skipped
		}
	}
	return skipped
}

// apply moves the reader to where the cursor is.
func (c *cursor) apply(r text.Reader) {
	c.more()
	r.SetPosition(c.line, text.NewSegment(c.pos, c.stop))
}
