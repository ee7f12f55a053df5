package statebranch

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/run"
)

// merge joins the files of this clone with those of the branch. The maps name blobs by
// path below .loopwiki; base is what this clone wrote or took last.
type merge struct {
	*Branch
	ours, theirs, base map[string]string
	fresh              bool // nothing was taken here before
	blobs              map[string][]byte
}

// take brings the checkout to what the branch has, and returns how many files changed.
func (b *Branch) take(ctx context.Context, at tips) (int, error) {
	m := &merge{Branch: b, fresh: at.last == ""}
	var err error
	if m.theirs, err = b.tree(ctx, at.theirs); err != nil {
		return 0, err
	}
	if m.base, err = b.tree(ctx, at.last); err != nil {
		return 0, err
	}
	if m.ours, err = b.hashed(ctx); err != nil {
		return 0, err
	}
	var read []string
	for name, id := range m.theirs {
		if m.ours[name] != id {
			read = append(read, id, m.ours[name])
		}
	}
	if m.blobs, err = b.contents(ctx, read); err != nil {
		return 0, err
	}
	changed, err := m.changes()
	if err != nil {
		return 0, err
	}
	root, err := files.OpenBelow(b.Root, filepath.Join(b.Root, folder))
	if err != nil {
		return 0, err
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if text := changed[name]; text != nil {
			err = errors.Join(root.MkdirAll(filepath.ToSlash(filepath.Dir(name)), 0o755), root.Replace(name, text, 0o644))
		} else {
			err = root.Remove(name)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(changed), b.Andon().Settle()
}

// changes returns what has to be written here, nil for a file that has to go.
func (m *merge) changes() (map[string][]byte, error) {
	names := maps.Clone(m.theirs)
	maps.Copy(names, m.base)
	out := make(map[string][]byte)
	for name := range names {
		if id, ok := runOf(name); ok && path.Base(name) == run.JournalFile && m.ours[name] == "" {
			out["runs/"+id+"/"+run.ElsewhereFile] = []byte{}
		}
		text, change, err := m.file(name)
		if err != nil {
			return nil, err
		}
		if change {
			out[name] = text
		}
	}
	return out, nil
}

// file decides about one file.
func (m *merge) file(name string) (text []byte, change bool, err error) {
	ours, theirs, base := m.ours[name], m.theirs[name], m.base[name]
	if ours == theirs {
		return nil, false, nil
	}
	id, ofRun := runOf(name)
	if ofRun {
		longer, err := m.longer(id)
		if err != nil || theirs == "" || longer == here && ours != "" {
			return nil, false, err
		}
		if longer == there || ours == "" {
			return m.blobs[theirs], true, nil
		}
	}
	switch {
	case ours == base || ours == "" && theirs != base:
		return m.blobs[theirs], true, nil
	case theirs == base || theirs == "":
		return nil, false, nil
	}
	text, ok, err := andon.Merge(folder+"/"+name, m.blobs[ours], m.blobs[theirs])
	switch {
	case err != nil:
		return nil, false, err
	case ok:
		return text, !bytes.Equal(text, m.blobs[ours]), nil
	case m.fresh: // what was checked out is older than what runs wrote
		return m.blobs[theirs], true, nil
	}
	return nil, false, nil
}

// side says in which clone a run got further.
type side int

const (
	both side = iota
	here
	there
)

// longer compares the journals of a run. Journals only grow.
func (m *merge) longer(id string) (side, error) {
	name := "runs/" + id + "/" + run.JournalFile
	ours, theirs := m.ours[name], m.theirs[name]
	switch {
	case ours == theirs:
		return both, nil
	case ours == "":
		return there, nil
	case theirs == "":
		return here, nil
	}
	a, b := whole(m.blobs[ours]), whole(m.blobs[theirs])
	switch {
	case bytes.HasPrefix(b, a):
		return there, nil
	case bytes.HasPrefix(a, b):
		return here, nil
	}
	return both, &DivergedError{id}
}

// whole returns the lines of a journal that were written to their end.
func whole(journal []byte) []byte { return journal[:bytes.LastIndexByte(journal, '\n')+1] }

// runOf returns the run that a file belongs to.
func runOf(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, "runs/")
	id, _, _ = strings.Cut(rest, "/")
	return id, ok && !strings.HasPrefix(id, ".")
}
