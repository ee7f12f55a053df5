package statebranch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// attributes lie on the branch: git merges none of its files by lines.
const attributes = "* -merge -text\n"

const attributesFile = ".gitattributes"

// git calls git with an input.
func (b *Branch) git(ctx context.Context, in string, env []string, args ...string) (string, error) {
	c := repo.Command(ctx, b.Root, args...)
	c.Env = append(c.Env, env...)
	c.Stdin = strings.NewReader(in)
	out, err := c.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}

// tree lists the files of a commit, by path below .loopwiki; none if there is no commit.
func (b *Branch) tree(ctx context.Context, commit string) (map[string]string, error) {
	out := make(map[string]string)
	if commit == "" {
		return out, nil
	}
	text, err := b.git(ctx, "", nil, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		meta, name, _ := strings.Cut(line, "\t")
		mode, id, _ := strings.Cut(meta, " blob ")
		switch {
		case name == attributesFile || line == "":
		case mode != "100644" || !fs.ValidPath(name) || !travels(name):
			return nil, fmt.Errorf("the branch %s has a file that no run wrote: %s", Name, name)
		default:
			out[name] = id
		}
	}
	return out, nil
}

// hashed lists the files of this clone that belong on the branch, and makes blobs of
// them.
func (b *Branch) hashed(ctx context.Context) (map[string]string, error) {
	names, err := b.local()
	if err != nil {
		return nil, err
	}
	var paths strings.Builder
	for _, name := range names {
		if strings.ContainsAny(name, "\n\r") {
			return nil, fmt.Errorf("%s/%q: a line break in the name of a file", folder, name)
		}
		paths.WriteString(folder + "/" + name + "\n")
	}
	text, err := b.git(ctx, paths.String(), nil, "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(text)
	if len(ids) != len(names) {
		return nil, fmt.Errorf("git hash-object answered %d of %d files", len(ids), len(names))
	}
	out := make(map[string]string, len(names))
	for i, name := range names {
		out[name] = ids[i]
	}
	return out, nil
}

// contents reads blobs.
func (b *Branch) contents(ctx context.Context, ids []string) (map[string][]byte, error) {
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	out := make(map[string][]byte, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	text, err := b.git(ctx, strings.Join(ids, "\n")+"\n", nil, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(strings.NewReader(text))
	for range ids {
		var id, kind string
		var size int64
		if _, err := fmt.Fscanf(r, "%s %s %d\n", &id, &kind, &size); err != nil || kind != "blob" {
			return nil, fmt.Errorf("git cat-file: %s is no file: %w", id, err)
		}
		if size > files.Run.Bytes {
			return nil, fmt.Errorf("a file of the branch %s has %d bytes, more than %d", Name, size, files.Run.Bytes)
		}
		var blob bytes.Buffer
		if _, err := io.CopyN(&blob, r, size); err != nil {
			return nil, err
		}
		if _, err := r.Discard(1); err != nil { // the line's end
			return nil, err
		}
		if out[id] = blob.Bytes(); out[id] == nil {
			out[id] = []byte{}
		}
	}
	return out, nil
}

// commit puts what this clone has on the local branch, and returns its commit. The parent
// is the fetched commit: a push goes forward, or is refused.
func (b *Branch) commit(ctx context.Context, at tips) (string, error) {
	ours, err := b.hashed(ctx)
	if err != nil {
		return "", err
	}
	tree, err := b.write(ctx, ours)
	if err != nil {
		return "", err
	}
	parent := at.theirs
	if parent == "" {
		parent = at.last
	}
	tip := parent
	if has, _ := b.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", parent+"^{tree}"); has != tree || parent == "" {
		if tip, err = b.commitTree(ctx, tree, parent, len(ours)); err != nil {
			return "", err
		}
	}
	if tip == at.last {
		return tip, nil
	}
	_, err = b.Git(ctx, "update-ref", "-m", "wiki loop status --sync", "refs/heads/"+Name, tip, at.last)
	return tip, err
}

// write makes a tree of blobs, beside the index of the checkout.
func (b *Branch) write(ctx context.Context, of map[string]string) (string, error) {
	at, err := b.git(ctx, attributes, nil, "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "wiki-state-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var list strings.Builder
	entry := func(id, name string) { fmt.Fprintf(&list, "100644 %s\t%s\x00", id, name) }
	entry(strings.TrimSpace(at), attributesFile)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		entry(of[name], name)
	}
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := b.git(ctx, list.String(), env, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := b.git(ctx, "", env, "write-tree")
	return strings.TrimSpace(tree), err
}

func (b *Branch) commitTree(ctx context.Context, tree, parent string, n int) (string, error) {
	var args []string
	for key, value := range map[string]string{"user.name": "wiki loop", "user.email": "wiki-loop@localhost"} {
		if have, err := b.Git(ctx, "config", "--get", key); err != nil || have == "" {
			args = append(args, "-c", key+"="+value)
		}
	}
	args = append(args, "commit-tree", "-m", fmt.Sprintf("state of loops: %d files", n))
	if parent != "" {
		args = append(args, "-p", parent)
	}
	return b.Git(ctx, append(args, tree)...)
}
