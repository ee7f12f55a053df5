// Package ingest takes files in as raw sources of a wiki. It reads them, gives them
// names below raw/, and returns the changes that put them there, with their lines in
// the register, the index and the log. What is registered never changes: lint tells
// when it did.
package ingest
