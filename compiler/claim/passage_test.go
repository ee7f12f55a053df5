package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestPassages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"sentences", "It opens by hand; no tools are needed. Is it safe? It holds\n40 l (about `a.b`).",
			"sentence no: It opens by hand; no tools are needed.\nsentence: It holds 40 l (about `a.b`).\n"},
		{"what denies", "It is off. It is not off. It is never late.",
			"sentence no: It is off.\nsentence: It is not off.\nsentence no: It is never late.\n"},
		{"items", "- [[x]] — keeps logs for 14 days\n- Port is 80\n", "list: [[x]] — keeps logs for 14 days\nlist: Port is 80\n"},
		{"a row", "| Ship | Crew |\n|---|---|\n| [[petrel]] | 6 |\n", "table Ship | Crew: [[petrel]] | 6\n"},
		{"fields", "---\ntitle: T\nowner: Ana\ntags: [a]\nupdated: 2026-01-01\n---\nport:: 80\n", "frontmatter: owner: Ana\nfield: port:: 80\n"},
		{"what tells of another time", "## History\n\nIt was closed by hand.\n", ""},
		{"code", "```\nIt opens by hand.\n```\n", ""},
		{"too long", strings.Repeat("very ", 200) + "large it is.", ""},
	} {
		got := ""
		for _, p := range claim.English().Passages(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+c.page+"\n")).Pages()[0]) {
			what := string(p.From)
			if p.Attr.Name != "statement" {
				what += " " + p.Attr.Name
			}
			if !p.Value.Bool {
				what += " no"
			}
			got += fmt.Sprintf("%s: %s\n", what, p.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
