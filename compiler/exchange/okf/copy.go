package okf

import (
	"bytes"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// copies adds the files that pages refer to. A symbolic link is not followed, and a
// file with the content of a page that is left out is left out.
func (b *bundler) copies() {
	known := map[string]bool{}
	for _, f := range b.wiki.Files() {
		known[f] = true
	}
	for _, p := range b.pages {
		for _, name := range fieldPaths(p) {
			if known[name] && !isMarkdown(name) {
				b.copied[name] = true
			}
		}
	}
	root, err := b.wiki.Workspace().OpenPages()
	if err != nil {
		return // nothing is below it
	}
	defer root.Close()
	for name := range b.copied {
		switch info, err := root.Lstat(name); {
		case b.taken[name] || !known[name]:
		case err != nil || !info.Mode().IsRegular() || root.Linked(name):
			b.out.Notes = append(b.out.Notes, Note{name, 0, "not copied: it is a symbolic link or can't be read"})
		case b.holdsHidden(root, name, info.Size()):
			b.out.Notes = append(b.out.Notes, Note{name, 0, "not copied: it has the content of a page that is left out"})
		default:
			b.out.Files = append(b.out.Files, File{Path: name, From: name})
		}
	}
}

// holdsHidden reports whether a file has the content of a page that is left out.
func (b *bundler) holdsHidden(root *files.Root, name string, size int64) bool {
	for _, p := range b.wiki.Pages() {
		if b.public.Hidden(p.ID) && int64(len(p.Source)) == size {
			if src, err := root.ReadFile(name, files.Page); err != nil || bytes.Equal(src, p.Source) {
				return true
			}
		}
	}
	return false
}

// fieldPaths are the files that the path-valued fields of the format name.
func fieldPaths(p *schema.Page) (out []string) {
	add := func(n *schema.Node) {
		if s := n.ScalarText(); s != "" && !schema.IsExternal(s) {
			clean := strings.TrimPrefix(path.Clean("/"+s), "/")
			out = append(out, clean, path.Join(path.Dir(p.Path), s))
		}
	}
	add(p.Front.Get("resource"))
	add(p.Front.Get("computation"))
	add(p.Front.Get("executor").Get("resource"))
	add(p.Front.Get("attester").Get("resource"))
	for _, ref := range p.Meta.Sources {
		if ref.Anchor.Path != "" {
			out = append(out, strings.TrimPrefix(path.Clean("/"+ref.Anchor.Path), "/"), path.Join(path.Dir(p.Path), ref.Anchor.Path))
		}
	}
	return out
}
