package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// scopeSpec is a spec that takes small changes, with one more line of rules.
func scopeSpec(t *testing.T, rule string) *LoopSpec {
	t.Helper()
	spec, faults := ParseLoopSpec("agents/loops/docs.md", []byte("# Loop Spec: Docs\n## Purpose\nMend.\n## Trigger\non dispatch\n## Work Selection Rules\nThe loop may select work only when:\n- the expected file changes are below five files\n"+rule+"## Budgets\n- max iterations: 1\n## Stop Conditions\n- max iterations are reached\n"), nil)
	if Refused(faults) {
		t.Fatal(faults)
	}
	return spec
}

func TestScopeOfTrackedItems(t *testing.T) {
	t.Parallel()
	const within = "- the change stays within `docs/**`\n"
	for _, c := range []struct {
		name, rule string
		labels     []string
		text       string
		reason     string
		scope      string
		most       int
	}{
		{"neither", "", nil, "", "unknown number of files", "", 0},
		{"the spec's", within, nil, "", "", "docs/**", 4},
		{"a label", "", []string{"scope:docs/api/**"}, "", "", "docs/api/**", 4},
		{"a label that names a folder", "", []string{"Scope: docs"}, "", "", "docs/**", 4},
		{"a label that names files", "", []string{"scope:docs/a.md", "scope:docs/b.md"}, "", "", "docs/a.md docs/b.md", 0},
		{"a label outside the spec's", within, []string{"scope:src"}, "", "src/** is not within docs/**", "", 0},
		{"a label for everything", "", []string{"scope:**"}, "", `its scope "scope:**" matches everything`, "", 0},
		{"a label that leaves the repository", within, []string{"scope:../x"}, "", `its scope "scope:../x" is outside the repository`, "", 0},
		{"a line of the text", within, nil, "Files: `docs/a.md`, docs/b.md\n", "", "docs/a.md docs/b.md", 0},
		{"a list of the text", within, nil, "## Affected files\n\n- `docs/a.md`\n- [ ] `docs/img/`\n- and others\n\n## Why\n- `src/x.go`\n", "", "docs/a.md docs/img/**", 4},
		{"a rule of the text", within, nil, "- the change stays within `docs/a/*.md`.\n", "", "docs/a/*.md", 4},
		{"the text outside the spec's", within, nil, "**Files:** docs/a.md and wiki.yaml\n", "wiki.yaml is not within docs/**", "", 0},
		{"the text outside the label's", "", []string{"scope:docs"}, "- files: src/a.go\n", "src/a.go is not within the labels scope:docs/**", "", 0},
		{"the text within the label's", "", []string{"scope:docs"}, "Scope: docs/a.md\n", "", "docs/a.md", 0},
		{"the text alone", "", nil, "Files: docs/a.md\n", "no scope: the text of an issue only narrows", "", 0},
		{"too many files", within, nil, "Files: docs/a.md, docs/b.md, docs/c.md, docs/d.md, docs/e.md\n", "5 files are expected to change, more than 4", "", 0},
		{"prose", within, nil, "Scope: only the docs, as in 2.0\n```\nFiles: src/a.go\n```\n", "", "docs/**", 4},
	} {
		spec := scopeSpec(t, c.rule)
		items := TrackedItems("issues", []loops.Item{{ID: "12", Title: "Say it", Labels: c.labels, Text: c.text + "\nDone when:\n- it is said\n"}})
		got := spec.Select(items, Knowledge{Gates: loops.GateCommands{Test: []string{"true"}}})[0]
		if c.reason != "" {
			if got.Choice != Skipped || !strings.HasPrefix(got.Reason, c.reason) {
				t.Errorf("%s: %s, %q", c.name, got.Choice, got.Reason)
			}
			continue
		}
		p := spec.Plan(got.Item, loops.GateCommands{})
		if got.Choice != Selected || strings.Join(p.Scope, " ") != c.scope || p.MostFiles != c.most {
			t.Errorf("%s: %s, %q; %d files of %q", c.name, got.Choice, got.Reason, p.MostFiles, p.Scope)
		}
	}
}

// FuzzScopeOfTrackedItems holds that a text never widens what labels allow.
func FuzzScopeOfTrackedItems(f *testing.F) {
	for _, text := range schematest.Vary(300, "## Files\n- `docs/a.md`\n- `../x`\n\nScope: docs/**, src/{a,b}.go\n- the change stays within `docs/[a-z]/*.md`\n") {
		f.Add("docs/**", text)
	}
	f.Fuzz(func(t *testing.T, label, text string) {
		it := WorkItem{Source: InputTracker, Labels: []string{"scope:" + label}, Text: text}
		if it.limit(); it.Refused != "" {
			return
		}
		for _, g := range it.Files {
			if unsafePath(g) != "" || everything(g) || !slices.ContainsFunc(it.Allowed, func(a string) bool { return covers(a, g) }) {
				t.Errorf("%q of %q within %q", g, text, it.Allowed)
			}
		}
	})
}
