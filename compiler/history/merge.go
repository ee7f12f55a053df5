package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MergeFile joins two versions of a text that have a common ancestor, line by line, as
// git does. Where both changed the same lines the result has those of both: with union
// one after the other, else between markers. conflicts is how many places have markers.
func MergeFile(ctx context.Context, base, ours, theirs []byte, union bool) (joined []byte, conflicts int, err error) {
	dir, err := os.MkdirTemp("", "wiki-merge-*")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, 0, err
		}
	}
	var out bytes.Buffer
	args := []string{"merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs", "ours", "base", "theirs"}
	if union {
		args = slices.Insert(args, 1, "--union")
	}
	err = run(ctx, dir, func(r io.Reader) error { _, err := out.ReadFrom(r); return err }, args...)
	// The exit code is the number of conflicts; git truncates it to 127, and an error is
	// above that. Source: git-merge-file(1), "EXIT STATUS".
	var f *failure
	if errors.As(err, &f) && f.status > 0 && f.status < 128 && out.Len() > 0 {
		return out.Bytes(), f.status, nil
	}
	return out.Bytes(), 0, err
}

// Unmerged are the versions of files that a merge left in conflict, by their paths below
// the top of the repository that dir is in: the ids of the ancestor's, ours and theirs;
// empty for one that is not there.
func Unmerged(ctx context.Context, dir string) (map[string][3]string, error) {
	out, err := output(ctx, dir, "ls-files", "-z", "-u", "--full-name", "--", ":/")
	if err != nil {
		return nil, err
	}
	files := map[string][3]string{}
	for record := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		meta, name, ok := bytes.Cut(record, []byte{'\t'})
		parts := bytes.Fields(meta) // mode, id, stage
		if !ok || len(parts) != 3 || parts[2][0] < '1' || parts[2][0] > '3' {
			continue
		}
		v := files[string(name)]
		v[parts[2][0]-'1'] = string(parts[1])
		files[string(name)] = v
	}
	return files, nil
}

// Stage adds files to the index, by their paths below dir: what is on disk is what a merge
// made of them.
func Stage(ctx context.Context, dir string, paths []string) error {
	quiet, err := withoutFilters(ctx, dir)
	if err != nil {
		return err
	}
	args := append(quiet[:len(quiet):len(quiet)], "--literal-pathspecs", "add", "--")
	_, err = output(ctx, dir, append(args, paths...)...)
	return err
}

// RegisterDriver registers a merge driver by its name and command in the clone that dir is
// in, for files of some patterns: with .git/info/attributes, which comes before the
// .gitattributes of the repository. A driver of that name, and lines for these patterns,
// are left alone.
func RegisterDriver(ctx context.Context, dir, name, command string, patterns []string) error {
	out, err := output(ctx, dir, "rev-parse", "--path-format=absolute", "--git-path", "info/attributes")
	if err != nil {
		return err
	}
	file := filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))
	if _, err := output(ctx, dir, "config", "--get", "merge."+name+".driver"); err != nil {
		if _, err := output(ctx, dir, "config", "--local", "merge."+name+".driver", command); err != nil {
			return err
		}
	}
	src, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(src)
	for _, pattern := range patterns {
		if !strings.Contains("\n"+text, "\n"+pattern+" ") {
			text += pattern + " merge=" + name + "\n"
		}
	}
	if text == string(src) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}
