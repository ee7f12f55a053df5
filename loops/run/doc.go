// Package run executes the commands of the loop kernel.
//
// A run is a folder, .loopwiki/runs/<id>, with journal.jsonl and the evidence that
// the journal refers to: prompts, transcripts, results, patches. Every event is
// appended and synced before the kernel sees it. The state of a run is always
// computed from its journal; nothing else is stored. If a runner dies, the journal
// ends with a command without an answer: the next runner ends leftover processes and
// repeats that command.
package run
