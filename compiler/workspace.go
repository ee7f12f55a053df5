package compiler

import "github.com/loopwiki/wiki/schema"

// Workspace is a wiki's place on disk and how it is to be read.
type Workspace struct {
	Dir        string // absolute: the repository, or the folder the wiki was asked for in
	Root       string // absolute: the folder of the pages
	RootPath   string // Root below Dir, slash-separated, "." when equal
	ConfigPath string // absolute path of wiki.yaml, empty when there is none
	Config     *schema.Config
	Dialect    schema.Dialect
	Git        bool // Dir is a git work tree
	// Reasons say, one line each, what was detected and why.
	Reasons []string
}
