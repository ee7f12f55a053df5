package gate

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

var goTest = schema.Expression(`^(?:Test|Benchmark|Fuzz|Example)(?:$|[^a-z])`)

// goSheet takes a Go file apart by its syntax: every declaration is a unit.
func goSheet(src []byte) *sheet {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return &sheet{rest: plainLines(string(src), "")}
	}
	s := &sheet{known: true, head: "package " + file.Name.Name}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && (strings.HasPrefix(c.Text, "//go:build") || strings.HasPrefix(c.Text, "// +build")) {
				s.head += "\n" + c.Text
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.units = append(s.units, goUnit(set, file, d, funcName(d)))
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, spec := range d.Specs {
				name := d.Tok.String()
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					name = spec.Name.Name
				case *ast.ValueSpec:
					var names []string
					for _, n := range spec.Names {
						names = append(names, n.Name)
					}
					name = strings.Join(names, ", ")
				}
				node := ast.Node(spec)
				if d.Tok == token.CONST || len(d.Specs) == 1 { // values of constants depend on their neighbours
					node = d
				}
				s.units = append(s.units, goUnit(set, file, node, name))
			}
		}
	}
	return s
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + d.Name.Name
}

func goUnit(set *token.FileSet, file *ast.File, node ast.Node, name string) unit {
	u := unit{name: name, line: set.Position(node.Pos()).Line}
	fn, _ := node.(*ast.FuncDecl)
	u.test = fn != nil && fn.Recv == nil && goTest().MatchString(name) && name != "TestMain"
	var b bytes.Buffer
	printer.Fprint(&b, set, bare(node)) // a buffer takes everything
	u.body = strings.Join(strings.Fields(b.String()), " ")
	example := strings.HasPrefix(name, "Example")
	from := node.Pos()
	if doc := docOf(node); doc != nil {
		from = doc.Pos()
	}
	at, _ := slices.BinarySearchFunc(file.Comments, from, func(g *ast.CommentGroup, p token.Pos) int { return int(g.Pos() - p) })
	for _, group := range file.Comments[at:] {
		if group.Pos() > node.End() {
			break
		}
		for _, c := range group.List {
			directive := strings.HasPrefix(c.Text, "//go:") // such as go:embed
			if output := example && c.Pos() > node.Pos(); from <= c.Pos() && c.Pos() < node.End() && (directive || output) {
				u.body += "\n" + c.Text
			}
		}
	}
	ast.Inspect(node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			asserts, skips := goCall(call)
			u.asserts += asserts
			u.skipped = u.skipped || skips
		}
		return true
	})
	if example && strings.Contains(u.body, "utput:") {
		u.asserts++
	}
	return u
}

func docOf(node ast.Node) *ast.CommentGroup {
	switch d := node.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	case *ast.ValueSpec:
		return d.Doc
	}
	return nil
}

// bare returns a declaration without its comments.
func bare(node ast.Node) ast.Node {
	switch d := node.(type) {
	case *ast.FuncDecl:
		c := *d
		c.Doc = nil
		return &c
	case *ast.GenDecl:
		c := *d
		c.Doc = nil
		return &c
	}
	return node
}

var (
	goFails   = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}
	goSkips   = []string{"Skip", "Skipf", "SkipNow"}
	goLibrary = []string{"assert", "require", "is", "qt", "must", "expect", "gomega", "suite", "s", "c", "a", "r"}
)

// goCall counts what a call asserts: it fails a test, or is one of a library of
// assertions.
func goCall(call *ast.CallExpr) (asserts int, skips bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0, false
	}
	x, _ := sel.X.(*ast.Ident)
	switch name := sel.Sel.Name; {
	case slices.Contains(goSkips, name):
		return 0, true
	case slices.Contains(goFails, name), x != nil && slices.Contains(goLibrary, x.Name):
		return 1, false
	}
	return 0, false
}

// goDangers are declarations of a new file, or new in an old one, by which other
// tests would not run or mean something else.
func goDangers(src []byte, old *sheet) map[string]int {
	out := map[string]int{}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	at := func(n ast.Node) int { return set.Position(n.Pos()).Line }
	for _, d := range file.Decls {
		for _, id := range declared(d) {
			if types.Universe.Lookup(id.Name) != nil {
				out["declares "+id.Name+", which changes its meaning in all tests of the package"] = at(id)
			}
		}
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || old != nil && old.find(fn.Name.Name) != nil {
			continue
		}
		switch fn.Name.Name {
		case "TestMain":
			if !runsTests(fn) {
				out["adds a TestMain that skips the package's tests or ignores their result"] = at(fn)
			}
		case "init":
			if exits(fn.Body) {
				out["adds an init that exits the program or changes test flags"] = at(fn)
			}
		}
	}
	return out
}

func declared(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var out []*ast.Ident
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				out = append(out, spec.Name)
			case *ast.ValueSpec:
				out = append(out, spec.Names...)
			}
		}
		return out
	}
	return nil
}

// exits reports a call that ends the program or sets a flag.
func exits(body ast.Node) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, _ := sel.X.(*ast.Ident)
			found = found || x != nil && (sel.Sel.Name == "Exit" && (x.Name == "os" || x.Name == "syscall") || x.Name == "flag" && sel.Sel.Name == "Set" || x.Name == "runtime" && sel.Sel.Name == "Goexit")
		}
		return true
	})
	return found
}

// runsTests reports whether a TestMain runs all tests and ends with what they
// came to: it calls m.Run as one of its own statements, nothing ends it before,
// and what os.Exit is given is that.
func runsTests(fn *ast.FuncDecl) bool {
	params := fn.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return false
	}
	isRun := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Run" {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		return ok && x.Name == params[0].Names[0].Name
	}
	code := "" // what holds the result
	for _, stmt := range fn.Body.List {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if len(stmt.Rhs) == 1 && isRun(stmt.Rhs[0]) {
				if id, ok := stmt.Lhs[0].(*ast.Ident); ok {
					code = id.Name
				}
				continue
			}
			if id, ok := stmt.Lhs[0].(*ast.Ident); ok && id.Name == code && code != "" {
				return false
			}
		case *ast.ExprStmt:
			if isRun(stmt.X) { // the testing package ends the program with the result itself
				return !exits(fn.Body)
			}
			call, ok := stmt.X.(*ast.CallExpr)
			if !ok || !exits(stmt) {
				continue
			}
			if len(call.Args) != 1 {
				return false
			}
			id, ok := call.Args[0].(*ast.Ident)
			return isRun(call.Args[0]) || ok && code != "" && id.Name == code
		case *ast.ReturnStmt:
			return false
		}
		if exits(stmt) {
			return false
		}
	}
	return code != "" && !exits(fn.Body)
}
