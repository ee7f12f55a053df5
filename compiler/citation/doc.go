// Package citation finds where pages cite lines of files, in the forms that people
// use, and says what became of those lines.
//
// [Find] takes a page and returns its citations with the places of their numbers,
// so that an edit can correct the numbers alone. [Compare] takes two versions of a
// file and says where lines of the first stand in the second.
//
// What surprises: nothing here reads a file or asks git. Whether a path is one of
// the repository, and which version of it was cited, is for the caller to know.
package citation
