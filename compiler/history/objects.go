package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Object is a file as a revision has it.
type Object struct {
	Revision string // as a commit id
	File     string // below dir, or beginning with ../
}

// ObjectIDs returns the ids of files' contents at revisions, with one call of git; empty
// if a revision lacks the file.
func ObjectIDs(ctx context.Context, dir string, objects []Object) ([]string, error) {
	at, err := locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	for _, o := range objects {
		name := o.Revision + ":" + path.Join(at.prefix, o.File)
		if strings.HasPrefix(name, "-") || strings.ContainsAny(name, "\n\x00") {
			name = "0:" // which nothing is
		}
		in.WriteString(name + "\n")
	}
	ids := make([]string, 0, len(objects))
	read := func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			id, kind, _ := strings.Cut(lines.Text(), " ")
			if kind, _, _ = strings.Cut(kind, " "); kind != "blob" {
				id = ""
			}
			ids = append(ids, id)
		}
		return lines.Err()
	}
	if err := runWith(ctx, dir, strings.NewReader(in.String()), read, "cat-file", "--batch-check"); err != nil {
		return nil, err
	}
	if len(ids) != len(objects) {
		return nil, fmt.Errorf("output of git cat-file: %d answers to %d questions", len(ids), len(objects))
	}
	return ids, nil
}

// Contents calls f with the contents of objects, by their ids, in order and by one call
// of git. Those of more than limit bytes, and those that are not here, are left out.
func Contents(ctx context.Context, dir string, ids []string, limit int, f func(id string, content []byte)) error {
	in := strings.NewReader(strings.Join(ids, "\n") + "\n")
	return runWith(ctx, dir, in, func(r io.Reader) error {
		br := bufio.NewReaderSize(r, 64<<10)
		for range ids {
			head, err := br.ReadString('\n')
			if err != nil {
				return unexpected(err)
			}
			part := strings.Fields(head)
			if len(part) != 3 {
				continue // it is missing
			}
			size, err := strconv.Atoi(part[2])
			if err != nil || size < 0 {
				return fmt.Errorf("unknown answer %.80q", head)
			}
			if size > limit {
				if _, err := br.Discard(size + 1); err != nil {
					return unexpected(err)
				}
				continue
			}
			content := make([]byte, size+1)
			if _, err := io.ReadFull(br, content); err != nil {
				return unexpected(err)
			}
			f(part[0], content[:size])
		}
		return nil
	}, "cat-file", "--batch")
}

// Tracked returns the files that git tracks in the repository that dir is in, as paths
// below dir or beginning with ../.
func Tracked(ctx context.Context, dir string) ([]string, error) {
	at, err := locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, dir, "ls-files", "-z", "--full-name", ":/")
	if err != nil {
		return nil, err
	}
	var files []string
	for p := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if p != "" {
			files = append(files, relative(at.prefix, p))
		}
	}
	return files, nil
}

// Remotes returns where the copies of the repository lie that dir is in, as its
// configuration writes it, and the branch that is checked out, empty for none.
func Remotes(ctx context.Context, dir string) (urls []string, branch string) {
	out, err := output(ctx, dir, "config", "--get-regexp", `^remote\..*\.url$`)
	if err == nil {
		for line := range strings.Lines(string(out)) {
			if _, url, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				urls = append(urls, url)
			}
		}
	}
	if out, err = output(ctx, dir, "symbolic-ref", "--short", "-q", "HEAD"); err == nil {
		branch = strings.TrimSpace(string(out))
	}
	return urls, branch
}
