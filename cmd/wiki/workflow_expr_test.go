package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/rhysd/actionlint"
)

// expressions evaluates the expressions of a workflow as GitHub does, as far as
// the workflows here use them. Names are in lower case: GitHub tells none apart.
type expressions struct {
	contexts map[string]any // of maps and strings
	dir      string         // the workspace
	failed   bool           // a step has failed
}

var embedded = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// fill replaces the expressions in a text.
func (e *expressions) fill(text string) string {
	return embedded.ReplaceAllStringFunc(text, func(m string) string {
		return e.text(e.value(m[3 : len(m)-2]))
	})
}

// holds decides a condition. One that does not ask how the steps before went is
// not met after a failure.
func (e *expressions) holds(cond string) bool {
	if cond == "" {
		return !e.failed
	}
	asks := strings.Contains(cond, "always()") || strings.Contains(cond, "failure()")
	return (asks || !e.failed) && truthy(e.value(strings.TrimSuffix(strings.TrimPrefix(cond, "${{"), "}}")))
}

func (e *expressions) value(expr string) any {
	node, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(expr + "}}"))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", expr, err))
	}
	return e.node(node)
}

func (e *expressions) node(n actionlint.ExprNode) any {
	switch n := n.(type) {
	case *actionlint.VariableNode:
		v, ok := e.contexts[n.Name]
		if !ok {
			panic("no context " + n.Name)
		}
		return v
	case *actionlint.ObjectDerefNode:
		of, _ := e.node(n.Receiver).(map[string]any)
		return of[n.Property]
	case *actionlint.StringNode:
		return n.Value
	case *actionlint.NotOpNode:
		return !truthy(e.node(n.Operand))
	case *actionlint.LogicalOpNode:
		left := e.node(n.Left)
		if truthy(left) == (n.Kind == actionlint.LogicalOpNodeKindOr) {
			return left
		}
		return e.node(n.Right)
	case *actionlint.CompareOpNode:
		equal := strings.EqualFold(e.text(e.node(n.Left)), e.text(e.node(n.Right)))
		return equal == (n.Kind == actionlint.CompareOpNodeKindEq)
	case *actionlint.FuncCallNode:
		return e.call(n)
	}
	panic(fmt.Sprintf("%T is not evaluated here", n))
}

func (e *expressions) call(n *actionlint.FuncCallNode) any {
	var args []string
	for _, a := range n.Args {
		args = append(args, e.text(e.node(a)))
	}
	switch strings.ToLower(n.Callee) {
	case "always":
		return true
	case "failure":
		return e.failed
	case "contains":
		return strings.Contains(strings.ToLower(args[0]), strings.ToLower(args[1]))
	case "format":
		return strings.ReplaceAll(args[0], "{0}", args[1])
	case "hashfiles":
		found, err := doublestar.Glob(os.DirFS(e.dir), args[0])
		if _, gone := err.(*fs.PathError); err != nil && !gone {
			panic(err)
		}
		return strings.Join(found, " ")
	}
	panic(n.Callee + " is not evaluated here")
}

func (e *expressions) text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func truthy(v any) bool { return v != nil && v != false && v != "" }
