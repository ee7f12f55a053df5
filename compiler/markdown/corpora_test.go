package markdown

import (
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// TestCorpusLinks counts the links in the bodies of real wikis.
//
// The counts of corpora/EXPECTED.md come from another program. Where they
// differ: three of the vault's 100 wikilinks stand in front matter; the four of
// the code wikis stand in raw HTML (drawings), where nothing is a link; and of
// markdown links it leaves out those to a heading of the page itself and those
// without a destination. Over the code wikis goldmark alone finds the same
// 1,601 links as this package, one less than counted there.
func TestCorpusLinks(t *testing.T) {
	for _, tc := range []struct {
		root                        string
		wikilinks, embeds, internal int
	}{
		{"tasks-demo-vault/vault", 97, 30, 19},
		{"tasks-demo-vault/docs", 1136, 28, 129},
		{"codebase-wikis", 0, 0, 1601},
		{"olas-wiki/.wiki", 0, 0, 63},
		{"nvk-lint-fixtures/golden-wiki", 3, 0, 50},
	} {
		wikilinks, embeds, internal := 0, 0, 0
		for _, p := range readPages(t, filepath.Join(corpus(t), filepath.FromSlash(tc.root))) {
			Parse(p, schema.Limits{})
			for _, l := range p.Links {
				switch {
				case l.Syntax == schema.SyntaxWikilink:
					wikilinks++
					if l.Embed {
						embeds++
					}
				case l.Syntax == schema.SyntaxInline && !l.External && l.Target != "":
					internal++
				}
			}
		}
		if wikilinks != tc.wikilinks || embeds != tc.embeds || internal != tc.internal {
			t.Errorf("%s: %d wikilinks, %d of them embeds, %d internal markdown links; want %d, %d, %d",
				tc.root, wikilinks, embeds, internal, tc.wikilinks, tc.embeds, tc.internal)
		}
	}
}
