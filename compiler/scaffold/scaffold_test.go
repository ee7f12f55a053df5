package scaffold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func TestNothingIsLeftToFillIn(t *testing.T) {
	t.Parallel()
	for _, f := range New("Team", "docs/wiki", day) {
		if strings.Contains(f.Text, "{{") {
			t.Errorf("%s: a placeholder is left", f.Path)
		}
		if f.Path != "wiki.yaml" && !strings.HasPrefix(f.Path, "docs/wiki/") {
			t.Errorf("%s is not below the root", f.Path)
		}
	}
}

func TestWriteNeverOverwrites(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	plan := []File{{"a/b.md", "first"}, {"c.md", "c"}}
	made, kept, err := Write(dir, plan)
	if err != nil || len(made) != 2 || len(kept) != 0 {
		t.Fatalf("made %v, kept %v, %v", made, kept, err)
	}
	plan[0].Text = "second"
	made, kept, err = Write(dir, append(plan, File{"d.md", "d"}))
	if err != nil || !slices.Equal(made, []string{"d.md"}) || !slices.Equal(kept, []string{"a/b.md", "c.md"}) {
		t.Fatalf("made %v, kept %v, %v", made, kept, err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a", "b.md")); string(b) != "first" {
		t.Errorf("a/b.md was overwritten: %q", b)
	}
}

func TestWriteStaysInTheFolder(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "wiki")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, _, err := Write(dir, []File{{"wiki/index.md", "x"}}); err == nil {
		t.Error("it wrote through a link that leaves the folder")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("outside lies %s", entries[0].Name())
	}
}

func TestAdoptable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		paths []string
		want  bool
	}{
		{nil, false},
		{[]string{"README.md", "CONTRIBUTING.md", ".github/pull_request_template.md"}, false},
		{[]string{"README.md", "notes.md"}, true},
		{[]string{"topics/readme.md"}, true},
	} {
		if got := Adoptable(c.paths); got != c.want {
			t.Errorf("Adoptable(%q) = %v", c.paths, got)
		}
	}
}

func TestScalar(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Team handbook": "Team handbook", "docs/wiki": "docs/wiki", ".": `"."`, "": `""`, "yes": `"yes"`, "a: b": `"a: b"`,
		"Üben": "Üben", "#1": `"#1"`, "say \"hi\"\n": `"say \"hi\"\n"`, "2026": `"2026"`,
	} {
		if got := scalar(in); got != want {
			t.Errorf("scalar(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestIgnoreState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ignore := filepath.Join(dir, ".loopwiki", ".gitignore")
	if err := IgnoreState(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(ignore)); err == nil {
		t.Error("it made a folder although there was nothing to ignore")
	}
	if err := os.MkdirAll(filepath.Join(dir, ".loopwiki", "runs"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := IgnoreState(dir); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(ignore); err != nil || string(b) != "cache/\nruns/\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{"team-handbook": "Team handbook", "überblick": "Überblick", "a__b": "A b", "": "Wiki", "/": "Wiki", "-": "Wiki"} {
		if got := Title(dir); got != want {
			t.Errorf("Title(%q) = %q, want %q", dir, got, want)
		}
	}
}

func TestAttributesKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	pages := []string{"docs/index.md", "docs/log.md"}
	const note = "# Branches add lines to these pages; a merge keeps those of both.\n"
	const state = "\n# Merged entry by entry in clones that ran 'wiki merge-driver --install'.\n" +
		"wiki.lock merge=wiki\n**/.loopwiki/baseline.json merge=wiki\n**/.loopwiki/acknowledged.yaml merge=wiki\n**/.loopwiki/verdicts.jsonl merge=wiki\n"
	for name, c := range map[string]struct{ old, want string }{
		"a new file":       {"", note + "docs/index.md merge=union\ndocs/log.md merge=union\n"},
		"lines of others":  {"*.png binary", "*.png binary\n\n" + note + "docs/index.md merge=union\ndocs/log.md merge=union\n"},
		"another strategy": {"/docs/index.md text -merge\n", "/docs/index.md text -merge\n\n" + note + "docs/log.md merge=union\n"},
		"no strategy":      {"docs/index.md text\ndocs/log.md merge=ours\n", "docs/index.md text\ndocs/log.md merge=ours\n\n" + note + "docs/index.md merge=union\n"},
	} {
		got := Attributes(c.old, pages)
		if got != c.want+state {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if again := Attributes(got, pages); again != got {
			t.Errorf("%s: written twice: %q", name, again)
		}
	}
	if got := Attributes("", []string{"index.md", "my wiki/log.md"}); got != note+"/index.md merge=union\n\"my wiki/log.md\" merge=union\n"+state {
		t.Errorf("%q", got)
	}
}
