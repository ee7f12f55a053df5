package replay

import (
	"slices"

	"github.com/loopwiki/wiki/compiler/source"
)

// Score is what a replay came to.
type Score struct {
	Commits     int `json:"commits"`    // that changed code
	Pairs       int `json:"pairs"`      // of a commit and a section about a file that it changed
	Affected    int `json:"affected"`   // of these, the declaration or a value that the section states changed, or the symbol went
	Unverified  int `json:"unverified"` // its file could not be read after the commit; counted nowhere else
	Alarms      int `json:"alarms"`     // errors and warnings, moves not counted
	FalseAlarms int `json:"falseAlarms"`
	// FalseCommits are those with a false alarm.
	FalseCommits int       `json:"falseCommits"`
	Missed       int       `json:"missed"` // affected, and nothing was said but that the code changed, if that
	Worklist     int       `json:"worklist" jsonschema:"sections that are only to be read again (body-changed)"`
	Moves        int       `json:"moves" jsonschema:"symbols in files that git says were renamed, and unchanged but for that"`
	Healed       int       `json:"healed"`
	Values       int       `json:"values"`      // reported as stale
	RightValues  int       `json:"rightValues"` // the code had it, and has it no more
	Wrong        []Mistake `json:"wrong,omitempty"`

	commits map[string]bool
}

// Mistake is an outcome that is not right.
type Mistake struct {
	Commit string `json:"commit"`
	Target string `json:"target"`
	State  string `json:"state" jsonschema:"what was reported; empty when nothing was"`
	Why    string `json:"why"`
}

// mostMistakes bounds the list of them.
const mostMistakes = 50

func (s *Score) wrong(o *Outcome, why string) {
	if len(s.Wrong) < mostMistakes {
		s.Wrong = append(s.Wrong, Mistake{o.Commit, o.Target, string(o.State), why})
	}
}

// Add counts an outcome. A section is affected when the symbol's declaration
// or a literal that the section states changed, or the symbol is gone.
func (s *Score) Add(o *Outcome) {
	if o.State == source.StateUnverifiable {
		s.Unverified++
		return
	}
	s.Pairs++
	if o.Renamed != "" && o.After.Facets == o.Before.Facets {
		s.Moves++
		if o.State == source.StateMoved && o.Moved == o.Renamed {
			s.Healed++
		} else {
			s.wrong(o, "it is now "+o.Renamed)
		}
	}
	affected := o.After == nil || o.After.Facets.Signature != o.Before.Facets.Signature || o.gone()
	if affected {
		s.Affected++
	}
	switch o.State {
	case source.StateBodyChanged:
		s.Worklist++
		if affected {
			s.Missed++
		}
	case source.StateStaleValue, source.StateSignatureChanged, source.StateSymbolMissing, source.StateFileMissing:
		s.Alarms++
		if !affected {
			s.FalseAlarms++
			s.wrong(o, "nothing that the page says of it changed")
			if s.commits == nil {
				s.commits = map[string]bool{}
			}
			s.commits[o.Commit] = true
			s.FalseCommits = len(s.commits)
		}
	case source.StateFresh:
		if affected {
			s.Missed++
		}
	}
	for _, v := range o.Values {
		s.Values++
		if o.right(v) {
			s.RightValues++
		} else {
			s.wrong(o, "the code still has "+v.Old)
		}
	}
}

// gone reports whether a literal that the section states is no longer there.
func (o *Outcome) gone() bool {
	return slices.ContainsFunc(o.Stated, func(l string) bool { return !has(o.After, l) })
}

// right reports whether a value is one that the code had, and has no more.
func (o *Outcome) right(v source.StaleValue) bool {
	same := func(l source.Literal) bool { return plain(l.Text) == v.Old }
	return o.After != nil && slices.ContainsFunc(o.Before.Literals, same) && !slices.ContainsFunc(o.After.Literals, same)
}

func has(s *source.Symbol, literal string) bool {
	return slices.ContainsFunc(s.Literals, func(l source.Literal) bool { return l.Text == literal })
}
