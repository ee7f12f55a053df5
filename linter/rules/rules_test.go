package rules

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata/*.txtar")

// today is the day that every test judges dates by.
var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// TestRules runs every rule over the cases of its txtar. A rule without one
// fails, so does one that never reports, and one that always does.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range linter.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", r.ID+".txtar")
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(ar.Comment)) == 0 {
				t.Errorf("%s does not begin with a paragraph that says what it shows", file)
			}
			reported, quiet := false, false
			for i, c := range linter.Cases(ar) {
				got := runCase(t, r, c)
				want := ar.Files[c.Want].Data
				clean := strings.HasSuffix(got, ": no findings\n")
				if i == 0 && clean {
					t.Errorf("%s: the first case, the first example on the rule's page, has no finding", file)
				}
				reported, quiet = reported || !clean, quiet || clean || ar.Files[c.Want].Name == "want"
				if *update {
					ar.Files[c.Want].Data = []byte(got)
				} else if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("case %q (-want +got, -update accepts):\n%s", c.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if !reported {
				t.Errorf("%s holds nothing that the rule reports", file)
			}
			if !quiet {
				t.Errorf("%s holds no case that the rule must not report", file)
			}
		})
	}
}

// runCase writes the files of a case, compiles them, and returns what the rule
// says about them as text.
func runCase(t *testing.T, r *linter.Rule, c linter.Case) string {
	t.Helper()
	w := unchangedCase(t, r.ID, c)
	res := lint(t, w, r.ID)
	checkFindings(t, w, res)
	rep := report.New(w, res)
	rep.From = schema.Info
	var b bytes.Buffer
	if err := report.Write("text", &b, rep); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compileCase writes the files of a case into a new folder and compiles them.
func compileCase(t *testing.T, c linter.Case) *compiler.Wiki {
	t.Helper()
	return compileCaseIn(t, c, t.TempDir())
}

// casesDir holds the wikis of unchangedCase.
var casesDir string

func TestMain(m *testing.M) {
	os.Exit(schematest.InMemory(withCases{m}).Run())
}

// withCases are tests that have casesDir.
type withCases struct{ *testing.M }

func (t withCases) Run() int {
	var err error
	if casesDir, err = os.MkdirTemp("", "wiki-rules-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(casesDir)
	return t.M.Run()
}

// keptCase is a case that is compiled once.
type keptCase struct {
	sync.Mutex
	w *compiler.Wiki
}

var keptCases sync.Map // of *keptCase, by rule and case

// unchangedCase is compileCase for tests that don't change the files, and can share one
// wiki.
func unchangedCase(t *testing.T, rule string, c linter.Case) *compiler.Wiki {
	t.Helper()
	entry, _ := keptCases.LoadOrStore(rule+"/"+c.Name, new(keptCase))
	kept := entry.(*keptCase)
	kept.Lock()
	defer kept.Unlock()
	if kept.w == nil { // a test that is skipped for want of something leaves it so
		dir, err := os.MkdirTemp(casesDir, "case-*")
		if err != nil {
			t.Fatal(err)
		}
		kept.w = compileCaseIn(t, c, dir)
	}
	return kept.w
}

// compileCaseIn is compileCase in a folder that is there.
func compileCaseIn(t *testing.T, c linter.Case, dir string) *compiler.Wiki {
	t.Helper()
	history := ""
	committed := commitCase(t, c, dir)
	for _, f := range c.Files {
		if strings.HasSuffix(f.Name, ".committed") {
			continue
		}
		name, data := f.Name, f.Data
		if name == "git-history" {
			history = string(data)
			continue
		}
		if quoted, ok := strings.CutSuffix(name, ".quoted"); ok {
			name, data = quoted, unquote(t, data)
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if link, ok := strings.CutSuffix(full, ".symlink"); ok {
			if err := os.Symlink(string(bytes.TrimSpace(data)), link); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
			continue
		}
		if err := os.WriteFile(full, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if history != "" {
		return compileHistory(t, dir, history)
	}
	return compilertest.CompileWith(t, dir, compiler.Options{Today: today, History: committed})
}

// commitCase writes the files of a case that end in .committed, commits them
// without that ending, and reports whether there are any.
func commitCase(t *testing.T, c linter.Case, dir string) bool {
	t.Helper()
	any := false
	for _, f := range c.Files {
		if name, ok := strings.CutSuffix(f.Name, ".committed"); ok {
			any = true
			full := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.WriteFile(full, f.Data, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if any {
		schematest.NeedGit(t)
		git := gitIn(t, dir)
		git("init", "-q", "--template=")
		git("add", ".")
		git("commit", "-qm", "before")
	}
	return any
}

// unquote reads a file whose lines are Go strings, for bytes that are not seen.
func unquote(t *testing.T, data []byte) []byte {
	t.Helper()
	var out []byte
	for line := range strings.Lines(string(data)) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, s...)
	}
	return out
}

// lint runs some rules, or all that are on, as the tests do.
func lint(t testing.TB, w *compiler.Wiki, only ...string) *linter.Result {
	t.Helper()
	res, err := linter.Run(t.Context(), w, linter.Config{Only: only, Today: today, HTTP: webServer(t), Acknowledged: acknowledgedIn(t, w), Judge: judgeIn(t, w)})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// acknowledgedIn reads what a case acknowledges.
func acknowledgedIn(t testing.TB, w *compiler.Wiki) *linter.Acknowledgements {
	t.Helper()
	const name = ".loopwiki/acknowledged.yaml"
	src, err := os.ReadFile(filepath.Join(w.Workspace().Root, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	a, err := linter.ReadAcknowledged(name, src)
	if err != nil {
		t.Fatal(err)
	}
	a.Path = name
	return a
}

// checkFindings holds what every finding promises: a place in the file, a
// message that is one line, edits within their files that do not overlap.
func checkFindings(t *testing.T, w *compiler.Wiki, res *linter.Result) {
	t.Helper()
	pages := map[string]*schema.Page{}
	for _, p := range w.Pages() {
		pages[p.Path] = p
	}
	prints := map[string]bool{}
	for _, d := range res.Findings {
		page := pages[d.Path]
		if page == nil && !filePlace(w, d) {
			t.Errorf("%s: %s is neither a page nor a file, nor one that the finding misses", d.Rule, d.Path)
			continue
		}
		if page != nil && (d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(page.Source)) {
			t.Errorf("%s: the place %v is outside %s of %d bytes", d.Rule, d.Span, d.Path, len(page.Source))
		}
		if strings.ContainsAny(d.Message, "\r\n") || strings.HasSuffix(d.Message, ".") {
			t.Errorf("%s: message %q", d.Rule, d.Message)
		}
		if prints[d.Fingerprint] {
			t.Errorf("%s: two findings have the fingerprint %s", d.Rule, d.Fingerprint)
		}
		prints[d.Fingerprint] = true
		for _, f := range d.Fixes {
			checkFix(t, d.Rule, f, pages)
		}
	}
}

// filePlace reports whether a finding that is on no page is at the
// beginning of another file, or of one that is not there and should be.
func filePlace(w *compiler.Wiki, d schema.Diagnostic) bool {
	return d.Span.Len() == 0 && d.Span.Start == 0 && (slices.Contains(w.Files(), d.Path) || strings.HasSuffix(d.Path, ".md"))
}

func checkFix(t *testing.T, rule string, f schema.Fix, pages map[string]*schema.Page) {
	t.Helper()
	for i, e := range f.Edits {
		p := pages[e.Path]
		switch {
		case p == nil && e.Span == schema.Span{} && e.Text != "" && filepath.IsLocal(filepath.FromSlash(e.Path)): // makes a file
		case p == nil || e.Span.Start < 0 || e.Span.End > len(p.Source) || e.Span.End < e.Span.Start:
			t.Errorf("%s: the edit %+v is outside its file", rule, e)
		case i > 0 && f.Edits[i-1].Path == e.Path && f.Edits[i-1].Span.End > e.Span.Start:
			t.Errorf("%s: the edits of %q overlap", rule, f.Title)
		case string(e.Span.In(p.Source)) == e.Text:
			t.Errorf("%s: the edit %+v changes nothing", rule, e)
		}
	}
}

// TestSafeFixes applies every safe fix of every case: what a fix is for is no
// longer reported, and doing it again changes nothing.
func TestSafeFixes(t *testing.T) {
	t.Parallel()
	for _, r := range linter.Rules() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", r.ID+".txtar"))
		if err != nil {
			continue // TestRules reports it
		}
		for _, c := range linter.Cases(ar) {
			t.Run(r.ID+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				before := lint(t, unchangedCase(t, r.ID, c), r.ID)
				if r.Fix == linter.NoFix && slices.ContainsFunc(before.Findings, func(d schema.Diagnostic) bool { return len(d.Fixes) > 0 }) {
					t.Errorf("the rule offers fixes and does not say so")
				}
				if !slices.ContainsFunc(before.Findings, func(d schema.Diagnostic) bool {
					return slices.ContainsFunc(d.Fixes, func(f schema.Fix) bool { return f.Safe })
				}) {
					return
				}
				w := compileCase(t, c)
				fixed := applySafe(t, w, lint(t, w, r.ID))
				again, err := w.Recompile(t.Context(), []string{"."})
				if err != nil {
					t.Fatal(err)
				}
				after := lint(t, again, r.ID)
				if n := applySafe(t, again, after); n > 0 {
					t.Errorf("the fixes were applied and %d are left:\n%s", n, messages(after))
				}
				if len(after.Findings) > len(before.Findings)-fixed {
					t.Errorf("%d fixes of %d findings left %d:\n%s", fixed, len(before.Findings), len(after.Findings), messages(after))
				}
			})
		}
	}
}

func messages(res *linter.Result) string {
	var b strings.Builder
	for _, d := range res.Findings {
		fmt.Fprintf(&b, "%s:%d: %s\n", d.Path, d.From.Line, d.Message)
	}
	return b.String()
}

func pagePaths(w *compiler.Wiki) []string {
	var out []string
	for _, p := range w.Pages() {
		out = append(out, p.Path)
	}
	return out
}

// applySafe applies the first safe fix of every finding that does not overlap
// one applied before, and returns how many it applied.
func applySafe(t *testing.T, w *compiler.Wiki, res *linter.Result) int {
	t.Helper()
	edits := map[string][]schema.Edit{}
	n := 0
	for _, d := range res.Findings {
		i := slices.IndexFunc(d.Fixes, func(f schema.Fix) bool { return f.Safe })
		if i < 0 || slices.ContainsFunc(d.Fixes[i].Edits, func(e schema.Edit) bool {
			return slices.ContainsFunc(edits[e.Path], func(o schema.Edit) bool { return edit.Conflicts(o, e) })
		}) {
			continue
		}
		n++
		for _, e := range d.Fixes[i].Edits {
			edits[e.Path] = append(edits[e.Path], e)
		}
	}
	for file, list := range edits {
		full := filepath.Join(w.Workspace().Root, filepath.FromSlash(file))
		src, err := os.ReadFile(full)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if src, err = edit.Apply(src, list); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, src, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// TestDocs checks what a rule's documentation promises.
func TestDocs(t *testing.T) {
	t.Parallel()
	for _, r := range linter.Rules() {
		switch {
		case !strings.HasSuffix(r.Summary, ".") || strings.Contains(r.Summary, "\n"):
			t.Errorf("%s: the summary must be one sentence: %q", r.ID, r.Summary)
		case len(r.Doc) < 150:
			t.Errorf("%s: the documentation says too little", r.ID)
		case r.Cause == nil && strings.Contains(sourceOf(t, r.ID), "ReportCause("):
			t.Errorf("%s reports causes and does not word them", r.ID)
		}
		if path.Base(sourceFile(r.ID)) == "" {
			t.Errorf("%s has no file", r.ID)
		}
	}
}

func sourceFile(id string) string { return strings.ReplaceAll(id, "-", "_") + ".go" }

// sourceOf returns the file a rule is in, which is named after it.
func sourceOf(t *testing.T, id string) string {
	t.Helper()
	b, err := os.ReadFile(sourceFile(id))
	if err != nil {
		t.Errorf("%s: a rule stands in the file of its name: %v", id, err)
	}
	return string(b)
}
