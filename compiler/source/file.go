package source

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// MaxBytes is the largest file whose symbols are looked at.
const MaxBytes = schema.MaxSource

// Kind says what a symbol is.
type Kind string

// The kinds of symbol.
const (
	KindFile     Kind = "file"
	KindFunction Kind = "function"
	KindMethod   Kind = "method"
	KindType     Kind = "type"
	KindConstant Kind = "constant" // constants and variables: a name for a value
	KindModule   Kind = "module"   // namespaces
	KindKey      Kind = "key"      // of a configuration file
)

// Symbol is something of a file that has a name.
type Symbol struct {
	// Name is qualified by what it is declared in, with dots: Server.Start,
	// limits.page_bytes. It is empty for the file as a whole.
	Name   string
	Kind   Kind
	Span   schema.Span // the declaration, without the comment before it
	Line   int         // that it begins on, from 1
	Facets Facets
	// Signature is the declaration without its body, white space made equal.
	Signature string
	Literals  []Literal // in order of the file
	Values    []Value   // in order of the file: what the literals say
	// shape is the hash of the tokens with every value made equal: of two
	// versions of one shape the values stand in the same places.
	shape  Facet
	made   bool // one of the values is made of several numbers or of a unit
	tokens int  // how many it has
}

// Literal is a value written in code.
type Literal struct {
	Text string // as written
	Span schema.Span
}

// File is what a file of code declares.
type File struct {
	Path     string
	Language string // "go", "python", …; "text" when only its lines are known
	Source   []byte
	Whole    Symbol   // all of the file, which has a name for nobody
	Symbols  []Symbol // in order of the file; the same name may stand there twice
	Damaged  bool     // parts of it make no sense in the language: symbols may lack
	tokens   []lexeme
	made     []constant
	index    *schema.LineIndex // of Source
	names    map[string][]int
}

// Lookup returns the symbols that name may mean, in order of the file: those
// called so, or else those whose qualified name ends so. Name may be spelled
// with ".", "::", "#" or "/" between its parts and with () behind it.
func (f *File) Lookup(name string) []*Symbol {
	var out []*Symbol
	key := nameKey(name)
	for _, i := range f.names[key] {
		out = append(out, &f.Symbols[i])
	}
	if out != nil || key == "" {
		return out
	}
	for i := range f.Symbols {
		if strings.HasSuffix(f.Symbols[i].Name, "."+key) {
			out = append(out, &f.Symbols[i])
		}
	}
	return out
}

// separators of qualified names, made equal.
var separators = strings.NewReplacer("::", ".", "#", ".", "/", ".", "(*", "", "(", "", ")", "")

func nameKey(name string) string { return strings.Trim(separators.Replace(name), ". ") }

// UnverifiableError says why the symbols of a file are not known, which says
// nothing about whether a page is right about them.
type UnverifiableError struct {
	Path     string
	Language string
	Reason   string
}

func (e *UnverifiableError) Error() string {
	return fmt.Sprintf("%s can not be read as %s: %s", e.Path, e.Language, e.Reason)
}

// Parse returns the symbols of a file. The language is told by the extension
// of its path; a file of another language has lines and no symbols. An
// [UnverifiableError] is returned for a file that is too large, or that the
// reader of its language gave up on.
func Parse(ctx context.Context, file string, src []byte) (*File, error) {
	read := readers[strings.ToLower(path.Ext(file))]
	if read.name == "" {
		read = reader{name: "text", read: readText}
	}
	return read.parse(ctx, file, src)
}

// parse reads a file.
func (read reader) parse(ctx context.Context, file string, src []byte) (*File, error) {
	code, err := read.code(ctx, file, src)
	if err != nil {
		return nil, err
	}
	return newFile(file, read.name, src, code), nil
}

// code reads the tokens and declarations of a file, and takes a reader that
// fails for one that can not read it.
func (read reader) code(ctx context.Context, file string, src []byte) (c code, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = code{}, &UnverifiableError{file, read.name, fmt.Sprintf("its reader failed: %v", v)}
		}
	}()
	if len(src) > MaxBytes {
		return code{}, &UnverifiableError{file, read.name, fmt.Sprintf("it has more than %d MB", MaxBytes>>20)}
	}
	if read.name != "text" && nesting(src) > schema.MaxSourceNesting {
		return code{}, &UnverifiableError{file, read.name, fmt.Sprintf("it has more than %d brackets within each other", schema.MaxSourceNesting)}
	}
	if c, err = read.read(ctx, src); err != nil {
		return code{}, &UnverifiableError{file, read.name, err.Error()}
	}
	return c, nil
}

// nesting returns how many brackets are open at most, whatever they are part of. No code
// comes near [schema.MaxSourceNesting], and parsers take memory for each.
func nesting(src []byte) (most int) {
	open := 0
	for _, b := range src {
		switch b {
		case '(', '[', '{':
			open++
			most = max(most, open)
		case ')', ']', '}':
			open = max(0, open-1)
		}
	}
	return most
}

// reader reads one language.
type reader struct {
	name string
	read func(context.Context, []byte) (code, error)
}

// code is what a reader finds in a file. Both lists are in order of the file.
type code struct {
	tokens       []lexeme
	declarations []declaration
	damaged      bool // parts make no sense
}

// lexeme is a piece of code that is neither white space nor comment.
type lexeme struct {
	span    schema.Span
	text    string // when it differs from what is written: spellings made equal
	literal bool
}

// declaration is something with a name.
type declaration struct {
	name string // qualified, with dots
	kind Kind
	span schema.Span
	body schema.Span // what is no part of the signature; empty when all is
}

func newFile(file, language string, src []byte, c code) *File {
	slices.SortStableFunc(c.declarations, func(a, b declaration) int {
		return cmp.Or(a.span.Start-b.span.Start, b.span.End-a.span.End)
	})
	f := &File{Path: file, Language: language, Source: src, tokens: c.tokens, made: constants(src, c.tokens), Damaged: c.damaged, names: map[string][]int{}, Symbols: make([]Symbol, len(c.declarations))}
	f.index = schema.NewLineIndex(src)
	for i, d := range c.declarations {
		f.Symbols[i] = newSymbol(src, c.tokens, f.made, d)
		f.Symbols[i].Line = f.index.LineOf(d.span.Start)
		f.names[d.name] = append(f.names[d.name], i)
	}
	f.Whole = newSymbol(src, c.tokens, f.made, declaration{kind: KindFile, span: schema.Span{End: len(src)}, body: schema.Span{End: len(src)}})
	f.Whole.Line = 1
	return f
}
