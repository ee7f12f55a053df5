package compiler

import (
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/schema"
)

// ReadOutside reads a markdown file that is in the wiki's repository and
// outside its root, by its path below the repository, slash-separated. It is
// read as pages are, and its Path begins with ../ as in a link to it. It is nil
// when there is no such file, in that spelling, or none that can be read.
func (w *Wiki) ReadOutside(p string) *schema.Page {
	at := w.space.RootPath
	if at == "." || strings.HasPrefix(p, at+"/") || !exactCase(w.space.Dir, p) {
		return nil
	}
	root, err := w.space.Open(w.space.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	limits := w.space.Config.Limits.OrDefault()
	limit := files.Page
	limit.Bytes = int64(limits.PageBytes)
	src, err := root.ReadFile(p, limit)
	if err != nil {
		return nil
	}
	up := strings.Repeat("../", 1+strings.Count(at, "/")) + p
	page := &schema.Page{Path: up, ID: pageID(up), Layer: schema.LayerSource, Source: src, Hash: xxh3.Hash(src), Lines: schema.NewLineIndex(src)}
	readFrontmatter(page)
	markdown.Parse(page, limits)
	return page
}
