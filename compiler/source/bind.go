package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Bound is a reference and what it leads to now.
type Bound struct {
	Reference
	File   string  // relative to the wiki's root; empty when it is not there
	Target string  // as wiki.lock names it
	Symbol *Symbol // nil when it is not there, or can not be known
	// Several is set when the name is that of more than one symbol, so that
	// none is meant.
	Several bool
	// Unverifiable says why the symbol can not be known.
	Unverifiable *UnverifiableError
	// gone are what Target may have been while the file was there.
	gone []string
}

// Bind looks up what the references of some pages lead to now, in order of page
// and place; of all pages when the function is nil. References to folders are
// left out, which have no facets, and so are pages that tell of another time
// (see [claim.Mute]) and templates: what they say is never stale.
func Bind(ctx context.Context, w *compiler.Wiki, code *Code, of func(*schema.Page) bool) ([]Bound, error) {
	var out []Bound
	for _, page := range w.Pages() {
		if of != nil && !of(page) {
			continue
		}
		bounds := locate(ctx, w, code, page)
		for i := range bounds {
			bounds[i].look(ctx, code)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		out = append(out, bounds...)
	}
	return out, nil
}

// locate finds the files that a page refers to, without reading them.
func locate(ctx context.Context, w *compiler.Wiki, code *Code, page *schema.Page) []Bound {
	if claim.Mute(page) || schema.TemplatePath(page.Path) {
		return nil
	}
	var out []Bound
	for _, r := range References(ctx, w, page) {
		b := Bound{Reference: r, File: r.Resolved}
		if b.File == "" {
			folder := false
			if b.File, folder = code.cites(ctx, &r); folder || b.File == "" && r.Weak && !strings.Contains(r.Anchor.Path, "/") {
				continue
			}
		}
		if r.Anchor.Symbol != "" && document(r.Anchor.Path) {
			continue // a heading, which is a matter of links
		}
		b.Target = r.Anchor.Path + suffix(&r.Anchor)
		if b.File == "" {
			for _, was := range code.bases(page, r.Anchor.Path) {
				b.gone = append(b.gone, code.tree.Below(was)+suffix(&r.Anchor))
			}
		} else {
			b.Target = code.tree.Below(b.File) + suffix(&r.Anchor)
		}
		out = append(out, b)
	}
	return out
}

// document reports whether a file holds text with headings, and no symbols.
func document(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".rst", ".adoc", ".txt", ".pdf", ".svg", ".csv":
		return true
	}
	return false
}

// look reads the file of a reference that is there.
func (b *Bound) look(ctx context.Context, code *Code) {
	if b.File == "" || b.Symbol != nil || b.Unverifiable != nil {
		return
	}
	f, err := code.File(ctx, b.File)
	switch {
	case errors.As(err, &b.Unverifiable):
	case err != nil:
	case b.Anchor.Symbol != "" && f.Language == "text":
		b.Unverifiable = &UnverifiableError{f.Path, "code", "no reader for " + cmp.Or(path.Ext(f.Path), "such files") + " is built in"}
	default:
		b.Symbol, b.Several = f.Anchored(&b.Anchor)
		if b.Symbol == nil && !b.Several && f.Damaged {
			b.Unverifiable = &UnverifiableError{f.Path, f.Language, "parts of it make no sense in that language, and the symbol may stand in them"}
		}
	}
}

// suffix returns the part of an anchor behind its path.
func suffix(a *schema.Anchor) string {
	switch {
	case a.Symbol != "":
		return "#" + nameKey(a.Symbol)
	case a.FromLine > 0 && a.ToLine > a.FromLine:
		return fmt.Sprintf(":%d-%d", a.FromLine, a.ToLine)
	case a.FromLine > 0:
		return ":" + strconv.Itoa(a.FromLine)
	}
	return ""
}

// Anchored returns what an anchor names in the file: the symbol, what stands on
// the lines, or the file as a whole. It is nil when the file has no such symbol
// or fewer lines, and when several symbols have that name.
func (f *File) Anchored(a *schema.Anchor) (s *Symbol, several bool) {
	switch {
	case a.Symbol != "":
		found := f.Lookup(a.Symbol)
		if len(found) == 1 {
			s = found[0]
		}
		return s, len(found) > 1
	case a.FromLine > 0:
		return f.lines(a.FromLine, a.ToLine), false
	}
	return &f.Whole, false
}

// lines returns what stands on some lines of the file, nil when it has fewer.
func (f *File) lines(from, to int) *Symbol {
	if from < 1 || to < from || to > f.index.Lines() {
		return nil
	}
	span := schema.Span{Start: f.index.Line(from).Start, End: f.index.Line(to).End}
	s := newSymbol(f.Source, f.tokens, f.made, declaration{kind: KindFile, span: span, body: span})
	s.Line = from
	s.Signature = oneLine(span.In(f.Source)) // all of it, which is shown when it changed
	return &s
}
