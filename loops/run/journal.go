package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// JournalVersion is the version of the journal's lines that this program writes
// and the newest it reads.
const JournalVersion = 1

// JournalFile is the journal's name in a run's folder.
const JournalFile = "journal.jsonl"

// line is one line of a journal.
type line struct {
	V   int `json:"v"`
	Seq int `json:"seq"` // from 1
	loops.Event
}

// Journal is the record of a run. It is only ever appended to.
type Journal struct {
	file *os.File
	seq  int
	// text is what was written, to be held against what is there.
	text []byte
}

// JournalError is a journal that can't be read.
type JournalError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *JournalError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

func (e *JournalError) Unwrap() error { return e.Err }

// ReadJournal returns the events of a journal, and how many of its bytes hold
// them: a last line that a crash tore is left out.
func ReadJournal(path string) ([]loops.Event, int64, error) {
	src, err := files.ReadPath(path, files.Run)
	if err != nil {
		return nil, 0, err
	}
	events, size, n, err := parseJournal(src)
	if err != nil {
		return nil, 0, &JournalError{path, n, err}
	}
	return events, size, nil
}

// parseJournal reads lines until the end or the torn one, and returns the number
// of the line at which it stopped.
func parseJournal(src []byte) (events []loops.Event, size int64, n int, err error) {
	for rest := src; len(rest) > 0; {
		n++
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			break // torn: it was never acted upon, as acting comes after the sync
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, 0, n, fmt.Errorf("not an event: %w", err)
		}
		switch {
		case l.V > JournalVersion:
			return nil, 0, n, fmt.Errorf("written by a newer version of wiki (version %d, this program reads up to %d): upgrade wiki", l.V, JournalVersion)
		case l.Seq != n:
			return nil, 0, n, fmt.Errorf("event %d is missing: this is event %d", n, l.Seq)
		}
		events = append(events, l.Event)
		size += int64(len(text)) + 1
		rest = after
	}
	return events, size, n, nil
}

// CreateJournal begins the journal of a new run.
func CreateJournal(dir string) (*Journal, error) {
	f, err := openFile(filepath.Join(dir, JournalFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &Journal{file: f}, syncFolder(dir)
}

// openFile opens a file of a run's folder to write to it.
func openFile(path string, flag int) (*os.File, error) {
	root, err := files.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(filepath.Base(path), flag, 0o644)
}

// OpenJournal opens the journal of a run to append to it, without a torn last
// line, and returns its events.
func OpenJournal(dir string) (*Journal, []loops.Event, error) {
	path := filepath.Join(dir, JournalFile)
	src, err := files.ReadPath(path, files.Run)
	if err != nil {
		return nil, nil, err
	}
	events, size, n, err := parseJournal(src)
	if err != nil {
		return nil, nil, &JournalError{path, n, err}
	}
	f, err := openFile(path, os.O_WRONLY)
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(f.Truncate(size), f.Sync()); err != nil {
		f.Close()
		return nil, nil, err
	}
	if _, err := f.Seek(size, io.SeekStart); err != nil {
		f.Close()
		return nil, nil, err
	}
	return &Journal{f, len(events), src[:size]}, events, nil
}

// Append writes an event. When it returns, the event is on the disk.
func (j *Journal) Append(e loops.Event) error {
	text, err := json.Marshal(line{JournalVersion, j.seq + 1, e})
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if _, err := j.file.Write(text); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	j.text = append(j.text, text...)
	j.seq++
	return nil
}

// Mend says how the file is another than this process wrote it, "" if it is not, and
// writes it anew: nobody else has a say in what a run has come to.
func (j *Journal) Mend() (is string, err error) {
	path := j.file.Name()
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		is = "missing"
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		is = "not a file"
		err = os.RemoveAll(path)
	case info.Size() != int64(len(j.text)):
		is = fmt.Sprintf("has %d bytes, want %d", info.Size(), len(j.text))
	default:
		var now []byte
		if now, err = files.ReadPath(path, files.Run); err == nil && bytes.Equal(now, j.text) {
			return "", nil
		}
		is = "has other content"
	}
	if err != nil && is != "missing" {
		return is, err
	}
	if err := replace(path, j.text); err != nil {
		return is, err
	}
	f, err := openFile(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return is, err
	}
	old := j.file
	j.file = f
	return is, old.Close()
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// syncFolder makes a new name in a folder outlive a crash.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // a file system that can't do that for folders does not need it
	return f.Close()
}
