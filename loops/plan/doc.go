// Package plan reads and writes the files that define work: plans of this project
// (plans/YYYY-MM-slug.md), task files of other programs (task.json, prd.json), which
// are updated as their users expect, and loop specs (agents/loops/<name>.md) with
// the state of their items. Specs are read here because they share positions,
// faults, headings and globs with plans.
//
// A problem in a file is a [Fault] with a position, never an error: callers get all
// faults at once. A plan with a fault of severity error must not run.
//
// A change of a file that a person wrote is a text edit at an exact position. All
// other bytes stay the same.
package plan
