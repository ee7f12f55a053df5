package history

import (
	"context"
	"fmt"
	"strings"
)

// Trailer is a commit that says something in a trailer.
type Trailer struct {
	Subject string
	Value   string
}

// Trailers returns the values of a trailer, such as Loop-Plan, in the commits of the
// default branch, newest first: that of the remote origin, or else main, master, or the
// current branch. A trailer counts anywhere in a message, since a squash joins messages.
func Trailers(ctx context.Context, dir, key string) ([]Trailer, error) {
	revs, err := defaultBranches(ctx, dir)
	if err != nil || len(revs) == 0 {
		return nil, err
	}
	out, err := output(ctx, dir, append([]string{"log", "-z", "--format=%B", "--grep=^" + key + ": ", "--end-of-options"}, revs...)...)
	if err != nil {
		return nil, fmt.Errorf("read the trailers %s: %w", key, err)
	}
	var found []Trailer
	for message := range strings.SplitSeq(string(out), "\x00") {
		subject, _, _ := strings.Cut(message, "\n")
		for line := range strings.Lines(message) {
			if value, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), key+": "); ok {
				found = append(found, Trailer{strings.TrimSpace(subject), strings.TrimSpace(value)})
			}
		}
	}
	return found, nil
}

// defaultBranches returns where accepted work is; none before the first commit.
func defaultBranches(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, "for-each-ref", "--format=%(refname) %(symref)", "refs/heads/main", "refs/heads/master", "refs/remotes/origin/HEAD")
	if err != nil {
		return nil, err
	}
	var local, remote []string
	for line := range strings.Lines(string(out)) {
		name, leads, _ := strings.Cut(strings.TrimSpace(line), " ")
		if leads == "" {
			local = append(local, name)
			continue
		}
		// The clone's own branch of that name may be ahead of the remote.
		remote = append(remote, name)
		branch := "refs/heads/" + strings.TrimPrefix(leads, "refs/remotes/origin/")
		if b, err := output(ctx, dir, "for-each-ref", "--format=%(refname)", branch); err == nil && strings.TrimSpace(string(b)) == branch {
			remote = append(remote, branch)
		}
	}
	switch {
	case len(remote) > 0:
		return remote, nil
	case len(local) > 0:
		return local[:1], nil
	}
	if at, err := locate(ctx, dir); err != nil || at.head == "" {
		return nil, err
	}
	return []string{"HEAD"}, nil
}
