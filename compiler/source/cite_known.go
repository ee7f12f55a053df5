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
	Absent bool             `json:"absent,omitempty"` // the file was not there then
	Record bool             `json:"record,omitempty"` // the lines were there in the commit that the page describes
	File   string           `json:"file,omitempty"`
	Result citation.Outcome `json:"result,omitzero"`
	Values []StaleValue     `json:"values,omitempty"`
	Named  string           `json:"named,omitempty"` // that the lines did not have
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
	stamp := ""
	if b := o.Locked; b != nil {
		stamp = fmt.Sprint(b.Facets, b.Reviewed, b.Date.Unix())
	}
	o.key = newKey(o.Page.Path, last, stamp, o.file, o.Anchor.Raw, fmt.Sprint(o.At.Start, o.Anchor.FromLine, o.Anchor.ToLine),
		c.hashOf(o.Page), fmt.Sprint(c.text(o.file).hash)).String()
	out, ok := c.known.get(o.key)
	if ok = ok && out.fits(o.Page); ok {
		c.apply(o, &out)
	}
	return ok
}

// fits reports whether an outcome can be of a page. The cache lies in a folder that
// others may have written.
func (o *outcome) fits(page *schema.Page) bool {
	for _, v := range o.Values {
		if v.At.Start < 0 || v.At.End > len(page.Source) || v.At.Start > v.At.End {
			return false
		}
	}
	return o.Result.From >= 0 && o.Result.To >= o.Result.From
}
