// Package audit turns a repository into the evidence that an auditor begins with,
// and an auditor's findings into plans that are worth a person's time.
//
// The evidence is gathered without a model: files, symbols and sizes, code that no
// test names, what the wiki says and leaves out, what changes most. An auditor
// answers with findings, each with the places that show it. What it cites is looked
// up, what a person refused before is left out, and the rest is ordered by what it
// brings for its effort. None of that is the auditor's to decide.
package audit
