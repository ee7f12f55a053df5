package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

// Markers are words that nothing else holds: a head of four letters that names the page, a
// tail that all share, and the kind of place. The head comes first, so that a marker whose
// beginning a sorted list leaves out still ends in the tail.
const (
	privateTail = "zzqjxv" // must not be published
	publicTail  = "vvkqpb" // must be
)

var privateMarkers = regexp.MustCompile(`([a-z]{0,4})(` + privateTail + `|` + publicTail + `)([a-z]*)`)

// privateHead spells a number in four letters; neighbours differ in the first.
func privateHead(n int) string {
	return string([]byte{byte('a' + n%26), byte('a' + n/26%26), 'b', byte('a' + n/676%26)})
}

// privateWiki is a repository with a wiki in wiki/, to be built by the program.
type privateWiki struct {
	t   testing.TB
	dir string
	env []string
}

func newPrivateWiki(t testing.TB, files map[string]string) *privateWiki {
	t.Helper()
	schematest.NeedGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &privateWiki{t: t, dir: filepath.Join(dir, "repo")}
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8", "NO_COLOR=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"SOURCE_DATE_EPOCH=1772323200", "GORACE=" + os.Getenv("GORACE"), "GOGC=" + fewCollections,
	}
	w.write(files)
	w.git("init", "-q", "-b", "main")
	return w
}

func (w *privateWiki) write(files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		name = filepath.Join(w.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *privateWiki) git(args ...string) {
	w.t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = w.dir, w.env
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *privateWiki) commit() {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "pages")
}

// run runs the program and returns its output, its errors and its exit code.
func (w *privateWiki) run(args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command("wiki", args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = w.dir, w.env, &out, &errs
	err := c.Run()
	if c.ProcessState == nil {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// build builds the site and returns what the program says of it.
func (w *privateWiki) build() string {
	w.t.Helper()
	_, said, code := w.run("build")
	if code != 0 {
		w.t.Fatalf("wiki build: exit status %d:\n%s", code, said)
	}
	return said
}

// has reports whether the site holds a file.
func (w *privateWiki) has(name string) bool {
	_, err := os.Stat(filepath.Join(w.dir, "_site", filepath.FromSlash(name)))
	return err == nil
}

// file returns a file of the site.
func (w *privateWiki) file(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, "_site", filepath.FromSlash(name)))
	if err != nil {
		w.t.Errorf("the site has no %s", name)
	}
	return string(b)
}

// index returns the search index of the site.
func (w *privateWiki) index() string {
	w.t.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, "_site", "_wiki", "search", "*.js"))
	if err != nil || len(names) == 0 {
		w.t.Errorf("the site has no search index (%v)", err)
	}
	var out strings.Builder
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			w.t.Error(err)
		}
		out.Write(b)
	}
	return out.String()
}

// privateSeen is where markers were found: by head and tail the files, each with the kinds.
type privateSeen map[string][]string

// markers searches the site, names and contents, for markers.
func (w *privateWiki) markers() privateSeen { return w.markersIn("_site") }

// markersIn searches a folder.
func (w *privateWiki) markersIn(dir string) privateSeen {
	w.t.Helper()
	found := map[string]map[string]bool{}
	top := filepath.Join(w.dir, dir)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, name)
		rel = filepath.ToSlash(rel)
		texts := []string{rel}
		if d.Type().IsRegular() {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			texts = append(texts, privateTexts(b)...)
		}
		for _, text := range texts {
			for _, m := range privateMarkers.FindAllStringSubmatch(text, -1) {
				key := m[1] + m[2]
				if found[key] == nil {
					found[key] = map[string]bool{}
				}
				found[key][rel+" ("+m[3]+")"] = true
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	out := privateSeen{}
	for key, files := range found {
		out[key] = slices.Sorted(maps.Keys(files))
	}
	return out
}

var (
	privateBreaks = strings.NewReplacer("\x00", "", "\u00ad", "", "\u200b", "", "<wbr>", "", "&shy;", "", "<mark>", "", "</mark>", "")
	privateBase64 = regexp.MustCompile(`[A-Za-z0-9+/]{24,}={0,2}`)
)

// privateTexts are the forms in which bytes may hold words: as they are, without what breaks
// words, unpacked and decoded.
func privateTexts(b []byte) []string {
	texts := []string{privateBreaks.Replace(strings.ToLower(string(b)))}
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if plain, err := io.ReadAll(z); err == nil {
			texts = append(texts, privateTexts(plain)...)
		}
	}
	for _, run := range privateBase64.FindAll(b, -1) {
		if plain, err := base64.StdEncoding.DecodeString(string(run)); err == nil {
			texts = append(texts, strings.ToLower(string(plain)))
			if z, err := gzip.NewReader(bytes.NewReader(plain)); err == nil {
				if plain, err := io.ReadAll(z); err == nil {
					texts = append(texts, strings.ToLower(string(plain)))
				}
			}
		}
	}
	return texts
}

// hidden reports each place where a marker of a private page turns up.
func (s privateSeen) hidden(t *testing.T, head string) {
	t.Helper()
	if files := s[head+privateTail]; len(files) > 0 {
		t.Errorf("published in %d places: %s", len(files), strings.Join(files[:min(len(files), 6)], ", "))
	}
}

// privateFinding is one finding of lint.
type privateFinding struct {
	Rule, Path, Message string
	Line                int
	Related             []privateFinding
}

// lint returns the findings by path and line, and by those of the places that share
// their cause.
func (w *privateWiki) lint() map[string][]privateFinding {
	w.t.Helper()
	stdout, stderr, code := w.run("lint", "--json")
	var all struct{ Findings []privateFinding }
	if err := json.Unmarshal([]byte(stdout), &all); err != nil {
		w.t.Fatalf("wiki lint --json: exit status %d: %v\n%s", code, err, stderr)
	}
	found := map[string][]privateFinding{}
	for _, f := range all.Findings {
		for _, at := range append(f.Related, f) {
			at.Rule = f.Rule
			key := fmt.Sprintf("%s:%d", at.Path, at.Line)
			found[key] = append(found[key], at)
		}
	}
	return found
}

// privatePage is a page of the matrix. Its text has %s for the head of its markers.
type privatePage struct {
	name string // of the subtest
	text string
	ext  string
	line int // of the key that lint has to name, 0 for none
	// either: the page may be published, when lint names some line of its front matter.
	either bool
}

// privateBody is what a private page says, in every place that something is made from.
const privateBody = `# Heading %[1]shead

The first words are %[1]stext. The port of Foo%[2]d is 9090, says %[1]sclaim. See [[pub%[2]d]] with %[1]sbacklink.

![[%[1]spic.png]] <img src="%[1]simg.png" alt="%[1]salt"> [the file](%[1]sdoc.txt) #%[1]sinline

## Details

Details are %[1]sdetail. ^blk

size:: %[1]sfield
`

// privateFiles are the pages of the matrix, each with a public page that leads to it in all
// ways there are, and its assets.
func privateFiles(pages []privatePage) map[string]string {
	files := map[string]string{"wiki.yaml": "title: Matrix\nsite: {url: https://example.org/w/}\n"}
	var index strings.Builder
	index.WriteString("# Index\n\n")
	for i, p := range pages {
		head := privateHead(i) + privateTail
		dir := ""
		if i%5 == 4 {
			dir = head + "dir/"
		}
		text := strings.ReplaceAll(p.text, "%s", head)
		text = strings.ReplaceAll(text, "%BODY%", fmt.Sprintf(privateBody, head, i))
		files["wiki/"+dir+privateName(i, p)] = privateUTF16(text)
		for _, asset := range []string{"pic.png", "img.png", "doc.txt"} {
			files["wiki/"+head+asset] = "bytes of " + head + "asset"
		}
		public := fmt.Sprintf("---\nrelated: [\"[[p%[1]d]]\"]\n%[3]s: \"[[p%[1]d]]\"\n---\n# Public %[1]d\n\nThe port of Foo%[1]d is 8080. It is %[2]s.\n\nSee [[p%[1]d]], ![[p%[1]d]], ![[p%[1]d#Details]], ![[p%[1]d#^blk]] and [[p%[1]d|this]].\n",
			i, privateHead(i)+publicTail+"text", []string{"supersedes", "superseded_by", "sources", "contradicts", "parent"}[i%5])
		if dir == "" {
			public += fmt.Sprintf("\n[m](p%[1]d%[2]s), [q](./p%[1]d%[2]s#details), ![](p%[1]d%[2]s), <a href=\"p%[1]d%[2]s\">h</a>, <img src=\"p%[1]d%[2]s\">\n", i, privateExt(p))
		}
		files[fmt.Sprintf("wiki/pub%d.md", i)] = public
		fmt.Fprintf(&index, "- [[pub%d]]\n- [[p%d]]\n", i, i)
	}
	files["wiki/index.md"] = index.String()
	return files
}

func privateExt(p privatePage) string {
	if p.ext != "" {
		return p.ext
	}
	return ".md"
}

func privateName(i int, p privatePage) string { return fmt.Sprintf("p%d%s", i, privateExt(p)) }

// TestPrivatePagesAreNotPublished builds one wiki with a page for each way to keep one back.
func TestPrivatePagesAreNotPublished(t *testing.T) {
	t.Parallel()
	pages := slices.Concat(privateMatrix(), privateYAML(), privateTOML(), privateJSON(), privateLayouts())
	w := newPrivateWiki(t, privateFiles(pages))
	w.commit()
	said := w.build()
	w.exportAll()
	exported := w.markersIn("export")
	seen, findings := w.markers(), w.lint()
	for i, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			head, path := privateHead(i), privateName(i, p)
			if len(seen[head+publicTail]) == 0 {
				t.Errorf("the public page pub%d.md is not published", i)
			}
			var lines, rules []string
			for key, fs := range findings {
				if at := strings.LastIndex(key, path+":"); at == 0 || at > 0 && key[at-1] == '/' {
					for _, f := range fs {
						lines = append(lines, key[strings.LastIndex(key, ":")+1:])
						rules = append(rules, fmt.Sprintf("%s in line %d", f.Rule, f.Line))
					}
				}
			}
			if p.line > 0 && !slices.Contains(lines, fmt.Sprint(p.line)) {
				t.Errorf("lint does not name line %d of\n%.200s", p.line, p.text)
			}
			if p.either {
				if len(seen[head+privateTail]) > 0 && !slices.ContainsFunc(rules, func(r string) bool { return !privateOtherRule.MatchString(r) }) {
					t.Errorf("published, and lint does not say a word:\n%.200s", p.text)
				}
				return
			}
			seen.hidden(t, head)
			exported.hidden(t, head)
		})
	}
	t.Run("the build says how many", func(t *testing.T) {
		counted := 0
		for i, p := range pages {
			if !p.either || len(seen[privateHead(i)+privateTail]) == 0 {
				counted++
			}
		}
		privateSays(t, said, counted)
	})
}

// privateOtherRule matches findings of pages that have nothing to do with who may read them.
var privateOtherRule = regexp.MustCompile(`^(orphan|title-mismatch|dead-end|numeric-conflict|hub-stub|unlinked-mention|tag-variant|broken-image|broken-embed|unknown-file|html-dropped|isolated-cluster|unreachable|link-to-inactive|one-way-relation|link-only-in-obsidian|naming|source-missing|unverifiable-source|heading-count)`)

var privateNumber = regexp.MustCompile(`\b\d+\b`)

// privateSays holds that one line says how many pages were not published: one of its numbers
// behind "not published" or in front of it is the sum, or those behind it add up to it.
func privateSays(t *testing.T, said string, want int) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(said) {
		if strings.Contains(line, "not published") {
			lines = append(lines, line)
		}
	}
	if len(lines) != 1 {
		t.Fatalf("%d lines say what was not published:\n%s", len(lines), said)
	}
	before, behind, _ := strings.Cut(lines[0], "not published")
	sum := 0
	for _, n := range privateNumber.FindAllString(behind, -1) {
		var v int
		fmt.Sscan(n, &v)
		if sum += v; v == want {
			return
		}
	}
	if numbers := privateNumber.FindAllString(before, -1); sum != want && !slices.Contains(numbers, fmt.Sprint(want)) {
		t.Errorf("%d pages are not published; it says: %s", want, lines[0])
	}
}
