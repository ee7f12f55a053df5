package source

import (
	"context"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"

	"github.com/loopwiki/wiki/schema"
)

// readGo reads Go with the language's own parser. What it can not parse is an
// error, since the symbols after a mistake are guesses.
func readGo(_ context.Context, src []byte) (code, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return code{}, err
	}
	g := goReader{file: set.File(parsed.FileStart)}
	for _, d := range parsed.Decls {
		g.declare(d)
	}
	return code{tokens: goTokens(src), declarations: g.found}, nil
}

// goReader collects the declarations of one file.
type goReader struct {
	file  *token.File
	found []declaration
}

func (g *goReader) span(n ast.Node) schema.Span {
	return schema.Span{Start: g.file.Offset(n.Pos()), End: g.file.Offset(n.End())}
}

func (g *goReader) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		decl := declaration{name: d.Name.Name, kind: KindFunction}
		decl.span = schema.Span{Start: g.file.Offset(d.Type.Pos()), End: g.file.Offset(d.End())}
		if d.Recv != nil {
			decl.name, decl.kind = receiver(d.Recv)+"."+d.Name.Name, KindMethod
		}
		if d.Body != nil {
			decl.body = g.span(d.Body)
		}
		g.found = append(g.found, decl)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			g.spec(d, s)
		}
	}
}

func (g *goReader) spec(d *ast.GenDecl, s ast.Spec) {
	span := g.span(s)
	if len(d.Specs) == 1 && !d.Lparen.IsValid() {
		span.Start = g.file.Offset(d.TokPos)
	}
	switch s := s.(type) {
	case *ast.TypeSpec:
		g.found = append(g.found, declaration{name: s.Name.Name, kind: KindType, span: span})
		g.members(s)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			decl := declaration{name: name.Name, kind: KindConstant, span: span}
			if n := len(s.Values); n > 0 { // several names share what is between
				decl.body = schema.Span{Start: g.file.Offset(s.Values[0].Pos()), End: g.file.Offset(s.Values[n-1].End())}
			}
			if name.Name != "_" {
				g.found = append(g.found, decl)
			}
		}
	}
}

// members declares the fields of a struct and the methods of an interface.
func (g *goReader) members(s *ast.TypeSpec) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			kind := KindConstant
			if _, ok := f.Type.(*ast.FuncType); ok {
				kind = KindMethod
			}
			g.found = append(g.found, declaration{name: s.Name.Name + "." + name.Name, kind: kind,
				span: schema.Span{Start: g.file.Offset(name.Pos()), End: g.file.Offset(f.Type.End())}})
		}
	}
}

// receiver returns the name of a method's type.
func receiver(l *ast.FieldList) string {
	if len(l.List) == 0 {
		return ""
	}
	for t := l.List[0].Type; ; {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

func goTokens(src []byte) []lexeme {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	var out []lexeme
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind == token.SEMICOLON && text == "\n" {
			continue // not written: it comes from the end of the line
		}
		if text == "" {
			text = kind.String()
		}
		start := file.Offset(pos)
		t := lexeme{span: schema.Span{Start: start, End: min(start+len(text), len(src))}}
		t.literal = kind == token.INT || kind == token.FLOAT || kind == token.IMAG || kind == token.CHAR || kind == token.STRING
		out = append(out, t)
	}
}
