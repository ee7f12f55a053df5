package andon

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// MetaSchema is the version of the state's format.
const MetaSchema = "meta-andon-state.v1"

// MetaState says how many runs failed in a row: meta-andon-state.json.
type MetaState struct {
	SchemaVersion       string    `json:"schema_version"`
	Status              string    `json:"status"` // open, closed
	ConsecutiveFailures int       `json:"consecutive_failures"`
	FailureRuns         []string  `json:"failure_runs"`
	UpdatedAt           time.Time `json:"updated_at"`
	// IncidentID is the one that made it a Meta-Andon.
	IncidentID     string     `json:"incident_id,omitempty"`
	AcknowledgedBy string     `json:"acknowledged_by,omitempty"`
	AcknowledgedAt *time.Time `json:"acknowledged_at,omitempty"`
}

// Blocked reports whether nobody has acknowledged yet that too much failed.
func (m *MetaState) Blocked() bool { return m.Status == "open" && m.AcknowledgedBy == "" }

// MetaArtifacts are what a Meta-Andon has to leave in its incident's folder.
var MetaArtifacts = []string{"meta-andon-five-whys.md", "meta-andon-risk-table.md", "horizontal-sweep-report.md", "meta-andon-batch-fix-plan.md"}

func (d disk) metaState() (MetaState, error) {
	m := MetaState{SchemaVersion: MetaSchema, Status: "closed", FailureRuns: []string{}}
	if err := d.readIf(metaFile, &m); err != nil {
		return m, err
	}
	if m.SchemaVersion != MetaSchema {
		return m, &FileError{metaFile, fmt.Errorf("schema_version is %q, this program reads %s: upgrade wiki", m.SchemaVersion, MetaSchema)}
	}
	if m.ConsecutiveFailures < 0 || m.Status != "open" && m.Status != "closed" {
		return m, &FileError{metaFile, errors.New("negative failure count, or a status other than open and closed")}
	}
	return m, nil
}

// count adds a failed run of a plan to the row. What surrounds the work does not count:
// planning anew does not install a missing program.
func (s *Store) count(d disk, f *Failure) (MetaState, error) {
	m, err := d.metaState()
	if err != nil || !f.Counts || f.Status == loops.NoGround || slices.Contains(m.FailureRuns, f.Run) {
		return m, err
	}
	m.FailureRuns = append(m.FailureRuns, f.Run)
	m.ConsecutiveFailures++
	m.UpdatedAt = f.At
	limit := s.MetaAfter
	if limit <= 0 {
		limit = 3
	}
	if m.ConsecutiveFailures >= limit {
		f.Meta = true
	}
	return m, d.writeJSON(metaFile, m)
}

// Succeeded ends a row of failures: a run met its goal.
func (s *Store) Succeeded(run string) error {
	return s.change(func(d disk) error {
		m, err := d.metaState()
		if err != nil || m.ConsecutiveFailures == 0 {
			return err
		}
		m.ConsecutiveFailures, m.FailureRuns, m.UpdatedAt = 0, []string{}, s.now()
		return d.writeJSON(metaFile, m)
	})
}

// meta makes an incident a Meta-Andon.
func (s *Store) meta(d disk, i *Incident, m MetaState) error {
	if m.Status != "open" || m.IncidentID != i.ID {
		m.Status, m.IncidentID, m.AcknowledgedBy, m.AcknowledgedAt = "open", i.ID, "", nil
		if err := d.note(i.Dir, Entry{i.Evidence.LastUpdatedAt, "meta", fmt.Sprintf("%d failed runs in a row", max(1, m.ConsecutiveFailures))}); err != nil {
			return err
		}
	}
	m.UpdatedAt = i.Evidence.LastUpdatedAt
	if err := d.once(path.Join(i.Dir, MetaArtifacts[0]), whysTemplate(i)); err != nil {
		return err
	}
	for name, text := range metaTemplates {
		if err := d.once(path.Join(i.Dir, name), text); err != nil {
			return err
		}
	}
	return d.writeJSON(metaFile, m)
}

// metaTemplates are what people begin with. They are not complete.
var metaTemplates = map[string]string{
	MetaArtifacts[1]: "# Risks\n\n| phase | risk | evidence | action |\n|---|---|---|---|\n| [part of the work] | [what may fail again] | [evidence] | [countermeasure] |\n",
	MetaArtifacts[2]: "# Other places\n\n| phase | risk | evidence | action |\n|---|---|---|---|\n| [part of the work] | [the same cause elsewhere] | [how you searched, and what you found] | [countermeasure] |\n",
	MetaArtifacts[3]: "# All fixes as one plan\n\n## Objective\n\n[the state afterwards]\n\n## Changes\n\n[each change, in order]\n\n## Verification\n\n[the commands and their expected output]\n",
}

var headingLine = schema.Expression(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$`)

// checkMeta returns what one of the artifacts of a Meta-Andon lacks.
func checkMeta(name, text string) []string {
	var lacks []string
	least := 80
	low := strings.ToLower(text)
	switch name {
	case MetaArtifacts[0]:
		for n := 1; n <= 5; n++ {
			if w := fmt.Sprintf("why %d", n); !strings.Contains(low, w) {
				lacks = append(lacks, "it has no \""+w+"\"")
			}
		}
	case MetaArtifacts[3]:
		least = 100
		for _, h := range []string{"objective", "changes", "verification"} {
			if !slices.ContainsFunc(headingLine().FindAllStringSubmatch(low, -1), func(m []string) bool { return m[1] == h && strings.HasPrefix(m[0], "## ") }) {
				lacks = append(lacks, "it has no heading \"## "+h+"\"")
			}
		}
	default:
		lacks = missingColumns(low)
	}
	if len(strings.TrimSpace(text)) < least {
		lacks = append(lacks, fmt.Sprintf("it has fewer than %d bytes", least))
	}
	if p := firstPlaceholder(text); p != "" {
		lacks = append(lacks, "it still says "+p)
	}
	return lacks
}

// missingColumns returns which columns no table has.
func missingColumns(low string) []string {
	want := []string{"phase", "risk", "evidence", "action"}
	least := want
	for line := range strings.Lines(low) {
		cells := cellsOf(line)
		missing := slices.DeleteFunc(slices.Clone(want), func(w string) bool { return slices.Contains(cells, w) })
		if len(missing) < len(least) {
			least = missing
		}
	}
	var lacks []string
	for _, w := range least {
		lacks = append(lacks, "no table has a column \""+w+"\"")
	}
	return lacks
}

// Acknowledge records that a person knows of a Meta-Andon. It returns what
// its artifacts still lack.
func (s *Store) Acknowledge(by string) (m MetaState, lacks []string, err error) {
	if by = text.Collapse(by); by == "" {
		return m, nil, errors.New("--by NAME is required")
	}
	err = s.change(func(d disk) error {
		if m, err = d.metaState(); err != nil {
			return err
		}
		if m.Status != "open" {
			return &NothingOpenError{"Meta-Andon"}
		}
		dir, err := d.find(m.IncidentID)
		if err != nil {
			return err
		}
		i, err := d.load(dir)
		if err != nil {
			return err
		}
		at := s.now()
		m.AcknowledgedBy, m.AcknowledgedAt, m.UpdatedAt = by, &at, at
		lacks = d.incomplete(i)
		return errors.Join(d.writeJSON(metaFile, m), d.note(i.Dir, Entry{at, "acknowledged", "by " + by}))
	})
	return m, lacks, err
}

// NothingOpenError is the error of what needs something open when nothing is.
type NothingOpenError struct{ What string }

func (e *NothingOpenError) Error() string { return "no " + e.What + " is open" }

// Hint returns what to do about it.
func (e *NothingOpenError) Hint() string { return "'wiki andon status' shows the open incident" }
