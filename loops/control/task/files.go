package task

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

// mirror writes the files that the users of a task file expect, from the journal
// and from nothing else: after a crash the next event makes them whole. It writes
// only between calls of agents, so that no guard takes its work for theirs.
type mirror struct {
	task  *Task
	store *run.Store
	run   string
	say   func(string)
	said  map[string]bool
	ctx   context.Context
}

// Mirror returns what keeps the files of a run of the task up to date, event by event.
func (t *Task) Mirror(ctx context.Context, store *run.Store, id string, say func(string)) func(loops.Event, *loops.State) {
	m := &mirror{task: t, store: store, run: id, say: say, said: make(map[string]bool), ctx: context.WithoutCancel(ctx)}
	return m.watch
}

// Subject returns the first line of a story's commit, as its users expect it.
func (t *Task) Subject(p *loops.Plan, work loops.Chunk) string {
	return fmt.Sprintf("feat(%s): %s - %s", cmp.Or(strings.Join(strings.Fields(t.Project), " "), p.Name), work.ID, work.Title)
}

func (m *mirror) watch(e loops.Event, s *loops.State) {
	switch e.Kind {
	case loops.Started, loops.RoleEnded, loops.GatesEnded, loops.RolledBack, loops.Committed, loops.Finished:
	default:
		return // an agent may be at work, or its snapshot taken
	}
	_, events, err := m.store.Read(m.run)
	if err == nil {
		err = m.write(e, s, iterations(events))
	}
	if err != nil && !m.said[err.Error()] {
		m.said[err.Error()] = true
		m.say("note: " + m.task.File + ": " + err.Error())
	}
}

// write brings all files up to date. What can't be written does not keep the
// rest from being.
func (m *mirror) write(e loops.Event, s *loops.State, its []*iteration) error {
	root, err := files.Open(m.task.Workdir)
	if err != nil {
		return err
	}
	defer root.Close()
	errs := []error{m.stories(s, its)}
	if dir, name := m.task.progressFile(); name != "" {
		errs = append(errs, m.progress(dir, name, its))
	}
	if m.task.Plan.Format == loops.LodeloopTask {
		errs = append(errs, m.lodeloop(root, e, s, its))
	}
	if m.task.Mode == "explore" && s.Place.Path != "" {
		errs = append(errs, m.triage(root, s, its))
	}
	if m.task.InPlace != "" && (e.Kind == loops.Committed || e.Kind == loops.Finished) {
		errs = append(errs, m.advance(s))
	}
	return errors.Join(errs...)
}

// progressFile returns where the notes of a task lie: a folder and a name in it.
func (t *Task) progressFile() (dir, name string) {
	switch t.Plan.Format {
	case loops.LodeloopTask:
		return t.Workdir, path.Join(plan.LodeloopFolder, plan.LodeloopNotes)
	case loops.RalphTask:
		return filepath.Dir(t.File), "progress.txt"
	}
	return filepath.Dir(t.File), "progress.md"
}

// progress adds the iterations that are over and that the notes do not have.
func (m *mirror) progress(dir, name string, its []*iteration) error {
	root, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	old, err := readIn(root, name)
	if err != nil {
		return err
	}
	text := old
	for _, it := range its {
		entry := it.entry(m.task.Plan)
		if it.over && !bytes.Contains(text, []byte(fmt.Sprintf("## Iteration %d — %s — ", it.n, it.at.UTC().Format(time.RFC3339)))) {
			text = plan.AppendProgress(text, entry)
		}
	}
	return replaceIn(root, name, old, text)
}

// stories marks what passed, and what an evaluator rejected, in the task file.
func (m *mirror) stories(s *loops.State, its []*iteration) error {
	root, err := files.Open(filepath.Dir(m.task.File))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(m.task.File)
	old, err := readIn(root, name)
	if err != nil || old == nil {
		return err
	}
	text, yes := old, true
	for _, it := range its {
		if it.chunk < 0 || it.chunk >= len(s.Chunks) {
			continue
		}
		update := plan.StoryUpdate{ID: s.Chunks[it.chunk].ID}
		if it.commit != "" && s.Chunks[it.chunk].Status == loops.ChunkDone {
			update.Passes = &yes
		}
		if note := it.note(); note != "" && m.task.Plan.Format == loops.AgentLoop && !noted(text, it) {
			update.Note, update.Rejected = note, true
		}
		if update.Passes == nil && !update.Rejected {
			continue
		}
		if text, err = plan.UpdateStories(text, update); err != nil {
			return fmt.Errorf("update its stories: %w", err)
		}
	}
	return replaceIn(root, name, old, text)
}

// noted reports whether the file holds the note of an iteration.
func noted(text []byte, it *iteration) bool {
	return bytes.Contains(text, []byte(fmt.Sprintf("[REJECTED] iteration %d, %s: ", it.n, it.verdictAt.UTC().Format(time.RFC3339))))
}

// lodeloop writes .lodeloop.
func (m *mirror) lodeloop(root *files.Root, e loops.Event, s *loops.State, its []*iteration) error {
	file := func(name string) string { return path.Join(plan.LodeloopFolder, name) }
	if e.Kind == loops.Started {
		// What an earlier run came to is not what this one does.
		if err := root.Remove(file(plan.LodeloopResult)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	errs := []error{put(root, file(plan.LodeloopCircuit), plan.WriteCircuit(s.Breaker))}
	for _, it := range its {
		dir := filepath.Join(m.store.Folder(m.run), filepath.FromSlash(it.role.Evidence))
		prompt, err := files.ReadPath(filepath.Join(dir, "prompt.md"), files.Run)
		if err == nil {
			err = put(root, file(plan.LodeloopPrompt(it.n)), prompt)
		}
		out, _ := files.ReadPath(filepath.Join(dir, "stdout"), files.Run)
		also, _ := files.ReadPath(filepath.Join(dir, "stderr"), files.Run)
		errs = append(errs, err, put(root, file(plan.LodeloopLog(it.n)), append(out, also...)))
	}
	if e.Kind == loops.Finished {
		errs = append(errs, put(root, file(plan.LodeloopResult), plan.WriteResult(s)))
	}
	return errors.Join(errs...)
}

// triage brings the analyses of stories that passed to the workdir, where the
// users of explore mode look for them; git is not asked to.
func (m *mirror) triage(root *files.Root, s *loops.State, its []*iteration) error {
	tree, err := files.Open(s.Place.Path)
	if err != nil {
		return err
	}
	defer tree.Close()
	var errs []error
	for _, it := range its {
		if it.commit == "" {
			continue
		}
		for _, name := range s.Start.Plan.Work(it.chunk).Files {
			text, err := readIn(tree, name)
			if err == nil && text != nil {
				err = put(root, strings.TrimPrefix(name, m.task.prefix), text)
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// mostRead is how much of a file is read, in bytes.
const mostRead = 8 << 20

// readIn reads a file below a root, nil if it does not exist.
func readIn(root *files.Root, name string) ([]byte, error) {
	limit := files.Text
	limit.Bytes = mostRead
	text, err := root.ReadFile(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// put makes a file hold a text, if it does not.
func put(root *files.Root, name string, text []byte) error {
	old, err := readIn(root, name)
	if err != nil {
		return err
	}
	if old == nil && len(text) == 0 {
		old = []byte{0} // an empty file is one
	}
	return replaceIn(root, name, old, text)
}

// replaceIn replaces a file as a whole: it is there with the old text or the new,
// and never with a part of either.
func replaceIn(root *files.Root, name string, old, text []byte) error {
	if bytes.Equal(old, text) {
		return nil
	}
	return root.Replace(name, text, 0o644)
}
