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
	limit := files.Page
	limit.Bytes = int64(w.space.Config.Limits.OrDefault().PageBytes)
	src, err := root.ReadFile(p, limit)
	if err != nil {
		return nil
	}
	up := strings.Repeat("../", 1+strings.Count(at, "/")) + p
	return w.ReadAs(&schema.Page{Path: up, ID: pageID(up), Layer: schema.LayerSource}, src)
}

// ReadAs reads a text as if it were that of a page, for example as an earlier version of
// it. It is not linked with the pages of the wiki, and becomes no part of it.
func (w *Wiki) ReadAs(p *schema.Page, src []byte) *schema.Page {
	page := &schema.Page{Path: p.Path, ID: p.ID, Layer: p.Layer, Outline: p.Outline, Python: p.Python, Source: src, Hash: xxh3.Hash(src), Lines: schema.NewLineIndex(src)}
	readFrontmatter(page)
	markdown.Parse(page, w.space.Config.Limits.OrDefault())
	return page
}
