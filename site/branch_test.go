package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// treeRows reads the file of a branch: title, address below the root and branch of each entry.
func treeRows(t *testing.T, s *Site, id string) [][]string {
	t.Helper()
	src := render(t, s, treeName+id+".js")
	src = strings.TrimSuffix(strings.TrimPrefix(src, `self["wiki.tree"]?.(...`), ");\n")
	var call []any
	if err := json.Unmarshal([]byte(src), &call); err != nil || len(call) != 3 || call[0] != id {
		t.Fatalf("%s: %v in %s", id, err, src)
	}
	var rows [][]string
	for _, r := range call[2].([]any) {
		var row []string
		for _, field := range r.([]any) {
			row = append(row, field.(string))
		}
		row[1] = call[1].(string) + row[1]
		rows = append(rows, row)
	}
	return rows
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
	last := s.folderView(homeName, s.top).Levels[0]
	if len(last.Before)+len(s.top.pages) > topEntries {
		t.Errorf("%d entries at the top", len(last.Before)+len(s.top.pages))
	}
	for _, l := range last.Before {
		walk(l.Href, l.Tree)
	}
	for _, p := range s.top.pages {
		walk(escapePath(s.place[p.ID]), "")
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
	got := outline(s.view(s.wiki.Page(id), s.place[id]).Sidebar)
	for _, want := range []string{"log/ open\n", "  day-0480 – day-0511/ open\n", "    Day 500 here\n", "  day-0512 – day-0543/\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > sideFolders+sidePages+6 {
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
	if got, want := outline(s.frame(homeName, "", nil, nil).Sidebar), "docs/ open\n  en/ open\n    b/\n    A\n"; got != want {
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
