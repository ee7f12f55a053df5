//go:build unix

package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// corpusWriter writes a summary of every source of its work list: the first line that
// is long enough, quoted with its number.
const corpusWriter = `echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
mkdir -p wiki/summaries
grep -o '^- wiki/raw/[^:]*' "$WIKI_LOOP_PROMPT" | sed 's/^- wiki.//' | while read -r raw; do
	stem=$(basename "$raw" .md)
	line=$(grep -n '^[A-Z][A-Za-z ,]\{30,\}' "wiki/$raw" | head -1 | cut -d: -f1)
	words=$(sed -n "${line}p" "wiki/$raw" | grep -o '^[A-Za-z ,]*[A-Za-z]')
	printf -- '---\ntitle: %s, in short\nsources: [%s]\n---\n# %s, in short\n\nIt says "%s" ^[%s:%s]. See the [[index]].\n' "$stem" "$raw" "$stem" "$words" "$raw" "$line" > "wiki/summaries/$stem-in-short.md"
	printf -- '- [[%s-in-short]]\n' "$stem" >> wiki/index.md
done
`

// TestIngestRealDocuments takes in three documents that nobody here wrote, and holds
// every citation of the pages that are made of them against them.
func TestIngestRealDocuments(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	corpora := schematest.Shared(t, "corpora")
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, "repo", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, doc := range []string{"olas-wiki/WIKI_SPEC.md", "olas-wiki/README.md", "tasks-demo-vault/docs/Introduction.md"} {
		text, err := os.ReadFile(filepath.Join(corpora, filepath.FromSlash(doc)))
		if err != nil {
			t.Fatal(err)
		}
		put("papers/"+path.Base(doc), string(text))
	}
	put(".gitignore", "/papers/\n")
	put("wiki.yaml", "title: Papers\nloops:\n  roles:\n    writer: {agent: command, argv: [sh, tools/writer.sh]}\n")
	put("tools/writer.sh", corpusWriter)
	put("wiki/index.md", "# Index\n")
	put("wiki/log.md", "# Log\n")
	wiki, err := exec.LookPath("wiki") // this program, as TestMain puts it on the PATH
	if err != nil {
		t.Fatal(err)
	}
	run := func(want int, program string, args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir = filepath.Join(dir, "repo")
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "HOME="+dir)
		out, err := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != want {
			t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(0, "git", "init", "-q", "-b", "main")
	run(0, "git", "add", "-A")
	run(0, "git", "commit", "-q", "-m", "first")
	run(0, wiki, "ingest", "papers")
	run(0, "git", "merge", "-q", "loop/ingest-papers")
	run(0, wiki, "lint")
	cites := citationsOf(t, filepath.Join(dir, "repo"))
	if cites < 6 { // three pages, each with its source and its quote
		t.Errorf("%d citations were held against the sources", cites)
	}

	spec := filepath.Join(dir, "repo", "wiki", "raw", "papers", "WIKI_SPEC.md")
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spec, append(text, '!'), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := run(1, wiki, "lint"); !strings.Contains(out, "checksum mismatch") {
		t.Errorf("lint does not see that a source was changed:\n%s", out)
	}
}

// citationsOf holds what the pages of a wiki cite against it, and counts them.
func citationsOf(t *testing.T, dir string) (n int) {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cited := source.NewCited(w)
	for _, p := range w.Pages() {
		if p.Layer == schema.LayerSource || p.Reserved() {
			continue
		}
		for _, c := range p.Citations {
			n++
			if why := cited.Wrong(path.Dir(p.Path), c.Ref, source.QuoteBefore(p.Source, c.Span.Start)); why != "" {
				t.Errorf("%s: %s", p.Path, why)
			}
		}
		for _, s := range p.Meta.Sources {
			n++
			if why := cited.Wrong(path.Dir(p.Path), s.Anchor, ""); why != "" {
				t.Errorf("%s: %s", p.Path, why)
			}
		}
	}
	return n
}
