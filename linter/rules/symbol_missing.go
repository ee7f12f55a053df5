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
	Doc: `A function, type, constant or key was removed or renamed, and the page still describes it.

Checked are all anchors that name a symbol: ` + "`sources: [src/limits.go#MaxBody]`" + ` in front matter, a link
` + "`[the limit](../src/limits.go#MaxBody)`" + `, a field ` + "`code:: src/limits.go#MaxBody`" + `, and a comment
` + "`<!-- wiki:src src/limits.go#MaxBody -->`" + ` above the text. Symbols are known in Go, TypeScript, JavaScript,
Python, Java, Rust, C and C++; keys in YAML, TOML and JSON are checked once the page was verified
(` + "`wiki verify`" + `), because the part after # may not be a key.

Line references are checked too, as in ` + "`src/limits.go#L12-L30`, `(src/limits.go:12)`, `[S: src/limits.go:12]`" + `
and ` + "`src/limits.go:12-30`" + ` in backticks: line 0, lines past the end of the file and reversed ranges are wrong, except
on pages and in sections that describe a moment on purpose, as ` + "`cited-lines-changed`" + ` lists them.

If the same code exists elsewhere now, ` + "`source-moved`" + ` reports it, with a fix. Otherwise correct the anchor, or
remove the text about the symbol. This needs neither git nor wiki.lock.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		linesMissing(p)
		for _, v := range inState(p, src.StateSymbolMissing) {
			file := schema.ParseAnchor(v.Target).Path
			if v.Anchor.Symbol == "" {
				p.Report(v.Page.Path, v.At, "%s no longer has the cited lines; correct them, or remove the text based on them", file)
				continue
			}
			if v.Narrowed {
				d := p.Report(v.Page.Path, v.At, "%s no longer declares %q, unlike when the page was verified on %s; correct the name, or the text about it", file, v.Name(), verified(v))
				d.Severity = schema.Warning
				continue
			}
			near := ""
			if v.Near != "" {
				near = fmt.Sprintf("did you mean %q? ", v.Near)
			}
			p.ReportCause(v.Target, v.Page.Path, v.At, "%s has no symbol %q; %scorrect the reference, or remove the text based on it", file, v.Name(), near)
		}
	},
})
