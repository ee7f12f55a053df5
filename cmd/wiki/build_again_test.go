package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// TestBuildsAgainLikeTheFirstTime changes a wiki at random, and compares a build into the
// folder of the last one with a build into an empty folder without a cache. A build after
// which nothing changed must be the one that reads nothing.
func TestBuildsAgainLikeTheFirstTime(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	steps := 40
	if schematest.Long() {
		steps = 200
	}
	e := newEdited(t)
	for step := range steps {
		did := e.change(step)
		e.age()
		e.build(t, "_site")
		e.without(t, func() { e.build(t, "../whole") })
		if name := e.differences(); name != "" {
			t.Fatalf("step %d (%s): built again, %s is not as in a whole build", step, did, name)
		}
		e.mark(t)
		if again := e.build(t, "_site"); !strings.Contains(again, "from memory") {
			t.Fatalf("step %d (%s): nothing changed, and everything was built: %s", step, did, again)
		}
	}
}

// edited is a wiki in a repository that somebody works on.
type edited struct {
	dir   string
	rng   *rand.Rand
	today int // days after the first
	clock time.Time
}

func newEdited(t *testing.T) *edited {
	e := &edited{filepath.Join(t.TempDir(), "repo"), rand.New(rand.NewPCG(7, 11)), 0, time.Date(2024, 1, 1, 0, 0, 0, 1, time.UTC)}
	for name, content := range map[string]string{
		"wiki.yaml":         "root: wiki\n",
		"wiki/index.md":     "# Home\n\n[[alpha]] and [[beta]].\n",
		"wiki/alpha.md":     "---\ntags: [one]\nvalid_until: 2026-01-02\n---\n# Alpha\n\nSee [[beta#Part]] and [code](../code/price.go).\n",
		"wiki/beta.md":      "---\naliases: [second]\n---\n# Beta\n\n## Part\n\n![[alpha]]\n\n![picture](pic.svg)\n",
		"wiki/deep/sub.md":  "# Sub\n\n[[alpha]]\n",
		"wiki/pic.svg":      "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n",
		"code/price.go":     "package code\n\nconst Price = 3\n",
		".gitignore":        "_site\n",
		"theme/custom.css":  ".mine{}\n",
		"wiki/secret/no.md": "---\nvisibility: private\n---\n# Hidden\n",
	} {
		e.write(name, content)
	}
	e.git("init", "-q", "-b", "main")
	e.commit()
	return e
}

func (e *edited) write(name, content string) {
	full := filepath.Join(e.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		panic(err)
	}
}

func (e *edited) git(args ...string) {
	c := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	c.Dir = e.dir
	if out, err := c.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("git %v: %v: %s", args, err, out))
	}
}

func (e *edited) commit() {
	e.git("add", "-A")
	e.git("commit", "-q", "--allow-empty", "-m", "change")
}

// pages are the pages that may be edited, in order.
func (e *edited) pages() []string {
	var out []string
	_ = filepath.WalkDir(filepath.Join(e.dir, "wiki"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".md") {
			rel, _ := filepath.Rel(e.dir, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

// change does one thing to the wiki, and returns what.
func (e *edited) change(step int) string {
	pages := e.pages()
	page := pages[e.rng.IntN(len(pages))]
	full := filepath.Join(e.dir, filepath.FromSlash(page))
	old, _ := os.ReadFile(full)
	switch kind := e.rng.IntN(15); {
	case kind < 3:
		e.write(page, string(old)+fmt.Sprintf("\nLine %d about [[%s]].\n", step, strings.TrimSuffix(filepath.Base(pages[e.rng.IntN(len(pages))]), ".md")))
		return "edit " + page
	case kind == 3:
		e.write(page, strings.Replace(string(old), "# ", fmt.Sprintf("# %d ", step), 1))
		return "new title of " + page
	case kind == 4:
		name := fmt.Sprintf("wiki/new%d.md", step)
		e.write(name, fmt.Sprintf("---\ntags: [t%d]\n---\n# New %d\n\n[[index]] [[alpha]]\n", step%3, step))
		return "add " + name
	case kind == 5 && len(pages) > 5:
		if err := os.Remove(full); err != nil {
			panic(err)
		}
		return "delete " + page
	case kind == 6 && page != "wiki/index.md":
		to := strings.TrimSuffix(full, ".md") + fmt.Sprint("-", step) + ".md"
		if err := os.Rename(full, to); err != nil {
			panic(err)
		}
		return "rename " + page
	case kind == 7:
		e.write("wiki.yaml", fmt.Sprintf("root: wiki\ntitle: Site %d\nsite:\n  theme: theme\n", step))
		return "another configuration"
	case kind == 8:
		e.write("theme/custom.css", fmt.Sprintf(".mine{order:%d}\n", step))
		return "another theme"
	case kind == 9:
		e.today++
		return "another day"
	case kind == 10:
		e.commit()
		return "commit"
	case kind == 12:
		if err := os.RemoveAll(filepath.Join(e.dir, "_site", "index.html")); err != nil {
			panic(err)
		}
		return "a file of the site is gone"
	case kind == 13:
		e.write("_site/index.html", fmt.Sprint("mine ", step))
		return "a file of the site is another"
	case kind == 11:
		e.write("wiki/pic.svg", fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- %d --></svg>\n", step))
		return "another picture"
	}
	e.write("code/price.go", fmt.Sprintf("package code\n\nconst Price = %d\n", step%10))
	return "other code"
}

// age makes all files old, so that a change of them is seen by their times; each call gives
// them other times.
func (e *edited) age() {
	e.clock = e.clock.Add(time.Second)
	_ = filepath.WalkDir(e.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" || err == nil && d.Name() == "_site" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil && time.Since(info.ModTime()) < time.Hour {
				_ = os.Chtimes(p, e.clock, e.clock)
			}
		}
		return nil
	})
}

// build returns what it said.
func (e *edited) build(t *testing.T, out string) string {
	t.Helper()
	code, _, stderr := runIn(t, e.dir, "build", "-o", out, "--today", time.Date(2026, 1, 1+e.today, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	return stderr
}

// without calls f while there is no cache.
func (e *edited) without(t *testing.T, f func()) {
	t.Helper()
	cache, aside := filepath.Join(e.dir, ".loopwiki", "cache"), filepath.Join(e.dir, "..", "cache")
	for _, dir := range []string{filepath.Join(e.dir, "..", "whole"), aside} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(cache, aside); err != nil {
		t.Fatal(err)
	}
	f()
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(aside, cache); err != nil {
		t.Fatal(err)
	}
}

// mark makes the next build that reads nothing say so.
func (e *edited) mark(t *testing.T) {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(e.dir, ".loopwiki", "cache", "build-*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v %v", kept, err)
	}
	b, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept[0], []byte(strings.Replace(string(b), `"said":["`, `"said":["from memory: `, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// differences names the first file in which the two sites differ.
func (e *edited) differences() string {
	a, b := readTree(filepath.Join(e.dir, "_site")), readTree(filepath.Join(e.dir, "..", "whole"))
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for _, tree := range []map[string]string{a, b} {
			for name := range tree {
				if !yield(name) {
					return
				}
			}
		}
	}) {
		if a[name] != b[name] {
			return name
		}
	}
	return ""
}

func readTree(dir string) map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			b, _ := os.ReadFile(p)
			rel, _ := filepath.Rel(dir, p)
			out[filepath.ToSlash(rel)] = string(b)
		}
		return nil
	})
	return out
}
