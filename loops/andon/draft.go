package andon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"time"

	"github.com/loopwiki/wiki/schema/text"
)

// Draft says that an agent wrote the five whys of an incident first. They are a person's
// to correct: whoever closes the incident gives a name.
type Draft struct {
	By  string    `json:"by"` // the agent
	At  time.Time `json:"at"`
	Sum string    `json:"sum"` // of the file as it was written, SHA-256
}

// EditedError is a document that a person wrote in: no draft replaces it.
type EditedError struct{ Path string }

func (e *EditedError) Error() string { return e.Path + " was edited, and is not replaced by a draft" }

// Hint returns what to do about it.
func (e *EditedError) Hint() string { return "delete the file to get a draft" }

// Draftable returns the document that an agent fills in, and the incident's report, or why
// there is nothing to draft: no whys are asked, it is closed, or a person has begun.
func (s *Store) Draftable(i *Incident) (template, report string, err error) {
	err = s.read(func(d disk) error {
		if err := d.draftable(i); err != nil {
			return err
		}
		src, err := d.file(i.Report())
		report = string(src)
		return err
	})
	return whysTemplate(i), report, err
}

func (d disk) draftable(i *Incident) error {
	switch {
	case i.Closed:
		return fmt.Errorf("%s is already closed", i.ID)
	case i.Analysis.ActionLevel <= LevelNote:
		return fmt.Errorf("%s needs no five whys: its cause is the environment", i.ID)
	case !d.has(i.Whys()):
		return nil
	}
	src, err := d.file(i.Whys())
	if err != nil {
		return err
	}
	if old := i.Actions.Draft; string(src) != whysTemplate(i) && (old == nil || old.Sum != sumOf(src)) {
		return &EditedError{i.Whys()}
	}
	return nil
}

func sumOf(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}

// Draft writes what an agent answered as the five whys of an incident, in their form: what
// else it said is left out. An answer with faults is refused; see ReadWhys.
func (s *Store) Draft(i *Incident, answer, by string) error {
	w := ReadWhys(s.Redact(answer))
	if len(w.Faults) > 0 {
		return fmt.Errorf("the draft is not complete: %s", w.Faults[0])
	}
	by = text.Collapse(by)
	return s.change(func(d disk) error {
		if err := d.draftable(i); err != nil {
			return err
		}
		at := s.now()
		src := []byte(w.document(i, fmt.Sprintf("\n> Draft by %s, %s. Run each verification, correct what is wrong, and close the incident with your name.\n", quiet(by), at.Format(time.DateOnly))))
		i.Actions.Draft = &Draft{by, at, sumOf(src)}
		if err := d.replace(i.Whys(), src); err != nil {
			return err
		}
		if err := d.writeJSON(path.Join(i.Dir, actionsFile), i.Actions); err != nil {
			return err
		}
		return d.note(i.Dir, Entry{at, "drafted", "by " + by})
	})
}
