package agent

import (
	"github.com/loopwiki/wiki/loops"
)

// Answerer is a program that answers one prompt from standard input with its tools
// off: it runs nothing, opens no file and keeps no session where it can do without.
// It is called in an empty folder.
type Answerer struct {
	ID string // of the record, and the name of the program
	// Args are the arguments, and Env is set for it.
	Args, Env []string
	// Variables name what it needs of the environment for its login: keys, and where
	// its vendor is.
	Variables []string
	// Files are written before it is called, by their names beside its folder.
	Files map[string]string
}

// answerers are in the order in which they are looked for.
var answerers = []string{"claude", "codex", "gemini", "opencode", "copilot"}

// Answerers returns the programs that answer a prompt with their tools off, in the
// order in which they are looked for.
func Answerers() []Answerer {
	var out []Answerer
	for _, id := range answerers {
		r := find(id)
		a := *r.answers
		a.ID = id
		out = append(out, a)
	}
	return out
}

// Read returns what a call came to; the answer is the text of the report.
func (a *Answerer) Read(t loops.Transcript, prices Prices) loops.Report {
	return (&agent{record: find(a.ID), prices: prices}).Read(loops.Call{}, t)
}

// find returns a record, nil if none has the name.
func find(id string) *record {
	for _, r := range records {
		if r.id == id {
			return r
		}
	}
	return nil
}
