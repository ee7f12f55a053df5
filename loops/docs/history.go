package docs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
)

// exportFile is a history as data, beside the wiki: a line of JSON for each
// commit, the oldest first, {"commit": …, "changes": [["M", "path"], …]}.
const exportFile = "history.jsonl"

// Subject is what is measured on.
type Subject struct {
	Bindings *Bindings
	Commits  []Commit
}

// Load reads a repository, or a folder with the export of one.
func Load(ctx context.Context, dir string, limit int) (*Subject, error) {
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		return nil, err
	}
	sets, err := read(ctx, dir, limit)
	if err != nil {
		return nil, err
	}
	w, err := compiler.Compile(ctx, ws, compiler.Options{})
	if err != nil {
		return nil, err
	}
	if len(w.Pages()) == 0 {
		return nil, fmt.Errorf("no pages in %s", ws.Root)
	}
	var files []string
	for _, c := range sets {
		for _, f := range c.Files {
			files = append(files, f.Path)
		}
	}
	s := &Subject{Bindings: Bind(ctx, w, files)}
	for _, c := range sets {
		s.Commits = append(s.Commits, Split(s.Bindings, c))
	}
	return s, nil
}

// Split takes the pages of a commit apart from all else.
func Split(b *Bindings, set history.ChangeSet) Commit {
	c := Commit{ID: set.ID}
	for _, f := range set.Files {
		switch {
		case !b.OfWiki(f.Path):
			c.Files = append(c.Files, f.Path)
		case !strings.EqualFold(path.Ext(f.Path), ".md"):
		case f.Status == 'A', f.Status == 'R':
			c.Born = append(c.Born, f.Path)
		case f.Status == 'D':
			c.Gone = append(c.Gone, f.Path)
		default:
			c.Pages = append(c.Pages, f.Path)
		}
	}
	return c
}

func read(ctx context.Context, dir string, limit int) ([]history.ChangeSet, error) {
	src, err := files.ReadPath(filepath.Join(dir, exportFile), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return history.Commits(ctx, dir, limit)
	}
	if err != nil {
		return nil, err
	}
	sets, err := parse(src)
	if limit > 0 && len(sets) > limit {
		sets = sets[len(sets)-limit:]
	}
	return sets, err
}

func parse(src []byte) ([]history.ChangeSet, error) {
	var out []history.ChangeSet
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, len(src)+1)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var record struct {
			Commit  string
			Changes [][2]string
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", exportFile, n, err)
		}
		set := history.ChangeSet{Commit: history.Commit{ID: record.Commit}}
		for _, c := range record.Changes {
			if len(c[0]) != 1 {
				return nil, fmt.Errorf("%s:%d: unknown status %.20q", exportFile, n, c[0])
			}
			set.Files = append(set.Files, history.FileChange{Status: c[0][0], Path: c[1]})
		}
		out = append(out, set)
	}
	return out, lines.Err()
}
