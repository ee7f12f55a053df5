// Package andon stops the line when a run fails, and keeps the lessons.
//
// A failed run goes in; an incident comes out: a folder below .loopwiki/incidents
// with the evidence, the failure class and the next steps. While an incident is
// open, no run starts, and the guard that agents call denies push, merge, tag,
// publish and commit. A person closes it with five verified whys. A closed incident
// leaves a standard: a lesson for the prompt of the next run, or a check.
//
// Three failed runs in a row, or three failures of a run at the same point, are a
// Meta-Andon: no run starts until a person acknowledges it by name.
//
// All state is plain files that are meant to be committed. Secrets are removed from
// the output of programs before it is written.
package andon
