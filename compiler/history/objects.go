package history

import (
	"bufio"
	"bytes"
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

// ObjectIDs returns the ids of the contents that files had at revisions, by one call
// of git; empty for what no revision has.
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

// LineCommits returns the commits that last changed some lines of a file, by the number
// of the line; those that are not committed are left out. The file is a path below dir,
// or beginning with ../, and content what it holds; nil for what is on disk.
//
// In a shallow clone the commits of old lines are not known, and the error says so.
func LineCommits(ctx context.Context, dir, file string, content []byte, lines []int) (map[int]string, error) {
	// No text converter runs, and no list of commits to skip is read: the
	// configuration of a repository is as untrusted as its pages.
	args := []string{"-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv"}
	for i := 0; i < len(lines); {
		k := i
		for k+1 < len(lines) && lines[k+1] <= lines[k]+1 {
			k++
		}
		args = append(args, fmt.Sprintf("-L%d,%d", lines[i], lines[k]))
		i = k + 1
	}
	var in io.Reader
	if content != nil {
		args, in = append(args, "--contents", "-"), bytes.NewReader(content)
	}
	var printed bytes.Buffer
	read := func(r io.Reader) error { _, err := printed.ReadFrom(r); return err }
	if err := runWith(ctx, dir, in, read, append(args, "--", file)...); err != nil {
		return nil, err
	}
	out := printed.Bytes()
	commits := map[int]string{}
	for head := true; len(out) > 0; {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		out = rest
		switch {
		case bytes.HasPrefix(line, []byte("\t")):
			head = true
		case head:
			head = false
			part := strings.Fields(string(line))
			if len(part) < 3 {
				return nil, fmt.Errorf("output of git blame: no line begins with %.80q", line)
			}
			n, err := strconv.Atoi(part[2])
			if err != nil {
				return nil, fmt.Errorf("output of git blame: %.80q", line)
			}
			if !strings.HasPrefix(part[0], uncommitted) {
				commits[n] = part[0]
			}
		}
	}
	return commits, nil
}

// Tracked returns the files that git tracks in the repository that dir lies in, as paths
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

// Remotes returns where the copies of the repository lie that dir lies in, as its
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
