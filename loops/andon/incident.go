package andon

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// The files of an incident's folder.
const (
	evidenceFile = "evidence.json"
	analysisFile = "analysis.json"
	actionsFile  = "actions.json"
	reportFile   = "report.md"
	eventsFile   = "events.json"
	payloadFile  = "payload-latest.json"
	whysFile     = "five-whys.md"
	finalFile    = "final-report.md"
	backupFile   = "rollback/standardized-rules.json"
)

// Evidence is what was seen of an incident: evidence.json.
type Evidence struct {
	Version       int       `json:"version"`
	IncidentID    string    `json:"incident_id"`
	OpenedAt      time.Time `json:"opened_at"`
	LastUpdatedAt time.Time `json:"last_updated_at"`
	// Workspace is where it happened, relative to the repository's root.
	Workspace     string       `json:"workspace"`
	Command       string       `json:"command"`
	ExitCode      int          `json:"exit_code"`
	OutputSnippet string       `json:"output_snippet"` // the last 2400 characters, secrets removed
	Git           Git          `json:"git"`
	Failures      []Occurrence `json:"failures"` // the first, and those that joined while the line was stopped
}

// Occurrence is one failure of an incident.
type Occurrence struct {
	ID            string    `json:"id"`
	At            time.Time `json:"at"`
	Run           string    `json:"run,omitempty"`
	Plan          string    `json:"plan,omitempty"`
	Status        string    `json:"status,omitempty"`
	CauseID       string    `json:"cause_id"`
	Why           string    `json:"why"`
	Command       string    `json:"command"`
	ExitCode      int       `json:"exit_code"`
	OutputSnippet string    `json:"output_snippet"`
}

// Analysis is what an incident was taken for: analysis.json.
type Analysis struct {
	Version        int                `json:"version"`
	IncidentID     string             `json:"incident_id"`
	CauseID        string             `json:"cause_id"`
	CauseLabel     string             `json:"cause_label"`
	Confidence     float64            `json:"confidence"` // from 0 to 1
	MatchedPattern string             `json:"matched_pattern"`
	Details        map[string]string  `json:"details"`
	Prevention     []PreventionAction `json:"prevention_actions"`
	Standards      []StandardAction   `json:"standardization_actions"`
	ActionLevel    int                `json:"action_level"`
	ProposedFix    string             `json:"proposed_fix,omitempty"`
	NeedsApproval  bool               `json:"requires_approval,omitempty"`
	// Meta is true if it is a Meta-Andon.
	Meta bool `json:"meta,omitempty"`
}

// StandardAction is a standard that an incident suggests.
type StandardAction struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Actions are what was done about an incident: actions.json.
type Actions struct {
	Version      int                `json:"version"`
	IncidentID   string             `json:"incident_id"`
	Prevention   []PreventionAction `json:"prevention_actions"`
	Standards    []StandardAction   `json:"standardization_actions"`
	Result       StandardResult     `json:"standardization_result"`
	ManualReview bool               `json:"manual_review_required"`
	ActionLevel  int                `json:"action_level"`
	// Draft is set if an agent drafted the five whys.
	Draft *Draft `json:"five_whys_draft,omitempty"`
}

// StandardResult is what became of the standards that an incident suggests.
type StandardResult struct {
	Applied       bool   `json:"applied"`
	AppliedCount  int    `json:"applied_count"`
	RollbackReady bool   `json:"rollback_ready"`
	BackupFile    string `json:"backup_file"` // in the incident's folder
}

// Entry is one line of an incident's history.
type Entry struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // opened, joined, standardized, meta, drafted, acknowledged, rolled-back, closed
	Text string    `json:"text"`
}

// history is events.json.
type history struct {
	Version int     `json:"version"`
	Events  []Entry `json:"events"`
}

// payload is payload-latest.json: the latest failure as it was handed in.
type payload struct {
	Version int `json:"version"`
	Occurrence
	Loop      string `json:"loop,omitempty"`
	Chunk     int    `json:"chunk"` // its index from 0; -1 is the plan as a whole
	Attempt   int    `json:"attempt"`
	Workspace string `json:"workspace"`
	Git       Git    `json:"git"`
}

// OpenState is andon-open.json: the line is stopped while it is there.
type OpenState struct {
	Version         int       `json:"version"`
	Status          string    `json:"status"` // open
	IncidentID      string    `json:"incident_id"`
	OpenedAt        time.Time `json:"opened_at"`
	UpdatedAt       time.Time `json:"updated_at"`
	Command         string    `json:"command"`
	ExitCode        int       `json:"exit_code"`
	ReportPath      string    `json:"report_path"`  // below the repository's root
	IncidentDir     string    `json:"incident_dir"` // below the repository's root
	ActionLevel     int       `json:"action_level"`
	RollbackCommand string    `json:"rollback_command"`
}

// Incident is a failure, and what is known of it.
type Incident struct {
	ID string
	// Dir is its folder below the repository's root.
	Dir      string
	Evidence Evidence
	Analysis Analysis
	Actions  Actions
	// Stops is true if the line is stopped for it, Closed if it was closed.
	Stops, Closed bool
	// Joined is true if the failure just opened belongs to an incident that was
	// open already.
	Joined bool
}

// Report returns the path of the report below the repository's root.
func (i *Incident) Report() string { return path.Join(i.Dir, reportFile) }

// Whys returns the path of the five whys below the repository's root.
func (i *Incident) Whys() string {
	if i.Analysis.Meta {
		return path.Join(i.Dir, MetaArtifacts[0])
	}
	return path.Join(i.Dir, whysFile)
}

func (d disk) load(dir string) (*Incident, error) {
	i := &Incident{ID: path.Base(dir), Dir: dir, Closed: path.Dir(dir) == archiveFolder}
	for _, doc := range []struct {
		name string
		into any
	}{{evidenceFile, &i.Evidence}, {analysisFile, &i.Analysis}, {actionsFile, &i.Actions}} {
		if err := d.readJSON(path.Join(dir, doc.name), doc.into); err != nil {
			return i, err
		}
	}
	return i, nil
}

func (d disk) save(i *Incident) error {
	return errors.Join(
		d.writeJSON(path.Join(i.Dir, evidenceFile), i.Evidence),
		d.writeJSON(path.Join(i.Dir, analysisFile), i.Analysis),
		d.writeJSON(path.Join(i.Dir, actionsFile), i.Actions),
		d.replace(i.Report(), []byte(report(i))),
	)
}

// note adds to an incident's history.
func (d disk) note(dir string, e Entry) error {
	h := history{Version: Version}
	if err := d.readIf(path.Join(dir, eventsFile), &h); err != nil {
		return err
	}
	h.Version, h.Events = Version, append(h.Events, e)
	return d.writeJSON(path.Join(dir, eventsFile), h)
}

// UnknownIncidentError is a name that no incident has, or several.
type UnknownIncidentError struct {
	Given string
	Among []string
}

func (e *UnknownIncidentError) Error() string {
	switch {
	case e.Given == "":
		return "no incidents"
	case len(e.Among) > 0:
		return "incident " + e.Given + " is ambiguous: " + strings.Join(e.Among, ", ")
	}
	return "no such incident: " + e.Given
}

// Hint returns what to do about it.
func (e *UnknownIncidentError) Hint() string { return "'wiki andon status' lists them" }

// dirs returns the folders of all incidents by id, the oldest first.
func (d disk) dirs() ([]string, error) {
	var out []string
	for _, folder := range []string{Folder, archiveFolder} {
		list, err := d.names(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.IsDir() && strings.HasPrefix(e.Name(), "INC-") {
				out = append(out, path.Join(folder, e.Name()))
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	return out, nil
}

// find returns the folder of an incident, given its id or a prefix of it, the id
// of a failure that joined it, the id of its run, or "latest".
func (d disk) find(given string) (string, error) {
	dirs, err := d.dirs()
	if err != nil {
		return "", err
	}
	if given == "latest" || given == "" {
		if len(dirs) == 0 {
			return "", &UnknownIncidentError{}
		}
		return dirs[len(dirs)-1], nil
	}
	var begin []string
	for _, dir := range dirs {
		if path.Base(dir) == given {
			return dir, nil
		}
		if strings.HasPrefix(path.Base(dir), given) {
			begin = append(begin, dir)
		}
	}
	if len(begin) == 1 {
		return begin[0], nil
	}
	for _, dir := range slices.Backward(dirs) {
		i, err := d.load(dir)
		if err == nil && slices.ContainsFunc(i.Evidence.Failures, func(o Occurrence) bool { return o.ID == given || o.Run == given }) {
			return dir, nil
		}
	}
	e := &UnknownIncidentError{Given: given}
	for _, dir := range begin {
		e.Among = append(e.Among, path.Base(dir))
	}
	return "", e
}

// Find returns the incident that is meant: by its id or the beginning of it, by
// a failure that joined it, by its run, or "latest".
func (s *Store) Find(given string) (i *Incident, err error) {
	err = s.read(func(d disk) error {
		dir, err := d.find(given)
		if err != nil {
			return err
		}
		if i, err = d.load(dir); err != nil {
			return err
		}
		open, err := d.open()
		i.Stops = open != nil && open.IncidentID == i.ID
		return err
	})
	return i, err
}

// open returns what stops the line, nil if nothing does.
func (d disk) open() (*OpenState, error) {
	var o OpenState
	err := d.readJSON(openFile, &o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !validID(o.IncidentID) {
		err = &FileError{openFile, errors.New("it has no incident id")}
	}
	return &o, err
}

// validID reports whether a name read from a file can be a folder's.
func validID(id string) bool {
	return strings.HasPrefix(id, "INC-") && !strings.ContainsAny(id, `/\`) && !strings.Contains(id, "..")
}

// History returns what happened to an incident, the oldest first.
func (s *Store) History(i *Incident) (h []Entry, err error) {
	err = s.read(func(d disk) error {
		var doc history
		err := d.readIf(path.Join(i.Dir, eventsFile), &doc)
		h = doc.Events
		return err
	})
	return h, err
}
