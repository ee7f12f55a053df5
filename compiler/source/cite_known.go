package source

import (
	"fmt"

	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// outcome is what became of a citation, as the cache keeps it.
type outcome struct {
	Commit string           `json:"commit,omitempty"` // of the page's line; empty when nothing can be said
	File   string           `json:"file,omitempty"`
	Result citation.Outcome `json:"result,omitzero"`
	Values []StaleValue     `json:"values,omitempty"`
}

// hashOf returns a hash of a page's text.
func (c *citing) hashOf(page *schema.Page) string {
	h, ok := c.hashes[page]
	if !ok {
		h = fmt.Sprint(xxh3.Hash(page.Source))
		c.hashes[page] = h
	}
	return h
}

// remembered judges a citation by what was found before, if its page, the commits of
// that and the file are the same.
func (c *citing) remembered(o *cited) bool {
	last := ""
	if f := c.judge.wiki.History().Files[o.Page.Path]; f != nil {
		last = f.Changed.ID
	}
	o.key = newKey(o.Page.Path, last, o.file, o.Anchor.Raw, fmt.Sprint(o.At.Start, o.Anchor.FromLine, o.Anchor.ToLine),
		c.hashOf(o.Page), fmt.Sprint(c.text(o.file).hash)).String()
	out, ok := c.known.get(o.key)
	if ok {
		c.apply(o, &out)
	}
	return ok
}
