package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// Store is where the runs of a repository are kept: .loopwiki/runs in its main
// checkout. Git ignores it.
type Store struct{ dir string }

// The names in the folder of a run and around it.
const (
	stateFolder   = ".loopwiki"
	summaryFormat = 1
)

// SummaryFile is the name of a summary in the folder of a run that is over.
const SummaryFile = "summary.json"

// NewStore returns the store of the repository whose main checkout is root.
func NewStore(root string) *Store { return &Store{filepath.Join(root, stateFolder)} }

// Folder returns the folder of a run.
func (s *Store) Folder(id string) string { return filepath.Join(s.dir, "runs", id) }

// Lock returns the file that the runner of a plan holds.
func (s *Store) Lock(plan string) string { return filepath.Join(s.dir, "runs", ".locks", plan+".lock") }

// Create makes the folder of a new run. Its id is the time in UTC and the plan's
// name; a second run in the same second has a number behind it.
func (s *Store) Create(plan string, at time.Time) (id string, err error) {
	if err := s.Make(); err != nil {
		return "", err
	}
	if err := s.ignore(); err != nil {
		return "", err
	}
	first, err := s.after(at, plan)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		id = first
		if n > 1 {
			id = fmt.Sprintf("%s-%d", first, n)
		}
		err := os.Mkdir(s.Folder(id), 0o755)
		if err == nil || !errors.Is(err, fs.ErrExist) || n == 1000 {
			return id, err
		}
	}
}

// after returns an id that is later in order than those of other plans' runs that began in
// the same second: the last id is the latest run.
func (s *Store) after(at time.Time, plan string) (string, error) {
	ids, err := s.IDs()
	if err != nil {
		return "", err
	}
	if n := len(ids); n > 0 { // an earlier one was moved on
		stamp, _, _ := strings.Cut(ids[n-1], "Z-")
		if last, err := time.Parse("2006-01-02T150405", stamp); err == nil && last.After(at) && last.Before(at.Add(10*time.Second)) {
			at = last
		}
	}
	for ; ; at = at.Add(time.Second) {
		second := at.UTC().Format("2006-01-02T150405Z") + "-"
		later := func(id string) bool {
			_, notNumber := strconv.Atoi(strings.TrimPrefix(id, second+plan+"-"))
			return strings.HasPrefix(id, second) && id > second+plan && notNumber != nil
		}
		if !slices.ContainsFunc(ids, later) {
			return second + plan, nil
		}
	}
}

// Make makes the store's folders. A repository is not trusted: none of them is a
// symbolic link to somewhere else.
func (s *Store) Make() error {
	for _, dir := range []string{s.dir, filepath.Join(s.dir, "runs"), filepath.Join(s.dir, "runs", ".locks")} {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory (a symbolic link?): move it away", dir)
		}
	}
	return nil
}

// replace writes a file as a whole: a new one beside it takes its place.
func replace(path string, data []byte) error {
	return files.ReplacePath(path, data, 0o644)
}

// ignored is what git leaves alone below .loopwiki.
var ignored = []string{"/cache/", "/runs/"}

// ignore keeps runs out of git, in a file of our own folder. Lines that are
// there already stay.
func (s *Store) ignore() error {
	path := filepath.Join(s.dir, ".gitignore")
	old, err := files.ReadPath(path, files.Run)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(old)
	for _, l := range ignored {
		if !slices.Contains(strings.Split(text, "\n"), l) {
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			text += l + "\n"
		}
	}
	if text == string(old) {
		return nil
	}
	return replace(path, []byte(text))
}

// IDs returns the ids of all runs, the oldest first.
func (s *Store) IDs() ([]string, error) {
	root, err := files.Open(filepath.Dir(s.dir))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(files.Run), stateFolder+"/runs")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			ids = append(ids, e.Name())
		}
	}
	return ids, err
}

// UnknownRunError is an id that no run has, or several begin with.
type UnknownRunError struct {
	Given string
	Among []string // ids that it could mean
	Known []string // all ids
}

func (e *UnknownRunError) Error() string {
	if len(e.Among) > 1 {
		return fmt.Sprintf("run %q is ambiguous: %s", e.Given, strings.Join(e.Among, ", "))
	}
	return fmt.Sprintf("no such run: %q", e.Given)
}

// Find returns the id that is meant: whole, its beginning, the plan's name of
// which it is the latest run, or "latest".
func (s *Store) Find(given string) (string, error) {
	ids, err := s.IDs()
	if err != nil {
		return "", err
	}
	if len(ids) > 0 && (given == "latest" || given == "") {
		return ids[len(ids)-1], nil
	}
	var begin, plan []string
	for _, id := range ids {
		switch _, name, _ := strings.Cut(id, "Z-"); {
		case id == given:
			return id, nil
		case given != "" && strings.HasPrefix(id, given):
			begin = append(begin, id)
		case name == given, undated(name) == given:
			plan = append(plan, id)
		}
	}
	switch {
	case len(plan) > 0:
		return plan[len(plan)-1], nil
	case len(begin) == 1:
		return begin[0], nil
	}
	return "", &UnknownRunError{given, begin, ids}
}

// undated returns a plan's name without its month: 2026-07-prices is prices.
func undated(plan string) string {
	const month = len("2026-07-")
	if len(plan) > month && plan[4] == '-' && plan[7] == '-' {
		return plan[month:]
	}
	return plan
}

// Read returns what a run has come to, and its events. A run whose journal says
// that it is running, and that nobody runs, is what alive says of it.
func (s *Store) Read(id string) (loops.State, []loops.Event, error) {
	events, _, err := ReadJournal(filepath.Join(s.Folder(id), JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(s.Folder(id)); err != nil {
			return loops.State{}, nil, &UnknownRunError{Given: id}
		}
	} else if err != nil {
		return loops.State{}, nil, err
	}
	if len(events) == 0 {
		return loops.State{}, nil, &NotBegunError{id}
	}
	return loops.Fold(events), events, nil
}

// NotBegunError is a run whose journal holds no event: its runner is about to
// write the first, or died before it did.
type NotBegunError struct{ ID string }

func (e *NotBegunError) Error() string { return "run " + e.ID + " has not started" }

// Hint returns what to do.
func (e *NotBegunError) Hint() string {
	return "if its runner died before that, nothing was done; run the plan again"
}

// ElsewhereFile marks a run that another clone made: its worktree is not here.
const ElsewhereFile = "elsewhere"

// Elsewhere reports whether another clone made a run.
func (s *Store) Elsewhere(id string) bool {
	_, err := os.Lstat(filepath.Join(s.Folder(id), ElsewhereFile))
	return err == nil
}

// Settled reports whether nothing is left to be done for a run: it is over, its
// journal says so last, and its summary is written.
func (s *Store) Settled(id string, events []loops.Event) bool {
	if events[len(events)-1].Kind != loops.Finished {
		return false
	}
	_, ok := s.finished(id)
	return ok
}

// summary is the file that spares reading the journal of a run that is over.
type summary struct {
	V int `json:"v"`
	schema.RunSummary
}

// Summaries returns what became of all runs, the oldest first. alive tells
// whether somebody runs the plan of that name now.
func (s *Store) Summaries(alive func(plan string) bool) ([]schema.RunSummary, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	var out []schema.RunSummary
	for _, id := range ids {
		if sum, ok := s.summary(id, alive); ok {
			out = append(out, sum)
		}
	}
	return out, nil
}

// Current returns what became of the runs that are not over and of the last one,
// the oldest first. It reads nothing of the others: their summaries are there.
func (s *Store) Current(alive func(plan string) bool) ([]schema.RunSummary, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	var out []schema.RunSummary
	for i := len(ids) - 1; i >= 0; i-- {
		if len(out) > 0 {
			if _, err := os.Lstat(filepath.Join(s.Folder(ids[i]), SummaryFile)); err == nil {
				continue
			}
		}
		sum, ok := s.summary(ids[i], alive)
		if ok && (len(out) == 0 || !loops.Status(sum.Status).Over()) {
			out = append(out, sum)
		}
	}
	slices.Reverse(out)
	return out, nil
}

// summary returns what became of a run; it is false of one that died before its first
// event, or is none of ours.
func (s *Store) summary(id string, alive func(plan string) bool) (schema.RunSummary, bool) {
	if sum, ok := s.finished(id); ok {
		return sum, true
	}
	st, _, err := s.Read(id)
	if err != nil || st.Status == "" {
		return schema.RunSummary{}, false
	}
	return Summary(st, func(plan string) bool { return s.hasEngine(id) || alive(plan) }), true
}

// Summary returns what becomes of a state: what is said to be running and is run by
// nobody was interrupted.
func Summary(st loops.State, alive func(plan string) bool) schema.RunSummary {
	if st.Status == loops.Running && !alive(st.Start.Plan.Name) {
		st.Status = loops.Interrupted
	}
	return st.Summary()
}

func (s *Store) finished(id string) (schema.RunSummary, bool) {
	src, err := files.ReadPath(filepath.Join(s.Folder(id), SummaryFile), files.Run)
	if err != nil {
		return schema.RunSummary{}, false
	}
	var sum summary
	if json.Unmarshal(src, &sum) != nil || sum.V != summaryFormat {
		return schema.RunSummary{}, false
	}
	return sum.RunSummary, true
}

// Finish writes the summary of a run that is over.
func (s *Store) Finish(st loops.State) error {
	text, err := json.MarshalIndent(summary{summaryFormat, st.Summary()}, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(s.Folder(st.Start.Run), SummaryFile), append(text, '\n'))
}

// SpentOn sums what the runs of a day (in UTC) spent, in USD.
func (s *Store) SpentOn(day time.Time) (float64, error) {
	ids, err := s.IDs()
	if err != nil {
		return 0, err
	}
	var sum float64
	prefix := day.UTC().Format("2006-01-02")
	for _, id := range ids {
		if !strings.HasPrefix(id, prefix) {
			continue
		}
		if done, ok := s.finished(id); ok {
			sum += done.Spend.USD
		} else if st, _, err := s.Read(id); err == nil {
			sum += st.Spend.USD
		}
	}
	return sum, nil
}
