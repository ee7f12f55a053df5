package files

import (
	"fmt"

	"github.com/loopwiki/wiki/schema"
)

// Limit is the most bytes that are read of one kind of file.
type Limit struct {
	Name  string // short, for tables
	Bytes int64
	What  string // which files
}

// The limits by kind of file. They are constants: authors of the files can't raise them.
var (
	// Config bounds wiki.yaml.
	Config = Limit{"configuration", 1 << 20, "wiki.yaml"}
	// Lock bounds wiki.lock.
	Lock = Limit{"lock", 64 << 20, "wiki.lock"}
	// State bounds what commands and loops keep in a repository.
	State = Limit{"state", 32 << 20, ".loopwiki/baseline.json, verdicts.jsonl, incidents, agents/state"}
	// Acknowledged bounds the acknowledged contradictions.
	Acknowledged = Limit{"acknowledged", 2 << 20, ".loopwiki/acknowledged.yaml"}
	// Cache bounds a file of derived data.
	Cache = Limit{"cache", 64 << 20, "files of .loopwiki/cache"}
	// Run bounds a file of a run: journals, prompts and what a tool printed.
	Run = Limit{"run", 128 << 20, "files of .loopwiki/runs"}
	// Text bounds what people write for loops.
	Text = Limit{"text", 4 << 20, "plans, tasks, loop specs, skills, AGENTS.md, agents/*.md, project files from which gates are detected"}
	// Theme bounds a file of the theme's folder.
	Theme = Limit{"theme", 8 << 20, "templates, styles and scripts below site.theme"}
	// Manifest bounds the list of files that a build made.
	Manifest = Limit{"manifest", 64 << 20, ".wiki-build.json in the output folder"}
	// Page bounds a page; between limits.page_bytes of wiki.yaml and this it
	// compiles as plain text.
	Page = Limit{"page", schema.MaxPageFile, "markdown pages"}
	// Given bounds a file that was named on the command line.
	Given = Limit{"argument", 256 << 20, "files named on the command line"}
)

// Table lists the limits of files, as [schema.LimitTable] lists the others.
func Table() []schema.Limit {
	var out []schema.Limit
	for _, l := range []Limit{Config, Lock, State, Acknowledged, Cache, Run, Text, Theme, Manifest, Given} {
		out = append(out, schema.Limit{Name: l.What, Value: int(l.Bytes), Unit: "bytes", Beyond: "the file is refused, and named in the error"})
	}
	return out
}

// Size writes a number of bytes with the unit it is a round number of.
func (l Limit) Size() string {
	switch {
	case l.Bytes >= 1<<20 && l.Bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MB", l.Bytes>>20)
	case l.Bytes >= 1<<10 && l.Bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KB", l.Bytes>>10)
	}
	return fmt.Sprintf("%d bytes", l.Bytes)
}

// TooLargeError is a file of more bytes than are read.
type TooLargeError struct {
	Path  string
	Limit Limit
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than the limit of %s (%s)", e.Path, e.Limit.Size(), e.Limit.Name)
}

// Hint says what to do about it.
func (e *TooLargeError) Hint() string { return "make it smaller, or move it away" }
