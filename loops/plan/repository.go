package plan

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

// Book is a repository and its plans: its files, through a root that no link leads
// out of, and how each plan stands.
type Book struct {
	Dir    string // absolute
	Files  []File
	Merged map[string]*Merged
	// Unknown is why nobody knows what was merged, nil if it is known.
	Unknown error
	runs    Runs
	root    *files.Root
}

// LastRuns are the last runs by the path of their plan.
type LastRuns map[string]schema.RunSummary

// Latest returns the last run of a plan.
func (r LastRuns) Latest(path string) (schema.RunSummary, bool) {
	s, ok := r[path]
	return s, ok
}

// OpenBook opens the repository that a folder lies in; where git knows of none, the
// folder itself. Close it.
func OpenBook(ctx context.Context, dir string, runs func(root string) (Runs, error)) (*Book, error) {
	top, err := history.Toplevel(ctx, dir)
	var unknown error
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		unknown = err
		if top, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
	}
	root, err := files.Open(top)
	if err != nil {
		return nil, err
	}
	b := &Book{Dir: top, root: root, Unknown: unknown}
	if b.Files, err = Files(root.FS(files.Text)); err == nil {
		b.runs, err = runs(top)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if unknown == nil {
		b.merged(ctx)
	}
	return b, nil
}

// merged reads which plans are in the default branch.
func (b *Book) merged(ctx context.Context) {
	trailers, err := history.Trailers(ctx, b.Dir, "Loop-Plan")
	if err != nil {
		b.Unknown = err
		return
	}
	commits := make([]Commit, len(trailers))
	for i, t := range trailers {
		commits[i] = Commit{Subject: t.Subject, Plan: t.Value}
	}
	b.Merged = ReadMerged(commits)
}

// Close ends the use of the repository's files.
func (b *Book) Close() error { return b.root.Close() }

// Path returns where a file of the repository lies on disk.
func (b *Book) Path(name string) string { return filepath.Join(b.Dir, filepath.FromSlash(name)) }

// FS returns the repository's files.
func (b *Book) FS() fs.FS { return b.root.FS(files.Text) }

// Status tells how a plan stands, and why.
func (b *Book) Status(f File) (Status, string) {
	return StatusOf(f.Plan, b.Merged[f.Plan.Name], b.runs)
}

// Open returns the plans that are neither done nor rejected: what is missing for one
// that nobody will run again is nobody's fault.
func (b *Book) Open() []File {
	return slices.DeleteFunc(slices.Clone(b.Files), func(f File) bool {
		status, _ := b.Status(f)
		return status == Done || status == Rejected
	})
}

// Around returns what a plan is judged by; path is the variable PATH.
func (b *Book) Around(path string) Surroundings {
	return Surroundings{Repo: b.FS(), Plans: Knows(b.Files, b.Merged, b.runs), Program: Programs(path)}
}

// Find returns the plan that somebody means by a path, seen from a folder, or by
// a name; false if there is none.
func (b *Book) Find(from, typed string) (File, bool) {
	if full, err := filepath.Abs(filepath.Join(from, typed)); err == nil && !filepath.IsAbs(typed) {
		if f, ok := b.at(full); ok {
			return f, true
		}
	}
	if filepath.IsAbs(typed) {
		return b.at(typed)
	}
	for _, f := range b.Files {
		if f.Path == filepath.ToSlash(typed) || f.Plan.Name == NameOf(filepath.ToSlash(typed)) {
			return f, true
		}
	}
	return File{}, false
}

// Undated returns the plan of a name without its month: prices is 2026-07-prices.
func (b *Book) Undated(name string) (File, bool) {
	for _, f := range b.Files {
		if n := f.Plan.Name; len(n) > len("2006-01-") && n[len("2006-01-"):] == name {
			return f, true
		}
	}
	return File{}, false
}

// at reads the plan of a path on disk, which may lie outside plans/.
func (b *Book) at(full string) (File, bool) {
	top, err := filepath.EvalSymlinks(b.Dir)
	if err != nil {
		return File{}, false
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(dir, filepath.Base(full))
	}
	rel, err := filepath.Rel(top, full)
	if err != nil || !filepath.IsLocal(rel) {
		return File{}, false
	}
	f, err := ReadFile(b.FS(), filepath.ToSlash(rel))
	return f, err == nil
}

// Names returns the names of all plans.
func (b *Book) Names() []string {
	var out []string
	for _, f := range b.Files {
		out = append(out, f.Plan.Name)
	}
	return out
}
