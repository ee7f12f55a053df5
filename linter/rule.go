package linter

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Group is a family of rules, in the order they are listed.
type Group string

// The groups of the catalogue.
const (
	Links         Group = "links"
	GraphRules    Group = "graph"
	Front         Group = "frontmatter"
	Structure     Group = "structure"
	Layout        Group = "layout"
	IndexAndLog   Group = "index and log"
	Gaps          Group = "gaps"
	Sources       Group = "sources"
	Contradiction Group = "contradictions"
	Hygiene       Group = "hygiene"
)

// Rule is one check, as a value: its documentation, its default severity and
// its function stand together in one file.
type Rule struct {
	ID       string // stable, kebab-case
	Group    Group
	Severity schema.Severity // default; [schema.Off] is opt-in
	Since    string          // the version it came with
	Fix      FixKind
	Summary  string // one sentence: what is wrong when it reports
	Doc      string // markdown: why it matters, what to do, when to switch it off
	// Cause, when set, words the one finding that stands for n findings of
	// the same Diagnostic cause; see [Pass.ReportCause].
	Cause func(n int, first schema.Diagnostic) string
	Check func(*Pass)
}

// FixKind says what a rule's findings offer.
type FixKind string

// The kinds of fix.
const (
	NoFix     FixKind = ""
	SafeFix   FixKind = "safe"
	UnsafeFix FixKind = "unsafe"
)

var registry = map[string]*Rule{}

// Register adds a rule to those that [Rules] returns. It panics when the rule
// is incomplete or its id is taken, so that a mistake shows in every test.
func Register(r Rule) *Rule {
	switch {
	case registry[r.ID] != nil:
		panic("linter: rule " + r.ID + " is registered twice")
	case r.ID == "" || r.ID != strings.ToLower(r.ID) || r.Group == "" || r.Since == "" || r.Summary == "" || r.Doc == "" || r.Check == nil:
		panic("linter: rule " + r.ID + " lacks id, group, since, summary, doc or check")
	}
	registry[r.ID] = &r
	return &r
}

// Rules returns every registered rule in order of id.
func Rules() []*Rule {
	rs := make([]*Rule, 0, len(registry))
	for _, r := range registry {
		rs = append(rs, r)
	}
	slices.SortFunc(rs, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return rs
}
