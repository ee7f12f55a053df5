// Package serve shows a wiki while it is being written: pages are rendered
// when they are asked for, and every open tab follows the files on disk.
//
// # From a saved file to a new page
//
// A change goes through three steps, the first of which readers wait for: the
// changed pages are compiled and the site is laid out again, and the tabs are
// told; then the wiki is linted and the search index updated, and the tabs
// that show a page with other findings are told again.
//
// What can't be compiled, such as a wiki.yaml in the middle of an edit,
// leaves the last good wiki in place and shows the error over it.
//
// # Who may read
//
// The server listens on the loopback interface unless told otherwise, answers
// only to names that are its own, so that no other web site can point its name
// at it, and sends only files of the site. Nothing it is asked for reaches the
// file system as a path.
package serve
