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
	Judged        Group = "judge"
)

// groups are all of them, in the order they are listed.
var groups = []Group{Links, GraphRules, Front, Structure, Layout, IndexAndLog, Gaps, Sources, Contradiction, Hygiene, Judged}

// CompareGroups orders groups for lists; the group of custom rules is last.
func CompareGroups(a, b Group) int {
	at := func(g Group) int {
		if i := slices.Index(groups, g); i >= 0 {
			return i
		}
		return len(groups)
	}
	return at(a) - at(b)
}

// Name is how the group is written where rules are switched: without spaces.
func (g Group) Name() string { return strings.ReplaceAll(string(g), " ", "-") }

// Rule is one check, as a value: documentation, default severity and function in one
// file.
type Rule struct {
	ID       string // stable, kebab-case
	Group    Group
	Severity schema.Severity // default; [schema.Off] is opt-in
	Since    string          // the version it came with
	Fix      FixKind
	Summary  string // one sentence: what is wrong when it reports
	Doc      string // markdown: why it matters, what to do, when to switch it off
	// Cause, if set, words the finding that stands for n findings with the same cause;
	// see [Pass.ReportCause].
	Cause func(n int, first schema.Diagnostic) string
	// Check looks at the wiki as a whole.
	Check func(*Pass)
	// Local means that what Check finds on a page depends on that page, on what its
	// links resolve to, and on facts about the wiki; and that it takes the pages
	// from [Pass.Pages]. Such a rule can check a page by itself; see [Config].Focus.
	Local bool
	// CheckPage looks at one page alone: at what it says, the configuration,
	// [ConventionsOf] the wiki and the present day, and reports at that page
	// only. What it finds is kept with the page, so that after an edit only the
	// edited pages are looked at again; see [Facts.Next]. A rule has one of the
	// two, or both.
	CheckPage func(*Pass, *schema.Page)
	// Last judges what the other rules found, and runs when all of them are
	// done and it is known what pages suppress. A suppression without a rule's
	// name does not suppress what it reports. When such a rule is asked for by
	// name, the others run with it and what they find is not reported.
	Last func(*Pass, *Outcome)
	// NeedsJudge is set on a rule that says what [Config].Judge made of the wiki. It
	// runs when there is a judge, or when it is asked for by name; then all rules
	// run with it, so that it is known what must not be shown to a judge.
	NeedsJudge bool
	// FindsSecrets is set on rules that find secrets. They run whenever a judge does,
	// without reporting if they are off.
	FindsSecrets bool
	// Notice is set on rules whose findings are about the run, not the wiki: they never
	// cause a failure, and are not part of a baseline.
	Notice bool
	// Mentions is set on a rule whose findings are mentions; see [Pass.ReportMention].
	Mentions bool
	// NeedsReason is set on a rule whose findings are suppressed with a reason
	// only: anyone who reads the page is misled otherwise. Rules about contradictions
	// always need one; [Register] sees to it.
	NeedsReason bool
}

// FixKind says what a rule's findings offer.
type FixKind string

// The kinds of fix.
const (
	NoFix     FixKind = ""
	SafeFix   FixKind = "safe"
	UnsafeFix FixKind = "unsafe"
)

// contradicts reports whether the rule's findings are contradictions, which have sides
// and can be acknowledged.
func (r *Rule) contradicts() bool { return r.Group == Contradiction || r.Group == Judged && !r.Notice }

var registry = map[string]*Rule{}

// Register adds a rule to those that [Rules] returns. It panics when the rule
// is incomplete or its id is taken, so that a mistake shows in every test.
func Register(r Rule) *Rule {
	switch {
	case registry[r.ID] != nil:
		panic("linter: rule " + r.ID + " is registered twice")
	case r.ID == "" || r.ID != strings.ToLower(r.ID) || r.Group == "" || r.Since == "" || r.Summary == "" || r.Doc == "" || r.Check == nil && r.CheckPage == nil && r.Last == nil:
		panic("linter: rule " + r.ID + " lacks id, group, since, summary, doc or check")
	}
	r.NeedsReason = r.NeedsReason || r.contradicts()
	registry[r.ID] = &r
	return &r
}

// Rules returns every registered rule in order of id.
func Rules() []*Rule {
	rs := make([]*Rule, 0, len(registry))
	for _, r := range registry {
		rs = append(rs, r)
	}
	slices.SortFunc(rs, compareRules)
	return rs
}

func compareRules(a, b *Rule) int { return strings.Compare(a.ID, b.ID) }
