package history

import (
	"context"
	"strings"
)

// User returns the name that git would use for a commit in dir, user.name; empty without
// one, or without git.
func User(ctx context.Context, dir string) string {
	out, err := output(ctx, dir, "config", "--get", "user.name")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
