package worklist

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/
-- price.go --
package shop

const Max = 10
-- other.go --
package shop
-- wiki/index.md --
# Index

- [[price]]
- [[cart]]
-- wiki/price.md --
---
sources: [price.go#Max]
---
# Price

No price is above 10.
-- wiki/cart.md --
# Cart

A cart holds items of [[price]]. See [[nowhere]].
`

func TestSpan(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	first := controltest.Git(t, r.Root, "rev-parse", "HEAD")
	second := controltest.Commit(t, r.Root, "second")
	controltest.Git(t, r.Root, "tag", "v1")
	l := New(r)
	span := func(given string) (Span, error) { return l.Span(t.Context(), "documentation", given, loops.Draft) }
	for given, want := range map[string]Span{
		"":           {first, FirstCommit, false},
		"v1":         {second, "v1", true},
		first[:12]:   {first, first[:12], true},
		"2026-07-01": {first, "2026-07-01", true}, // the day's first moment is that of the commits
		"2026-07-02": {second, "2026-07-02", true},
		"3d":         {second, "3d", true},
	} {
		if got, err := span(given); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", given, got, err, want)
		}
	}
	if _, err := span("no-such-tag"); err == nil || !strings.Contains(err.Error(), `no such commit: "no-such-tag"`) {
		t.Error(err)
	}

	// A merge says where the run looked whose pages it brought: the loop's own, and only
	// if it names a commit below it.
	merged := controltest.Commit(t, r.Root, "merge\n\n  Loop-Base: "+second+"\n")
	for _, message := range []string{
		"other\n\nLoop-Base: " + first + " glossary\n", "forged\n\nLoop-Base: " + strings.Repeat("a", 40) + "\n", "abbreviated\n\nLoop-Base: " + first[:12] + "\n",
	} {
		controltest.Commit(t, r.Root, message)
	}
	if got, err := span(""); err != nil || got != (Span{second, "the last run", true}) {
		t.Errorf("%+v, %v; merged as %s", got, err, merged)
	}
}

// What changed since names pages; what lies uncommitted in the checkout does not.
func TestListReadsTheCommit(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	first := controltest.Git(t, r.Root, "rev-parse", "HEAD")
	controltest.Write(t, r, "price.go", "package shop\n\nconst Max = 20\n")
	base := controltest.Commit(t, r.Root, "raise")
	controltest.Write(t, r, "wiki/price.md", "# Price\n\nNot committed.\n")
	spec := builtin(t, r)
	d, err := New(r).List(t.Context(), spec, Span{since: first, how: "test"}, base)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Pages) == 0 || d.Pages[0].Path != "wiki/price.md" || d.Pages[0].Edited || d.Since != first {
		t.Errorf("%+v", d)
	}
	none, err := New(r).List(t.Context(), spec, Span{since: base, how: "test"}, base)
	if err != nil || len(none.Pages) != 0 {
		t.Errorf("nothing changed: %+v, %v", none, err)
	}
}

func builtin(t *testing.T, r *repo.Repo) *plan.LoopSpec {
	t.Helper()
	l, err := r.Builtin(loops.DocumentationLoop)
	if err != nil {
		t.Fatal(err)
	}
	return l.Spec
}

// A page is a person's if a commit changed it, except for what a runner wrote and says so.
func TestPagesOfPeople(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	first := controltest.Git(t, r.Root, "rev-parse", "HEAD")
	controltest.Write(t, r, "price.go", "package shop\n\nconst Max = 20\n")
	controltest.Write(t, r, "wiki/cart.md", "---\nsources: [price.go]\n---\n# Cart\n\nBy ada.\n")
	controltest.Write(t, r, "wiki/log.md", "# Log\n")
	controltest.Commit(t, r.Root, "by ada")
	controltest.Write(t, r, "wiki/price.md", "---\nsources: [price.go#Max]\n---\n# Price\n\nNo price is above 20.\n")
	controltest.Git(t, r.Root, "add", "--all")
	id := controltest.Git(t, r.Root, "rev-parse", ":wiki/price.md")
	base := controltest.Commit(t, r.Root, "by a runner\n\n"+loops.PagesTrailer+": "+id[:loops.PageID])
	d, err := New(r).List(t.Context(), builtin(t, r), Span{since: first, how: "test", people: true}, base)
	if err != nil || !slices.Equal(d.Edited, []string{"wiki/cart.md"}) || len(d.Pages) == 0 {
		t.Errorf("%q, %v", d.Edited, err)
	}
	for _, p := range d.Pages {
		if p.Edited != (p.Path == "wiki/cart.md") {
			t.Errorf("%+v", p)
		}
	}
}

func TestNarrowEscalatesForbiddenPages(t *testing.T) {
	t.Parallel()
	src := []byte("# Loop Spec: Documentation\n## Purpose\nKeep pages true.\n## Trigger\non dispatch\n## Inputs\n- merged changes\n## Work Selection Rules\nThe loop may select work only when:\n- the expected file changes are at most one file\n- no `wiki/legal/**` is touched\n## Roles\n- writer\n## Budgets\n- max iterations: 2\n## Stop Conditions\n- max iterations are reached\n")
	spec, faults := plan.ParseLoopSpec("agents/loops/documentation.md", src, nil)
	if plan.Refused(faults) {
		t.Fatal(faults)
	}
	d := &loops.DocumentationRequest{Pages: []loops.DocumentationPage{{Path: "wiki/a.md"}, {Path: "wiki/legal/b.md"}, {Path: "wiki/c.md"}}}
	narrow(spec, d)
	if len(d.Pages) != 2 || len(d.Left) != 1 || d.Left[0].Path != "wiki/legal/b.md" || !strings.Contains(d.Ask, "2 pages listed, more than 1") {
		t.Errorf("%+v", d)
	}
}

// A citation whose lines only moved needs no writer.
func TestListNamesPagesWithMovedCitations(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	controltest.Write(t, r, "sum.go", "package shop\n\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n")
	controltest.Write(t, r, "wiki/sum.md", "# Sum\n\nPrices are added (`sum.go:3-5`), see [[price]].\n")
	first := controltest.Commit(t, r.Root, "sum")
	controltest.Write(t, r, "sum.go", "package shop\n\nvar none int\n\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n")
	base := controltest.Commit(t, r.Root, "move")
	d, err := New(r).List(t.Context(), builtin(t, r), Span{since: first, how: "test"}, base)
	if err != nil || len(d.Pages) != 0 || !slices.Equal(d.Moved, []string{"wiki/sum.md"}) {
		t.Errorf("%+v, %v", d, err)
	}
}
