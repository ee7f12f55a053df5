package andon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema/text"
)

// CloseRequest is how a person closes an incident.
type CloseRequest struct {
	// Incident is as Find takes it; "" is the one that stops the line.
	Incident string
	// Reason says what was done. Where it is not sure what the incident is, it
	// has to say manual-approved.
	Reason string
	// By is who closes it.
	By string
	// Standards are set along with it.
	Standards []StandardAction
}

// ManuallyApproved is what the reason has to say where the class is not sure.
const ManuallyApproved = "manual-approved"

// IncompleteError is an incident that can't be closed yet.
type IncompleteError struct {
	Incident string
	Dir      string // below the repository's root
	Lacks    []string
}

func (e *IncompleteError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message.
func (e *IncompleteError) Lines() []string {
	lines := []string{e.Incident + " can't be closed yet:"}
	for _, l := range e.Lacks {
		lines = append(lines, "  "+l)
	}
	return lines
}

// Close closes an incident: it has to be complete. It leaves a final report and
// a gotcha, moves the folder to the archive, and lets the line go on if nothing
// else stops it.
func (s *Store) Close(r CloseRequest) (i *Incident, err error) {
	err = s.change(func(d disk) error {
		open, err := d.open()
		if err != nil {
			return err
		}
		if r.Incident == "" {
			if open == nil {
				return &NothingOpenError{"incident"}
			}
			r.Incident = open.IncidentID
		}
		dir, err := d.find(r.Incident)
		if err != nil {
			return err
		}
		if path.Dir(dir) == archiveFolder {
			return fmt.Errorf("%s is already closed", path.Base(dir))
		}
		i, err = d.load(dir)
		lacks := append(d.incomplete(i), s.unsaid(d, i, r)...)
		if len(lacks) > 0 {
			return &IncompleteError{path.Base(dir), dir, lacks}
		}
		if err != nil {
			return err
		}
		return s.close(d, i, r, open)
	})
	return i, err
}

// unsaid returns what the person who closes an incident has still to say.
func (s *Store) unsaid(d disk, i *Incident, r CloseRequest) []string {
	var lacks []string
	if isPlaceholder(r.Reason) {
		lacks = append(lacks, "the reason: describe what was done")
	}
	if i.Analysis.Confidence < sure && !strings.Contains(r.Reason, ManuallyApproved) {
		lacks = append(lacks, fmt.Sprintf("the reason: the class is uncertain (confidence %.2f); check it, then write %q in the reason", i.Analysis.Confidence, ManuallyApproved))
	}
	switch draft := i.Actions.Draft; {
	case text.Collapse(r.By) != "":
	case i.Analysis.NeedsApproval:
		lacks = append(lacks, "the name of the approver (--by NAME)")
	case draft != nil:
		lacks = append(lacks, "the name of who checked the five whys that "+draft.By+" drafted (--by NAME)")
	}
	if m, err := d.metaState(); err == nil && m.IncidentID == i.ID && m.Blocked() {
		lacks = append(lacks, "the Meta-Andon: acknowledge it first")
	}
	return lacks
}

// incomplete returns which of an incident's files lack what.
func (d disk) incomplete(i *Incident) []string {
	var lacks []string
	lack := func(name, format string, args ...any) { lacks = append(lacks, name+": "+fmt.Sprintf(format, args...)) }
	text := func(name string) (string, bool) {
		src, err := d.file(path.Join(i.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			lack(name, "does not exist")
		} else if err != nil {
			lack(name, "%v", err)
		}
		return string(src), err == nil
	}
	for _, name := range []string{evidenceFile, analysisFile, actionsFile} {
		if src, ok := text(name); !ok {
			continue
		} else if len(strings.TrimSpace(src)) < 10 {
			lack(name, "has fewer than 10 bytes")
		} else if !json.Valid([]byte(src)) {
			lack(name, "is not valid JSON")
		} else if name == evidenceFile {
			lackOfEvidence(src, func(what string) { lack(name, "has no %s", what) })
		}
	}
	if src, ok := text(reportFile); ok && countSections(src) < 2 {
		lack(reportFile, "has fewer than two \"##\" headings")
	}
	if i.Analysis.ActionLevel <= LevelNote {
		return lacks
	}
	names := []string{path.Base(i.Whys())}
	if i.Analysis.Meta {
		names = MetaArtifacts
	}
	for _, name := range names {
		src, ok := text(name)
		if !ok {
			continue
		}
		if i.Analysis.Meta {
			for _, l := range checkMeta(name, src) {
				lack(name, "%s", l)
			}
		}
		if name == names[0] {
			for _, f := range ReadWhys(src).Faults {
				lack(name, "%s", f)
			}
		}
	}
	return lacks
}

// lackOfEvidence says which of the fields that evidence must have are missing.
func lackOfEvidence(src string, lack func(string)) {
	var e struct {
		Command string `json:"command"`
		Exit    *int   `json:"exit_code"`
		Output  string `json:"output_snippet"`
	}
	if json.Unmarshal([]byte(src), &e) != nil {
		lack("form that can be read")
		return
	}
	if e.Command == "" {
		lack("command")
	}
	if e.Exit == nil {
		lack("exit_code")
	}
	if e.Output == "" {
		lack("output_snippet")
	}
}

func countSections(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			n++
		}
	}
	return n
}

// close writes what an incident leaves, and lets the line go on.
func (s *Store) close(d disk, i *Incident, r CloseRequest, open *OpenState) error {
	at := s.now()
	r.Reason, r.By = s.Redact(text.Collapse(r.Reason)), text.Collapse(r.By)
	src, err := d.file(i.Whys())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whys := ReadWhys(string(src))
	if len(r.Standards) > 0 {
		if _, err := s.setRules(d, i, r.Standards, at); err != nil {
			return err
		}
		i.Actions.Result.Applied = true
		i.Actions.Standards = append(i.Actions.Standards, r.Standards...)
	}
	if i.Analysis.ActionLevel > LevelNote {
		if err := d.replace(gotchaFile(i.ID), learn(i, &whys, at).yaml()); err != nil {
			return err
		}
		i.Actions.Result.RollbackReady = true
	}
	err = errors.Join(
		d.writeJSON(path.Join(i.Dir, actionsFile), i.Actions),
		d.replace(path.Join(i.Dir, finalFile), []byte(s.final(i, &whys, r, at))),
		d.note(i.Dir, Entry{at, "closed", strings.TrimSpace(r.Reason + " " + signed(r.By))}),
	)
	if err != nil {
		return err
	}
	if err := d.endMeta(i.ID, at); err != nil {
		return err
	}
	if open != nil && open.IncidentID == i.ID {
		if err := d.remove(openFile); err != nil {
			return err
		}
	}
	if err := d.root.MkdirAll(archiveFolder, 0o777); err != nil {
		return err
	}
	to := path.Join(archiveFolder, i.ID)
	if err := d.root.Rename(i.Dir, to); err != nil {
		return err
	}
	i.Dir, i.Closed, i.Stops = to, true, false
	return nil
}

// endMeta ends the Meta-Andon of an incident: the row of failures is over.
func (d disk) endMeta(id string, at time.Time) error {
	m, err := d.metaState()
	if err != nil || m.IncidentID != id || m.Status != "open" {
		return err
	}
	m.Status, m.ConsecutiveFailures, m.FailureRuns, m.UpdatedAt = "closed", 0, []string{}, at
	return d.writeJSON(metaFile, m)
}

// final is final-report.md.
func (s *Store) final(i *Incident, w *Whys, r CloseRequest, at time.Time) string {
	var b strings.Builder
	open := at.Sub(i.Evidence.OpenedAt).Round(time.Minute)
	fmt.Fprintf(&b, "# %s: closed\n\n## What was done\n\n%s\n\n- closed: %s", i.ID, quiet(r.Reason), at.Format(time.RFC3339))
	if r.By != "" {
		fmt.Fprintf(&b, ", by %s", quiet(r.By))
	}
	fmt.Fprintf(&b, "\n- open for: %s\n- failures: %d\n- class: `%s`, confidence %.2f\n", strings.TrimSuffix(open.String(), "0s"), len(i.Evidence.Failures), i.Analysis.CauseID, i.Analysis.Confidence)
	if i.Actions.Draft != nil {
		fmt.Fprintf(&b, "- five whys: drafted by %s\n", quiet(i.Actions.Draft.By))
	}
	if w.RootCause != "" {
		fmt.Fprintf(&b, "\n## Root cause\n\n%s\n\n- category: %s\n", quiet(w.RootCause), quiet(w.Category))
	}
	if len(w.Measures) > 0 {
		b.WriteString("\n## Prevention\n\n| level | measure | where |\n|---|---|---|\n")
		for _, m := range w.Measures {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Level, quiet(m.Text), quiet(m.Location))
		}
	}
	b.WriteString("\n## Standards\n\n")
	for _, st := range i.Actions.Standards {
		fmt.Fprintf(&b, "- %s: `%s`\n", st.Type, quiet(st.Value))
	}
	if i.Analysis.ActionLevel > LevelNote {
		fmt.Fprintf(&b, "- gotcha: `%s`\n", gotchaID(i.ID))
	} else if len(i.Actions.Standards) == 0 {
		b.WriteString("None.\n")
	}
	if w.Sweep != "" {
		fmt.Fprintf(&b, "\n## Horizontal sweep\n\n%s\n", quiet(w.Sweep))
	}
	return b.String()
}

// Check returns what an incident still lacks to be closed, and what is doubtful in
// its five whys.
func (s *Store) Check(i *Incident) (lacks, warnings []string, err error) {
	err = s.read(func(d disk) error {
		lacks = d.incomplete(i)
		src, err := d.file(i.Whys())
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		warnings = ReadWhys(string(src)).Warnings
		return err
	})
	return lacks, warnings, err
}
