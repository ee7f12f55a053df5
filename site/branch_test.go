package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// drawnMenu is the script of a branch: its entries, with their addresses below the root, and
// what is around them.
type drawnMenu struct {
	id   string
	rows []row
	menu
}

func readTree(t *testing.T, s *Site, file string) drawnMenu {
	t.Helper()
	src := render(t, s, file)
	var d drawnMenu
	var start string
	call := []any{&d.id, &start, &d.rows, &d.menu}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(src, `self["wiki.tree"]?.(...`), ");\n")), &call); err != nil || treeName+d.id+".js" != file {
		t.Fatalf("%s: %v in %s", file, err, src)
	}
	for i := range d.rows {
		d.rows[i][1] = start + d.rows[i][1]
	}
	return d
}

func treeRows(t *testing.T, s *Site, id string) []row {
	t.Helper()
	return readTree(t, s, treeName+id+".js").rows
}

// menuFor reads the menu that a file loads.
func menuFor(t *testing.T, s *Site, name string) (string, drawnMenu) {
	t.Helper()
	_, rest, ok := strings.Cut(render(t, s, name), treeName)
	id, _, end := strings.Cut(rest, ".js")
	if !ok || !end {
		t.Fatalf("%s has no menu", name)
	}
	return id, readTree(t, s, treeName+id+".js")
}

// walkTree follows the menu from the top and returns the addresses of all entries.
func walkTree(t *testing.T, s *Site) (found []string) {
	t.Helper()
	var walk func(href, id string)
	walk = func(href, id string) {
		if !strings.Contains(href, "pages") && !strings.Contains(href, "folders") {
			found = append(found, href)
		}
		if id == "" {
			return
		}
		rows := treeRows(t, s, id)
		if len(rows) > perBranch {
			t.Errorf("%s has %d entries", id, len(rows))
		}
		for _, row := range rows {
			walk(row[1], strings.Join(row[2:], ""))
		}
	}
	top := treeRows(t, s, "top")
	if len(top) > topEntries {
		t.Errorf("%d entries at the top", len(top))
	}
	for _, row := range top {
		walk(row[1], strings.Join(row[2:], ""))
	}
	return found
}

func TestMenuReachesEveryPageInShortLists(t *testing.T) {
	t.Parallel()
	few := []string{"index.md", "# Home", "a/one.md", "# One", "a/b/two.md", "# Two", "c/index.md", "# C"}
	flat, nested := []string{"index.md", "# Home"}, []string{"index.md", "# Home"}
	for i := range 2600 {
		flat = append(flat, fmt.Sprintf("note-%05d.md", i), "# Note")
	}
	for i := range 50 {
		nested = append(nested, fmt.Sprintf("area-%02d/x.md", i), "# X", fmt.Sprintf("top-%02d.md", i), "# Top")
	}
	for i := range 600 {
		nested = append(nested, fmt.Sprintf("area-00/entry-%03d.md", i), "# Entry")
	}
	for name, files := range map[string][]string{"few": few, "flat": flat, "nested": nested} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := layOut(t, wikiOf(t, files...), Options{})
			found := walkTree(t, s)
			for _, p := range s.pages {
				if n := len(slices.DeleteFunc(slices.Clone(found), func(href string) bool { return href != escapePath(s.place[p.ID]) })); n != 1 && s.place[p.ID] != homeName {
					t.Errorf("the menu leads to %s %d times", p.Path, n)
				}
			}
		})
	}
}

func TestMenuOfALargeFolderIsOpenAtThePage(t *testing.T) {
	t.Parallel()
	files := []string{"index.md", "# Home"}
	for i := range 1000 {
		files = append(files, fmt.Sprintf("log/day-%04d.md", i), fmt.Sprintf("# Day %d", i))
	}
	s := layOut(t, wikiOf(t, files...), Options{})
	id := schema.PageID("log/day-0500")
	got := outline(t, s, s.place[id])
	for _, want := range []string{"log/ open\n", "  day-0480 – day-0511/ open\n", "    Day 500 here\n", "  day-0512 – day-0543/\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > sideFolders+32+6 {
		t.Errorf("the menu has %d lines:\n%s", n, got)
	}
	rows := treeRows(t, s, s.branchOf(s.folders["log"], s.wiki.Page(id)).id)
	if len(rows) != 32 || rows[0][0] != "Day 480" || rows[31][1] != "log/day-0511.html" {
		t.Errorf("the range has %q", rows)
	}
	if href := s.branchOf(s.folders["log"], s.wiki.Page(id)).href; href != "log/index-2.html" {
		t.Errorf("without a script the range leads to %s", href)
	}
}

func TestMenuOpensTheFolderAroundEverything(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t, "docs/en/a.md", "# A", "docs/en/b/c.md", "# C"), Options{})
	if got, want := outline(t, s, homeName), "docs/ open\n  en/ open\n    b/\n    A\n"; got != want {
		t.Errorf("the menu is\n%s\nwant\n%s", got, want)
	}
}

func TestMenuHasNothingOfPrivatePages(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t,
		"index.md", "# Home", "open/a.md", "# A", "open/secret-plan.md", "---\nvisibility: private\n---\n# Secret plan",
		"closed/secret-too.md", "---\nvisibility: private\n---\n# Secret too", "open/quiet.md", "---\nvisibility: unlisted\n---\n# Quiet",
	), Options{})
	for _, name := range s.Files() {
		if !strings.HasPrefix(name, treeName) {
			continue
		}
		if src := render(t, s, name); strings.Contains(strings.ToLower(src), "secret") || strings.Contains(src, "closed") || strings.Contains(src, "uiet") {
			t.Errorf("%s: %s", name, src)
		}
	}
	if len(s.top.kids) != 1 {
		t.Errorf("%d entries at the top", len(s.top.kids))
	}
}
