package source

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	ts "github.com/odvcencio/gotreesitter"

	"github.com/loopwiki/wiki/schema"
)

// patience is how long a grammar may take for one file. It is far above what
// any file of [MaxBytes] takes, so that a slow machine changes no result.
const patience = 20 * time.Second

// grammar says how symbols are found in the syntax tree of one language.
type grammar struct {
	name         string
	load         func() *ts.Language
	declarations map[string]rule // by type of node
	// literals are types of node that are one value, whatever is below them.
	literals map[string]bool
	// optional are tokens that formatters add or leave out.
	optional map[string]bool
	// blocks are types of node whose extent is told by indentation.
	blocks map[string]bool
	// documents are types of node below which a lone literal documents what it
	// stands in, as a comment does.
	documents map[string]bool

	once sync.Once
	pool *ts.ParserPool
}

// rule says how a node declares something.
type rule struct {
	kind Kind // empty when it only qualifies what is below it
	// name finds the name; the field "name" does when it is nil.
	name func(*walker, *ts.Node) *ts.Node
	// body finds what is no part of the signature; the field "body" does when
	// it is nil.
	body func(*walker, *ts.Node) *ts.Node
	// open lets declarations below have names, qualified by this one. Names
	// below a declaration that is not open are known to nobody outside.
	open bool
}

// symbolType is what is known of a symbol of a grammar, looked up by number.
type symbolType struct {
	known, comment, literal, optional, block, document bool
	rule                                               *rule
}

func (g *grammar) read(ctx context.Context, src []byte) (code, error) {
	lang := g.load()
	if lang == nil {
		return code{}, errors.New("this program was built without its grammar")
	}
	g.once.Do(func() {
		g.pool = ts.NewParserPool(lang, ts.WithParserPoolTimeoutMicros(uint64(patience.Microseconds())))
	})
	tree, err := g.pool.ParseStrict(src)
	if err != nil {
		return code{}, err
	}
	defer tree.Release()
	w := &walker{grammar: g, lang: lang, src: src, types: map[ts.Symbol]symbolType{}}
	if err := w.walk(ctx, tree.RootNode(), place{}); err != nil {
		return code{}, err
	}
	if w.damaged > 0 && w.damaged*4 > len(src) {
		return code{}, errors.New("most of it is not in that language")
	}
	w.found.damaged = w.damaged > 0
	return w.found, nil
}

// walker collects tokens and declarations of one tree.
type walker struct {
	grammar *grammar
	lang    *ts.Language
	src     []byte
	types   map[ts.Symbol]symbolType
	found   code
	damaged int // bytes that the grammar could not make sense of
}

// place is where in the tree of names a node stands.
type place struct {
	name   string // what declarations here are qualified by
	kind   Kind   // of what has that name
	closed bool   // names given here are known to nobody outside
}

func spanOf(n *ts.Node) schema.Span {
	return schema.Span{Start: int(n.StartByte()), End: int(n.EndByte())}
}

func (w *walker) text(n *ts.Node) string { return string(spanOf(n).In(w.src)) }

func (w *walker) kind(n *ts.Node) string { return n.Type(w.lang) }

func (w *walker) field(n *ts.Node, name string) *ts.Node { return n.ChildByFieldName(name, w.lang) }

func (w *walker) typeOf(n *ts.Node) symbolType {
	t := w.types[n.Symbol()]
	if !t.known {
		kind, g := w.kind(n), w.grammar
		t = symbolType{known: true, comment: strings.Contains(kind, "comment"),
			literal: n.IsNamed() && g.literals[kind], optional: g.optional[kind], block: g.blocks[kind], document: g.documents[kind]}
		if r, ok := g.declarations[kind]; ok && n.IsNamed() {
			t.rule = &r
		}
		w.types[n.Symbol()] = t
	}
	return t
}

// walk visits n and what is below it.
func (w *walker) walk(ctx context.Context, n *ts.Node, at place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t := w.typeOf(n)
	if t.comment {
		return nil
	}
	if n.IsError() {
		w.damaged += spanOf(n).Len()
	}
	if t.literal || n.ChildCount() == 0 {
		w.leaf(n, t)
		return nil
	}
	if t.rule != nil && !at.closed {
		at = w.declare(n, t.rule, at)
	}
	if t.block {
		w.mark(n.StartByte(), "{")
		defer w.mark(n.EndByte(), "}")
	}
	for i := range n.ChildCount() {
		if t.document && w.typeOf(n.Child(i)).literal {
			continue
		}
		if err := w.walk(ctx, n.Child(i), at); err != nil {
			return err
		}
	}
	return nil
}

// mark adds a token for what is written by indentation only.
func (w *walker) mark(at uint32, text string) {
	w.found.tokens = append(w.found.tokens, lexeme{span: schema.Span{Start: int(at), End: int(at)}, text: text})
}

func (w *walker) leaf(n *ts.Node, t symbolType) {
	s := spanOf(n)
	if t.optional || strings.TrimSpace(w.text(n)) == "" {
		return
	}
	w.found.tokens = append(w.found.tokens, lexeme{span: s, text: sameQuotes(w.text(n), t.literal), literal: t.literal})
}

// sameQuotes writes 'text' as "text", which formatters of some languages do;
// it returns "" for what is compared as it is written.
func sameQuotes(text string, literal bool) string {
	if literal && len(text) > 3 && text[0] == '\'' && text[len(text)-1] == '\'' && !strings.ContainsAny(text, "\"\\") {
		return `"` + text[1:len(text)-1] + `"`
	}
	return ""
}

// declare adds what n declares and returns the place that is below it.
func (w *walker) declare(n *ts.Node, r *rule, at place) place {
	named := r.name
	if named == nil {
		named = byField("name")
	}
	node := named(w, n)
	if node == nil {
		return at
	}
	name := nameKey(w.text(node))
	if name == "" {
		return at
	}
	if at.name != "" {
		name = at.name + "." + name
	}
	if r.kind == "" {
		return place{name: name, kind: KindType}
	}
	d := declaration{name: name, kind: r.kind, span: spanOf(n)}
	if r.kind == KindFunction && at.kind == KindType {
		d.kind = KindMethod
	}
	body := r.body
	if body == nil {
		body = byField("body")
	}
	if b := body(w, n); b != nil {
		d.body = spanOf(b)
	}
	w.found.declarations = append(w.found.declarations, d)
	return place{name: name, kind: r.kind, closed: !r.open}
}

// byField finds the node in a field.
func byField(field string) func(*walker, *ts.Node) *ts.Node {
	return func(w *walker, n *ts.Node) *ts.Node { return w.field(n, field) }
}
