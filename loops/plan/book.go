package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// File is a plan as it lies in a repository.
type File struct {
	Path   string
	Src    []byte
	Plan   *loops.Plan
	Faults []Fault // of Parse
}

// Files reads all plans of a repository, plans/*.md except for README.md and TEMPLATE.md, in order
// of name. A repository without plans has none.
func Files(repo fs.FS) ([]File, error) {
	entries, err := fs.ReadDir(repo, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []File
	for _, e := range entries {
		if path.Ext(e.Name()) != ".md" || e.IsDir() || strings.EqualFold(e.Name(), "README.md") || strings.EqualFold(e.Name(), "TEMPLATE.md") {
			continue
		}
		f, err := ReadFile(repo, path.Join(Folder, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// ReadFile reads one plan of a repository.
func ReadFile(repo fs.FS, name string) (File, error) {
	f, err := repo.Open(name)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxPlan+1))
	if err != nil {
		return File{}, fmt.Errorf("read %s: %w", name, err)
	}
	p, faults := Parse(name, src)
	return File{name, src, p, faults}, nil
}

// Knows returns the plans of files with their status.
func Knows(files []File, merged map[string]*Merged, runs Runs) []Known {
	out := make([]Known, 0, len(files))
	for _, f := range files {
		status, _ := StatusOf(f.Plan, merged[f.Plan.Name], runs)
		out = append(out, Known{f.Plan, status})
	}
	return out
}
