// Package source turns files of code into symbols with facets, and what pages
// say about them into answers: is it still there, is it still so.
//
// A symbol is not compared as text. What of it can change is split into facets
// (see [Facets]): its tokens without comments, its declaration without the
// body, and its literals. Formatting and comments change none of them.
package source
