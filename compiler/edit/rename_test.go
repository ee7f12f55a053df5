package edit_test

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

const headingPages = `-- index.md --
# Index

[[limits#Rate limit]], [[limits#Rate limit|named]], [[limits#Limits#Rate limit#Per key]],
[inline](limits.md#rate-limit), [ref][r], <a href="limits.md#rate-limit">html</a>, ![[limits#Rate limit]].
[[limits#Other]] stays, and so does [[limits]].

[r]: limits.md#rate-limit "Title"
-- limits.md --
# Limits

See [[#Rate limit]] and [below](#rate-limit-1).

## Rate limit ##

Text.

### Per key

Text.

## Rate limit

The second.

## Other
`

func TestRenameHeadingRewritesLinksToIt(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, headingPages))
	p := w.Page("limits")
	m, err := edit.RenameHeading(t.Context(), w, p, 1, "Request quota")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range m.Changes.List() {
		got[c.To] = string(c.New)
	}
	for page, lines := range map[string][]string{
		"index.md": {
			"[[limits#Request quota]], [[limits#Request quota|named]], [[limits#Limits#Request quota#Per key]],",
			`[inline](limits.md#request-quota), [ref][r], <a href="limits.md#request-quota">html</a>, ![[limits#Request quota]].`,
			"[[limits#Other]] stays, and so does [[limits]].",
			`[r]: limits.md#request-quota "Title"`,
		},
		"limits.md": {"See [[#Request quota]] and [below](#rate-limit).", "## Request quota ##", "## Rate limit\n\nThe second."},
	} {
		for _, line := range lines {
			if !strings.Contains(got[page], line) {
				t.Errorf("%s has no %q:\n%s", page, line, got[page])
			}
		}
	}
}

func TestRenameTitleWithItsFile(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, `-- index.md --
[[Rate limit]] [[rate-limit]] [md](rate-limit.md#rate-limit)
-- rate-limit.md --
# Rate limit

See [[index]] and [[#Rate limit]].
`))
	p := w.Page("rate-limit")
	at, ok := edit.HeadingText(p, 0)
	if !ok {
		t.Fatal("the title has no place")
	}
	m, err := edit.Move(t.Context(), w, []schema.Move{{From: "rate-limit.md", To: "quota.md"}}, edit.MoveOptions{
		Edits: []schema.Edit{{Path: "rate-limit.md", Span: at, Text: "Request quotas"}}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range m.Changes.List() {
		got[c.To] = string(c.New)
	}
	if want := "[[Request quotas]] [[quota]] [md](quota.md#request-quotas)\n"; got["index.md"] != want {
		t.Errorf("index.md: %q, want %q", got["index.md"], want)
	}
	if want := "# Request quotas\n\nSee [[index]] and [[#Request quotas]].\n"; got["quota.md"] != want {
		t.Errorf("quota.md: %q, want %q", got["quota.md"], want)
	}
}

func TestRenameHeadingRefuses(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, headingPages))
	for _, name := range []string{"", "  ", "a\nb", "a [[link]]"} {
		if _, err := edit.RenameHeading(t.Context(), w, w.Page("limits"), 1, name); err == nil {
			t.Errorf("%q was not refused", name)
		}
	}
}
