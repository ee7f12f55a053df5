// Package search is the full-text index behind wiki search, wiki serve and
// the tools of agents: an index in memory over the pages of one compiled
// wiki, updated page by page. The static site has its own index, which a
// browser can read.
//
// # What a query means
//
// Words are looked for in titles, names (aliases, tags, paths), headings and
// text, in any form English gives them; a page must have every word. The last
// word may be the beginning of one. A word that is found nowhere stands for
// the words one letter away from it, two letters from eight letters on. When
// no page has every word, those with at least half of them are found, and
// failing that with any.
//
//	"exact phrase"   these words, as written, in this order
//	tag:name         pages with the tag, or one below it
//	type:name        pages of the type
//
// No query is an error: what is not one of the above is words.
package search
