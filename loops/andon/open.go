package andon

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/loopwiki/wiki/loops"
)

// ErrIgnored is the error of a failure that says nothing; see Ignored.
var ErrIgnored = errors.New("the command's exit status says nothing")

// sure is how sure a class has to be for a standard to be set by itself, and for
// an incident to be closed without a word that somebody looked at it.
const sure = 0.70

// End records how a run ended: a failure opens an incident, or joins the one
// that is open; a goal that is met ends a row of failures. The incident is nil
// if there is none.
func (s *Store) End(st *loops.State, results []loops.GateResult) (*Incident, error) {
	if f, ok := EndOf(st, results, s.root); ok {
		return s.Open(f)
	}
	if st.Status == loops.GoalMet && st.Executing() {
		return nil, s.Succeeded(st.Start.Run)
	}
	return nil, nil
}

// Open writes down a failure. While the line is stopped it joins the incident
// that stopped it. Failures of no run that say nothing are ErrIgnored.
func (s *Store) Open(f Failure) (i *Incident, err error) {
	if f.Run == "" && Ignored(f.Command, &f.ExitCode) {
		return nil, ErrIgnored
	}
	f, details := s.complete(f)
	err = s.change(func(d disk) error {
		row, err := s.count(d, &f)
		if err != nil {
			return err
		}
		open, err := d.open()
		if err != nil {
			return err
		}
		if open != nil {
			i, err = s.join(d, open, f)
		} else {
			i, err = s.begin(d, f, details)
		}
		if err == nil && f.Meta {
			err = s.meta(d, i, row)
		}
		return err
	})
	return i, err
}

func (f *Failure) occurrence() Occurrence {
	return Occurrence{ID: f.ID, At: f.At, Run: f.Run, Plan: f.Plan, Status: string(f.Status), CauseID: f.Class, Why: f.Why, Command: f.Command, ExitCode: f.ExitCode, OutputSnippet: f.Output}
}

// begin makes the folder of a new incident.
func (s *Store) begin(d disk, f Failure, details map[string]string) (*Incident, error) {
	id := f.ID
	for n := 2; d.has(path.Join(Folder, id)) || d.has(path.Join(archiveFolder, id)); n++ {
		id = fmt.Sprintf("%s-%d", f.ID, n)
	}
	t := treat(f.Class)
	i := &Incident{ID: id, Dir: path.Join(Folder, id)}
	i.Evidence = Evidence{
		Version: Version, IncidentID: id, OpenedAt: f.At, LastUpdatedAt: f.At, Workspace: f.Workspace, Command: f.Command,
		ExitCode: f.ExitCode, OutputSnippet: f.Output, Git: f.Git, Failures: []Occurrence{f.occurrence()},
	}
	i.Analysis = Analysis{
		Version: Version, IncidentID: id, CauseID: f.Class, CauseLabel: t.label, Confidence: f.Confidence, MatchedPattern: f.Class,
		Details: details, Prevention: slices.Clone(t.prevent), Standards: t.standards(details),
	}
	i.Actions = Actions{Version: Version, IncidentID: id, Prevention: i.Analysis.Prevention, Standards: i.Analysis.Standards}
	i.raise(s.level(f.Class), f.Meta)
	if err := d.note(i.Dir, Entry{f.At, "opened", f.Why}); err != nil {
		return nil, err
	}
	if err := s.standardize(d, i); err != nil {
		return nil, err
	}
	if i.Stops = i.Analysis.ActionLevel > LevelNote; i.Stops && !i.Analysis.Meta {
		if err := d.once(i.Whys(), whysTemplate(i)); err != nil {
			return nil, err
		}
	}
	return i, s.finish(d, i, f)
}

// join adds a failure to the incident that stopped the line.
func (s *Store) join(d disk, open *OpenState, f Failure) (*Incident, error) {
	i, err := d.load(path.Join(Folder, open.IncidentID))
	if err != nil {
		return nil, err
	}
	i.Joined, i.Stops = true, true
	if slices.ContainsFunc(i.Evidence.Failures, func(o Occurrence) bool { return o.ID == f.ID && o.Run == f.Run }) {
		return i, nil // it was recorded before a crash
	}
	i.Evidence.Failures = append(i.Evidence.Failures, f.occurrence())
	i.Evidence.LastUpdatedAt = f.At
	i.raise(max(i.Analysis.ActionLevel, s.level(f.Class)), f.Meta)
	if err := d.note(i.Dir, Entry{f.At, "joined", f.Why}); err != nil {
		return nil, err
	}
	return i, s.finish(d, i, f)
}

// raise sets the level of an incident, and what follows from it.
func (i *Incident) raise(level int, meta bool) {
	a := &i.Analysis
	if a.Meta = a.Meta || meta; a.Meta {
		level = LevelApprove
	}
	a.ActionLevel, i.Actions.ActionLevel = level, level
	a.NeedsApproval = level == LevelApprove
	if level == LevelFix {
		a.ProposedFix = treat(a.CauseID).fix
		if a.ProposedFix == "" && len(a.Prevention) > 0 {
			a.ProposedFix = a.Prevention[0].Action
		}
	}
	i.Actions.ManualReview = level == LevelApprove || a.Confidence < sure
}

// finish writes what is known of an incident, and last that it stops the line.
func (s *Store) finish(d disk, i *Incident, f Failure) error {
	p := payload{Version: Version, Occurrence: f.occurrence(), Loop: f.Loop, Chunk: f.Chunk, Attempt: f.Attempt, Workspace: f.Workspace, Git: f.Git}
	if err := errors.Join(d.save(i), d.writeJSON(path.Join(i.Dir, payloadFile), p)); err != nil {
		return err
	}
	if !i.Stops {
		return nil
	}
	return d.writeJSON(openFile, OpenState{
		Version: Version, Status: "open", IncidentID: i.ID, OpenedAt: i.Evidence.OpenedAt, UpdatedAt: i.Evidence.LastUpdatedAt,
		Command: f.Command, ExitCode: f.ExitCode, ReportPath: i.Report(), IncidentDir: i.Dir, ActionLevel: i.Analysis.ActionLevel,
		RollbackCommand: "wiki andon rollback " + i.ID,
	})
}

// standards returns what a class suggests, as far as its details are known.
func (t *treatment) standards(details map[string]string) []StandardAction {
	value := t.value
	if value == "" {
		value = details[t.detail]
	}
	if t.rule == "" || value == "" {
		return []StandardAction{}
	}
	return []StandardAction{{t.rule, value}}
}
