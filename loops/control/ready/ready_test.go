package ready

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/control/controltest"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops:
  roles: {maker: {agent: claude}}
  gates: {test: [test -f a.txt]}
-- a.txt --
a
-- items.json --
[]
-- agents/loops/small.md --
# Loop Spec: Small
## Purpose
Do small things.
## Trigger
- daily at 07:00
## Inputs
- items.json
## Work Selection Rules
The loop may select work only when:
- the change stays within ` + "`a*`" + `
## Gates
- Relevant tests pass
## Budgets
- max iterations: 2
## Stop Conditions
- max iterations are reached
## Mode
draft
`

// Each criterion says what keeps the loop from being automated, in what it is held
// against.
func TestReady(t *testing.T) {
	t.Parallel()
	unmet := func(t *testing.T, archive string, change func(dir string)) []string {
		r := controltest.Open(t, archive)
		if change != nil {
			change(r.Root)
			r = controltest.Reopen(t, r.Root)
		}
		l, err := r.MustFindLoop(r.Root, "small")
		if err != nil {
			t.Fatal(err)
		}
		all, err := New(r).Ready(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range all {
			if !c.OK {
				out = append(out, c.Why)
			}
		}
		return out
	}
	usual := unmet(t, shop, nil)
	for name, c := range map[string]struct {
		old, new string
		change   func(dir string)
		want     string
	}{
		"nobody plays":      {"  roles: {maker: {agent: claude}}\n", "", nil, "maker"},
		"nothing judges":    {"  gates: {test: [test -f a.txt]}\n", "", nil, "no command checks \"Relevant tests pass\""},
		"an absent input":   {"\n- items.json", "\n- nowhere.json", nil, "input nowhere.json not found"},
		"an unknown one":    {"\n- items.json", "\n- issues of forge", nil, `no such tracker: "forge"`},
		"an empty area":     {"`a*`", "`b*`", nil, "b* has no files"},
		"a spec just begun": {"", "", func(dir string) { controltest.Git(t, dir, "rm", "--quiet", "--cached", "agents/loops/small.md") }, ""},
	} {
		got := unmet(t, strings.Replace(shop, c.old, c.new, 1), c.change)
		got = slices.DeleteFunc(got, func(why string) bool { return slices.Contains(usual, why) })
		if len(got) == 0 || !strings.Contains(strings.Join(got, "; "), c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
