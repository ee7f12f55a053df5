// Package linter turns a compiled wiki into diagnostics.
//
// A [Rule] is a value in one file of the room rules, registered there, and
// tested by the txtar of its name. [Run] runs rules over a wiki in parallel,
// says one cause once, and sorts what they found. The room report writes
// diagnostics in the formats that people and programs read, one file each.
package linter
