package loops

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// Control is what a loop's spec says of a run that it started.
type Control struct {
	// Loop is the spec's name, Pass the id of the loop's run: the runs of all items
	// that were selected together have the same.
	Loop string `json:"loop"`
	Pass string `json:"pass"`
	// Item is the id of the work that was selected, "" if all of it is read at once.
	Item string `json:"item,omitempty"`
	// Report says that nothing is made: a classifier reads, and its report is kept.
	Report bool `json:"report,omitempty"`
}

// Escalation is what of a run is left to a person. Work that is escalated waits:
// the person's yes lets it go on, a no ends it.
type Escalation struct {
	// SameReason is how many retries may fail for one reason; 0 is any number.
	SameReason int `json:"same_reason,omitempty"`
	// Unsure asks when a checker is not sure, or approves what it finds fault with.
	Unsure bool `json:"unsure,omitempty"`
	// Disagree asks when tests pass and the checker says that documentation does not.
	Disagree bool `json:"disagree,omitempty"`
	// Context asks when an agent says that it can't go on without a person.
	Context bool `json:"context,omitempty"`
	// Areas are parts of a repository that no agent changes alone.
	Areas []Area `json:"areas,omitempty"`
	// Within are globs that a change may not leave, Files how many files it may have;
	// none and 0 bound nothing.
	Within []string `json:"within,omitempty"`
	Files  int      `json:"files,omitempty"`
}

// Area is a part of a repository, known by the paths of its files.
type Area struct {
	Name string `json:"name"`
	// Words are looked for among the words that paths are made of, in lower case.
	// A word with a dot or a slash is looked for in the whole path.
	Words []string `json:"words,omitempty"`
	// Globs are paths, as in a plan's scope; ** stands for any number of folders.
	Globs []string `json:"globs,omitempty"`
}

// Holds reports whether a path, slash-separated, belongs to the area.
func (a *Area) Holds(file string) bool {
	words := PathWords(file)
	low := strings.ToLower(file)
	for _, w := range a.Words {
		if strings.ContainsAny(w, "./") && strings.Contains("/"+low, w) || words[w] {
			return true
		}
	}
	for _, g := range a.Globs {
		if globHolds(strings.Split(g, "/"), strings.Split(file, "/")) {
			return true
		}
	}
	return false
}

// PathWords returns the words that a path is made of, in lower case: letters and
// digits between other characters, cut where a capital begins a word.
func PathWords(file string) map[string]bool {
	out := make(map[string]bool)
	var b strings.Builder
	add := func() {
		if b.Len() > 0 {
			out[b.String()] = true
		}
		b.Reset()
	}
	last := ' '
	for _, r := range file {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			add()
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	add()
	return out
}

// globHolds matches the names of a path, in time proportional to the product of
// both lengths.
func globHolds(glob, file []string) bool {
	row := make([]bool, len(file)+1)
	row[len(file)] = true
	for i := len(glob) - 1; i >= 0; i-- {
		next := row
		row = make([]bool, len(file)+1)
		for j := len(file); j >= 0; j-- {
			if glob[i] == "**" {
				row[j] = next[j] || j < len(file) && row[j+1]
				continue
			}
			if j < len(file) && next[j+1] {
				ok, err := path.Match(glob[i], file[j])
				row[j] = ok && err == nil
			}
		}
	}
	return row[0]
}

// escalate leaves the work in hand to a person.
func (s State) escalate(why string, undo bool) (State, []Command) {
	s.Escalated = why
	if undo {
		return s.rollback(s.Tree, Then{Do: ThenAsk, Why: why})
	}
	return s.ask(why)
}

// waive takes a person's leave to go on with what was escalated.
func (s State) waive(by string) (State, []Command) {
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s approved it: %s", by, s.Escalated))
	s.Escalated = ""
	switch {
	case s.Exhausted: // the person lets it try again, and no more than that
		s.Exhausted, s.Charged, s.Breaker = false, 0, Breaker{State: Closed}
		return s.attempt()
	case s.Phase == Gating && s.Green: // a gate asked, about this tree alone
		return s.chunkPassed()
	}
	s.Waived = true
	if s.Phase == Checking && s.Green {
		return s.commit()
	}
	return s.attempt()
}

// sameReason says that an attempt failed as the ones before it did, or "".
func (s *State) sameReason(f fail) string {
	n := s.Start.Escalation.SameReason
	if n == 0 || s.Waived || s.Charged <= n || s.Breaker.Same < n {
		return ""
	}
	return fmt.Sprintf("%d retries failed for the same reason: %s", n, f.why)
}

// beyond reports why what a maker or a writer did is for a person, or "", and whether it is
// reverted meanwhile.
func (s *State) beyond(r RoleResult) (why string, undo bool) {
	e := &s.Start.Escalation
	if s.Waived {
		return "", false
	}
	for i := range e.Areas {
		for _, c := range r.Changes {
			if e.Areas[i].Holds(c.Path) || c.From != "" && e.Areas[i].Holds(c.From) {
				return fmt.Sprintf("the change touches %s: %s", e.Areas[i].Name, c.Path), true
			}
		}
	}
	if why := e.outside(r.Changes, s.Start.Documentation); why != "" {
		return why, true
	}
	if e.Context && r.Report.Outcome == PermissionDenied {
		return fmt.Sprintf("the %s needs context from a person or a private system: %s", s.Phase.role(), detail(r)), true
	}
	return "", false
}

// outside returns which bound of a spec a change leaves, or "". Pages that a person let
// be on the list are not more than there may be.
func (e *Escalation) outside(changes []Change, d *DocumentationRequest) string {
	within := Area{Globs: e.Within}
	for _, c := range changes {
		if len(e.Within) > 0 && !within.Holds(c.Path) {
			return fmt.Sprintf("the change is outside %s: %s", strings.Join(e.Within, ", "), c.Path)
		}
	}
	most := e.Files
	if d != nil && d.Ask != "" {
		most = max(most, len(d.Pages))
	}
	if e.Files > 0 && len(changes) > most {
		return fmt.Sprintf("the change has %d files, more than %d", len(changes), most)
	}
	return ""
}

// doubtful reports why a verdict is for a person, or "".
func (s *State) doubtful(r Report) string {
	e, v := &s.Start.Escalation, r.Verdict
	switch {
	case s.Waived:
		return ""
	case e.Disagree && v.Checks["tests"] == "pass" && v.Checks["documentation"] == "fail":
		return "tests disagree with documentation: " + first(reasonsOf(v))
	case e.Unsure && (r.Assessment == AssessWarn || r.Assessment == AssessFail):
		return fmt.Sprintf("the checker is uncertain (%s): %s", r.Assessment, first(reasonsOf(v)))
	case e.Unsure && v.Decision == Approve && !v.Approves():
		return "the checker approves, but reports problems: " + first(reasonsOf(v))
	}
	return ""
}

// times says how often.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
