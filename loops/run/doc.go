// Package run carries out what the kernel of the loops decides.
//
// A run is a folder, .loopwiki/runs/<id>: journal.jsonl, to which every event
// is appended and synced before anything follows from it, and the evidence that
// the journal names: prompts, transcripts, results, patches. What a run has come
// to is what the kernel makes of its journal; nothing else is kept. A runner
// that dies leaves a journal whose last command has no answer. The next one
// ends what is left of the dead one's processes and issues that command again.
package run
