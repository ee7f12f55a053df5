// Package site turns a compiled wiki into what people read: a folder of HTML
// that works on GitHub Pages, below any path, and opened from a file.
//
// [New] decides the name of every output file and renders nothing, so that a
// server can start at once and render what is asked for; [Site.Build] renders
// all of it in parallel and writes what changed. Both give the same bytes.
//
// # What a page may cost
//
// Nothing on a page grows with the number of pages: long lists are cut into
// numbered files, the sidebar shows the neighbours of a page, and the search
// index is loaded when somebody searches.
//
// # What is published
//
// The pages that are neither drafts nor private, their sources without comments
// as .md next to them, and the files that a published page shows or links to. A
// file that only a private page mentions, or nobody, is not published. An
// unlisted page is built and is in no list.
//
// The rooms below: theme holds the templates and assets, search the index, math converts
// formulas, layout places the graph of the wiki, serve is the live preview, and rebuild tells
// whether a build is needed at all.
package site
