package main

import (
	"context"
	"errors"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

// changes asks git what changed since a revision.
func changes(ctx context.Context, ws *compiler.Workspace, rev string) (*schema.Changes, error) {
	c, err := history.Since(ctx, ws.Root, rev)
	if err == nil {
		return c, nil
	}
	return nil, gitFault(err, "--since: ")
}

// gitFault gives an error of git its exit code and its remedy.
func gitFault(err error, about string) error {
	f := &fault{code: exitUsage}
	for _, lacking := range []error{history.ErrNoGit, history.ErrNoRepository, history.ErrNotTrusted, history.ErrMissingObject, history.ErrShallow} {
		if errors.Is(err, lacking) {
			f.code = exitEnvironment
		}
	}
	text, hint, _ := strings.Cut(err.Error(), "; ")
	f.hint = hint
	f.err = errors.New(about + text)
	return f
}
