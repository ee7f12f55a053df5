// Package prompt turns a piece of work, and what a repository knows about it, into the
// prompt of an agent.
//
// A prompt has parts in a fixed order, each with its own size limit. Text beyond a
// limit is cut, and the cut is marked. Text from the repository or its wiki is fenced
// and marked as data, so that a page can't instruct an agent.
package prompt
