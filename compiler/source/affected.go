package source

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/schema"
)

// Effect is something that a page says and that a change of the code concerns: a value,
// a name, a declaration, a quotation or cited lines.
type Effect struct {
	Page   *schema.Page
	Facet  string // ByLiterals, ByName, BySignature, ByTokens, ByQuote, ByLines or ByMember
	Target string // below the repository, with the symbol or the line behind it
	Reason string
	At     schema.Span // on the page
}

// goneBound is ByName of what the page binds itself to: that it stands elsewhere is no
// excuse.
const goneBound = "bound " + ByName

// What a page shows of code that changed.
const (
	ByQuote  = "quote"  // a line of code that the page shows is gone
	ByLines  = "lines"  // lines that the page cites are gone
	ByMember = "member" // the page lists what a declaration holds, and something was added
)

// largestCompared is the size in bytes of the largest file of which versions are compared.
// Larger ones are mostly data.
const largestCompared = 400_000

// Affected compares what pages say with what a change did to the code, in two versions of
// the changed files. Lines that only moved, and changes inside of functions that the page is
// not bound to, are none of it. Nothing but the two versions decides, so that what was stale before is not found.
func Affected(ctx context.Context, w *compiler.Wiki, code *Code, changes *schema.Changes) ([]Effect, error) {
	base, err := w.Base(ctx, changes.Revision)
	if err != nil {
		return nil, err
	}
	a := &affected{ctx: ctx, wiki: w, code: code, changes: changes, byPath: map[string]*twoVersions{}, symbols: map[string][]changedSymbol{}, stated: map[string]changedValue{}, words: map[string]*twoVersions{}, still: map[string]bool{}}
	l := &worklist{wiki: w, code: code}
	for _, file := range slices.Sorted(maps.Keys(changes.Files)) {
		if f := l.twoVersions(ctx, base, file, changes.Files[file]); f != nil {
			a.add(f)
		}
	}
	if len(a.files) == 0 {
		return nil, ctx.Err()
	}
	for _, page := range w.Pages() {
		if speaksOfNow(w, page) {
			a.page(page)
		}
	}
	a.dropStanding()
	return a.out, ctx.Err()
}

// twoVersions is a changed file as it was and as it is.
type twoVersions struct {
	path           string // below the repository
	name, was      string // now and before, relative to the wiki's root
	old, now       *File  // nil if it can't be read, or isn't there
	oldSrc, nowSrc []byte // nowSrc is nil for a file that is gone
	oldText        *citation.Text
	nowText        *citation.Text
}

// changedSymbol is a symbol whose facets changed; now is nil for one that is gone.
type changedSymbol struct {
	file     *twoVersions
	old, now *Symbol
}

// changedValue is what code said of a flag, a key, a variable or a constant, and says now.
type changedValue struct {
	file     *twoVersions
	old, now string
}

type affected struct {
	ctx     context.Context
	wiki    *compiler.Wiki
	code    *Code
	changes *schema.Changes
	files   []*twoVersions
	byPath  map[string]*twoVersions // by both names
	symbols map[string][]changedSymbol
	stated  map[string]changedValue
	words   map[string]*twoVersions // words that a changed file had, with the first of these
	still   map[string]bool         // words that one has
	out     []Effect
}

// twoVersions reads both versions of a file of code, nil for any other and for a new one:
// no page can be wrong about that.
func (l *worklist) twoVersions(ctx context.Context, base, file string, change schema.Change) *twoVersions {
	f := &twoVersions{path: l.code.tree.Below(file), name: file, was: file}
	if document(file) || testFile(f.path) {
		return nil
	}
	if change.Before != "" {
		f.was = change.Before
	}
	var ok bool
	if f.oldSrc, ok = l.wiki.Was(ctx, base, f.was); !ok || Binary(f.oldSrc) || len(f.oldSrc) > largestCompared || generated(f.oldSrc) {
		return nil
	}
	if !change.Gone {
		if f.nowSrc, ok = l.code.tree.Read(file, MaxBytes); !ok {
			return nil
		}
	}
	f.old, f.now = l.versions(ctx, base, file, change)
	f.oldText, f.nowText = linesOfFile(f.was, f.oldSrc), linesOfFile(f.name, f.nowSrc)
	return f
}

func linesOfFile(name string, src []byte) *citation.Text { return newTextFile(name, src).lines() }

// add collects what changed in a file by the names that pages may call it.
func (a *affected) add(f *twoVersions) {
	a.files = append(a.files, f)
	a.byPath[f.name], a.byPath[f.was] = f, f
	for _, c := range f.changedSymbols() {
		a.symbols[c.old.Name] = append(a.symbols[c.old.Name], c)
		if own := lastPart(c.old.Name); own != c.old.Name {
			a.symbols[own] = append(a.symbols[own], c)
		}
	}
	now := map[string]string{}
	for _, s := range StatedBy(a.ctx, f.path, f.nowSrc) {
		now[s.Subject.Names[0]] = s.Text
	}
	for _, s := range StatedBy(a.ctx, f.path, f.oldSrc) {
		name := s.Subject.Names[0]
		if is, ok := now[name]; ok && is != s.Text {
			a.stated[name], a.stated[lastPart(name)] = changedValue{f, s.Text, is}, changedValue{f, s.Text, is}
		}
	}
	eachWordOf(f.oldSrc, func(w string) { a.words[w] = cmp.Or(a.words[w], f) })
	eachWordOf(f.nowSrc, func(w string) { a.still[w] = true })
}

// changedSymbols returns the symbols that the file had and that are others now.
func (f *twoVersions) changedSymbols() []changedSymbol {
	if f.old == nil || f.old.Language == "text" || f.nowSrc != nil && f.now == nil {
		return nil
	}
	var out []changedSymbol
	for i := range f.old.Symbols {
		s := &f.old.Symbols[i]
		c := changedSymbol{file: f, old: s}
		if f.now != nil {
			switch all := f.now.Lookup(s.Name); {
			case len(all) > 1 || len(all) == 1 && all[0].Facets == s.Facets:
				continue
			case len(all) == 1:
				c.now = all[0]
			}
		}
		out = append(out, c)
	}
	return out
}

// eachWordOf yields the words of code, those with hyphens without the ones before them.
func eachWordOf(src []byte, yield func(string)) {
	for word := range bytes.FieldsFuncSeq(src, func(r rune) bool { return r < 0x80 && !wordByte[r] }) {
		yield(strings.TrimLeft(string(word), "-"))
	}
}

// dropStanding takes back what is called gone and stands in a file that git tracks: it was
// moved, or was never declared in the changed file alone.
func (a *affected) dropStanding() {
	open := map[string]bool{}
	for i := range a.out {
		if e := &a.out[i]; e.Facet == ByName {
			open[e.goneWord()] = true
		}
	}
	for _, file := range a.wiki.Tracked(a.ctx) {
		if len(open) == 0 || a.ctx.Err() != nil {
			break
		}
		if document(file) {
			continue
		}
		if src, ok := a.code.tree.Read(file, MaxBytes); ok && !Binary(src) {
			eachWordOf(src, func(w string) { delete(open, w) })
		}
	}
	a.out = slices.DeleteFunc(a.out, func(e Effect) bool { return e.Facet == ByName && !open[e.goneWord()] })
	for i := range a.out {
		if a.out[i].Facet == goneBound {
			a.out[i].Facet = ByName
		}
	}
}

// goneWord returns the word that would stand in code if what is called gone did.
func (e *Effect) goneWord() string {
	_, name, _ := strings.Cut(e.Target, "#")
	return strings.TrimLeft(lastPart(name), "-")
}

// namedOn reports whether a page names the file, by its path or its name.
func (f *twoVersions) namedOn(page *schema.Page) bool {
	return bytes.Contains(page.Source, []byte(path.Base(f.was)))
}
