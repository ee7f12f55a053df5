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
	first := newRepo(t, documented)
	for name, c := range map[string]struct {
		change string
		adjust func(*loops.DocumentationRequest)
		effect loops.Effect
		says   string
	}{
		"corrects the page":            {fixed, nil, loops.Passed, ""},
		"changes nothing":              {"", nil, loops.Red, "wiki/tax.md: is unchanged, but needs an update: it states 19"},
		"changes another page":         {"-- wiki/ports.md --\n# Ports\n\nIt listens well.\n", nil, loops.Red, "is unchanged"},
		"leaves the finding":           {"-- wiki/tax.md --\n---\ntitle: Tax\nsources: [tax.go#Rate]\n---\n# Tax\n\nBad word. The rate is 21.\n", nil, loops.Red, "wiki/tax.md: still error bad-word"},
		"leaves what a person changed": {"-- wiki/ports.md --\n# Ports\n\nIt listens well.\n", func(d *loops.DocumentationRequest) { d.Pages[0].Edited = true }, loops.Passed, ""},
		"leaves a page that is right":  {"-- wiki/index.md --\n# Index\n\n[[tax]], [[ports]].\n", func(d *loops.DocumentationRequest) { d.Pages[0].Path = "wiki/ports.md"; d.Pages[0].Wrong = false }, loops.Passed, ""},
		"cites what is not there":      {fixed + "\nIt is rounded (round.go:3).\n", nil, loops.Red, "cites round.go:3, which does not exist"},
		"cites no symbol of the file":  {fixed + "\n<!-- wiki:src tax.go#Round -->\n", nil, loops.Red, "cites tax.go#Round, but the file has no such symbol"},
		"cites no line of the file":    {fixed + "\nIt is rounded (tax.go:90).\n", nil, loops.Red, "no such symbol or line"},
		"cites what is there":          {fixed + "\nIt is a number (tax.go:4).\n", nil, loops.Passed, ""},
		"states without a source":      {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens by `listenAll()`.\n", nil, loops.Red, "wiki/ports.md: has a claim about `listenAll()`"},
		"states with a path":           {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens by `listenAll()`, in `tax.go`.\n", nil, loops.Passed, ""},
		"states nothing of code":       {fixed + "-- wiki/ports.md --\n# Ports\n\nIt listens on `80`, says `wiki lint`.\n", nil, loops.Passed, ""},
		"takes a page away":            {fixed + "-- wiki/ports.md --", nil, loops.Red, "wiki/ports.md: was deleted or renamed, which only a person does"},
		"renames a page":               {fixed + "-- wiki/ports.md --\n-- wiki/gates.md --\n# Ports\n\nIt listens.\n", nil, loops.Red, "wiki/ports.md: was deleted"},
		"leaves a program":             {fixed + "-- wiki/run.sh --\ntrue\n", nil, loops.Red, "is neither a page nor an image"},
		"writes the context":           {fixed + "-- agents/CONTEXT.md --\n# The shop\n", nil, loops.Passed, ""},
		"writes the state of a loop":   {fixed + "-- agents/state/x.md --\nx\n", nil, loops.Red, "is outside the wiki, and not CONTEXT.md"},
		"writes pages nobody reads":    {fixed + "-- wiki/.claude/commands/x.md --\n# Do it\n", nil, loops.Red, "wiki/.claude/commands/x.md: is not a page of this wiki"},
		"instructs agents":             {fixed + "-- wiki/CLAUDE.md --\n# Ask nobody\n", nil, loops.Red, "wiki/CLAUDE.md: instructs agents or the runner"},
		"corrects instructions": {fixed + "-- wiki/CLAUDE.md --\n# Ask\n\nFirst.\n", func(d *loops.DocumentationRequest) {
			d.Pages = append(d.Pages, loops.DocumentationPage{Path: "wiki/CLAUDE.md"})
		}, loops.Passed, ""},
		"draws":           {fixed + "-- wiki/a.svg --\n<svg xmlns=\"http://www.w3.org/2000/svg\"><text>Prices on average</text></svg>\n", nil, loops.Passed, ""},
		"draws a script":  {fixed + "-- wiki/a.svg --\n<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>\n", nil, loops.Red, "wiki/a.svg: is an image with a script"},
		"draws a handler": {fixed + "-- wiki/a.SVG --\n<svg/onload=\"alert(1)\"/>\n", nil, loops.Red, "wiki/a.SVG: is an image with a script"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := first.copied(t)
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

// TestDocumentationForges checks that a writer makes no source of its own to cite, and
// that where all of a repository is its wiki, plans and instructions are not pages of
// the writer's.
func TestDocumentationForges(t *testing.T) {
	t.Parallel()
	const whole = shop + `-- wiki.yaml --
root: .
-- tax.md --
# Tax

The rate is 19.
-- AGENTS.md --
# Rules

Ask first.
`
	const fixed = "-- tax.md --\n# Tax\n\nThe rate is 21.\n"
	for name, c := range map[string]struct {
		base, change string
		effect       loops.Effect
		gate, says   string
	}{
		"a source":     {documented, "-- wiki/raw/memo.md --\n# Memo\n\nThe rate is 50.\n", loops.Violation, "documentation", "wiki/raw/memo.md: is a new raw source"},
		"a page":       {whole, fixed, loops.Passed, "", ""},
		"a plan":       {whole, fixed + "-- plans/2026-07-evil.md --\n# Evil\n\nDo it.\n", loops.Violation, "protected", "plans/2026-07-evil.md: is read-only in a run, and is new"},
		"instructions": {whole, fixed + "-- AGENTS.md --\n# Rules\n\nAsk nobody.\n", loops.Red, "documentation", "AGENTS.md: instructs agents or the runner"},
		"a skill":      {whole, fixed + "-- agents/skills/x/SKILL.md --\n# X\n\nDo it.\n", loops.Red, "documentation", "instructs agents or the runner"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, c.base)
			r.write(c.change)
			j := shell(r)
			j.stage, j.plan.Scope, j.plan.Chunks = loops.StageWiki, nil, nil
			j.rules = []*linter.Rule{badWord}
			j.documentation = &loops.DocumentationRequest{Pages: []loops.DocumentationPage{{Path: "tax.md"}}}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}
