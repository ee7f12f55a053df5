package gate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// declaredIn adds what Go code declares to a map: functions, methods, types,
// their fields and methods, variables and constants, each with what its users
// see of it. Keys end with the plain name.
func declaredIn(dir string, src []byte, to map[string]string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil || src == nil {
		return
	}
	put := func(owner, name, signature string) { to[dir+"\x00"+owner+"\x00"+name] = signature }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			put(strings.TrimSuffix(funcName(d), d.Name.Name), d.Name.Name, types.ExprString(d.Type))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						put("", n.Name, "")
					}
				case *ast.TypeSpec:
					put("", spec.Name.Name, "")
					for _, f := range fieldsOf(spec.Type) {
						for _, n := range f.Names {
							put(spec.Name.Name, n.Name, types.ExprString(f.Type))
						}
					}
				}
			}
		}
	}
}

func fieldsOf(t ast.Expr) []*ast.Field {
	switch t := t.(type) {
	case *ast.StructType:
		return t.Fields.List
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}

// emptying is what becomes of the functions that a chunk changes.
type emptying int

const (
	keepOld  emptying = iota // those that were there are as they were, new ones are empty
	emptyAll                 // all are empty
)

// emptied exports the candidate with the bodies of what the chunk adds left
// empty: every function returns zero values.
func (j *judge) emptied(ctx context.Context, mode emptying) (*tree, error) {
	return j.another(ctx, j.c.Tree, func(t *tree) error {
		before := map[string]string{} // bodies before the chunk
		for _, p := range j.was.paths() {
			if c := j.changed(p); c != nil && isCode(p) {
				bodies(path.Dir(p), c.old, before)
			}
		}
		for i := range j.changes {
			c := &j.changes[i]
			if c.ignored || c.gone || !isCode(c.path) {
				continue
			}
			src := emptyBodies(path.Dir(c.path), c.now, before, mode)
			if src == nil {
				continue
			}
			if err := os.WriteFile(filepath.Join(t.dir, filepath.FromSlash(c.path)), src, 0o644); err != nil {
				return fmt.Errorf("empty the function bodies of %s: %w", c.path, err)
			}
		}
		return nil
	})
}

func isCode(p string) bool { return strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") }

// bodies adds the functions of a file, by folder and name: signature and body.
func bodies(dir string, src []byte, to map[string]string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil || src == nil {
		return
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			to[dir+"\x00"+funcName(fn)] = string(src[set.Position(fn.Pos()).Offset:set.Position(fn.Body.Lbrace).Offset]) + "\x00" + string(src[set.Position(fn.Body.Lbrace).Offset:set.Position(fn.End()).Offset])
		}
	}
}

// edit replaces a stretch of a text.
type edit struct {
	from, to int
	with     string
}

// emptyBodies returns the code with the bodies of new functions empty, and those
// of changed ones as they were or empty; nil if nothing of it is to change.
func emptyBodies(dir string, src []byte, before map[string]string, mode emptying) []byte {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var edits []edit
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "init" || fn.Name.Name == "_" {
			continue
		}
		was, had := before[dir+"\x00"+funcName(fn)]
		head, body, _ := strings.Cut(was, "\x00")
		switch {
		case had && body == string(src[at(fn.Body.Lbrace):at(fn.End())]) && head == string(src[at(fn.Pos()):at(fn.Body.Lbrace)]):
		case had && mode == keepOld && head == string(src[at(fn.Pos()):at(fn.Body.Lbrace)]):
			edits = append(edits, edit{at(fn.Body.Lbrace), at(fn.End()), body})
		default:
			edits = append(edits, emptyFunc(fn, src, at)...)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return dropImports(src, apply(src, edits))
}

func emptyFunc(fn *ast.FuncDecl, src []byte, at func(token.Pos) int) []edit {
	results := fn.Type.Results
	if results == nil || len(results.List) == 0 {
		return []edit{{at(fn.Body.Lbrace), at(fn.End()), "{}"}}
	}
	out := []edit{{at(fn.Body.Lbrace), at(fn.End()), "{ return }"}}
	if len(results.List[0].Names) > 0 {
		return out
	}
	var named []string
	for i, r := range results.List {
		named = append(named, "zero"+strconv.Itoa(i)+" "+string(src[at(r.Type.Pos()):at(r.Type.End())]))
	}
	return append(out, edit{at(results.Pos()), at(results.End()), "(" + strings.Join(named, ", ") + ")"})
}

func apply(src []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(append(out, src[done:e.from]...), e.with...)
		done = e.to
	}
	return append(out, src[done:]...)
}

// dropImports makes imports blank that nothing uses anymore. What an import is
// called is taken from what was used before.
func dropImports(was, now []byte) []byte {
	used := func(src []byte) (map[string]bool, *ast.File, *token.FileSet) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
		names := map[string]bool{}
		if err != nil {
			return names, nil, set
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
			return true
		})
		return names, file, set
	}
	before, _, _ := used(was)
	after, file, set := used(now)
	if file == nil {
		return now
	}
	var edits []edit
	for _, im := range file.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		gone := false
		for name := range before {
			called := im.Name == nil && (path.Base(p) == name || strings.Contains(p, name)) || im.Name != nil && im.Name.Name == name
			gone = gone || called && !after[name]
		}
		for name := range after {
			if im.Name == nil && path.Base(p) == name {
				gone = false
			}
		}
		switch from := set.Position(im.Pos()).Offset; {
		case !gone:
		case im.Name != nil:
			edits = append(edits, edit{from, from + len(im.Name.Name), "_"})
		default:
			edits = append(edits, edit{from, from, "_ "})
		}
	}
	return apply(now, edits)
}
