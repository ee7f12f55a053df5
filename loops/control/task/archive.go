package task

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// archiveFolder holds, beside a prd.json of ralph, what was there for features
// before.
const archiveFolder = "archive"

// Archive keeps what the last run of a prd.json of ralph left, if the file has
// become that of another feature, which its branchName says: the stories as they
// stood and the notes go to archive/<day>-<branch>, and the notes begin anew.
func (t *Task) Archive(last LastRun, now time.Time, say func(string)) error {
	if t.Plan.Format != loops.RalphTask || t.Branch == "" {
		return nil
	}
	before, src, err := t.lastOf(last)
	if err != nil || before == nil || before.Branch == "" || before.Branch == t.Branch {
		return err
	}
	root, err := files.Open(filepath.Dir(t.File))
	if err != nil {
		return err
	}
	defer root.Close()
	_, notes := t.progressFile()
	old, err := readIn(root, notes)
	if err != nil {
		return err
	}
	dir := path.Join(archiveFolder, now.Format("2006-01-02")+"-"+before.Plan.Name)
	if _, err := root.Lstat(dir); err == nil && old == nil {
		return nil // a run that did not start has done it
	}
	if dir, err = vacant(root, dir); err != nil {
		return err
	}
	if err := put(root, path.Join(dir, filepath.Base(t.File)), src); err != nil {
		return err
	}
	if old != nil {
		// The copy is there before the original goes.
		if err := errors.Join(put(root, path.Join(dir, notes), old), root.Remove(notes)); err != nil {
			return err
		}
	}
	say(fmt.Sprintf("%s is now for %s; the files of %s were moved to %s", filepath.Base(t.File), t.Branch, before.Branch, filepath.Join(filepath.Dir(t.File), filepath.FromSlash(dir))))
	return nil
}

// LastRun is the last run of a task file. The zero value is none.
type LastRun struct {
	Folder string
	schema.RunSummary
}

// lastOf returns the task of the last run of the same file, nil if there was none, and the
// file with its stories as that run left them.
func (t *Task) lastOf(last LastRun) (*plan.Task, []byte, error) {
	if last.Folder == "" {
		return nil, nil, nil
	}
	src, err := files.ReadPath(filepath.Join(last.Folder, "plan.json"), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // it died before it kept one
	}
	if err != nil {
		return nil, nil, err
	}
	was, faults := plan.ReadTask(plan.TaskPlace{File: t.File, Path: t.Plan.Path}, src)
	if was == nil || plan.Refused(faults) {
		return nil, nil, nil // a newer program reads less than the one that ran it
	}
	yes := true
	var updates []plan.StoryUpdate
	for _, c := range last.Chunks {
		if c.Status == string(loops.ChunkDone) {
			updates = append(updates, plan.StoryUpdate{ID: c.ID, Passes: &yes})
		}
	}
	src, err = plan.UpdateStories(src, updates...)
	return was, src, err
}

// vacant returns the name of a folder that does not exist yet: with a number behind it,
// if need be.
func vacant(root *files.Root, name string) (string, error) {
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d", name, n)
		}
		_, err := root.Lstat(try)
		if errors.Is(err, fs.ErrNotExist) {
			return try, nil
		}
		if err != nil {
			return "", err
		}
	}
}
