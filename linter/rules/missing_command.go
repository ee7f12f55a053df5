package rules

import (
	"fmt"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "missing-command",
	Group:    linter.Sources,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page tells readers to run a command that the repository does not define.",
	Doc: `Readers who follow the page get an error.

Checked are shell blocks and inline code: ` + "`make`" + ` targets, ` + "`just`" + ` recipes and scripts of ` + "`npm run`" + ` (and pnpm,
yarn, bun) against the nearest Makefile, justfile and package.json in the folder of the page or above, and scripts
called by path, such as ` + "`./scripts/release.sh`" + `, if their folder exists. Nothing is reported if the defining file
is missing, or one further up defines the command; if one of them pulls in other definitions (include, import,
workspaces, computed targets); or if none of its commands occur in the wiki, which then describes another repository. Commands after a ` + "`cd`" + `, logs, plans and
superseded pages are not checked.

Use the command's current name, or define it.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	CheckPage: readCode,
	Check: func(p *linter.Pass) {
		defined, refs := manifests{compiler.NewTree(p.Wiki), map[[2]string]*manifest{}}, sourceFact.Of(p)
		known := map[string]bool{} // manifests of which a page names a command that is there
		type call struct {
			page *schema.Page
			command
			*manifest
		}
		var wrong []call
		for _, page := range p.Wiki.Pages() {
			if historical(page) {
				continue
			}
			for _, c := range codeFact.Of(p, page).commands {
				if denied(page.Source, c.at) {
					continue
				}
				if c.program == "" {
					reportScript(p, refs, page, c)
					continue
				}
				all := defined.above(page, c.program)
				defines := func(m *manifest) bool { return m.defines[c.name] }
				open := func(m *manifest) bool { return m.open }
				if i := slices.IndexFunc(all, defines); i >= 0 {
					known[all[i].file] = true
				} else if len(all) > 0 && !slices.ContainsFunc(all, open) {
					wrong = append(wrong, call{page, c, all[0]})
				}
			}
		}
		for _, c := range wrong {
			m := c.manifest
			near, ok := schema.Nearest(c.name, m.names)
			switch {
			case ok:
				p.ReportCause(m.file+":"+c.name, c.page.Path, c.at, "%s has no %s %q; did you mean %q?", m.file, m.noun, c.name, near)
			case known[m.file]:
				p.ReportCause(m.file+":"+c.name, c.page.Path, c.at, "%s has no %s %q; use its current name, or define it", m.file, m.noun, c.name)
			}
		}
	},
})

// denials are words of a sentence that says itself that a command is not there.
var denials = schema.Expression(`(?i)\b(?:(?:does|do|did|is|was) not|doesn't|don't|isn't|wasn't|no longer|never|formerly|removed|renamed|deleted|historical)\b`)

// denied reports whether the line that a command is in denies it. A shell block
// denies nothing.
func denied(src []byte, at schema.Span) bool {
	return denials().Match(lineAround(src, at.Start).In(src))
}

// reportScript reports a script that is not there though its folder is.
// Commands are run at the top of the repository, or next to the page.
func reportScript(p *linter.Pass, refs *sourceRefs, page *schema.Page, c command) {
	if found, _ := refs.find(page, c.name); found != "" {
		return
	}
	name := path.Clean(c.name)
	if folder, ok := refs.tree.Exists(refs.tree.Above(path.Dir(name))); ok && folder {
		p.ReportCause("script:"+name, page.Path, c.at, "no script %q in %s/; use its current name, or add it", path.Base(name), path.Dir(name))
	}
}
