package source

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
)

// verifiers tell who verified what: whoever committed the line of wiki.lock that
// says so. The line itself holds no name, so that it has one spelling and people
// who say the same make the same line.
type verifiers map[bindingKey]string

type bindingKey struct{ page, heading, target string }

func (b *Binding) names() bindingKey { return bindingKey{b.Page, b.Heading, b.Target} }

// whoVerified asks git who wrote the lines of wiki.lock. Without a history, or with
// a shallow one, nobody is named.
func whoVerified(ctx context.Context, w *compiler.Wiki) verifiers {
	ws := w.Workspace()
	src, err := lockBytes(ws)
	if err != nil || src == nil {
		return nil
	}
	file, err := filepath.Rel(ws.Root, filepath.Join(LockFolder(ws), LockName))
	if err != nil {
		return nil
	}
	authors, err := w.LineAuthors(ctx, filepath.ToSlash(file))
	if err != nil {
		return nil
	}
	out := verifiers{}
	i := 0
	for line := range strings.Lines(string(src)) {
		if i < len(authors) && authors[i] != "" {
			if b, reason := parseBinding(strings.TrimSpace(line)); reason == "" {
				out[b.names()] = authors[i]
			}
		}
		i++
	}
	return out
}
