package theme

import (
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const referencePage = "../../wiki/10_DOMAIN/theme.md"

func readReference(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// rows returns the rows of the table below a heading of the page, by the name in their
// first cell.
func rows(page, heading string) map[string][]string {
	_, part, _ := strings.Cut(page, "\n## "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	out := map[string][]string{}
	for line := range strings.Lines(part) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); strings.HasPrefix(line, "| `") {
			out[strings.Trim(strings.TrimSpace(cells[0]), "`")] = cells[1:]
		}
	}
	return out
}

// TestReferenceNamesWhatTheThemeHas compares the tables of the page about themes with the
// theme.
func TestReferenceNamesWhatTheThemeHas(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	page := readReference(t)
	names := func(text, pattern string) (out []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		return out
	}
	glob := func(dir, end string) (out []string) {
		all, err := builtin.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if strings.HasSuffix(e.Name(), end) {
				out = append(out, e.Name())
			}
		}
		return out
	}
	var roots strings.Builder
	for _, m := range regexp.MustCompile(`(?s):root\s*\{(.*?)\}`).FindAllStringSubmatch(string(th.Asset(StylesName)), -1) {
		roots.WriteString(m[1])
	}
	parts, err := builtin.ReadFile("templates/parts.html")
	if err != nil {
		t.Fatal(err)
	}
	assets := append(glob("assets", ".js"), glob("assets", ".svg")...)
	for heading, has := range map[string][]string{
		"Variables": names(roots.String(), `(--[a-z][a-z0-9-]*)\s*:`),
		"Templates": glob("templates", ".html"),
		"Blocks":    glob("templates/blocks", ".html"),
		"Parts":     names(string(parts), `\{\{define "([^"]+)"`),
		"Functions": slices.Collect(maps.Keys(th.functions())),
		"Assets":    append(assets, StylesName, ScriptName, CustomName),
	} {
		documented := rows(page, heading)
		if len(has) < 3 {
			t.Errorf("%s: the theme has only %v", heading, has)
		}
		for _, name := range has {
			if cells := documented[name]; cells == nil || strings.TrimSpace(cells[len(cells)-1]) == "" {
				t.Errorf("add to the table %s in %s: | `%s` | what it is |", heading, path.Base(referencePage), name)
			}
		}
		for name := range documented {
			if !slices.Contains(has, name) {
				t.Errorf("%s in %s has `%s`, and the theme has not", heading, path.Base(referencePage), name)
			}
		}
	}
	views, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, f := range views {
		if strings.HasPrefix(f.Name(), "view") {
			b, err := os.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			source.Write(b)
		}
	}
	for name, cells := range rows(page, "Templates") {
		if value := strings.Trim(strings.TrimSpace(cells[0]), "`"); value != "" && !strings.Contains(source.String(), "\ntype "+value+" struct") {
			t.Errorf("%s is run with a %s, which is no type of the theme", name, value)
		}
	}
}

// TestExampleTheme runs the theme that the page shows.
func TestExampleTheme(t *testing.T) {
	t.Parallel()
	page := readReference(t)
	fence := func(language string) []byte {
		_, rest, ok := strings.Cut(page, "\n```"+language+"\n")
		text, _, closed := strings.Cut(rest, "```\n")
		if !ok || !closed {
			t.Fatalf("the page has no example in %s", language)
		}
		return []byte(text)
	}
	css := fence("css")
	th, err := Load(fstest.MapFS{CustomName: {Data: css}, "parts.html": {Data: fence("html")}}, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	variables := rows(page, "Variables")
	for _, m := range regexp.MustCompile(`--[a-z-]+`).FindAllString(string(css), -1) {
		if variables[m] == nil {
			t.Errorf("the example uses %s, which is no variable", m)
		}
	}
	got, err := th.AppendPage(nil, fullPage(&english))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(strings.TrimSpace(string(got)), "<p class=\"imprint\">Notes of the harbor team</p>\n</body>\n</html>") || !reflect.DeepEqual(th.Asset(CustomName), css) {
		t.Errorf("the page does not end as the example says:\n%s", got[max(0, len(got)-200):])
	}
}
