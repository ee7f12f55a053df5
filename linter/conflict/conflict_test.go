package conflict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// surest returns the contradictions among claims that are sure enough to be reported.
func surest(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim) []schema.Conflict {
	return slices.DeleteFunc(Search(w, claims), func(c schema.Conflict) bool { return c.Score < Warns })
}

// conflicts compiles an archive and writes what contradicts what.
func conflicts(t *testing.T, archive string) string {
	t.Helper()
	w := compilertest.Compile(t, compilertest.Write(t, archive))
	var b strings.Builder
	for _, c := range surest(w, claim.Of) {
		fmt.Fprintf(&b, "%s of %s:", c.Attr, c.Entity)
		for _, s := range c.Sides {
			fmt.Fprintf(&b, " %s=%s", s.Path, s.Text)
		}
		fmt.Fprintf(&b, " (%s)\n", c.Why)
	}
	return b.String()
}

func table(entity, head, value string) string {
	return fmt.Sprintf("| Part | %s |\n|---|---|\n| %s | %s |\n", head, entity, value)
}

func TestFind(t *testing.T) {
	t.Parallel()
	own := "-- pump.md --\n---\ntitle: Feed pump\naliases: [FP-1]\nport: 8080\nupdated: 2026-05-01\n---\n# Feed pump\n"
	for _, c := range []struct{ name, archive, want string }{
		{"a link", own + "-- t.md --\n" + table("[[pump]]", "Port", "9090"),
			"port of Feed pump: pump.md=8080 t.md=9090 ()\n"},
		{"the title", own + "-- t.md --\n" + table("Feed pump", "Port", "9090"),
			"port of Feed pump: pump.md=8080 t.md=9090 ()\n"},
		{"an alias, marked as a name", own + "-- t.md --\n" + table("`FP-1`", "Port", "9090"),
			"port of Feed pump: pump.md=8080 t.md=9090 ()\n"},
		{"the older is likely out of date", own + "-- t.md --\n---\nupdated: 2026-01-01\n---\n" + table("[[pump]]", "Port", "9090"),
			"Port of Feed pump: t.md=9090 pump.md=8080 (this page was last changed on 2026-01-01, the other on 2026-05-01)\n"},
		{"most pages count more than dates", own + "-- t.md --\n" + table("[[pump]]", "Port", "9090") + "-- u.md --\n" + table("[[pump]]", "Port", "9090"),
			"port of Feed pump: pump.md=8080 t.md=9090 u.md=9090 (2 pages say 9090)\n"},
		{"another attribute", own + "-- t.md --\n" + table("[[pump]]", "Max port", "9090"), ""},
		{"another dimension", own + "-- t.md --\n" + table("[[pump]]", "Port", "9090 ms"), ""},
		{"a condition on one side", own + "-- t.md --\n## In staging\n\n" + table("[[pump]]", "Port", "9090"), ""},
		{"an edition of its own", own + "-- v1.2/t.md --\n" + table("[[pump]]", "Port", "9090"), ""},
		{"a part of the page", own + "-- t.md --\n" + table("[[pump#Ports]]", "Port", "9090"), ""},
		{"one word is anybody's", strings.ReplaceAll(own, "Feed pump", "Pump") + "-- t.md --\n" + table("pump", "Port", "9090"), ""},
		{"a name that two pages have", own + "-- other.md --\n# Feed pump\n-- t.md --\n" + table("Feed pump", "Port", "9090"), ""},
		{"a page that says both", own + "\n" + table("[[pump]]", "Port", "9090"), ""},
		{"more values than a fact has", own + "-- t.md --\n" + table("[[pump]]", "Port", "1") + "-- u.md --\n" + table("[[pump]]", "Port", "2") +
			"-- v.md --\n" + table("[[pump]]", "Port", "3"), ""},
		{"two tasks of one component", "-- pump.md --\n# Feed pump\n-- a.md --\n---\ncomponent: Feed pump\n---\nestimate:: 3 days\n" +
			"-- b.md --\n---\ncomponent: Feed pump\n---\nestimate:: 5 days\n", ""},
		{"a remark in a table", strings.Replace(own, "port: 8080", "note: cold", 1) + "-- t.md --\n" + table("[[pump]]", "Note", "warm"), ""},
		{"a key in two pages", "-- a.md --\n" + table("`pool.size`", "Default", "4") + "-- b.md --\n" + table("`pool.size`", "Default", "8"),
			"Default of pool.size: a.md=4 b.md=8 ()\n"},
		{"a default beside the longest that may be set", "-- a.md --\n# Limits\n\n| Limit | Value |\n|---|---|\n| Longest value of `--timeout` | 600 s |\n-- b.md --\n# Client\n\nThe default of `--timeout` is 60 seconds.\n", ""},
		{"a key that anything may have", "-- a.md --\n" + table("`port`", "Default", "4") + "-- b.md --\n" + table("`port`", "Default", "8"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, conflicts(t, c.archive)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An attribute that very many pages state is not compared page by page.
func TestLargeBuckets(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- pump.md --\n# Feed pump\n")
	for i := range 3 * largestBucket {
		fmt.Fprintf(&b, "-- t%d.md --\n%s", i, table("[[pump]]", "Port", fmt.Sprint(1+i%2)))
	}
	if got := conflicts(t, b.String()); got != "" {
		t.Error(got)
	}
}
