// Package gate judges the trees that agents leave: by their changes, and by running
// the repository's own commands on a sealed export.
//
// A gate is one file that registers itself. Gates run in phases: those that only read
// the change come first, and a tree with tampered files is never executed. Commands
// run through a loops.Container, in an export of the tree with all protected files
// restored from before the chunk, and with their own home directory.
//
// An export is a git repository with one commit: tools that call git find it there
// and don't search further up, and nothing in it refers to the real repository.
package gate
