package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// blocked is the status of a plan that can't start before a person did something, or of a
// repository that can't be read.
const blocked = "blocked"

// embeddedEngine is the engine that is this program.
const embeddedEngine = "embedded"

// member is a repository of a fleet.
type member struct {
	schema.FleetRepository
	dir  string // absolute
	name string // for people

	repo  *repo.Repo // nil while the repository can't be read
	tasks []*task    // of the last survey, as plans are run

	refreshed refreshed // of runs elsewhere
	unseen    error     // why they are as they were seen last
}

// action is what a fleet may do about a plan.
type action int

const (
	none action = iota
	start
	resume
	watch // somebody works on it
)

// task is a plan of a member.
type task struct {
	row    schema.FleetRow
	member *member
	plan   *loops.Plan
	act    action
	// budget is what the next or current run may spend from now on, in USD.
	budget float64
}

func (t *task) key() string { return t.member.dir + "\x00" + t.row.Plan }

// survey reads how the plans of the repository stand. A repository that can't be read is a
// task with the reason.
func (m *member) survey(ctx context.Context, f *Fleet) {
	m.repo, m.tasks, m.unseen = nil, nil, nil
	r, err := m.open(ctx, f.Open)
	if err == nil && f.Elsewhere != nil {
		m.unseen = f.Elsewhere.Refresh(ctx, r)
	}
	if err == nil {
		err = m.read(ctx, r, f.tried)
	}
	if err == nil {
		_ = r.Container() // is made here, since runs are stopped beside each other
		m.repo = r
		return
	}
	t := &task{member: m, row: schema.FleetRow{Repository: m.Path, Name: m.name}}
	t.block(err)
	m.tasks = []*task{t}
}

// open opens the repository, which is to be a main checkout: runs of a folder inside one, or
// of a worktree, would be those of another repository.
func (m *member) open(ctx context.Context, open func(ctx context.Context, dir string) (*repo.Repo, error)) (*repo.Repo, error) {
	if info, err := os.Stat(m.dir); err != nil || !info.IsDir() {
		return nil, &heldError{why: "no such directory: " + m.dir, hint: "correct its path in the fleet file, or clone the repository"}
	}
	r, err := open(ctx, m.dir)
	var none *repo.NoRepositoryError
	if errors.As(err, &none) {
		return nil, &heldError{why: none.Error(), hint: "run 'git init' there and commit, or correct its path in the fleet file"}
	}
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(m.dir)
	switch {
	case err != nil:
	case real != r.Root:
		err = &heldError{why: "not the root of a repository; it is inside " + r.Root, hint: "write the path of the repository's main checkout"}
	}
	return r, err
}

// heldError is why a plan or repository is left alone.
type heldError struct {
	why, hint string
	exit      int // 0 is that of a missing environment
}

func (e *heldError) Error() string { return e.why }

// Hint returns what to do.
func (e *heldError) Hint() string { return e.hint }

// block says that a person has to do something first.
func (t *task) block(err error) {
	t.act, t.row.Status, t.row.Why, t.row.Exit = none, blocked, text.Collapse(err.Error()), loops.NoGround.Exit()
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		t.row.Hint = hinted.Hint()
	}
	var stopped *andon.StoppedError
	var unexplained *andon.HypothesisError
	var config *compiler.ConfigError
	var faulty *repo.FaultyError
	var held *heldError
	switch {
	case errors.As(err, &stopped), errors.As(err, &unexplained):
		t.row.Exit = loops.Stopped.Exit()
	case errors.As(err, &config), errors.As(err, &faulty):
		t.row.Exit = exitUsage
	case errors.As(err, &held) && held.exit > 0:
		t.row.Exit = held.exit
	}
}

// read fills the tasks. tried holds the plans that this fleet started already, with why a run
// did not begin.
func (m *member) read(ctx context.Context, r *repo.Repo, tried map[string]error) error {
	all, err := r.Summaries()
	if err != nil {
		return err
	}
	last := make(plan.LastRuns)
	for _, s := range all {
		if !r.Lost(&s) {
			last[s.Plan] = s
		}
	}
	b, err := plan.OpenBook(ctx, r.Root, func(string) (plan.Runs, error) { return last, nil })
	if err != nil {
		return err
	}
	defer b.Close()
	queue, err := survey.New(r).Queue(b)
	if err != nil {
		return err
	}
	l, err := r.Builtin(repo.ExecutionLoop)
	if err != nil {
		return err
	}
	s := &surveyor{member: m, repo: r, book: b, last: last, tried: tried, budget: r.LimitsOf(l).Budget.USD, around: b.Around(r.Getenv("PATH"))}
	if s.held = r.Andon().MayStart(all); s.held == nil {
		s.held = clean(ctx, r)
	}
	wanted := s.wanted()
	for i := range queue {
		q := &queue[i]
		if _, ran := last[q.Path]; wanted[q.Path] || m.Plans == nil && (q.Status != plan.Done && q.Status != plan.Rejected || ran && tried[m.dir+"\x00"+q.Path] != nil) {
			m.tasks = append(m.tasks, s.task(q))
		}
	}
	return nil
}

// clean refuses a checkout with changes that no commit has: a run begins with the last
// commit, so that it would not see them. Our own records are not meant.
func clean(ctx context.Context, r *repo.Repo) error {
	out, err := r.Git(ctx, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--", ".", ":(exclude).loopwiki")
	if err != nil || out == "" {
		return err
	}
	n := strings.Count(out, "\x00")
	return &heldError{why: fmt.Sprintf("uncommitted changes to %s, which a run would not see", text.Count(n, "tracked file")), hint: "commit or stash them"}
}

// surveyor reads the plans of a repository.
type surveyor struct {
	*member
	repo   *repo.Repo
	book   *plan.Book
	last   plan.LastRuns
	tried  map[string]error
	budget float64 // of a new run, in USD
	around plan.Surroundings
	held   error // why none may start, nil if they may
}

// wanted returns the paths of the plans that the fleet file lists, and adds a task for what is
// none.
func (s *surveyor) wanted() map[string]bool {
	out := make(map[string]bool)
	for _, typed := range s.Plans {
		f, ok := s.book.Find(s.repo.Root, typed)
		if !ok {
			f, ok = s.book.Undated(typed)
		}
		if ok && slices.ContainsFunc(s.book.Files, func(o plan.File) bool { return o.Path == f.Path }) {
			out[f.Path] = true
			continue
		}
		hint := "list plans with 'wiki plan list'"
		if near, ok := schema.Nearest(typed, s.book.Names()); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		t := &task{member: s.member, row: schema.FleetRow{Repository: s.Path, Name: s.name, Plan: typed}}
		t.block(&heldError{why: "no such plan in plans/", hint: hint, exit: exitUsage})
		s.tasks = append(s.tasks, t)
	}
	return out
}

// task tells how a plan stands, and what may be done about it.
func (s *surveyor) task(q *survey.Queued) *task {
	t := &task{member: s.member, plan: q.Plan, budget: s.budget, row: schema.FleetRow{
		Repository: s.Path, Name: s.name, Plan: q.Path, Title: q.Plan.Title, Priority: q.Plan.Priority, Status: string(q.Status), Chunks: len(q.Plan.Chunks),
	}}
	sum, ran := s.last[q.Path]
	if ran {
		t.ran(&sum)
	}
	failed, tried := s.tried[t.key()]
	status := loops.Status(sum.Status)
	switch {
	case q.Status == plan.Done || q.Status == plan.Rejected:
		t.row.Status, t.row.Exit = string(q.Status), 0
		_, t.row.Why = s.book.Status(q.File)
	case ran && status == loops.Running:
		t.act = watch
		if m := s.member; m.unseen != nil {
			t.row.Why = "last known state; can't refresh: " + text.Collapse(m.unseen.Error())
		}
	case tried && failed != nil && !errors.Is(failed, errBegun):
		t.block(failed)
	case tried || ran && q.Status == plan.Blocked && !s.resumable(&sum):
		s.ended(t, &sum)
	case ran && q.Status == plan.Blocked:
		t.act = resume
		t.row.Why = "to be resumed"
	default:
		s.pending(t, q)
	}
	if st, _, err := s.repo.Store.Read(sum.ID); ran && err == nil && (t.act == resume || t.act == watch) {
		t.budget = max(0, st.Start.Limits.Budget.USD-sum.Spend.USD)
	}
	return t
}

// ran adds what became of the last run.
func (t *task) ran(sum *schema.RunSummary) {
	t.row.Run, t.row.Status, t.row.Exit, t.row.WaitingFor, t.row.Spend = sum.ID, sum.Status, sum.Exit, sum.WaitingFor, sum.Spend
	t.row.Chunks = max(t.row.Chunks, len(sum.Chunks))
	for _, c := range sum.Chunks {
		if c.Status == string(loops.ChunkDone) {
			t.row.Done++
		}
	}
}

// resumable reports whether a run goes on without a person: it was interrupted, or the vendor
// that it waits for is expected to work again.
func (s *surveyor) resumable(sum *schema.RunSummary) bool {
	switch loops.Status(sum.Status) {
	case loops.Interrupted:
		return true
	case loops.Waiting:
		return !sum.WaitingUntil.IsZero() && !s.repo.Now().Before(sum.WaitingUntil)
	}
	return false
}

// ended says why the last run ended as it did, and what a person can do.
func (s *surveyor) ended(t *task, sum *schema.RunSummary) {
	t.row.Hint = run.NextStep(*sum)
	if st, _, err := s.repo.Store.Read(sum.ID); err == nil && sum.Exit != 0 {
		t.row.Why = text.Collapse(cmp.Or(st.End.Why, st.Question))
	}
}

// pending decides whether a plan that was not run may start.
func (s *surveyor) pending(t *task, q *survey.Queued) {
	t.row.Status, t.row.Exit, t.act = string(plan.Pending), 0, start
	_, faults := plan.Check(q.Path, q.Src, s.around)
	waiting := loops.Waiting.Exit()
	switch {
	case q.Proposed != "":
		t.block(&heldError{"proposed by run " + q.Proposed + ", which nobody approved yet", "read it; then run 'wiki loop approve " + q.Proposed + "', or reject it", waiting})
	case plan.Refused(faults):
		t.block(&repo.FaultyError{File: q.Path, Faults: faults})
	case len(q.Unmerged) > 0:
		t.block(&heldError{"depends on " + strings.Join(q.Unmerged, ", ") + ", not in the default branch", "merge the branch of its run", waiting})
	case q.LeftOut != nil:
		t.block(q.LeftOut)
	case s.held != nil:
		t.block(s.held)
	}
}

// spent returns what the runs of the repository spent on a day.
func (m *member) spent(day time.Time) (float64, error) {
	if m.repo == nil {
		return 0, nil
	}
	return m.repo.Store.SpentOn(day)
}
