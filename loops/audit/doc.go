// Package audit collects the evidence that an auditor starts with, and turns its
// findings into plans that are worth a person's time.
//
// The evidence is collected without a model: files, symbols and sizes, code that no
// test mentions, what the wiki covers and what it misses, what changes most. An
// auditor answers with findings, each with citations. The citations are checked,
// findings that a person rejected before are dropped, and the rest is ordered by
// impact for its effort. The auditor decides none of that.
package audit
