package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Revision is the content of a file before a commit removed lines from it.
type Revision struct {
	Commit string // whose parent held it; empty when it is what HEAD holds
	Text   []byte
}

// The bounds of [History.Shortened]: commits looked at, of which each costs the
// file again, and the largest file, in bytes.
const (
	mostRevisions   = 32
	largestRevision = 4 << 20
)

// revisions caches the answers per file.
type revisions struct {
	sync.Mutex
	of map[string][]Revision
}

// Shortened returns the contents of a file, by its path below the folder of the history,
// before each of the latest commits that changed or removed lines of it, latest first,
// starting with the content at HEAD. It costs two calls of git per file and is cached.
// For a renamed or merged file, only the first parents since then are known. An
// untracked file has none.
func (h *History) Shortened(ctx context.Context, path string) ([]Revision, error) {
	if h.Head == "" || h.Files[path] == nil {
		return nil, nil
	}
	h.asked.Lock()
	defer h.asked.Unlock()
	if known, ok := h.asked.of[path]; ok {
		return known, nil
	}
	commits, err := h.shortening(ctx, path)
	if err != nil {
		return nil, err
	}
	out, err := h.texts(ctx, path, commits)
	if err != nil {
		return nil, err
	}
	if h.asked.of == nil {
		h.asked.of = map[string][]Revision{}
	}
	h.asked.of[path] = out
	return out, nil
}

// shortening returns the latest commits that removed lines from a file.
func (h *History) shortening(ctx context.Context, path string) ([]string, error) {
	out, err := output(ctx, h.dir, "log", "--first-parent", "-m", "--no-renames", "--diff-filter=M", "--numstat",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-notes", "--no-mailmap", "--no-decorate",
		"--format=%H", h.Head, "--", ":(literal)"+path)
	if err != nil {
		return nil, err
	}
	var commits []string
	commit := ""
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1:
			commit = fields[0]
		case len(fields) >= 3 && commit != "":
			if removed, err := strconv.Atoi(fields[1]); err == nil && removed > 0 && len(commits) < mostRevisions {
				commits = append(commits, commit)
			}
		}
	}
	return commits, nil
}

// texts reads a file at HEAD and before each of the commits.
func (h *History) texts(ctx context.Context, path string, commits []string) ([]Revision, error) {
	if strings.ContainsAny(path, "\n\r") {
		return nil, nil // can't be asked for
	}
	var ask bytes.Buffer
	fmt.Fprintf(&ask, "%s:./%s\n", h.Head, path)
	for _, c := range commits {
		fmt.Fprintf(&ask, "%s^:./%s\n", c, path)
	}
	var out []Revision
	err := runWith(ctx, h.dir, &ask, func(r io.Reader) error {
		in := bufio.NewReader(r)
		for i := range len(commits) + 1 {
			text, err := nextBlob(in)
			if err != nil {
				return err
			}
			rev := Revision{Text: text}
			if i > 0 {
				rev.Commit = commits[i-1]
			}
			if text != nil {
				out = append(out, rev)
			}
		}
		return nil
	}, "cat-file", "--batch")
	return out, err
}

// nextBlob reads one answer of git cat-file --batch: nil for missing objects, other
// types, and large files.
func nextBlob(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("answer ends early: %w", err)
	}
	fields := strings.Fields(line)
	if len(fields) < 3 || fields[len(fields)-1] == "missing" {
		return nil, nil
	}
	size, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	if err != nil || size < 0 {
		return nil, errors.New("answer without a size: " + line)
	}
	if fields[len(fields)-2] != "blob" || size > largestRevision {
		_, err := io.CopyN(io.Discard, in, size+1)
		return nil, err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, err
	}
	_, err = in.Discard(1)
	return text, err
}
