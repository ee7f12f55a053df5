// Package compiler turns a folder of markdown, and the git history next to it,
// into one immutable [Wiki]: pages, what their links resolve to and why, and
// the graph between them.
//
// Faults in the content are [schema.Fault] values on their page, and rules of
// the linter report them. An error is for I/O, configuration, or a bug: a
// broken page never stops the other pages.
//
// The rooms below: markdown parses and renders one page, resolve finds what a
// link means, history asks git once, exchange writes the graph in the formats
// of other programs.
package compiler
