package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
)

// JudgementFile is the name of a person's word on a run that is over, in the
// run's folder.
const JudgementFile = "judgement.json"

const judgementFormat = 1

// Judgement is what a person made of a run that is over.
type Judgement struct {
	V      int       `json:"v"`
	Accept bool      `json:"accept"`
	By     string    `json:"by"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at"`
	// Seen says that nobody was asked: a person's commits hold what the run made.
	Seen bool `json:"seen,omitempty"`
	// PullRequest is the address of one that the approval opened.
	PullRequest string `json:"pull_request,omitempty"`
}

// Judge writes a person's word on a run. A later one takes the place of an earlier.
func (s *Store) Judge(id string, j Judgement) error {
	j.V = judgementFormat
	text, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(s.Folder(id), JudgementFile), append(text, '\n'))
}

// Judgement returns a person's word on a run, nil if there is none.
func (s *Store) Judgement(id string) (*Judgement, error) {
	src, err := files.ReadPath(filepath.Join(s.Folder(id), JudgementFile), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var j Judgement
	if err := json.Unmarshal(src, &j); err != nil {
		return nil, fmt.Errorf("read %s of run %s: %w", JudgementFile, id, err)
	}
	if j.V > judgementFormat {
		return nil, fmt.Errorf("%s of run %s has version %d, this program reads up to %d: upgrade wiki", JudgementFile, id, j.V, judgementFormat)
	}
	return &j, nil
}

// Patch returns what a run in shadow would have done, at most max bytes of it; ""
// if nothing is kept.
func (s *Store) Patch(id string, max int64) (string, error) {
	root, err := s.open(id)
	if err != nil {
		return "", err
	}
	defer root.Close()
	info, err := root.Lstat(ShadowFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > max {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := root.ReadFile(ShadowFile, files.Text)
	return string(text), err
}

// Text returns a judgement as people read it below a report, "" for none.
func (j *Judgement) Text() string {
	if j == nil {
		return ""
	}
	text := "rejected by "
	if j.Accept {
		text = "accepted by "
	}
	text += Printable(j.By)
	if j.Reason != "" {
		text += ": " + Printable(j.Reason)
	}
	text = "\n## Judgement\n\n- " + text + "\n"
	if j.PullRequest != "" {
		text += "- pull request: " + Printable(j.PullRequest) + "\n"
	}
	return text
}
