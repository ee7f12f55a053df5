package history

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Origin is where a line comes from: the commit that last changed it, and who made that.
type Origin struct{ Commit, Author string }

// Blame returns where lines of a file come from, by the number of the line; those that
// are in no commit are left out. The file is a path below dir, or beginning with ../,
// content what it holds, nil for what is on disk, and lines are the numbers asked for, in
// order, nil for all.
//
// In a shallow clone the origins of old lines are not known, and the error says so.
func Blame(ctx context.Context, dir, file string, content []byte, lines []int) (map[int]Origin, error) {
	switch at, err := locate(ctx, dir); {
	case err != nil:
		return nil, err
	case at.shallow:
		return nil, ErrShallow
	}
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
	var out bytes.Buffer
	read := func(r io.Reader) error { _, err := out.ReadFrom(r); return err }
	if err := runWith(ctx, dir, in, read, append(args, "--", file)...); err != nil {
		return nil, err
	}
	return porcelain(out.String())
}

// uncommitted is the id of git blame for uncommitted lines.
const uncommitted = "0000000000000000000000000000000000000000"

// porcelain reads the output of git blame --porcelain: per line the commit's id and the
// line number, the first time the commit's data, then the line after a tab. Source:
// git-blame(1), "The porcelain format".
func porcelain(out string) (map[int]Origin, error) {
	authors := map[string]string{}
	origins := map[int]Origin{}
	id, number := "", 0
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t"):
			if !strings.HasPrefix(id, uncommitted) {
				origins[number] = Origin{id, authors[id]}
			}
			id = ""
		case id == "":
			part := strings.Fields(line)
			if len(part) < 3 || len(part[0]) < len(uncommitted) {
				return nil, fmt.Errorf("output of git blame: no line begins with %.80q", line)
			}
			n, err := strconv.Atoi(part[2])
			if err != nil {
				return nil, fmt.Errorf("output of git blame: %.80q", line)
			}
			id, number = part[0], n
		default:
			if name, ok := strings.CutPrefix(line, "author "); ok {
				authors[id] = strings.ToValidUTF8(name, "\uFFFD")
			}
		}
	}
	return origins, nil
}
