package selftest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
)

// finish is what a run left.
type finish struct {
	exit   int
	output string
	folder string // of the run
	state  loops.State
	events []loops.Event
}

// invariants returns the invariants that don't hold after a run. What is lost can't
// be restored.
func (l *lab) invariants(ctx context.Context, before photo, f *finish, lost string) ([]string, error) {
	var out []string
	after, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	if lost != "" {
		delete(after, lost)
	}
	for _, d := range before.differs(after) {
		out = append(out, "the repository: "+d)
	}
	left, err := l.processes()
	if err != nil {
		return nil, err
	}
	out = append(out, left...)
	trees, err := l.worktrees(ctx, f.state.Place.Path)
	if err != nil {
		return nil, err
	}
	out = append(out, trees...)
	entries, err := l.records(ctx, f)
	if err != nil {
		return nil, err
	}
	out = append(out, entries...)
	out = append(out, journal(f)...)
	out = append(out, evidence(f)...)
	for name, secret := range map[string]string{"the value that was passed": l.token, "the vendor's token": l.vendor} {
		found, err := l.find(ctx, secret)
		if err != nil {
			return nil, err
		}
		for _, at := range found {
			out = append(out, name+" is stored on disk: "+at)
		}
	}
	if entries, err := os.ReadDir(l.at("tmp")); err == nil && len(entries) > 0 {
		out = append(out, fmt.Sprintf("%d temporary folders remain, the first %s", len(entries), entries[0].Name()))
	}
	return out, nil
}

// patience is how long processes of a run may still be there after its end.
const patience = 2 * time.Second

// processes returns which of a run are alive after it. All of them have the lab's
// folder or its mark in their environment or on their command line.
func (l *lab) processes() ([]string, error) {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		left, err := alive(l.mark, l.dir)
		if err != nil || len(left) == 0 || time.Now().After(end) {
			for i := range left {
				left[i] = "a process is still running: " + left[i]
			}
			return left, err
		}
	}
}

// worktrees returns which worktrees there are that the journal does not know, or
// the other way round.
func (l *lab) worktrees(ctx context.Context, known string) ([]string, error) {
	text, err := l.git(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var listed, want []string
	for line := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree "); ok && path != l.repo {
			listed = append(listed, path)
		}
	}
	onDisk, err := filepath.Glob(l.at("*-loop-*"))
	if err != nil {
		return nil, err
	}
	if known != "" {
		want = []string{known}
	}
	var out []string
	if !slices.Equal(listed, want) {
		out = append(out, fmt.Sprintf("git knows the worktrees %q, the journal %q", listed, want))
	}
	if !slices.Equal(onDisk, want) {
		out = append(out, fmt.Sprintf("on the disk are the worktrees %q, in the journal %q", onDisk, want))
	}
	return out, nil
}

// records returns which of what a run that is over leaves for people is missing: an
// entry in the wiki's log, on its branch, and a folder for each incident.
func (l *lab) records(ctx context.Context, f *finish) ([]string, error) {
	var out []string
	if f.state.Status.Over() && f.state.Place.Path != "" {
		text, err := l.git(ctx, "diff", "--name-only", "--diff-filter=A", "main", f.state.Place.Branch, "--", "wiki/90_LOG")
		if err != nil {
			return nil, err
		}
		if strings.Count(text+"\n", ".md\n") != 1 {
			out = append(out, fmt.Sprintf("the run's entries in the wiki's log are %q, and not one", text))
		}
	}
	for _, i := range f.state.Incidents {
		if entries, err := os.ReadDir(filepath.Join(l.repo, ".loopwiki", "incidents", i.ID)); err != nil || len(entries) == 0 {
			out = append(out, "there is nothing of incident "+i.ID)
		}
	}
	return out, nil
}

// journal returns what is wrong with how a journal ends, and what it sums up.
func journal(f *finish) []string {
	var out []string
	ends := 0
	var spend loops.Spend
	for _, e := range f.events {
		if e.Kind == loops.Finished || e.Kind == loops.Parked {
			ends++
		}
		if e.Role != nil {
			spend = spend.Add(e.Role.Report.Usage)
		}
	}
	last := f.events[len(f.events)-1]
	over := loops.Finished
	if !f.state.Status.Over() {
		over = loops.Parked
	}
	if ends != 1 || last.Kind != over {
		out = append(out, fmt.Sprintf("the journal has %d terminal events and ends with %q", ends, last.Kind))
	}
	s := f.state.Spend
	if math.Abs(s.USD-spend.USD) > 1e-9 || s.Tokens != spend.Tokens || s.Calls != spend.Calls || s.Estimated != spend.Estimated {
		out = append(out, fmt.Sprintf("the journal's spend is %+v, its roles' %+v", s, spend))
	}
	if want := f.state.Status.Exit(); f.exit != want {
		out = append(out, fmt.Sprintf("the exit status is %d; that of %q is %d", f.exit, f.state.Status, want))
	}
	return out
}

// evidence returns which transcripts are missing, or took another's place.
func evidence(f *finish) []string {
	var out []string
	seen := map[string]bool{}
	for _, e := range f.events {
		if e.Role == nil {
			continue
		}
		at := e.Role.Evidence
		if seen[at] {
			out = append(out, at+": two calls left their transcripts there")
		}
		seen[at] = true
		for _, name := range []string{"prompt.md", "call.json"} {
			if info, err := os.Stat(filepath.Join(f.folder, filepath.FromSlash(at), name)); err != nil || info.Size() == 0 {
				out = append(out, fmt.Sprintf("%s: no %s", at, name))
			}
		}
	}
	return out
}

// find returns where a secret lies, in files and in git's objects. The scripts that
// were told it are left out.
func (l *lab) find(ctx context.Context, secret string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, path)
		switch {
		case err != nil:
			return err
		case rel == "agents":
			return fs.SkipDir
		case strings.Contains(rel, secret):
			out = append(out, "as a name: "+rel)
		case d.Type().IsRegular():
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if bytes.Contains(src, []byte(secret)) {
				out = append(out, rel)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, "git", "cat-file", "--batch-all-objects", "--batch", "--buffer")
	c.Dir, c.Env = l.repo, l.env()
	objects, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("read all objects of git: %w", err)
	}
	if bytes.Contains(objects, []byte(secret)) {
		out = append(out, "an object of git")
	}
	return out, nil
}

// readRun reads what the latest run left.
func (l *lab) readRun(f *finish) error {
	store := run.NewStore(l.repo)
	id, err := store.Find("latest")
	if err != nil {
		return fmt.Errorf("%w; the program said: %s", err, strings.TrimSpace(f.output))
	}
	f.folder = store.Folder(id)
	f.state, f.events, err = store.Read(id)
	if err == nil && len(f.events) == 0 {
		err = fmt.Errorf("the journal of %s is empty; the program said: %s", id, strings.TrimSpace(f.output))
	}
	return err
}
