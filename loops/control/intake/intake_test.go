package intake

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/
/wiki/raw/*.secret.md
-- wiki/index.md --
# Index
-- wiki/log.md --
# Log
`

// work returns what taking a text in comes to.
func work(t *testing.T, r *repo.Repo, name, text string) Work {
	t.Helper()
	ws, err := compiler.Detect(r.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &ingest.Batch{Title: "Minutes", Files: []ingest.File{{Name: name, Src: []byte(text)}}}
	in, err := ingest.Take(w, b, r.Now())
	if err != nil {
		t.Fatal(err)
	}
	return Work{Batch: b, Intake: in, Wiki: ws, Day: r.Now()}
}

// Sources reach the branch of the run in a commit of the runner's, and nothing else does;
// what was kept for it is gone when the commit has it.
func TestTakeIn(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	given := work(t, r, "minutes.md", "# Minutes\n\nPrices go up.\n")
	i := New(r)
	request, err := i.Request(t.Context(), given)
	if err != nil || len(request.Sources) != 1 || request.Day != "2026-07-10" {
		t.Fatalf("%+v, %v", request, err)
	}
	start := loops.Start{Loop: loops.IngestLoop, Plan: loops.Plan{Name: "ingest-minutes", Path: request.Sources[0].Path, Title: Title + "Minutes"}, Ingest: request}
	start.Base = controltest.Git(t, r.Root, "rev-parse", "HEAD")
	start.Run = controltest.Begun(t, r, start, false)
	if err := Keep(r.Store.Folder(start.Run), given.Batch); err != nil {
		t.Fatal(err)
	}
	wt, err := contain.Open(t.Context(), r.Checkout(), contain.Spec{Run: start.Run, Plan: start.Plan.Name, Base: start.Base, Parent: t.TempDir(), Folder: r.Store.Folder(start.Run), Now: r.Now})
	if err != nil {
		t.Fatal(err)
	}
	at, err := wt.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err = i.TakeIn(t.Context(), &start, wt, at)
	if err != nil {
		t.Fatal(err)
	}
	if at.Head == start.Base || controltest.Git(t, r.Root, "log", "-1", "--format=%s", at.Head) != "docs(ingest-minutes): take in Minutes" {
		t.Errorf("%+v", at)
	}
	if text := controltest.Git(t, r.Root, "show", at.Head+":"+request.Sources[0].Path); !strings.Contains(text, "Prices go up.") {
		t.Errorf("%s", text)
	}
	if controltest.Git(t, r.Root, "status", "--porcelain") != "" {
		t.Error("the main checkout has changed")
	}
	if _, err := os.Stat(filepath.Join(r.Store.Folder(start.Run), File)); err == nil {
		t.Error("the sources are kept beside their commit")
	}
}

// An agent works from what is committed: sources that are registered only, or that git
// ignores, would not reach it.
func TestRequestRefusesUncommittedSources(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	given := work(t, r, "plan.secret.md", "# Plan\n")
	_, err := New(r).Request(t.Context(), given)
	if ignored := (*IgnoredError)(nil); !errors.As(err, &ignored) || !strings.HasSuffix(ignored.Path, ".secret.md") {
		t.Errorf("%v", err)
	}
	given = work(t, r, "minutes.md", "# Minutes\n")
	for _, c := range given.Intake.Changes.List() {
		controltest.Write(t, r, "wiki/"+c.To, string(c.New))
	}
	given = work(t, r, "minutes.md", "# Minutes\n")
	_, err = New(r).Request(t.Context(), given)
	if registered := (*UncommittedError)(nil); !errors.As(err, &registered) {
		t.Errorf("%v", err)
	}
	controltest.Commit(t, r.Root, "sources")
	if request, err := New(r).Request(t.Context(), given); err != nil || len(request.Sources) != 1 {
		t.Errorf("%+v, %v", request, err)
	}
}
