// Package search cuts the text of pages into terms, indexes them, and answers
// queries: for wiki search and wiki serve in this process, and for the static site
// in its own script, which has the same data and ranks in the same way. It takes
// a compiled wiki, and gives pages with snippets, or the files of the site's index. One thing
// may surprise: the index has no positions. A phrase is looked for in the text of the pages
// that have all of its words.
//
// # What a query means
//
// Words are looked for in titles, names (aliases, tags, paths), headings, text, and
// what links call a page, in any form English gives them. Pages that have more of
// them come first; none has to have every word. The last word may be the beginning
// of one. A word that is found nowhere stands for the nearest ones, at most a letter
// away, two letters from seven letters on.
//
//	"exact phrase"   these words, as written, in this order
//	tag:name         pages with the tag, or one below it
//	type:name        pages of the type
//	path:folder      pages in the folder, or below it
//
// No query is an error: what is not one of the above is words.
//
// # Ranking
//
// BM25 of the page, in which a word of the title counts three times, plus that of its
// best section. The forms, beginnings and corrections of a word are one term, each with
// a share of the weight.
//
// # On disk
//
// [Open] keeps the index in .loopwiki/cache and reads it again while the folder of the
// pages looks the same.
//
// # On the site
//
// [Collector.Parts] makes the files: [Root]; lists of shards; shards of terms sorted by
// stem, so that the forms of a word are in one; the rest of lists of more than 512 pages,
// for queries of several words; cards of results, a few a file; terms that a mistyped word
// may stand for. Many terms with one beginning have a list of the best pages together. What
// a term adds to a page is rounded to one of 21 levels, and to a section to one of 16; the
// index of this process rounds alike.
package search
