package history

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// ChangeKind says how a file differs from the last commit.
type ChangeKind string

// The kinds. A renamed file is one deleted and one added.
const (
	Modified   ChangeKind = "modified"
	Added      ChangeKind = "added"
	Deleted    ChangeKind = "deleted"
	Untracked  ChangeKind = "untracked"
	Conflicted ChangeKind = "conflicted"
)

// Uncommitted returns the files below dir that differ from the last commit,
// with paths below dir. Contents are compared as they lie on disk: filters
// that the repository configures (git-lfs is one) are programs, and do not
// run. Submodules are not looked into. The errors are those of [Load].
func Uncommitted(ctx context.Context, dir string) (map[string]ChangeKind, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	at, err := locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	quiet, err := withoutFilters(ctx, dir)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, dir, append(quiet, "status", "--porcelain=v2", "-z", "--untracked-files=all",
		"--ignored=no", "--ignore-submodules=all", "--no-renames", "--no-ahead-behind", "--", ".")...)
	if err != nil {
		return nil, err
	}
	changes, err := parseStatus(string(out))
	if err != nil {
		return nil, fmt.Errorf("output of git status in %s: %w", dir, err)
	}
	below := make(map[string]ChangeKind, len(changes))
	for p, kind := range changes {
		below[relative(at.prefix, p)] = kind
	}
	return below, nil
}

// withoutFilters returns options that switch off every configured filter.
func withoutFilters(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	var f *failure
	if err != nil && !(errors.As(err, &f) && f.status == 1) { // 1: none is configured
		return nil, err
	}
	var opts []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if strings.Contains(name, "=") {
			return nil, fmt.Errorf("git status in %s: can't disable the filter %q; rename it", dir, name)
		}
		if name != "" {
			opts = append(opts, "-c", name+"=")
		}
	}
	return opts, nil
}

// parseStatus reads porcelain format v2: one record per file, which begins
// with its kind and has a fixed number of fields before the path.
func parseStatus(out string) (map[string]ChangeKind, error) {
	changes := map[string]ChangeKind{}
	for rec := range strings.SplitSeq(out, "\x00") {
		if rec == "" {
			continue
		}
		fields := map[byte]int{'1': 8, 'u': 10, '?': 1}[rec[0]]
		part := strings.SplitN(rec, " ", fields+1)
		if fields == 0 || len(part) != fields+1 {
			return nil, fmt.Errorf("unknown record %.80q", rec)
		}
		path := part[fields]
		switch xy := part[1]; {
		case rec[0] == '?':
			changes[strings.TrimSuffix(path, "/")] = Untracked
		case rec[0] == 'u':
			changes[path] = Conflicted
		case len(xy) != 2:
			return nil, fmt.Errorf("unknown record %.80q", rec)
		case xy[1] == 'D' || xy == "D.":
			changes[path] = Deleted
		case xy[0] == 'A' || xy[1] == 'A':
			changes[path] = Added
		default:
			changes[path] = Modified
		}
	}
	return changes, nil
}
