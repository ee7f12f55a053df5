// Package temporal carries out runs of plans on a Temporal server: the second driver of
// the kernel of loops.
//
// A run is a workflow. It holds the state of the kernel, feeds events to it, and has each
// command carried out by an activity, which starts the wiki program on a host that has a
// clone of the repository. The workflow's events are the run's journal: each is in the
// history of the workflow once, as part of what the next activity is told, and [Read]
// takes them out again. A host keeps a copy of the journal, as the embedded driver would
// have written it, so that everything else of the program works there as ever.
//
// Nothing here decides about a run. What the workflow adds to the kernel is where work is
// done, and what happens when a host is lost.
package temporal
