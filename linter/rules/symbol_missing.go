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
Python, Java, Rust, C and C++, and keys in YAML, TOML and JSON once the page was verified (` + "`wiki verify`" + `):
what stands behind the # of a file of data may be no key.

Lines are looked at too, as in ` + "`src/limits.go#L12-L30`, `(src/limits.go:12)`, `[S: src/limits.go:12]`" + ` and in
` + "`src/limits.go:12-30`" + ` between backticks: line 0, lines past the end of the file, and a range that runs
backwards can not be right.

A symbol that stands elsewhere now with the same code is reported by ` + "`source-moved`" + `, with a fix. Otherwise correct the anchor, or take
what the page says about the symbol off it. It needs no git and no wiki.lock.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		linesMissing(p)
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
