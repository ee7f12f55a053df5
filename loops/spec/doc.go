// Package spec reads loop specifications of the Loop Specification Standard (LSS
// 1.0 and the composition of 1.1). In goes YAML or JSON; out come a [Document]
// with the place of every value, the faults that its schema and our semantic
// checks find, a typed [Spec] for whoever runs it, and what is derived from it:
// level, pattern, complexity, diagrams and other forms.
//
// Validity is the schema's alone. What [Document.Semantic] finds, such as a
// reference to a worker that does not exist, never makes a document invalid.
package spec
