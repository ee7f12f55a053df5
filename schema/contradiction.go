package schema

// AcknowledgedFile is where acknowledged contradictions are kept, beside
// wiki.yaml.
const AcknowledgedFile = ".loopwiki/acknowledged.yaml"

// BaselineFile is where the findings that were accepted lie, beside wiki.yaml.
const BaselineFile = ".loopwiki/baseline.json"

// Side is one of the places that can't all be right.
type Side struct {
	Path string
	Span Span
	Text string // what it says, in short
	// Key identifies the side by its subject and content: a moved side keeps its key, a
	// changed one gets another.
	Key string
}

// Contradiction is a tracked contradiction: open until somebody acknowledges it, and
// gone once a side is corrected.
type Contradiction struct {
	Rule        string
	Fingerprint string // of the finding
	Severity    Severity
	Judged      bool   // a model compared the texts of the sides; else a rule compared values
	About       string // in few words, empty when pages only say that they differ
	// Sides are all places, that of the finding first. What a page declares
	// about itself has one.
	Sides []Side
	// Acknowledged is nil while it is open.
	Acknowledged *Acknowledgement
}

// Acknowledgement records that a person knows a contradiction and leaves it for now.
// Dates are written 2006-01-02.
type Acknowledgement struct {
	Reason string
	By     string // empty when not known
	Since  string // the day it was given, empty when not known
	Until  string // the last day it holds, empty when it holds until a side changes
}
