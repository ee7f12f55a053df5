package site

import (
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// block is a part of a page above or below its text, in a separate file. Its template
// has its name, in theme/templates/blocks.
type block struct {
	name  string
	above bool // the text
	// data returns .Data for its template, for a page in the file from; nil omits the
	// block.
	data func(s *Site, p *schema.Page, from string) any
}

// blocks are those of every page, from top to bottom.
var blocks = []block{watchedBlock, findingsBlock, contradictionsBlock, alsoBlock}

// addBlocks puts the blocks around the text of a page.
func (s *Site) addBlocks(v *theme.Page, p *schema.Page, from string) {
	for _, b := range blocks {
		data := b.data(s, p, from)
		if data == nil {
			continue
		}
		to := &v.Below
		if b.above {
			to = &v.Above
		}
		*to = append(*to, theme.Block{Name: b.name, T: s.words, Data: data})
	}
}
