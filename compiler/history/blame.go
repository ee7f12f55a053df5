package history

import (
	"context"
	"fmt"
	"strings"
)

// LineAuthors returns who wrote each line of a file as it is on disk, by the
// commit that last changed it; empty for lines that are not committed. The file is
// a path below dir, or beginning with ../.
//
// In a shallow clone the authors of old lines are not known, and the error says so.
func LineAuthors(ctx context.Context, dir, file string) ([]string, error) {
	at, err := locate(ctx, dir)
	switch {
	case err != nil:
		return nil, err
	case at.shallow:
		return nil, ErrShallow
	}
	// No text converter runs, and no list of commits to skip is read: the
	// configuration of a repository is as untrusted as its pages.
	out, err := output(ctx, dir, "-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv", "--", file)
	if err != nil {
		return nil, err
	}
	return porcelainAuthors(string(out))
}

// uncommitted is the id of what is not in any commit.
const uncommitted = "0000000000000000000000000000000000000000"

// porcelainAuthors reads the output of git blame --porcelain: a line with the id
// of a commit, what is known of it the first time, and the line itself behind
// a tab. Source: git-blame(1), "The porcelain format".
func porcelainAuthors(out string) ([]string, error) {
	authors := map[string]string{}
	var lines []string
	id := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t"):
			lines = append(lines, authors[id])
			id = ""
		case id == "":
			if id, _, _ = strings.Cut(line, " "); len(id) < len(uncommitted) {
				return nil, fmt.Errorf("output of git blame: no line begins with %.80q", line)
			}
		default:
			name, ok := strings.CutPrefix(line, "author ")
			if ok && !strings.HasPrefix(id, uncommitted) {
				authors[id] = strings.ToValidUTF8(name, "\uFFFD")
			}
		}
	}
	return lines, nil
}
