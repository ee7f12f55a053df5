package history

import (
	"path"
	"strings"
)

// follower follows files through the log from their present names to their
// first ones. Commits come newest first, children before their parents.
//
// In a linear history a name belongs to one file at a time, and what happens
// to it says whose it is: below the commit that added it lies another file's
// life, if any. Branches that ran side by side are laid into one line by date,
// which shows in three ways that a linear history can't:
//
//   - a change below the commit that added the file, without a deletion
//     between: both branches added it, and it is the same file still;
//   - a deletion while the file lives: it was deleted on one branch and kept
//     by the merge, or the other way round; the disk then says which;
//   - a change under an old name above the rename: it was made on a branch
//     that did not know the new name, and is the renamed file's, unless the
//     disk says that the old name is in use.
type follower struct {
	owner   map[string]*track  // by the path at this point of the log
	seen    map[string]Commit  // paths whose present state is known, and their newest commit
	astray  map[string]*astray // changes of paths that nothing owns yet
	now     []*track           // in the order they were first met
	merges  bool
	commits []Commit
	onDisk  func(path string) bool // asked only about what the log leaves open
}

// track is one file.
type track struct {
	File
	path  string // as of now
	gone  bool   // its newest event is its deletion
	added bool   // the commit that added it under its path at this point was met
	doubt bool   // it was deleted on some branch
}

// astray is the history of a path on a branch without its rename.
type astray struct {
	commits int
	newest  Commit
}

func newFollower(onDisk func(path string) bool) *follower {
	return &follower{onDisk: onDisk, owner: map[string]*track{}, seen: map[string]Commit{}, astray: map[string]*astray{}}
}

// commit takes the next older commit. All its changes happened at once: two
// files may have changed names with each other.
func (f *follower) commit(c Commit, merge bool, changes []change) {
	f.merges = f.merges || merge
	f.commits = append(f.commits, c)
	type move struct {
		t    *track
		from string
	}
	var moves []move
	for _, ch := range changes {
		switch ch.kind {
		case 'D':
			f.deleted(ch.path, c)
		case 'R':
			if t := f.touched(ch.path, c); t != nil {
				delete(f.owner, ch.path)
				moves = append(moves, move{t, ch.from})
				if !ch.exact {
					t.edited(c)
				}
			}
			delete(f.astray, ch.path)
			if !f.met(ch.from) {
				f.seen[ch.from] = c
			}
		case 'A':
			if t := f.touched(ch.path, c); t != nil {
				t.added = true
			}
			delete(f.astray, ch.path)
		default:
			if t := f.touched(ch.path, c); t != nil {
				t.edited(c)
			}
		}
	}
	for _, m := range moves {
		f.renamed(m.t, m.from)
	}
}

// edited notes that the contents changed.
func (t *track) edited(c Commit) {
	if t.Edited.ID == "" {
		t.Edited = c
	}
}

// met reports whether a newer commit touched a path.
func (f *follower) met(path string) bool {
	_, ok := f.seen[path]
	return ok
}

// touched counts a commit for the file that currently has path, if any.
func (f *follower) touched(path string, c Commit) *track {
	t := f.owner[path]
	switch {
	case t == nil && !f.met(path):
		t = f.start(path, c)
	case t == nil:
		a := f.astray[path]
		if a == nil {
			a = &astray{newest: c}
			f.astray[path] = a
		}
		a.commits++
		return nil
	}
	if t.Commits == 0 { // after its deletion, which may have been undone
		t.Changed = c
	}
	t.Created = c
	t.Commits++
	if dated(path) {
		t.Versions = append(t.Versions, Version{c.ID, path})
	}
	return t
}

// dated reports whether the versions of a file are kept.
func dated(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".mdx", ".markdown", ".qmd":
		return true
	}
	return false
}

func (f *follower) start(path string, c Commit) *track {
	t := &track{path: path, File: File{Changed: c, Created: c}}
	f.seen[path] = c
	f.owner[path] = t
	f.now = append(f.now, t)
	return t
}

func (f *follower) deleted(path string, c Commit) {
	delete(f.astray, path)
	t := f.owner[path]
	switch {
	case t == nil && !f.met(path):
		f.start(path, c).gone = true
	case t != nil && t.added:
		delete(f.owner, path) // what is below was another file
	case t != nil:
		t.doubt = true
	}
}

// renamed gives the path that a file had before to it, unless another file
// that still lives has it.
func (f *follower) renamed(t *track, from string) {
	t.Renamed = append(t.Renamed, from)
	t.added = false
	other := f.owner[from]
	switch {
	case other == nil || other.added:
		f.owner[from] = t
	case other != t && f.merges && other.path == from && !f.onDisk(from):
		f.owner[from] = t
		t.adopt(other.Commits, other.Changed)
		other.gone, other.Commits = true, 0
	}
	if a := f.astray[from]; a != nil {
		t.adopt(a.commits, a.newest)
		delete(f.astray, from)
	}
}

// adopt counts commits that another branch made under an old name.
func (t *track) adopt(commits int, newest Commit) {
	t.Commits += commits
	if newest.Time.After(t.Changed.Time) {
		t.Changed, t.Edited = newest, newest
	}
}

// existing yields the files that exist.
func (f *follower) existing(yield func(path string, file *File)) {
	for _, t := range f.now {
		open := f.merges && (t.doubt || t.gone && t.Commits > 0)
		if t.gone && !open || open && !f.onDisk(t.path) {
			continue
		}
		yield(t.path, &t.File)
	}
}
