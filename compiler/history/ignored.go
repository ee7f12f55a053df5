package history

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
)

// IgnoredSet is the set of paths below a folder that git ignores.
type IgnoredSet struct {
	// Self is set if the folder itself is ignored by a rule above it. The set is then
	// empty: anyone who names the folder wants its content.
	Self  bool
	paths map[string]bool // ignored as such
	dirs  map[string]bool // ignored with all that is or will be in them
}

// Has reports whether git ignores the path, slash-separated below the folder
// that was asked about, either by itself or with a folder that it is in.
func (s IgnoredSet) Has(p string, isDir bool) bool {
	if s.paths[p] || isDir && s.dirs[p] {
		return true
	}
	for dir := path.Dir(p); len(s.dirs) > 0 && dir != "." && dir != "/"; dir = path.Dir(dir) {
		if s.dirs[dir] {
			return true
		}
	}
	return false
}

// Len returns the number of ignored files and folders, not counting files in ignored
// folders.
func (s IgnoredSet) Len() int { return len(s.paths) + len(s.dirs) }

// Ignored asks git what it ignores below dir, by all of .gitignore,
// .git/info/exclude and the user's core.excludesFile. Tracked files are never
// ignored. The errors are those of [Load].
func Ignored(ctx context.Context, dir string) (IgnoredSet, error) {
	self, err := ignoredItself(ctx, dir)
	if err != nil || self {
		return IgnoredSet{Self: self}, err
	}
	out, err := output(ctx, dir, "ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory")
	if err != nil {
		return IgnoredSet{}, err
	}
	return ignoredSet(strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })), nil
}

// ignoredSet sorts the entries. A folder that git lists together with entries
// inside it is not ignored itself: there is only nothing else in it so far.
func ignoredSet(entries []string) IgnoredSet {
	slices.Sort(entries)
	s := IgnoredSet{paths: map[string]bool{}, dirs: map[string]bool{}}
	for i, e := range entries {
		name, isDir := strings.CutSuffix(e, "/")
		switch {
		case e == "./":
		case !isDir:
			s.paths[e] = true
		case i+1 == len(entries) || !strings.HasPrefix(entries[i+1], e):
			s.dirs[name] = true
		}
	}
	return s
}

// ignoredItself reports whether dir is ignored by a rule from above it, even
// if some of its files are tracked anyway.
func ignoredItself(ctx context.Context, dir string) (bool, error) {
	out, err := output(ctx, dir, "rev-parse", "--is-inside-work-tree", "--show-prefix")
	if err != nil {
		return false, err
	}
	inside, prefix, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	if inside != "true" {
		return false, ErrNoRepository
	}
	if prefix == "" {
		return false, nil
	}
	// Asked from the folder above: with ".", git would apply patterns for the folder's
	// content to the folder.
	_, err = output(ctx, dir, "check-ignore", "-q", "--no-index", "--", "../"+path.Base(prefix))
	var f *failure
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &f) && f.status == 1:
		return false, nil
	}
	return false, err
}

// WouldIgnore returns those of some paths below dir, or beginning with ../, that git ignores
// if there is a file, whether or not there is. The errors are those of [Load].
func WouldIgnore(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	out := map[string]bool{}
	in := strings.NewReader(strings.Join(paths, "\x00"))
	err := runWith(ctx, dir, in, func(r io.Reader) error {
		all, err := io.ReadAll(r)
		for p := range strings.SplitSeq(strings.TrimSuffix(string(all), "\x00"), "\x00") {
			out[p] = true
		}
		return err
	}, "check-ignore", "-z", "--stdin")
	if f := (*failure)(nil); errors.As(err, &f) && f.status == 1 {
		return nil, nil // none is
	}
	return out, err
}
