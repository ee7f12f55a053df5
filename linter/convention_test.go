package linter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// understood returns what a schema page is taken to say, and what on it can't
// be read, a line each.
func understood(t *testing.T, archive string) string {
	t.Helper()
	c := ReadConventions(compilertest.Compile(t, compilertest.Write(t, archive)))
	var out []string
	for _, u := range c.Understood {
		out = append(out, fmt.Sprintf("%s:%d: %s", u.Path, u.Line, u.What))
	}
	for _, u := range c.Unread {
		out = append(out, fmt.Sprintf("%s:%d: ! %s", u.Page.Path, u.Page.Lines.Position(u.Span.Start).Line, u.Message))
	}
	return strings.Join(out, "\n")
}

func TestSchemaPage(t *testing.T) {
	t.Parallel()
	const fence = "```"
	for _, c := range []struct{ name, page, want string }{
		{"marked block", fence + "yaml wiki\nfrontmatter:\n  required: [title]\n  types: {a: {sections: [B, C], naming: kebab}}\n  fields: {x: {type: date}}\ntags: [p, q]\nnaming: snake\nterms: {u: v}\n" + fence,
			"SCHEMA.md:1: every page: required title\nSCHEMA.md:1: type a: sections B, C; naming kebab\nSCHEMA.md:1: fields: x\nSCHEMA.md:1: tags: p, q\nSCHEMA.md:1: naming snake\nSCHEMA.md:1: terms: u"},
		{"marked with a slip", fence + "yml wiki\ntagz: [a]\n" + fence, "SCHEMA.md:2: ! unknown key \"tagz\": did you mean \"tags\"?"},
		{"unmarked, surely", fence + "yaml\nfrontmatter:\n  required: [title]\n" + fence, "SCHEMA.md:1: every page: required title"},
		{"an example", fence + "yaml\n---\ntitle: x\ntags: [a, b]\n---\n" + fence, ""},
		{"an example of tags", fence + "yaml\ntags: [a, b]\n" + fence, ""},
		{"tags in a block", "## Tags\n\n" + fence + "yaml\ntags: [a, b]\n" + fence, "SCHEMA.md:3: tags: a, b"},
		{"table", "| **Type** | Directory | Required fields | Sections |\n|---|---|---|---|\n| `concept` | `wiki/concepts/*.md` | `title`, `tags` | ## Summary<br>See also |\n| flow | flows/ | title and more | As needed. |\n| two words | x/ | a | b |\n| Concept | other/ | | |\n| - | y/ | | |\n",
			"SCHEMA.md:3: type concept: folder concepts; required title, tags; sections Summary, See also\nSCHEMA.md:4: type flow: folder flows"},
		{"table of fields", "| field | type | required |\n|---|---|---|\n| title | text | yes |\n", ""},
		{"table without types", "| folder | what |\n|---|---|\n| a/ | b |\n", ""},
		{"required as yes and no", "| type | required |\n|---|---|\n| a | yes |\n", ""},
		{"naming", "| type | naming |\n|---|---|\n| a | `YYYY-MM-DD-slug.md` |\n| b | snake_case |\n| c | lower case |\n", "SCHEMA.md:3: type a: naming date-prefixed\nSCHEMA.md:4: type b: naming snake"},
		{"tags in a list", "## 3. Taxonomy\n\nUse few tags.\n\n- `go` — the language\n- #rust\n- **c**: systems language\n- sql: queries\n- **Areas:** `db/index`, `web`\n\n## Other\n\n- Not a tag\n", "SCHEMA.md:1: tags: go, rust, c, sql, db/index, web"},
		{"tags in a row", "# Tags\n\n* a, b\n* Kinds: #x #y\n", "SCHEMA.md:1: tags: a, b, x, y"},
		{"tags in a table", "## Tags\n\n| Tag | Meaning |\n|---|---|\n| a | x |\n| `b` | y |\n", "SCHEMA.md:1: tags: a, b"},
		{"advice on tags", "## Tags\n\n- go\n- rust\n- Use 2–5 tags per page\n", "SCHEMA.md:1: no tags: line 5 of the list is not one or several tags"},
		{"one tag", "## Tags\n\n- go\n", ""},
		{"prose", "Every page must have a title and tags. Types are concept and flow, in concepts/ and flows/.", ""},
	} {
		got := understood(t, "-- SCHEMA.md --\n"+c.page+"\n-- a.md --\n# A\n")
		if diff := cmp.Diff(c.want, strings.ReplaceAll(got, "wiki/", "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if got := understood(t, "-- sub/SCHEMA.md --\n## Tags\n\n- a\n- b\n-- a.md --\n"); got != "" {
		t.Errorf("the schema page of a folder is read: %s", got)
	}
}

func TestConfigDecides(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- wiki.yaml --
tags: [x]
frontmatter: {types: {concept: {required: [title]}}}
-- 00_schema.md --
| type | folder | required fields |
|---|---|---|
| Concept | c/ | owner |
| flow | c/f/ | owner |

## Tags

- a
- b
-- c/a.md --
# A
-- c/f/b.md --
# B
-- c/d.md --
---
type: other
---
# D
`)
	c := ReadConventions(compilertest.Compile(t, dir))
	for key, want := range map[string]string{"tags": "wiki.yaml", "types.concept.required": "wiki.yaml", "types.concept.folder": "00_schema.md:3", "types.flow.required": "00_schema.md:4", "naming": ""} {
		if got := c.Origin(key); got != want {
			t.Errorf("%s is said by %q, want %q", key, got, want)
		}
	}
	w := compilertest.Compile(t, dir)
	var got []string
	for _, page := range w.Pages() {
		name, pt, ok := c.TypeOf(page)
		got = append(got, fmt.Sprint(page.Path, " ", name, " ", pt.Required, " ", ok))
	}
	want := []string{"00_schema.md  [] false", "c/a.md concept [title] true", "c/d.md  [] false", "c/f/b.md flow [owner] true"}
	if diff := cmp.Diff(want, got); diff != "" || !slices.Equal(c.Tags, []string{"x"}) {
		t.Errorf("tags %v, types (-want +got):\n%s", c.Tags, diff)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- wiki.yaml --
root: wiki
terms: {client: customer, same: same}
-- wiki/a.md --
# A
-- wiki/SCHEMA.md --
`+"```yaml wiki\nterms: {repo: repository}\n```"+`
-- wiki/LANGUAGE.md --
| Preferred | Don’t say |
|---|---|
| **log in** / log on | "sign in", `+"`signin`"+` |
| - | x |
| y | something (which is long) |

- ~~blacklist~~ -> "deny list".
- **pull request** (not: merge request, MR) for changes
- Do not use "CLIENT"; use "caller"
- one → two
- Never say never.

`+"```\n- ~~code~~ → x\n```"+`

## Words to avoid

- "simply"
- utilise → use
- plain
-- agents/LANGUAGE.md --
- ~~outside~~ → within
-- LANGUAGE.md --
- ~~top~~ → head
- ~~outside~~ → twice
`)
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	terms := ReadTerms(w, ReadConventions(w))
	var got []string
	for _, term := range terms.List {
		got = append(got, fmt.Sprintf("%s: %s → %s", term.By, term.Avoid, strings.Join(term.Use, "|")))
	}
	want := []string{
		"wiki.yaml: client → customer", "SCHEMA.md:1: repo → repository",
		"LANGUAGE.md:3: sign in → log in|log on", "LANGUAGE.md:3: signin → log in|log on", "LANGUAGE.md:7: blacklist → deny list",
		"LANGUAGE.md:8: merge request → pull request", "LANGUAGE.md:8: MR → pull request",
		"LANGUAGE.md:19: simply → ", "LANGUAGE.md:20: utilise → use",
		"LANGUAGE.md:1: top → head", "LANGUAGE.md:2: outside → twice",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(terms.Understood); n != 2 || terms.Understood[1].Path != "../LANGUAGE.md" {
		t.Errorf("understood %+v", terms.Understood)
	}
}

// What the schema page says holds for every page as soon as it is edited.
func TestConventionsAfterAnEdit(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- SCHEMA.md --\n# S\n-- c/a.md --\n# A\n-- wiki.yaml --\nrules: [{id: own, message: m, types: [concept], forbid: {heading: {level: 1}}}]\n")
	w := compilertest.Compile(t, dir)
	facts := NewFacts(w)
	if found := run(t, w, Config{Only: []string{"own"}, Facts: facts}).Findings; len(found) > 0 {
		t.Fatalf("findings %+v", found)
	}
	text := "| type | folder |\n|---|---|\n| concept | c/ |\n"
	if err := os.WriteFile(filepath.Join(dir, "SCHEMA.md"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	edited, err := w.Recompile(t.Context(), []string{"SCHEMA.md"})
	if err != nil {
		t.Fatal(err)
	}
	if found := run(t, edited, Config{Only: []string{"own"}, Facts: facts.Next(edited)}).Findings; len(found) != 1 || found[0].Path != "c/a.md" {
		t.Errorf("findings after the edit: %+v", found)
	}
}
