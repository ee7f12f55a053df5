package schema

import "fmt"

// Severity orders diagnostics. It is part of a rule's interface: error, a
// reader would be misled or stranded; warning, likely so; info, worth knowing.
type Severity uint8

// The severities, mildest first. Off is a rule that does not run.
const (
	Off Severity = iota
	Info
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"off", "info", "warning", "error"}[s] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity's name.
func (s *Severity) UnmarshalText(b []byte) error {
	for v := Off; v <= Error; v++ {
		if v.String() == string(b) {
			*s = v
			return nil
		}
	}
	if string(b) == "warn" {
		*s = Warning
		return nil
	}
	return fmt.Errorf("%q is not a severity: expected off, info, warning or error", b)
}

// Diagnostic is one finding at one place.
type Diagnostic struct {
	Rule     string
	Severity Severity
	Path     string // below the wiki's root; begins with ../ outside it
	Span     Span
	From, To Position // of Span, filled in by the linter
	Message  string   // what is wrong, ending in what was expected or the remedy
	Secret   bool     // the text of Span must not be printed, nor distinguished from Fingerprint
	Related  []Related
	Fixes    []Fix
	// Count is the number of places of this finding: 1, or more for a group with one
	// cause.
	Count int
	// About says in few words what a contradiction is about, and Sides what
	// contradicts each other; both are empty for other findings. A rule that
	// leaves Sides empty means the places of the finding and of Related.
	About string
	Sides []Side
	// Fingerprint names the finding across edits: rule, page and the
	// normalised text of its place, never its line.
	Fingerprint string
}

// Related is a second place that explains a diagnostic.
type Related struct {
	Path     string
	Span     Span
	From, To Position // filled in by the linter; a rule gives those of a file that is not a page
	Message  string
}

// Fix is one way to settle a diagnostic; of several at most one is applied.
type Fix struct {
	Title string // a verb phrase
	Safe  bool   // may be applied without anyone looking
	Edits []Edit
	Moves []Move // files that get another path once the edits are made
}

// Move gives a file another path; both are below the wiki's root.
type Move struct {
	From, To string
}

// Edit replaces Span of the file Path by Text. Edits of one fix do not overlap.
// A file that does not exist is made by an edit of its empty span.
type Edit struct {
	Path string
	Span Span
	Text string
}

// Skipped is a check that could not run, and why, with its remedy.
type Skipped struct {
	Check  string `json:"check"`
	Reason string `json:"reason"`
}
