// Package mode decides how far a loop may go on its own: it scores runs by what
// people made of them, says when the next step may be granted, and when a loop
// goes a step back by itself. The records of it, grants and steps back, are lines
// of one file that people commit.
package mode
