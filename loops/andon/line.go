package andon

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
)

// Line is how the line stands.
type Line struct {
	// Open is what stops it, nil if nothing does.
	Open *OpenState
	// Meta says how many runs failed in a row, and whether somebody has to
	// acknowledge it.
	Meta MetaState
	// Noted are ids of incidents that were written and do not stop it.
	Noted []string
}

// Stopped reports whether nothing may move forward.
func (l *Line) Stopped() bool { return l.Open != nil || l.Meta.Blocked() }

// StoppedError is why nothing may move forward. It is an *StoppedError.
type StoppedError struct {
	Incident string // its id
	Path     string // of its report, below the repository's root
	Meta     bool   // nobody has acknowledged the Meta-Andon yet
	Why      string
}

func (e *StoppedError) Error() string { return "the line is stopped: " + e.Why }

// Hint returns what to do about it.
func (e *StoppedError) Hint() string {
	if e.Meta {
		return "read " + e.Path + ", revise the plan, then run 'wiki andon acknowledge --by NAME'"
	}
	return "read " + e.Path + "; then run 'wiki andon why' and 'wiki andon close'"
}

// Err returns why no run may start and nothing may be published: a *StoppedError, or
// nil while the line is open.
func (l *Line) Err() error {
	switch {
	case l.Meta.Blocked():
		return &StoppedError{l.Meta.IncidentID, path.Join(Folder, l.Meta.IncidentID, reportFile), true,
			fmt.Sprintf("Meta-Andon since %s, after %s", l.Meta.IncidentID, failures(l.Meta.ConsecutiveFailures))}
	case l.Open != nil:
		return &StoppedError{l.Open.IncidentID, l.Open.ReportPath, false, l.Open.IncidentID + " is open (" + text.Collapse(l.Open.Command) + ")"}
	}
	return nil
}

func failures(n int) string {
	if n <= 1 {
		return "a run that failed too often"
	}
	return fmt.Sprintf("%d failed runs in a row", n)
}

// Line returns how the line stands. A repository without incidents has an open
// line; a state that can't be read is an error, and has to be taken for a
// stopped one.
func (s *Store) Line() (l Line, err error) {
	err = s.read(func(d disk) error {
		if l.Meta, err = d.metaState(); err != nil {
			return err
		}
		if l.Open, err = d.open(); err != nil {
			return err
		}
		list, err := d.names(Folder)
		for _, e := range list {
			if e.IsDir() && strings.HasPrefix(e.Name(), "INC-") && (l.Open == nil || l.Open.IncidentID != e.Name()) {
				l.Noted = append(l.Noted, e.Name())
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return Line{}, nil
	}
	return l, err
}

// List returns all incidents, the oldest first. Those that can't be read are
// among the errors.
func (s *Store) List() (out []*Incident, err error) {
	err = s.read(func(d disk) error {
		dirs, err := d.dirs()
		if err != nil {
			return err
		}
		open, err := d.open()
		for _, dir := range dirs {
			i, e := d.load(dir)
			if e != nil {
				err = errors.Join(err, e)
				continue
			}
			i.Stops = open != nil && open.IncidentID == i.ID
			out = append(out, i)
		}
		return err
	})
	return out, err
}
