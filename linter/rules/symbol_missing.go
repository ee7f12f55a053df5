package rules

import (
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:          "symbol-missing",
	Group:       linter.Sources,
	Severity:    schema.Error,
	Since:       since,
	NeedsReason: true,
	Summary:     "A page describes a symbol that its file does not have.",
	Doc: `A function, type, constant or key was removed or renamed, and the page still says how it works.

Looked at are anchors that name a symbol, however they are written: ` + "`sources: [src/limits.go#MaxBody]`" + ` in the
frontmatter, a link ` + "`[the limit](../src/limits.go#MaxBody)`, a field `code:: src/limits.go#MaxBody`" + `, and a comment
` + "`<!-- wiki:src src/limits.go#MaxBody -->`" + ` above what is about it. Symbols are known in Go, TypeScript, JavaScript,
Python, Java, Rust, C and C++, and keys in YAML, TOML and JSON. An anchor that names lines is
looked at once the page was verified (` + "`wiki verify`" + `).

A symbol that stands elsewhere now with the same code is reported by ` + "`source-moved`" + `, with a fix. Otherwise correct the anchor, or take
what the page says about the symbol off it. It needs no git and no wiki.lock.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateSymbolMissing) {
			file := schema.ParseAnchor(v.Target).Path
			if v.Anchor.Symbol == "" {
				p.Report(v.Page.Path, v.At, "%s no longer has the lines that this is about; correct them, or take off what rests on them", file)
				continue
			}
			near := ""
			if v.Near != "" {
				near = fmt.Sprintf("did you mean %q? ", v.Near)
			}
			p.ReportCause(v.Target, v.Page.Path, v.At, "%s has no symbol %q; %scorrect the anchor, or take off what rests on it", file, v.Name(), near)
		}
	},
})
