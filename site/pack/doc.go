// Package pack puts together what a wiki says about a question, within a budget of tokens.
// It takes the pages that a search found, best first, and gives whole sections with their
// lines, and what speaks against believing each. One thing may surprise: what is estimated
// is the whole text, headings and notes included, and from above.
//
// A section is ranked by its words and those of its page, then by how near its page is to
// the best ones, how fresh it is, and how many pages link to it. Superseded, stale,
// contested and contradicted sections come later and say so. The other side of an open
// contradiction is quoted wherever one side is.
package pack
