// Package docs turns a wiki, and what changed in the repository around it, into
// the work list of the documentation loop: the pages that must be looked at
// again, each with the reasons, the best founded first.
//
// A page is on it because it is bound to what changed: by what it says are its
// sources, a citation, a link, a path in backticks, its name; because a symbol that
// it speaks of changed in a facet that it states; or because it changed together
// with these files before. Nothing here asks a model.
package docs
