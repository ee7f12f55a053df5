package schema_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// TestExpressions checks that every expression of the program is one, since
// nothing else compiles those that a test never asks for, and that packages
// compile none while they load: every command, however short, would wait.
func TestExpressions(t *testing.T) {
	t.Parallel()
	all, found := sources(t), 0
	for _, s := range all {
		if s.test {
			continue
		}
		for _, d := range s.syntax.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				ast.Inspect(d, func(n ast.Node) bool {
					if _, ok := n.(*ast.FuncLit); ok {
						return false // runs later
					}
					if name, _ := called(n); name == "MustCompile" {
						t.Errorf("%s: compiled by every command; use schema.Expression", s.set.Position(n.Pos()))
					}
					return true
				})
			}
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			name, call := called(n)
			if name != "Expression" || len(call.Args) != 1 {
				return true
			}
			text, ok := literal(all, s.room, call.Args[0])
			if !ok {
				t.Errorf("%s: not a constant, so nothing here checks it", s.set.Position(n.Pos()))
			} else if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", s.set.Position(n.Pos()), err)
			}
			found++
			return true
		})
	}
	if found < 100 {
		t.Errorf("found only %d expressions", found)
	}
}

// called is the name of the function that is called, without its package.
func called(n ast.Node) (string, *ast.CallExpr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name, call
	case *ast.SelectorExpr:
		return f.Sel.Name, call
	}
	return "", nil
}

// literal is the text of a constant that is put together of literals and of
// other constants of its room.
func literal(all []source, room string, e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		x, ok := literal(all, room, e.X)
		y, also := literal(all, room, e.Y)
		return x + y, e.Op == token.ADD && ok && also
	case *ast.Ident:
		for _, s := range all {
			for _, d := range s.syntax.Decls {
				d, ok := d.(*ast.GenDecl)
				if s.room != room || !ok || d.Tok != token.CONST {
					continue
				}
				for _, spec := range d.Specs {
					if v := spec.(*ast.ValueSpec); v.Names[0].Name == e.Name && len(v.Values) == 1 {
						return literal(all, room, v.Values[0])
					}
				}
			}
		}
	}
	return "", false
}
