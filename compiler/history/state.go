package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// State returns a text that changes whenever git may answer anything in this package
// differently for the work tree of dir, other than by its files: with HEAD, the index, the
// configuration and the ignore rules of the repository and of the user. The errors are those
// of [Load].
func State(ctx context.Context, dir string) (string, error) {
	out, err := output(ctx, dir, "rev-parse", "--absolute-git-dir", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return "", err
	}
	own, common, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	head, err := output(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil && ctx.Err() != nil {
		return "", ctx.Err()
	}
	excludes, _ := output(ctx, dir, "config", "--get", "--path", "core.excludesFile") // fails if nothing sets it
	home, _ := os.UserHomeDir()
	config, _ := os.UserConfigDir()
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n", head)
	for _, name := range []string{
		filepath.Join(own, "index"), filepath.Join(own, "config.worktree"), filepath.Join(own, "MERGE_HEAD"),
		filepath.Join(common, "config"), filepath.Join(common, "shallow"), filepath.Join(common, "info", "exclude"), filepath.Join(common, "info", "grafts"), filepath.Join(common, "packed-refs"),
		filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config"), filepath.Join(config, "git", "ignore"), "/etc/gitconfig",
		strings.TrimSpace(string(excludes)),
	} {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&s, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return s.String(), nil
}
