// Package markdown reads and renders one page. goldmark finds the blocks; the
// inline syntax is read by a parser of this package, plugged into goldmark, so
// that one pass sees markdown's links and those of wikis alike.
//
// # Why the inline parser is our own
//
// Three needs, none of which goldmark's own inline parsers meet: exact spans
// of every construct, its destination and its label, for edits are made on
// them; linear time on pages that nobody trusts (goldmark is quadratic in
// brackets, delimiter runs, reference definitions, footnotes and table
// columns); and the syntax of wikis. The algorithms are those of the
// CommonMark specification, section "Phase 2: inline structure".
//
// The wikilink library decides what a wikilink is. What it says about the
// target is not used: it cuts [[A#B#C]] at the last #, keeps the spaces of
// [[ a ]] and the backslash of [[a\|b]], and can't tell [[C#]] from [[C]].
//
// # Bounds
//
// Work is linear in the size of a page but for the depth of nesting, which is
// bounded: quotes and lists by [schema.Limits], emphasis and images by
// maxInlineDepth. A page beyond a bound is read as plain text.
package markdown
