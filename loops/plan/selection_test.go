package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

func TestSelect(t *testing.T) {
	t.Parallel()
	s, faults := ParseLoopSpec("agents/loops/triage.md", readTestSpec(t, "newsletter.md"), beside)
	if Refused(faults) {
		t.Fatal(faults)
	}
	good := WorkItem{ID: "MT-1", Title: "Repair a link", Labels: []string{"Maintenance"}, Files: []string{"docs/a.md"}, Count: 1, Acceptance: []string{"the link resolves"}}
	with := func(change func(*WorkItem)) WorkItem {
		it := good
		change(&it)
		return it
	}
	tested := Knowledge{Gates: loops.GateCommands{Test: []string{"go test ./..."}}}
	for _, c := range []struct {
		name   string
		item   WorkItem
		k      Knowledge
		choice Choice
		reason string
	}{
		{"all rules hold", good, tested, Selected, "all rules hold"},
		{"another label", with(func(w *WorkItem) { w.Labels = []string{"feature"} }), tested, Skipped, "it is not labeled maintenance"},
		{"five files", with(func(w *WorkItem) { w.Count = 5 }), tested, Skipped, "5 files are expected to change, more than 4"},
		{"no files", with(func(w *WorkItem) { w.Files, w.Count = nil, -1 }), tested, Skipped, "unknown number of files"},
		{"nothing checks it", good, Knowledge{}, Skipped, "no check:"},
		{"its own command checks it", with(func(w *WorkItem) { w.Verify = []string{"true"} }), Knowledge{Wiki: true}, Escalated, "required tests are missing"},
		{"no criteria", with(func(w *WorkItem) { w.Acceptance = nil }), tested, Escalated, "requirements are ambiguous"},
		{"open question", with(func(w *WorkItem) { w.Text = "Which page is TBD." }), tested, Escalated, `requirements are ambiguous: "TBD"`},
		{"failed twice", good, Knowledge{Gates: tested.Gates, Past: map[string]ItemState{"MT-1": {Failures: 2}}}, Escalated, "it failed 2 times before"},
		{"failed once", good, Knowledge{Gates: tested.Gates, Past: map[string]ItemState{"MT-1": {Failures: 1}}}, Selected, "all rules hold"},
		{"drafted", good, Knowledge{Gates: tested.Gates, Past: map[string]ItemState{"MT-1": {Status: ItemDrafted}}}, Skipped, "it is drafted already"},
		{"its run waits", good, Knowledge{Gates: tested.Gates, Past: map[string]ItemState{"MT-1": {Status: ItemWaiting}}}, Skipped, "a run of it waits for a person"},
		{"secrets", with(func(w *WorkItem) { w.Text = "Rotate the API key." }), tested, Escalated, "it touches secrets: API key"},
		{"billing", with(func(w *WorkItem) { w.Text = "A refund is late." }), tested, Escalated, "it touches billing and refunds: refund"},
		{"authentication", with(func(w *WorkItem) { w.Files = []string{"src/auth/a.go"} }), tested, Escalated, "it touches authentication: src/auth/a.go"},
		{"authorization", with(func(w *WorkItem) { w.Title = "Check permissions" }), tested, Escalated, "it touches authorization: permissions"},
		{"data deletion", with(func(w *WorkItem) { w.Text = "Purge old rows." }), tested, Escalated, "it touches data deletion: Purge"},
		{"infrastructure credentials", with(func(w *WorkItem) { w.Files = []string{"ops/kubeconfig.yaml"} }), tested, Escalated, "it touches infrastructure credentials"},
		{"deployment", with(func(w *WorkItem) { w.Files = []string{".github/workflows/ci.yml"} }), tested, Escalated, "it touches deployment configuration"},
		{"legal", with(func(w *WorkItem) { w.Labels = append(w.Labels, "GDPR") }), tested, Escalated, "it touches legal, compliance and security policy: GDPR"},
		{"a word within a word", with(func(w *WorkItem) { w.Text = "Describe the deployer of secretaries." }), tested, Selected, "all rules hold"},
	} {
		got := s.Select([]WorkItem{c.item}, c.k)[0]
		if got.Choice != c.choice || !strings.HasPrefix(got.Reason, c.reason) {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, got.Choice, got.Reason, c.choice, c.reason)
		}
	}
}

// An issue names no files: where a rule says within which it stays, a gate counts them.
func TestItemsWithoutFilesAreCountedByAGate(t *testing.T) {
	t.Parallel()
	spec := scopeSpec(t, "- the change stays within `docs/**`\n")
	issue := WorkItem{ID: "12", Source: InputTracker, Title: "Say it", Count: -1, Acceptance: []string{"it is said"}}
	if got := spec.Select([]WorkItem{issue}, Knowledge{Gates: loops.GateCommands{Test: []string{"true"}}})[0]; got.Choice != Selected {
		t.Errorf("%+v", got)
	}
	if p := spec.Plan(issue, loops.GateCommands{}); p.MostFiles != 4 || !slices.Equal(p.Scope, []string{"docs/**"}) {
		t.Errorf("%d files of %q", p.MostFiles, p.Scope)
	}
	issue.Files, issue.Count = []string{"docs/a.md"}, 1
	if p := spec.Plan(issue, loops.GateCommands{}); p.MostFiles != 0 || !slices.Equal(p.Scope, issue.Files) {
		t.Errorf("%d files of %q", p.MostFiles, p.Scope)
	}
}

func TestSelectionIsBounded(t *testing.T) {
	t.Parallel()
	src := "# Loop Spec: x\n## Purpose\nx\n## Trigger\non dispatch\n## Work Selection Rules\nThe loop may select work only when:\n- the change stays within `docs/**`\n- the risk is low\n- the finding is `broken-link`\n" +
		"## Budgets\n- max items per run: 1\n## Stop Conditions\n- all items are done\n"
	s, faults := ParseLoopSpec("x.md", []byte(src), nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	item := func(id, file, risk, rule string) WorkItem {
		return WorkItem{ID: id, Title: id, Files: []string{file}, Count: 1, Risk: risk, Rule: rule, Verify: []string{"true"}}
	}
	var got []Choice
	for _, c := range s.Select([]WorkItem{
		item("out", "src/a.go", "", "broken-link"), item("risk", "docs/a.md", "MED", "broken-link"), item("rule", "docs/a.md", "LOW", "orphan"),
		item("one", "docs/a.md", "LOW", "broken-link"), item("two", "docs/b.md", "", "broken-link"),
	}, Knowledge{}) {
		got = append(got, c.Choice)
	}
	if want := []Choice{Skipped, Skipped, Skipped, Selected, Deferred}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReadItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, src, want string }{
		{"gh.json", `[{"number": 7, "title": "Seven", "body": "b", "labels": [{"name": "bug"}]}]`, "7 Seven [bug]"},
		{"x.json", `{"issues": [{"id": "A", "title": "a", "labels": ["x", "y"]}, {"id": "B", "title": "b", "state": "closed"}]}`, "A a [x y]"},
		{"x.md", "# List\n\nText.\n\n## MT-1 Repair it\n- labels: maintenance, docs\n- files: `a.md`\n\nWhy.\n\n## MT-2: Done\n- state: closed\n", "MT-1 Repair it [maintenance docs]"},
		{"x.json", `{"a": 1}`, "1:1: error: the object has neither items nor issues"},
		{"x.json", "[\n{\"id\": }]", "2:8: error: can't read the list"},
		{"x.json", `[{"title": "no id"}]`, "1:1: error: item 1 has no id or title"},
		{"x.json", `[{"id": "../x", "title": "t"}]`, `1:1: error: the item id "../x" is not a valid branch name`},
		{"x.json", `[{"id": "A", "title": "t"}, {"id": "A", "title": "u"}]`, "1:1: error: duplicate item A"},
		{"x.json", `[{"id": "A", "title": "t", "files": ["/etc/passwd"]}]`, `1:1: error: the file "/etc/passwd" of A is absolute`},
		{"x.json", `[{"id": "A", "title": "t", "files": ["../../x"]}]`, "is outside the repository"},
		{"x.md", "no items", "1:1: error: the file lists no items"},
		{"x.md", "## Whatever\n", "1:4: error: heading without an item id"},
	} {
		items, faults := ReadItems(c.file, []byte(c.src))
		var got []string
		for _, f := range faults {
			got = append(got, f.String())
		}
		if len(faults) == 0 {
			for _, it := range items {
				got = append(got, it.ID+" "+it.Title+" ["+strings.Join(it.Labels, " ")+"]")
			}
		}
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %q, want %s", c.src, got, c.want)
		}
	}
}

func FuzzReadItems(f *testing.F) {
	f.Add("x.json", []byte(`{"items": [{"id": "A", "title": "t", "labels": [{"name": "x"}], "files": ["a/**"]}]}`))
	f.Add("x.md", []byte("## MT-1 Repair it\n- labels: a, b\n- verify: `true`\n\nWhy.\n"))
	f.Add("x.md", []byte(newsletterState))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		items, faults := ReadItems(name, src)
		if Refused(faults) {
			return
		}
		for _, it := range items {
			if !itemID().MatchString(it.ID) {
				t.Fatalf("an item without an id: %+v", it)
			}
		}
		CountFiles(items, []string{"a/b.md"})
	})
}

// What a tracker's item says gives criteria, and no commands.
func TestTrackedItems(t *testing.T) {
	t.Parallel()
	text := "Nobody knows.\n\n## Acceptance criteria:\n\n- [ ] it is said\n* [x] it is tested\n\n- verify: touch owned\n\nBeside that:\n- nothing\n"
	got := TrackedItems("issues", []loops.Item{{ID: "12", Title: "Say it", Text: text, Labels: []string{"docs"}}, {ID: "../../x", Title: "A path"}, {ID: "-x", Title: "A flag"}})
	if len(got) != 1 {
		t.Fatalf("%d items: %v", len(got), got)
	}
	it := got[0]
	if want := []string{"it is said", "it is tested", "verify: touch owned"}; !slices.Equal(it.Acceptance, want) {
		t.Errorf("criteria %q, not %q", it.Acceptance, want)
	}
	if len(it.Verify)+len(it.Files) > 0 || it.Count >= 0 || it.ID != "12" || it.Source != InputTracker || !slices.Equal(it.Labels, []string{"docs"}) {
		t.Errorf("%+v", it)
	}
	if got := acceptance("Some text.\n- a list of it\n"); got != nil {
		t.Errorf("criteria %q without a heading", got)
	}
}
