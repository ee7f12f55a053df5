package history

import (
	"context"
	"strings"
)

// User returns the name that git would write into a commit made in dir, as
// user.name gives it; empty when it gives none or there is no git.
func User(ctx context.Context, dir string) string {
	out, err := output(ctx, dir, "config", "--get", "user.name")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
