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
	out := verifiers{}
	for key, o := range stamps(ctx, w) {
		out[key] = o.Author
	}
	return out
}

// stamps returns where the lines of wiki.lock come from, by what they verify; nothing
// for those that are in no commit, and without a history.
func stamps(ctx context.Context, w *compiler.Wiki) map[bindingKey]compiler.Origin {
	ws := w.Workspace()
	src, err := lockBytes(ws)
	if err != nil || src == nil {
		return nil
	}
	file, err := filepath.Rel(ws.Root, filepath.Join(LockFolder(ws), LockName))
	if err != nil {
		return nil
	}
	origins, err := w.Blame(ctx, filepath.ToSlash(file), nil)
	if err != nil {
		return nil
	}
	out := map[bindingKey]compiler.Origin{}
	number := 0
	for line := range strings.Lines(string(src)) {
		number++
		o, committed := origins[number]
		if b, reason := parseBinding(strings.TrimSpace(line)); reason == "" && committed {
			out[b.names()] = o
		}
	}
	return out
}
