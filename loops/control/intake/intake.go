// Package intake adds raw sources to a run: a batch goes in, a commit of the files that
// register it in the worktree comes out. The batch is stored with the run until it is
// committed, so that a resumed run does not ask for it again.
package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// Intake takes sources into the wiki of a repository.
type Intake struct{ *repo.Repo }

// New returns that of a repository.
func New(r *repo.Repo) *Intake { return &Intake{r} }

// File is what is taken in, in the run's folder.
const File = "intake.json"

// Title begins the title of a run that writes pages of sources.
const Title = "Pages of "

// intakeVersion is the version of that file.
const intakeVersion = 1

// intakeDocument is what is taken in: a run that is resumed asks nobody for it again.
type intakeDocument struct {
	Version int           `json:"version"`
	Batch   *ingest.Batch `json:"batch"`
	// Files are what the batch comes to in the worktree, once that is planned.
	Files map[string][]byte `json:"files,omitempty"`
}

// Keep leaves what is taken in with the run.
func Keep(folder string, b *ingest.Batch) error {
	return intakeDocument{Version: intakeVersion, Batch: b}.write(folder)
}

func (d intakeDocument) write(folder string) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return files.Replace(folder, File, text, 0o600)
}

// UncommittedError is a source that is registered and not committed: an agent works
// from what is committed.
type UncommittedError struct{ Path string }

func (e *UncommittedError) Error() string { return e.Path + " is registered, but not committed" }

// Hint returns what to do.
func (e *UncommittedError) Hint() string {
	return "commit it with its register, index and log; agents only see committed files"
}

// IgnoredError is a source that git would not take into a commit.
type IgnoredError struct{ Path string }

func (e *IgnoredError) Error() string { return "git ignores " + e.Path }

// Hint returns what to do.
func (e *IgnoredError) Hint() string {
	return "add an exception in .gitignore, as agents only see committed files; or use --agent none to register it without an agent"
}

// Work are sources that pages must be made of.
type Work struct {
	Batch *ingest.Batch
	// Intake is what taking them in comes to in the main checkout, where nothing is
	// written.
	Intake *ingest.Intake
	Wiki   *compiler.Workspace
	Day    time.Time
}

// Request returns what a writer is asked for: the sources that are new, and those
// that are registered and committed already.
func (i *Intake) Request(ctx context.Context, work Work) (*loops.IngestRequest, error) {
	in, ws := work.Intake, work.Wiki
	for _, s := range in.Known {
		file := path.Join(ws.RootPath, s.Path)
		if _, err := i.Git(ctx, "cat-file", "-e", "HEAD:"+file); err != nil {
			return nil, &UncommittedError{file}
		}
	}
	for _, s := range in.Added {
		file := path.Join(ws.RootPath, s.Path)
		if _, err := i.Git(ctx, "check-ignore", "--", file); err == nil {
			return nil, &IgnoredError{file}
		}
	}
	binary := make(map[string]bool)
	for _, f := range work.Batch.Files {
		binary[source.SumOf(f.Src)] = source.Binary(f.Src)
	}
	r := &loops.IngestRequest{Day: work.Day.Format(time.DateOnly)}
	for _, s := range ingest.Documents(append(in.Known[:len(in.Known):len(in.Known)], in.Added...)) {
		r.Sources = append(r.Sources, loops.IngestSource{Path: path.Join(ws.RootPath, s.Path), Title: ingest.Plain(s.Title), Origin: s.Origin, Binary: binary[s.Sum]})
	}
	if len(r.Sources) == 0 {
		return nil, errors.New("no source to make pages from")
	}
	return r, nil
}

// TakeIn registers the sources of a run in its worktree, in a commit of the runner's.
// A run that has it has moved on from its base.
func (i *Intake) TakeIn(ctx context.Context, s *loops.Start, w loops.Worktree, at loops.PlaceResult) (loops.PlaceResult, error) {
	files, err := i.intakeFiles(ctx, s, w)
	if err != nil || len(files) == 0 { // none: all of them are committed
		return at, err
	}
	if at.Tree, err = w.Add(ctx, at.Tree, files); err != nil {
		return at, err
	}
	at.Head, err = w.Commit(ctx, loops.CommitSpec{
		Tree: at.Tree, Key: s.Run + "/plan/0/intake", Run: s.Run, Plan: s.Plan.Path, Subject: fmt.Sprintf("docs(%s): take in %s", s.Plan.Name, strings.TrimPrefix(s.Plan.Title, Title)),
	})
	if err != nil {
		return at, err
	}
	return at, i.Forget(s.Run) // the commit has it
}

// Forget removes what was kept of the sources of a run, and what a runner left
// that died while it wrote that.
func (i *Intake) Forget(id string) error {
	folder := i.Store.Folder(id)
	names, err := fs.Glob(files.DirFS(folder, files.Text), files.Pending(File))
	for _, name := range append(names, File) {
		if gone := os.Remove(filepath.Join(folder, name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// intakeFiles returns the files of a run's intake as they become, by their path in the
// repository. They are planned once: a runner that dies while they are written leaves
// a worktree that says they were there.
func (i *Intake) intakeFiles(ctx context.Context, s *loops.Start, w loops.Worktree) (map[string][]byte, error) {
	name := filepath.Join(i.Store.Folder(s.Run), File)
	text, err := files.ReadPath(name, files.Run)
	if err != nil {
		return nil, err
	}
	var doc intakeDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("read %s of run %s: %w", File, s.Run, err)
	}
	if doc.Version > intakeVersion || doc.Batch == nil {
		return nil, fmt.Errorf("%s of run %s has version %d, which is not supported; upgrade wiki", File, s.Run, doc.Version)
	}
	if doc.Files != nil {
		return doc.Files, nil
	}
	day, err := time.Parse(time.DateOnly, s.Ingest.Day)
	if err != nil {
		return nil, err
	}
	wiki, err := repo.Wiki(ctx, w.Path())
	if err != nil {
		return nil, err
	}
	if wiki == nil {
		return nil, errors.New("the run's base commit has no wiki folder and no wiki.yaml; commit them first")
	}
	in, err := ingest.Take(wiki, doc.Batch, day)
	if err != nil {
		return nil, err
	}
	doc.Files = make(map[string][]byte)
	for _, c := range in.Changes.List() {
		doc.Files[path.Join(wiki.Workspace().RootPath, c.To)] = c.New
	}
	return doc.Files, doc.write(i.Store.Folder(s.Run))
}

// Tasks returns the work list of a writer who makes pages of sources.
func Tasks(r *loops.IngestRequest) string {
	var b strings.Builder
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "- %s: %s", s.Path, repo.OneLine(s.Title))
		if s.Origin != "" {
			fmt.Fprintf(&b, ", from %s", repo.OneLine(s.Origin))
		}
		if s.Binary {
			b.WriteString(" (no text: mention it where it belongs, and don't cite it)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
