package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/schema"
)

// named returns what the clause around a citation says of its lines, by a quotation
// before it or by names between backticks, if they had nothing of it when they were
// cited: the quotation, or the name of what their file has elsewhere. Such a citation
// was wrong from the start, and is no better where its lines stand now. It is empty if
// nothing of the kind is known.
func (c *citing) named(o *cited, then *textFile, r citation.Outcome) string {
	src := o.Page.Source
	lines := lineText(then.src, o.Anchor.FromLine, o.Anchor.ToLine)
	before := o.At.Start
	if before > 0 && src[before-1] == '`' {
		before--
	}
	if quote := QuoteBefore(src, before); quote != "" && !strings.Contains(wordByWord(string(lines)), wordByWord(quote)) {
		return quote
	}
	in := clause(src, sentence(src, o.At), o.At)
	var names []string
	for _, span := range c.spans(o.Page) {
		if span.Start < in.Start || span.End > in.End || span.Overlaps(o.At) || span.Len() < shortestName {
			continue
		}
		name := string(span.In(src))
		if strings.Contains(string(lines), name) || mentions(lines, declaredName(name)) {
			return ""
		}
		if bytes.Contains(then.src, []byte(declaredName(name))) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return c.standsApart(o, then, r, names)
}

// shortestName is the length of the shortest name that tells what lines are about, in
// bytes; mostBeside how many lines from a declaration a citation still means it.
const (
	shortestName = 3
	mostBeside   = 3
)

// standsApart returns the first of some names that the file has away from the cited
// lines: it declares what is called so, or it is text of several words. It is empty if
// the lines belong to a declaration of one of the names.
func (c *citing) standsApart(o *cited, then *textFile, r citation.Outcome, names []string) string {
	file, err := c.code.File(c.judge.ctx, o.file)
	if err != nil {
		return ""
	}
	found := ""
	for _, name := range names {
		declared := file.Lookup(declaredName(name))
		if slices.ContainsFunc(declared, func(s *Symbol) bool { return file.beside(s, r.From, r.To) }) {
			return ""
		}
		text := strings.Contains(name, " ") && bytes.Contains(then.src, []byte(name))
		if found == "" && (text || len(declared) > 0) {
			found = name
		}
	}
	return found
}

// declaredName returns the name in a use of it: Result of Result{Rows}.
func declaredName(use string) string {
	name, _, _ := strings.Cut(use, "{")
	name, _, _ = strings.Cut(name, "(")
	return lastPart(nameKey(name))
}

// beside reports whether lines are those of a declaration, or a few before or behind it.
func (f *File) beside(s *Symbol, from, to int) bool {
	return s.Line-mostBeside <= to && from <= f.index.LineOf(s.Span.End)+mostBeside
}

// spans returns what stands between backticks on a page.
func (c *citing) spans(page *schema.Page) []schema.Span {
	spans, ok := c.spansOf[page]
	if !ok {
		spans = codeSpans(page)
		c.spansOf[page] = spans
	}
	return spans
}
