// Package prompt turns a piece of work, and what a repository knows about it,
// into what an agent is told.
//
// A prompt is parts in a fixed order, each with a size of its own. What does not
// fit is cut, and named. What comes from the repository or its wiki is fenced
// and said to be data: a page can't tell an agent what to do.
package prompt
