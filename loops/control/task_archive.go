package control

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// archiveFolder holds, beside a prd.json of ralph, what was there for features
// before.
const archiveFolder = "archive"

// archive keeps what the last run of a prd.json of ralph left, if the file has
// become that of another feature, which its branchName says: the stories as they
// stood and the notes go to archive/<day>-<branch>, and the notes begin anew.
func (p *Place) archive(w *Work, say func(string)) error {
	if w.Task == nil || w.Plan.Format != loops.RalphTask || w.Branch == "" {
		return nil
	}
	last, src, err := p.lastTask(w)
	if err != nil || last == nil || last.Branch == "" || last.Branch == w.Branch {
		return err
	}
	root, err := files.Open(filepath.Dir(w.File))
	if err != nil {
		return err
	}
	defer root.Close()
	_, notes := w.progressFile()
	old, err := readIn(root, notes)
	if err != nil {
		return err
	}
	dir := path.Join(archiveFolder, p.Now().Format("2006-01-02")+"-"+last.Plan.Name)
	if _, err := root.Lstat(dir); err == nil && old == nil {
		return nil // a run that did not begin has done it
	}
	if dir, err = vacant(root, dir); err != nil {
		return err
	}
	if err := put(root, path.Join(dir, filepath.Base(w.File)), src); err != nil {
		return err
	}
	if old != nil {
		// The copy is there before the original goes.
		if err := errors.Join(put(root, path.Join(dir, notes), old), root.Remove(notes)); err != nil {
			return err
		}
	}
	say(fmt.Sprintf("%s is about %s now; what was there for %s is in %s", filepath.Base(w.File), w.Branch, last.Branch, filepath.Join(filepath.Dir(w.File), filepath.FromSlash(dir))))
	return nil
}

// lastTask is the task of the last run of the same file, nil if there was none,
// and the file with its stories as that run left them.
func (p *Place) lastTask(w *Work) (*plan.Task, []byte, error) {
	last, ok := p.Latest(w.Plan.Path)
	if !ok {
		return nil, nil, nil
	}
	src, err := files.ReadPath(filepath.Join(p.Store.Folder(last.ID), "plan.json"), files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // it died before it kept one
	}
	if err != nil {
		return nil, nil, err
	}
	t, faults := plan.ReadTask(plan.TaskPlace{File: w.File, Path: w.Plan.Path}, src)
	if t == nil || plan.Refused(faults) {
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
	return t, src, err
}

// vacant is the name of a folder that is not there yet: with a number behind it,
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
