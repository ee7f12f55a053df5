package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestEveryLimitOfAPageIsReported exceeds each limit of a page and reads the report;
// limits without a case, which are tested elsewhere, are listed under others.
func TestEveryLimitOfAPageIsReported(t *testing.T) {
	t.Parallel()
	repeat := strings.Repeat
	small := "version: 1\nlimits: {page_bytes: 4000000, nesting: 20, table_columns: 20, depth: 3, wiki_bytes: 40000000}\n"
	cases := map[string]struct{ file, text, config, says string }{
		"page":                           {"p.md", repeat("a ", 2_000_001), small, "limits.page_bytes"},
		"all pages":                      {"p.md", repeat("a", 101), "version: 1\nlimits: {wiki_bytes: 100}\n", "limits.wiki_bytes (100)"},
		"links of all pages":             {"p.md", repeat("[[a]] ", 101), "version: 1\nlimits: {wiki_links: 100}\n", "limits.wiki_links (100)"},
		"depth of folders":               {"a/b/c/d/p.md", "x", small, "limits.depth (3)"},
		"nesting of quotes and lists":    {"p.md", repeat("> ", 21) + "x", small, "limits.nesting"},
		"columns of a table":             {"p.md", repeat("|a", 21) + "|\n" + repeat("|-", 21) + "|\n", small, "limits.table_columns"},
		"cells of a table":               {"p.md", repeat("|a", 20) + "|\n" + repeat("|-", 20) + "|\n" + repeat("|b|\n", schema.MaxTableCells/20+1), small, fmt.Sprint(schema.MaxTableCells)},
		"targets of links by reference":  {"p.md", "[a]: /" + repeat("x", 100_000) + "\n\n" + repeat("[a] ", schema.MaxReferenced/100_000+1), small, "reference"},
		"markup of a page":               {"p.md", repeat("[[a]] ", schema.MaxMarkup+1), small, "300,000"},
		"lines of a page":                {"p.md", repeat("a\n", schema.MaxPageLines+2), small, "1,000,000 lines"},
		"front matter, wiki.yaml":        {"p.md", "---\na: " + repeat("x", schema.MaxFront) + "\n---\n", small, fmt.Sprint(schema.MaxFront)},
		"YAML beyond plain lines":        {"p.md", "---\n" + repeat("a: \"\\n"+repeat("x", 1000)+"\"\n", schema.MaxFrontParsed/1000+1) + "---\n", small, fmt.Sprint(schema.MaxFrontParsed)},
		"nesting of YAML":                {"p.md", "---\na: " + repeat("[", 101) + repeat("]", 101) + "\n---\n", small, "100 levels"},
		"values of YAML aliases":         {"p.md", "---\na: &a [" + repeat("x,", 200) + "x]\nb: [" + repeat("*a,", 60) + "*a]\n---\n", small, fmt.Sprint(schema.MaxFrontCopies)},
		"pattern times page":             {"p.md", repeat("a", 1_000_000), small + "rules:\n- {id: my-rule, message: no, forbid: {pattern: '(a?){150}b', in: source}}\n", fmt.Sprint(schema.MaxPatternSteps)},
		"pattern of wiki.yaml":           {"p.md", "x", small + "rules:\n- {id: my-rule, message: no, forbid: {pattern: '(a?){900}b'}}\n", "wiki.yaml:4:48"},
		"** in a glob of wiki.yaml":      {"p.md", "x", small + "ignore: ['" + repeat("**/a/", schema.MaxGlobStars+1) + "b']\n", "wiki.yaml:3:10"},
		"choices in a glob of wiki.yaml": {"p.md", "x", small + "ignore: ['{" + repeat("a,", schema.MaxGlobChoices) + "b}']\n", "wiki.yaml:3:10"},
		"findings of a rule on a page":   {"p.md", repeat("TBD\n", schema.MaxRuleFindings+1), small + "rules:\n- {id: my-rule, message: no, forbid: {pattern: TBD}}\n", fmt.Sprint(schema.MaxRuleFindings)},
	}
	others := []string{
		"page file", "attached file", "faults of front matter", "text that is searched", "text of a page that is searched", "tags with a page on the site", "levels of a tag",
		"pages in the graph of a wiki", "formula", "formulas of a page",
		"other names of a page on the site", "embeds of a page", "embedded text of a page", "embedded text of all pages",
		"coloured block of code", "pages that a link fits", "source file with symbols", "brackets within each other in one",
	}
	for _, l := range schema.LimitTable(schema.Limits{}) {
		c, ok := cases[l.Name]
		if !ok {
			if !strings.Contains("\n"+strings.Join(others, "\n")+"\n", "\n"+l.Name+"\n") {
				t.Errorf("no test goes beyond the limit %q", l.Name)
			}
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if said := lintOf(t, c.file, c.text, c.config); !strings.Contains(said, c.says) {
				t.Errorf("it says %.600s", said)
			}
		})
	}
}

// lintOf lints a wiki of a clean page and another one, and returns the output.
func lintOf(t *testing.T, file, text, config string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"wiki.yaml": config, "aa.md": "# Good\n", file: text} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		return err.Error()
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := linter.Run(t.Context(), w, linter.Config{})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, d := range res.Findings {
		fmt.Fprintln(&b, d.Path, d.Rule, d.Message, d.Count)
	}
	return b.String()
}
