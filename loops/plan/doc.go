// Package plan reads and writes what must be done, in the files that people
// write it in: plans of this project's own kind (plans/YYYY-MM-slug.md), the
// task files of others (task.json, prd.json), which are updated as their users
// expect, and specs of loops (agents/loops/<name>.md) with the state of what they
// took. Specs are read here because they are read as plans are: places, faults,
// headings and globs are the same.
//
// What is wrong with a file is a [Fault] at its place, never an error: a reader
// of plans gets all faults at once. A plan with a fault of severity error is not
// to be run.
//
// A change of a file that a person wrote is a text edit at an exact place. What
// the edit does not mean stays byte for byte.
package plan
