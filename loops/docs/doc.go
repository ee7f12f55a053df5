// Package docs ranks pages by how likely a change of the repository affects them. A
// wiki and a range of commits go in; the work list of the documentation loop comes
// out, each page with its reasons, the strongest first.
//
// A page is listed if its sources, a citation, a link, a path in backticks or its name
// refer to a changed file, if a symbol that it mentions changed in a facet that it
// describes, or if it changed together with these files before. No model is called.
package docs
