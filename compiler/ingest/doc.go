// Package ingest adds files as raw sources of a wiki. It reads them, names them below
// raw/, and returns the changes that write them, with entries in the register, the index
// and the log. A registered file never changes: lint reports it if it does.
package ingest
