//go:build unix

package gate

import (
	"testing"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
)

const documented = shop + `-- wiki.yaml --
title: Shop
-- tax.go --
package shop

// Rate is in percent.
const Rate = 21
-- wiki/index.md --
# Index

[[tax]] and [[ports]].
-- wiki/tax.md --
---
title: Tax
sources: [tax.go#Rate]
---
# Tax

Bad word. The rate is 19.
-- wiki/ports.md --
# Ports

It listens.
`

// TestDocumentation holds a writer to its work list: tax.md is wrong, and the linter
// finds fault with it.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	const fixed = "-- wiki/tax.md --\n---\ntitle: Tax\nsources: [tax.go#Rate]\n---\n# Tax\n\nThe rate is 21.\n"
	for name, c := range map[string]struct {
		change string
		adjust func(*loops.DocumentationRequest)
		effect loops.Effect
		says   string
	}{
		"corrects the page":            {fixed, nil, loops.Passed, ""},
		"changes nothing":              {"", nil, loops.Red, "wiki/tax.md: is as it was, and can not be right: it states 19"},
		"changes another page":         {"-- wiki/ports.md --\n# Ports\n\nIt listens well.\n", nil, loops.Red, "is as it was"},
		"leaves the finding":           {"-- wiki/tax.md --\n---\ntitle: Tax\nsources: [tax.go#Rate]\n---\n# Tax\n\nBad word. The rate is 21.\n", nil, loops.Red, "wiki/tax.md: still error bad-word"},
		"leaves what a person changed": {"-- wiki/ports.md --\n# Ports\n\nIt listens well.\n", func(d *loops.DocumentationRequest) { d.Pages[0].Edited = true }, loops.Passed, ""},
		"leaves a page that is right":  {"-- wiki/index.md --\n# Index\n\n[[tax]], [[ports]].\n", func(d *loops.DocumentationRequest) { d.Pages[0].Path = "wiki/ports.md"; d.Pages[0].Wrong = false }, loops.Passed, ""},
		"cites what is not there":      {fixed + "\nIt is rounded (round.go:3).\n", nil, loops.Red, "cites round.go:3, which is not there"},
		"cites no symbol of the file":  {fixed + "\n<!-- wiki:src tax.go#Round -->\n", nil, loops.Red, "cites tax.go#Round, and the file has no such symbol"},
		"cites no line of the file":    {fixed + "\nIt is rounded (tax.go:90).\n", nil, loops.Red, "no such symbol or line"},
		"cites what is there":          {fixed + "\nIt is a number (tax.go:4).\n", nil, loops.Passed, ""},
		"states without a source":      {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens by `listenAll()`.\n", nil, loops.Red, "wiki/ports.md: states something of `listenAll()`"},
		"states with a path":           {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens by `listenAll()`, in `tax.go`.\n", nil, loops.Passed, ""},
		"states nothing of code":       {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens on `80`, says `wiki lint`.\n", nil, loops.Passed, ""},
		"takes a page away":            {fixed + "-- wiki/ports.md --", nil, loops.Red, "wiki/ports.md: is gone; a person takes pages away"},
		"renames a page":               {fixed + "-- wiki/ports.md --\n-- wiki/gates.md --\n# Ports\n\nIt listens.\n", nil, loops.Red, "wiki/ports.md: is gone"},
		"leaves a program":             {fixed + "-- wiki/run.sh --\ntrue\n", nil, loops.Red, "is neither a page nor a picture"},
		"writes the context":           {fixed + "-- agents/CONTEXT.md --\n# The shop\n", nil, loops.Passed, ""},
		"writes the state of a loop":   {fixed + "-- agents/state/x.md --\nx\n", nil, loops.Red, "is outside of the wiki, and not CONTEXT.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, documented)
			r.write(c.change)
			j := shell(r)
			j.stage, j.plan.Scope, j.plan.Chunks = loops.StageWiki, nil, nil
			j.rules = []*linter.Rule{badWord}
			j.documentation = &loops.DocumentationRequest{Pages: []loops.DocumentationPage{{Path: "wiki/tax.md", Reason: "it states 19", Wrong: true}}}
			if c.adjust != nil {
				c.adjust(j.documentation)
			}
			gate := ""
			if c.effect != loops.Passed {
				gate = "documentation"
			}
			j.expect(c.effect, gate, c.says)
		})
	}
}
