// Package history turns one call of git into the facts a wiki needs of its
// history: when each file was created, last changed and renamed.
package history

import "time"

// History is what git knows about the files below one folder.
type History struct {
	Head    string // commit id
	Shallow bool   // the clone has only part of the history
	Files   map[string]*File
}

// File is the history of one file that exists now. Paths are slash-separated
// below the folder the history was asked for; one above it begins with ../.
type File struct {
	Created Commit
	Changed Commit
	Commits int
	// Renamed lists the paths the file had before, newest first.
	Renamed []string
}

// Commit is one commit as far as a wiki needs it.
type Commit struct {
	ID     string
	Time   time.Time // committer date, UTC
	Author string
}
