// Package gate judges trees that agents leave: by what changed in them, and by
// the repository's own commands, run on a sealed export.
//
// A gate is one file that registers itself. Judging goes in phases: what can be
// seen in the change alone comes first, and a tree that was tampered with is
// never run. Commands run on an export of the candidate on which everything
// protected is as it is in the tree before the chunk, with a home of their own,
// through a loops.Container.
//
// An export holds a repository of one commit: tools that ask git find it there
// and go no further up, and nothing in it leads to the real one.
package gate
