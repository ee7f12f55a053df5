// Package andon stops the line when a run fails, and keeps what was learnt.
//
// A failure leaves an incident: a folder below .loopwiki/incidents with the
// evidence, what it was taken for, and what follows from it. While one is open
// nothing integrates or publishes work: no run starts, and the guard that agents ask refuses
// to push, merge, tag, publish and commit. It is closed by a person, with five
// whys of which each was verified, and leaves a standard: something that the
// next run is told, or is held to.
//
// Three failed runs in a row, or a run that failed three times at one thing, are
// a Meta-Andon: nothing starts until somebody has planned anew and says so by
// name.
//
// All of it is plain files that are meant to be committed. Secrets are taken out
// of what programs printed before it is written.
package andon
