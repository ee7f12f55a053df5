package markdown

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// pages is the one parser; it holds nothing between pages.
var pages = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(bounded{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(counted{parser.NewATXHeadingParser()}, 600),
		util.Prioritized(fences{parser.NewFencedCodeBlockParser()}, 700),
		util.Prioritized(bounded{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(delimited{blockComment, "%%"}, 850),
		util.Prioritized(delimited{blockMath, "$$"}, 851),
		util.Prioritized(htmlBlocks{parser.NewHTMLBlockParser()}, 900),
		util.Prioritized(notes{}, 950),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(util.Prioritized(inlineParser{}, 100)),
	parser.WithParagraphTransformers(util.Prioritized(paragraphs{}, 100)),
)

var bom = []byte("\xef\xbb\xbf")

// Parse fills in the content of p's body. Path, Source, Body, Lines and the data from
// front matter must be set; links, tags and faults are appended to those of the front
// matter. The title is set if it is empty.
func Parse(p *schema.Page, limits schema.Limits) {
	limits = limits.OrDefault()
	encoding(p)
	if root, s := parseTree(p, limits); root != nil {
		(&reader{state: s, p: p}).page(root)
		p.Faults = append(p.Faults, s.faults...)
	} else {
		p.Faults = append(p.Faults, *s.complex)
		readPlain(p)
	}
	slices.SortFunc(p.Comments, func(a, b schema.Span) int { return cmp.Compare(a.Start, b.Start) })
	p.Links, p.Headings = fitted(p.Links), fitted(p.Headings)
	slices.SortStableFunc(p.Faults, func(a, b schema.Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	if p.Title == "" {
		p.Title = title(p)
	}
}

// fitted returns a list without much room to spare: the pages of a whole wiki
// are kept.
func fitted[T any](list []T) []T {
	if cap(list)-len(list) <= len(list)/8 {
		return list
	}
	return append(make([]T, 0, len(list)), list...)
}

// parseTree parses the body. The tree is nil when the page is too complex;
// the state says why.
func parseTree(p *schema.Page, limits schema.Limits) (root *ast.Document, s *state) {
	src := lineFeeds(p.Source)
	if p.Outline {
		src = outlined(src)
	}
	if p.Python {
		src = admonitions(src)
	}
	s = &state{src: src, limits: limits, page: p, last: -1}
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(abort); !ok {
				panic(e)
			}
			root = nil
		}
	}()
	s.checkSize()
	r := text.NewReader(s.src)
	start := bodyStart(p)
	r.SetPosition(-1, text.NewSegment(start, start))
	r.AdvanceLine()
	pc := parser.NewContext()
	pc.Set(stateKey, s)
	if start >= len(s.src) {
		return ast.NewDocument(), s
	}
	return pages.Parse(r, parser.WithContext(pc)).(*ast.Document), s
}

// bodyStart is the offset of the first byte of markdown.
func bodyStart(p *schema.Page) int {
	if p.Body == 0 && bytes.HasPrefix(p.Source, bom) {
		return len(bom)
	}
	return min(max(p.Body, 0), len(p.Source))
}

// lineFeeds returns src with every lone carriage return as a line feed, which
// changes no offset.
func lineFeeds(src []byte) []byte {
	var out []byte
	for i := 0; ; i++ {
		k := bytes.IndexByte(src[i:], '\r')
		if k < 0 {
			break
		}
		i += k
		if i+1 < len(src) && src[i+1] == '\n' {
			continue
		}
		if out == nil {
			out = bytes.Clone(src)
		}
		out[i] = '\n'
	}
	if out == nil {
		return src
	}
	return out
}

// outlined replaces the first tab of items, and of lines in them, below a heading by a
// space, without changing offsets: a tab would make them code.
func outlined(src []byte) []byte {
	if !bytes.Contains(src, []byte("\n\t")) {
		return src
	}
	src = bytes.Clone(src)
	heading, below := false, false
	for start := 0; start < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := src[start:end]
		if below = line[0] == '\t' && (below || heading && len(line) > 2 && bytes.IndexByte([]byte("-*+"), line[1]) >= 0 && line[2] == ' '); below {
			line[0] = ' '
		}
		heading = line[0] == '#'
		start = end
	}
	return src
}

// maxMarkers and maxIndent bound what a line may begin with, for block parsers
// look at it once per level of nesting; maxLines bounds the lines of a page.
const (
	maxMarkers = 1_000
	maxIndent  = 10_000
	maxLines   = schema.MaxPageLines
)

// checkSize looks for content that is too expensive, before parsing.
func (s *state) checkSize() {
	if len(s.src) > s.limits.PageBytes {
		s.tooComplex(schema.Span{}, "page is larger than limits.page_bytes: it is read as plain text; split it")
	}
	if len(s.src) < maxMarkers {
		return
	}
	lines := 0
	for start := 0; start < len(s.src); lines++ {
		if lines > maxLines {
			s.tooComplex(schema.Span{Start: start, End: start}, "page has more than 1,000,000 lines: it is read as plain text; split it")
		}
		end := len(s.src)
		if i := bytes.IndexByte(s.src[start:], '\n'); i >= 0 {
			end = start + i
		}
		if end-start > maxMarkers {
			s.checkLine(start, end)
		}
		start = end + 1
	}
}

func (s *state) checkLine(start, end int) {
	markers, spaces := 0, 0
	for i := start; i < end; i++ {
		switch b := s.src[i]; {
		case b == ' ' || b == '\t':
			spaces++
		case b == '>':
			markers++
		case (b == '-' || b == '*' || b == '+' || b == '.' || b == ')') && i+1 < end && (s.src[i+1] == ' ' || s.src[i+1] == '\t'):
			markers++
		case isDigit(b):
		default:
			return
		}
		if markers > maxMarkers || spaces > maxIndent {
			s.tooComplex(schema.Span{Start: start, End: i + 1},
				"line begins with more quote marks, list markers or spaces than can be read: the page is read as plain text")
		}
	}
}

// encoding reports the first byte that is no UTF-8, and the first NUL.
func encoding(p *schema.Page) {
	add := func(at int, message string) {
		p.Faults = append(p.Faults, schema.Fault{Kind: schema.FaultEncoding, Span: schema.Span{Start: at, End: at + 1}, Message: message})
	}
	if !utf8.Valid(p.Source) {
		for i := 0; i < len(p.Source); {
			r, n := utf8.DecodeRune(p.Source[i:])
			if r == utf8.RuneError && n == 1 {
				add(i, "byte is not valid UTF-8 and is shown as \uFFFD: expected the page to be saved as UTF-8")
				break
			}
			i += n
		}
	}
	if i := bytes.IndexByte(p.Source, 0); i >= 0 {
		add(i, "the page contains a NUL byte, shown as \uFFFD: remove it")
	}
}

// title is that of the first level-1 heading, or the file's name.
func title(p *schema.Page) string {
	for i := range p.Headings {
		if p.Headings[i].Level == 1 && p.Headings[i].Text != "" {
			return p.Headings[i].Text
		}
	}
	name := path.Base(p.Path)
	return strings.TrimSuffix(name, path.Ext(name))
}
