// Package fleet runs the plans of many repositories. A fleet file goes in, a table comes out,
// one row per plan. Each run is a process of its own, which outlives the fleet: one that starts
// again finds it by its journal.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// exitUsage is the exit code for unreadable input.
const exitUsage = 2

// Limits where the file gives none.
const (
	DefaultAtOnce        = 2
	DefaultPerRepository = 1
)

// Fleet runs the plans of a fleet file. It is for one goroutine.
type Fleet struct {
	// Open opens the repository that a folder lies in, with its configuration.
	Open func(ctx context.Context, dir string) (*repo.Repo, error)
	// Elsewhere carries out the runs of repositories whose configuration names another engine.
	Elsewhere Elsewhere
	// At spells a folder for the options -C of commands in hints.
	At func(dir string) string
	// Say is told in a line that a run began or ended.
	Say func(line string)
	// Now is told every second what each run does at this moment, a line each. It may be nil.
	Now func(lines []string)
	// Clock is the time.
	Clock func() time.Time

	limits  schema.FleetLimits
	members []*member
	active  map[string]*work
	// tried are the plans that this fleet started or resumed: each once. The value is errBegun,
	// or why the run did not begin.
	tried map[string]error
}

// errBegun marks a run that began.
var errBegun = errors.New("the run began")

// work is a run that somebody carries out.
type work struct {
	*task
	engine engine
	repo   *repo.Repo
	ours   bool // who stops the fleet stops it too
	id     string
	err    error // why the run did not begin, or can't be stopped
}

// New returns the fleet of a file. dirs are the folders of its repositories, absolute, in
// their order.
func New(f *schema.Fleet, dirs []string) *Fleet {
	out := &Fleet{limits: f.Limits, At: func(dir string) string { return dir }, Say: func(string) {}, Clock: time.Now, active: make(map[string]*work), tried: make(map[string]error)}
	out.limits.AtOnce = cmp.Or(f.Limits.AtOnce, DefaultAtOnce)
	out.limits.PerRepository = cmp.Or(f.Limits.PerRepository, DefaultPerRepository)
	bases := make(map[string]int)
	for _, dir := range dirs {
		bases[filepath.Base(dir)]++
	}
	for i, r := range f.Repositories {
		m := &member{FleetRepository: r, dir: dirs[i], name: filepath.Base(dirs[i])}
		if bases[m.name] > 1 {
			m.name = r.Path
		}
		out.members = append(out.members, m)
	}
	return out
}

// Status reports how all plans stand, and starts nothing.
func (f *Fleet) Status(ctx context.Context) (*schema.FleetReport, error) {
	f.survey(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return f.report()
}

// Run starts and resumes what the limits allow, until nothing is left that could be started
// and no run is in work. When ctx is done it stops the runs, and returns how they stand.
func (f *Fleet) Run(ctx context.Context) (*schema.FleetReport, error) {
	if err := repo.Supported(); err != nil {
		return nil, err
	}
	anyway := context.WithoutCancel(ctx)
	ended := make(chan *work)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	f.survey(anyway)
	for fresh := true; ; {
		f.begin(ctx, ended)
		if len(f.active) == 0 && fresh {
			return f.report()
		}
		if len(f.active) == 0 { // people may have merged, closed or committed something meanwhile
			f.survey(anyway)
			fresh = true
			continue
		}
		select {
		case w := <-ended:
			f.end(anyway, w)
			fresh = false
		case <-tick.C:
			f.now()
		}
	}
}

// survey reads how the plans of all repositories stand.
func (f *Fleet) survey(ctx context.Context) {
	seen := make(map[string]string)
	for _, m := range f.members {
		m.survey(ctx, f)
		if m.repo == nil {
			continue
		}
		if first, again := seen[m.repo.Root]; again { // its money would count twice
			t := &task{member: m, row: schema.FleetRow{Repository: m.Path, Name: m.name}}
			t.block(&heldError{why: "the same repository as " + first, hint: "remove one of them from the fleet file", exit: exitUsage})
			m.repo, m.tasks = nil, []*task{t}
			continue
		}
		seen[m.repo.Root] = m.Path
	}
}

// begin watches what is in work, and starts what the limits allow.
func (f *Fleet) begin(ctx context.Context, ended chan<- *work) {
	if ctx.Err() != nil {
		return
	}
	for _, m := range f.members {
		for _, t := range m.tasks {
			if t.act == watch && f.active[t.key()] == nil {
				e := f.engineFor(m, t.row.Run)
				f.launch(ctx, &work{task: t, engine: e, repo: m.repo, id: t.row.Run, ours: e.owned(t.row.Run)}, ended)
				f.say(t, "in work: run "+t.row.Run)
			}
		}
	}
	for ctx.Err() == nil {
		t := f.next()
		if t == nil {
			return
		}
		f.tried[t.key()] = errBegun
		w := &work{task: t, repo: t.member.repo, ours: true}
		if t.act == resume {
			w.id = t.row.Run
		}
		w.engine = f.engineFor(t.member, w.id)
		f.launch(ctx, w, ended)
	}
}

// launch carries out a run beside others.
func (f *Fleet) launch(ctx context.Context, w *work, ended chan<- *work) {
	f.active[w.key()] = w
	began := make(chan error, 1)
	go func() {
		w.carry(ctx, began)
		ended <- w
	}()
	if w.act != watch {
		if err := <-began; err == nil {
			f.say(w.task, map[action]string{start: "started: run ", resume: "resumed: run "}[w.act]+w.id)
		}
	}
}

// poll is how often a run is looked at.
const poll = 200 * time.Millisecond

// carry begins the run, and returns when nobody works on it anymore.
func (w *work) carry(ctx context.Context, began chan<- error) {
	anyway := context.WithoutCancel(ctx) // a run that begins is known before it is stopped
	switch w.act {
	case start:
		w.id, w.err = w.engine.start(anyway, w.plan)
	case resume:
		w.err = w.engine.resume(anyway, w.id)
	}
	began <- w.err
	for w.err == nil && w.engine.alive(ctx, w.plan, w.id) {
		select {
		case <-time.After(poll):
		case <-ctx.Done():
			if w.ours {
				w.err = w.engine.stop(anyway, w.id)
			}
			return
		}
	}
}

// end takes a run out of work, and reads how its repository stands now.
func (f *Fleet) end(ctx context.Context, w *work) {
	delete(f.active, w.key())
	f.now()
	f.tried[w.key()] = outcome(w.err)
	m := w.member
	m.survey(ctx, f)
	for _, t := range m.tasks {
		if t.key() == w.key() {
			what := fmt.Sprintf("%s  %d/%d chunks  $%.2f", t.row.Status, t.row.Done, t.row.Chunks, t.row.Spend.USD)
			if t.row.Status == blocked {
				what = blocked + ": " + t.row.Why
			}
			f.say(t, what)
		}
	}
}

// outcome returns errBegun for a run that began, or why it did not or can't be stopped.
func outcome(err error) error {
	var idle *process.IdleError
	var failed *process.NotBegunError
	switch {
	case err == nil, errors.As(err, &idle):
		return errBegun
	case !errors.As(err, &failed):
		return err
	case failed.Code == 0: // it was at its end already
		return errBegun
	}
	why, hint, _ := strings.Cut(strings.TrimSpace(string(failed.Said)), "\nhint: ")
	why = strings.TrimPrefix(why, "wiki: ")
	return &heldError{why: cmp.Or(why, err.Error()), hint: hint, exit: failed.Code}
}

func (f *Fleet) say(t *task, what string) {
	f.Say(fmt.Sprintf("%s  %s  %s  %s", f.Clock().Local().Format(time.TimeOnly), t.member.name, t.plan.Name, what))
}

// now tells what the runs do.
func (f *Fleet) now() {
	if f.Now == nil {
		return
	}
	var lines []string
	for _, m := range f.members {
		for _, t := range m.tasks {
			if w := f.active[t.key()]; w != nil && w.id != "" {
				line := "begins"
				if s, _, err := w.repo.Store.Read(w.id); err == nil {
					line = run.Now(&s, f.Clock().UTC())
				}
				lines = append(lines, m.name+"  "+t.plan.Name+"  "+line)
			}
		}
	}
	f.Now(lines)
}

// next returns what is started or resumed next, nil if there is nothing or the limits do not
// allow it: what was interrupted first, then by priority, then as the repositories run their
// plans.
func (f *Fleet) next() *task {
	var open []*task
	running := make(map[*member]int)
	for _, m := range f.members {
		for _, t := range m.tasks {
			if w := f.active[t.key()]; w != nil {
				running[m]++
			} else if _, tried := f.tried[t.key()]; !tried && (t.act == start || t.act == resume) {
				open = append(open, t)
			}
		}
	}
	if len(open) == 0 || len(f.active) >= f.limits.AtOnce {
		return nil
	}
	slices.SortStableFunc(open, func(a, b *task) int {
		return cmp.Or(-cmp.Compare(a.act, b.act), cmp.Compare(a.row.Priority, b.row.Priority))
	})
	left, err := f.left()
	if err != nil {
		return nil
	}
	for _, t := range open {
		if running[t.member] >= f.limits.PerRepository || f.overlaps(t) || f.limits.DayUSD > 0 && t.budget > f.limits.DayUSD {
			continue
		}
		if f.limits.DayUSD > 0 && t.budget > left {
			return nil // what comes after it would take its money
		}
		return t
	}
	return nil
}

// overlaps reports whether a run in work may write what a plan would.
func (f *Fleet) overlaps(t *task) bool {
	for _, w := range f.active {
		if w.member == t.member && len(plan.Overlap(t.plan.Scope, w.plan.Scope)) > 0 {
			return true
		}
	}
	return false
}

// left returns what of the day's money is neither spent nor promised to runs in work.
func (f *Fleet) left() (float64, error) {
	left := f.limits.DayUSD
	for _, w := range f.active {
		promised := w.budget
		if s, _, err := w.repo.Store.Read(w.id); err == nil && w.id != "" {
			promised = max(0, s.Start.Limits.Budget.USD-s.Spend.USD)
		}
		left -= promised
	}
	spent, err := f.spent()
	return left - spent, err
}

// spent returns what the runs of all repositories spent today.
func (f *Fleet) spent() (sum float64, err error) {
	for _, m := range f.members {
		usd, err := m.spent(f.Clock())
		if err != nil {
			return 0, err
		}
		sum += usd
	}
	return sum, nil
}

// severity orders exit codes, the worst first: what needs a person before anything else can
// run, then what cost something in vain, then what waits.
var severity = []int{loops.Stopped.Exit(), loops.NoGround.Exit(), exitUsage, loops.OverBudget.Exit(), loops.GoalNotMet.Exit(), loops.Interrupted.Exit(), loops.Waiting.Exit(), 0}

// rank is the place of an exit code in severity.
func rank(code int) int {
	if at := slices.Index(severity, code); at >= 0 {
		return at
	}
	return slices.Index(severity, loops.NoGround.Exit()) // a runner that was ended before its run began
}

// report makes the table of the last survey.
func (f *Fleet) report() (*schema.FleetReport, error) {
	out := &schema.FleetReport{Version: schema.FleetVersion, DayUSD: f.limits.DayUSD, Rows: []schema.FleetRow{}}
	var err error
	if out.SpentUSD, err = f.spent(); err != nil {
		return nil, err
	}
	left, err := f.left()
	if err != nil {
		return nil, err
	}
	for _, m := range f.members {
		for _, t := range m.tasks {
			if t.act == start || t.act == resume {
				f.unpaid(t, left)
			}
			row := t.row
			row.Hint = inRepository(row.Hint, f.At(m.dir))
			out.Rows = append(out.Rows, row)
			if rank(t.row.Exit) < rank(out.Exit) {
				out.Exit = t.row.Exit
			}
		}
	}
	return out, nil
}

// ours are commands in hints that work on the repository which they are started in; records
// are paths in it.
var (
	ours    = schema.Expression(`\b(wiki|git) (loop|plan|andon|diff)\b`)
	records = schema.Expression(`(^| )\.loopwiki/`)
)

// inRepository lets the commands and paths in a hint mean the repository in a folder.
func inRepository(hint, at string) string {
	at = strings.ReplaceAll(at, "$", "$$")
	return records().ReplaceAllString(ours().ReplaceAllString(hint, "$1 -C "+at+" $2"), "${1}"+at+"/.loopwiki/")
}

// unpaid says of what could run that there is no money for it.
func (f *Fleet) unpaid(t *task, left float64) {
	switch limit := f.limits.DayUSD; {
	case limit == 0 || t.budget <= left:
		return
	case t.budget > limit:
		t.row.Why = fmt.Sprintf("it may spend $%.2f, more than the $%.2f of a day", t.budget, limit)
		t.row.Hint = "raise limits: day_usd in the fleet file, or lower loops: budget: usd in wiki.yaml"
	default:
		t.row.Why = fmt.Sprintf("it may spend $%.2f, and $%.2f of the day's $%.2f are left", t.budget, max(0, left), limit)
		t.row.Hint = "run the fleet again tomorrow (UTC), or raise limits: day_usd in the fleet file"
	}
	t.row.Exit = loops.OverBudget.Exit()
}
