package schema

import "time"

// LoopPlan is a plan with its status, for the site.
type LoopPlan struct {
	Name     string // as the plan's file, without folder and extension
	Path     string // relative to the repository's root
	Title    string
	Status   string // pending, running, done, blocked, rejected
	Why      string // of the status, "" if it needs no reason
	Priority int    // 1 is first
	Chunks   int
	Run      string // the id of its last run, "" if it had none
	Text     string // the whole file; "" in a list
}

// LoopIncident is an incident, with its analysis.
type LoopIncident struct {
	ID         string
	Status     string // stops, noted, closed
	Cause      string // its class
	Confidence float64
	Why        string
	Run        string // the id of the run that it is of, "" if it is of none
	Opened     time.Time
	// Parts are its documents: the report, the five whys, later events. Empty in lists.
	Parts []LoopPart
}

// LoopPart is a document of an incident.
type LoopPart struct{ Name, Text string }
