// Package show reads runs, plans, incidents and loop specifications for display: on the
// site, and in a followed log.
package show

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/export"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Viewer reads the runs, plans and incidents of a repository.
type Viewer struct{ *repo.Repo }

// New returns the viewer of a repository.
func New(r *repo.Repo) *Viewer { return &Viewer{r} }

// Detail returns all that is shown of a run. The error is fs.ErrNotExist if there
// is no such run.
func (v *Viewer) Detail(id string) (*schema.RunDetail, error) {
	files, err := v.Store.Files(id)
	if err != nil {
		return nil, missing(err)
	}
	s, events, err := v.Store.Read(id)
	if err != nil {
		return nil, missing(err)
	}
	if s.Status == "" {
		return nil, fmt.Errorf("run %s has not started: %w", id, fs.ErrNotExist)
	}
	sum := run.Summary(s, v.Alive)
	d := run.Detail(&s, events, sum, files)
	if sum.Status == "running" {
		d.Now = run.Now(&s, v.Now().UTC())
	}
	if j, err := v.Store.Judgement(id); err == nil && j != nil && d.PullRequest == "" {
		d.PullRequest = j.PullRequest
	}
	if t, err := v.Store.Text(id, run.ReportFile); err == nil {
		d.Report = string(t.Head)
	}
	return d, nil
}

// Text returns what is shown of a file of a run.
func (v *Viewer) Text(id, name string) (*schema.RunText, error) {
	t, err := v.Store.Text(id, name)
	return t, missing(err)
}

// missing makes an unknown run what a server says of it.
func missing(err error) error {
	var unknown *run.UnknownRunError
	if errors.As(err, &unknown) {
		return fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	return err
}

// mostPoints bounds the runs in charts.
const mostPoints = 200

// Points returns the latest runs as what charts are made of, the oldest first.
func (v *Viewer) Points() ([]schema.RunPoint, error) {
	ids, err := v.Store.IDs()
	if err != nil {
		return nil, err
	}
	var out []schema.RunPoint
	for _, id := range ids[max(0, len(ids)-mostPoints):] {
		s, events, err := v.Store.Read(id)
		if err == nil && s.Status != "" {
			p := run.Point(&s, events, run.Summary(s, v.Alive))
			p.LES = score(events)
			out = append(out, p)
		}
	}
	return out, nil
}

// score is the LES of a run, nil if it is not over or has none. Only the number leaves
// the record, so that nothing in it needs redacting.
func score(events []loops.Event) *float64 {
	of, err := export.Of(events, func(text string) string { return text })
	if err != nil {
		return nil
	}
	return &of.Record.Observed.Display
}

// All returns all runs, the oldest first; none if they can't be read.
func (v *Viewer) All() []schema.RunSummary {
	all, err := v.Summaries()
	if err != nil {
		return nil
	}
	return all
}

// Stamps tell whether something was written to runs since it was asked last.
type Stamps struct {
	viewer *Viewer
	mu     sync.Mutex
	over   map[string]bool // runs that are written to no more
}

// Stamps returns those of the repository.
func (v *Viewer) Stamps() *Stamps { return &Stamps{viewer: v, over: make(map[string]bool)} }

// Of returns a text that is another one when something was written to a run, or to any,
// to plans, incidents, loop specifications or the leaderboard, if id is "".
func (s *Stamps) Of(id string) string {
	h := fnv.New64a()
	if id != "" {
		s.add(h, id)
		return fmt.Sprintf("%x", h.Sum64())
	}
	ids, err := s.viewer.Store.IDs()
	if err != nil {
		return ""
	}
	for _, id := range ids {
		if s.known(id) {
			fmt.Fprintln(h, id)
			continue
		}
		s.add(h, id)
	}
	for _, dir := range []string{"plans", andon.Folder, plan.LoopFolder, path.Dir(BoardFile)} {
		list, _ := fs.ReadDir(s.viewer.FS(), dir)
		for _, e := range list {
			if info, err := e.Info(); err == nil {
				fmt.Fprintln(h, dir, e.Name(), info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum64())
}

// known reports whether a run is over.
func (s *Stamps) known(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over[id] {
		_, err := os.Lstat(filepath.Join(s.viewer.Store.Folder(id), run.SummaryFile))
		s.over[id] = err == nil
	}
	return s.over[id]
}

// add writes how long a run's journal and report are, and whether somebody is at
// work on it: a runner that is killed writes nothing.
func (s *Stamps) add(w interface{ Write([]byte) (int, error) }, id string) {
	fmt.Fprint(w, id)
	if strings.HasPrefix(id, ".") || strings.ContainsAny(id, `/\:`) {
		return
	}
	for _, name := range []string{run.JournalFile, run.ReportFile, run.SummaryFile} {
		if info, err := os.Lstat(filepath.Join(s.viewer.Store.Folder(id), name)); err == nil {
			fmt.Fprint(w, " ", info.Size())
		}
	}
	if _, plan, ok := strings.Cut(id, "Z-"); ok {
		fmt.Fprint(w, " ", s.viewer.Alive(plan))
	}
	fmt.Fprintln(w)
}
