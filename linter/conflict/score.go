package conflict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// Label is one pair of statements of a labelled set, from its labels.json. The
// format is that of the sets in testdata.
type Label struct {
	ID            string    `json:"id"`
	Kind          string    `json:"kind"`
	Difficulty    int       `json:"difficulty"` // 1, plain, to 5
	Reach         string    `json:"reach"`      // deterministic, stretch or llm; "-" for what is not a contradiction
	Contradiction bool      `json:"contradiction"`
	Pages         [2]string `json:"pages"` // below the set's wiki/
	Lines         [2]Lines  `json:"lines"`
	Alt           []Alt     `json:"alt"`
}

// Lines are the first and the last line of a statement, from 1.
type Lines [2]int

// Alt is another place that makes one of a label's two statements.
type Alt struct {
	Side  string `json:"side"` // "a" or "b"
	Page  string `json:"page"`
	Lines Lines  `json:"lines"`
}

// ReadLabels reads labels.json.
func ReadLabels(src []byte) ([]Label, error) {
	var labels []Label
	if err := json.NewDecoder(bytes.NewReader(src)).Decode(&labels); err != nil {
		return nil, err
	}
	for i := range labels {
		l := &labels[i]
		if l.ID == "" || l.Pages[0] == "" || l.Pages[1] == "" || l.Lines[0][0] < 1 || l.Lines[1][0] < 1 {
			return nil, fmt.Errorf("label %d (%q): an id, a page or a line is missing", i, l.ID)
		}
	}
	return labels, nil
}

// slack is how many lines a finding may be off: statements wrap.
const slack = 1

// place is one side of a finding.
type place struct {
	page     string
	from, to int
}

// FoundPair is a finding that says that two places contradict each other.
type FoundPair struct {
	Rule string
	A, B place
}

// Pairs returns the pairs that findings say: the place of each with every
// place that is related to it.
func Pairs(findings []schema.Diagnostic) []FoundPair {
	var out []FoundPair
	for i := range findings {
		d := &findings[i]
		for _, r := range d.Related {
			out = append(out, FoundPair{d.Rule, place{d.Path, d.From.Line, d.To.Line}, place{r.Path, r.From.Line, r.To.Line}})
		}
	}
	return out
}

// Part is how many there are of something, and how many were found.
type Part struct {
	Found int `json:"found"`
	Of    int `json:"of"`
}

// Score says how well findings agree with labels.
type Score struct {
	Pairs      int              `json:"pairs"`      // that the findings say
	Right      int              `json:"right"`      // pairs that are a labelled contradiction
	Tempted    Part             `json:"tempted"`    // labels that are none and were taken for one
	Unlabelled int              `json:"unlabelled"` // pairs that no label speaks of, counted as wrong
	Found      Part             `json:"found"`      // labelled contradictions
	Reach      map[string]*Part `json:"reach"`
	Kind       map[string]*Part `json:"kind"`
	Missed     []string         `json:"missed"` // ids, sorted
	Taken      []string         `json:"taken"`  // ids of the hard negatives taken, sorted
	Strangers  []string         `json:"strangers"`
}

// Precision is the share of pairs that are right, 1 without pairs.
func (s *Score) Precision() float64 {
	if s.Pairs == 0 {
		return 1
	}
	return float64(s.Right) / float64(s.Pairs)
}

// Recall is the share of the labelled contradictions that were found.
func (s *Score) Recall() float64 { return float64(s.Found.Found) / float64(max(1, s.Found.Of)) }

// Evaluate compares findings with a labelled set.
func Evaluate(labels []Label, pairs []FoundPair) *Score {
	s := &Score{Pairs: len(pairs), Reach: map[string]*Part{}, Kind: map[string]*Part{}, Missed: []string{}, Taken: []string{}, Strangers: []string{}}
	hit := make([]bool, len(labels))
	for _, p := range pairs {
		right, tempted := false, false
		for i := range labels {
			right = right || labels[i].Contradiction && labels[i].matches(p)
		}
		for i := range labels {
			// What is found is not a hard negative that is on the next line.
			if labels[i].Contradiction == right && labels[i].matches(p) {
				hit[i], tempted = true, true
			}
		}
		switch {
		case right:
			s.Right++
		case !tempted:
			s.Unlabelled++
			s.Strangers = append(s.Strangers, fmt.Sprintf("%s:%d %s:%d %s", p.A.page, p.A.from, p.B.page, p.B.from, p.Rule))
		}
	}
	for i := range labels {
		l := &labels[i]
		if !l.Contradiction {
			s.Tempted.add(hit[i])
			if hit[i] {
				s.Taken = append(s.Taken, l.ID)
			}
			continue
		}
		s.Found.add(hit[i])
		part(s.Reach, l.Reach).add(hit[i])
		part(s.Kind, l.Kind).add(hit[i])
		if !hit[i] {
			s.Missed = append(s.Missed, l.ID)
		}
	}
	slices.Sort(s.Missed)
	slices.Sort(s.Taken)
	slices.Sort(s.Strangers)
	return s
}

func (p *Part) add(found bool) {
	p.Of++
	if found {
		p.Found++
	}
}

func part(m map[string]*Part, key string) *Part {
	if m[key] == nil {
		m[key] = &Part{}
	}
	return m[key]
}

// matches reports whether a pair speaks of the two statements of a label.
func (l *Label) matches(p FoundPair) bool {
	for _, a := range l.side("a", 0) {
		for _, b := range l.side("b", 1) {
			if p.A.at(a) && p.B.at(b) || p.A.at(b) && p.B.at(a) {
				return true
			}
		}
	}
	return false
}

// side returns the places that make one of the two statements.
func (l *Label) side(name string, i int) []place {
	out := []place{{l.Pages[i], l.Lines[i][0], cmp.Or(l.Lines[i][1], l.Lines[i][0])}}
	for _, a := range l.Alt {
		if a.Side == name {
			out = append(out, place{a.Page, a.Lines[0], cmp.Or(a.Lines[1], a.Lines[0])})
		}
	}
	return out
}

func (p place) at(q place) bool {
	return p.page == q.page && p.from <= q.to+slack && max(p.from, p.to) >= q.from-slack
}
