package repo

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/loopwiki/wiki/compiler"
)

// Wiki compiles the wiki of a worktree, nil if it has none.
func Wiki(ctx context.Context, worktree string) (*compiler.Wiki, error) {
	ws, err := compiler.Detect(worktree, "")
	var root *compiler.RootError
	if errors.As(err, &root) || err == nil && ws.ConfigPath == "" && ws.RootPath == "." {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w, err := compiler.Compile(ctx, ws, compiler.Options{History: true})
	if err != nil || len(w.Pages()) == 0 {
		return nil, err
	}
	return w, nil
}

// OneLine returns a text with its line ends made spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// IsFolder reports whether a folder of that name is there.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
