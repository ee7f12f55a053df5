// Package pack puts together what a wiki says about a question, within a budget of tokens.
// It takes the pages that a search found, best first, and gives sections with their lines,
// or the parts of long ones that have words of the question, and what speaks against
// believing each. One thing may surprise: what is estimated is the whole text, headings and
// notes included, and from above.
//
// A part is ranked by its words and those of its page, then by how near its page is to the
// best ones, how fresh it is, how many pages link to it, and how many better parts its page
// has. Superseded, stale, contested and contradicted sections come later and say so. The
// other side of an open contradiction is quoted wherever one side is.
package pack
