package looping

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// span is what a run that documents looks back on.
type span struct {
	since string // the commit after which changes count
	how   string // it was chosen, for people
	// people is set if what people changed since is to be told from what was there:
	// without a run before, all pages are theirs.
	people bool
}

// SinceError is a beginning that nobody can find.
type SinceError struct{ Given string }

func (e *SinceError) Error() string { return fmt.Sprintf("--since: no commit is %q", e.Given) }

// Hint says what can be given.
func (e *SinceError) Hint() string {
	return "give a revision (v1.2, origin/main), a day (2026-07-01), or how long ago (3d, 2w)"
}

// FirstCommit is what a run looks back to before which none documented.
const FirstCommit = "the first commit"

var ago = schema.Expression(`^([1-9]\d{0,3})([hdw])$`)

// span finds where a run that documents begins, in its mode.
func (p *Place) span(ctx context.Context, loop, given string, mode loops.Mode) (span, error) {
	if shallow, err := p.Git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return span{}, &run.MissingError{What: "the clone is shallow: what changed before is not here", Hint: "run git fetch --unshallow"}
	}
	if given == "" {
		return p.sinceLast(ctx, loop, mode)
	}
	before, dated := moment(given, p.Now())
	if !dated {
		commit, err := p.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", given+"^{commit}")
		if err != nil || commit == "" {
			return span{}, &SinceError{given}
		}
		if commit, err = p.Git(ctx, "merge-base", commit, "HEAD"); err != nil {
			return span{}, &SinceError{given}
		}
		return span{since: commit, how: given, people: true}, nil
	}
	// A commit's moment is in seconds; that of midnight is the day's own.
	commit, err := p.Git(ctx, "rev-list", "-1", "--first-parent", fmt.Sprintf("--before=@%d", before.Unix()-1), "HEAD")
	if err != nil {
		return span{}, err
	}
	if commit == "" {
		s, err := p.firstCommit(ctx)
		s.how, s.people = given, true
		return s, err
	}
	return span{since: commit, how: given, people: true}, nil
}

// moment is when a day begins, or what was some hours, days or weeks ago; false for
// what is neither, and may be a revision.
func moment(given string, now time.Time) (t time.Time, ok bool) {
	if day, err := time.Parse(time.DateOnly, given); err == nil {
		return day, true
	}
	m := ago().FindStringSubmatch(given)
	if m == nil {
		return t, false
	}
	n, _ := strconv.Atoi(m[1]) // at most four digits
	return now.Add(-time.Duration(n) * map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}[m[2]]), true
}

// sinceLast begins where the last run looked that met its goal, or at the first
// commit.
func (p *Place) sinceLast(ctx context.Context, loop string, mode loops.Mode) (span, error) {
	last, ok, err := p.lastDocumented(ctx, loop, mode)
	if err != nil || ok {
		return last, err
	}
	if last, ok, err = p.lastMerged(ctx, loop); err != nil || ok {
		return last, err
	}
	return p.firstCommit(ctx)
}

// lastMerged is where the last run began whose pages were merged, as its commits say
// by their trailer: a fresh clone, as in continuous integration, has no journals.
func (p *Place) lastMerged(ctx context.Context, loop string) (span, bool, error) {
	run := `^Loop-Run: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z-` + regexp.QuoteMeta(loop) + `(-[0-9]+)?$`
	said, err := p.Git(ctx, "log", "-1", "--extended-regexp", "--grep="+run, "--format=%(trailers:key=Loop-Run,valueonly)", "HEAD")
	id := strings.TrimSpace(said)
	if err != nil || id == "" || strings.ContainsAny(id, "\n") {
		return span{}, false, err
	}
	commits, err := p.Git(ctx, "log", "--fixed-strings", "--grep=Loop-Run: "+id, "--format=%H %P", "HEAD")
	if err != nil {
		return span{}, false, err
	}
	lines := strings.Split(commits, "\n")
	fields := strings.Fields(lines[len(lines)-1]) // the first of them, which stands on what the run looked at
	if len(fields) != 2 {
		return span{}, false, nil
	}
	return span{since: fields[1], how: "the last run", people: true}, true, nil
}

// lastDocumented is where the last run ended that documented, if there is one and
// the commit is in the present history. A run in shadow left no page: it is the last
// one for runs in shadow alone.
func (p *Place) lastDocumented(ctx context.Context, loop string, mode loops.Mode) (span, bool, error) {
	all, err := p.Summaries()
	if err != nil {
		return span{}, false, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Loop != loop || all[i].Status != string(loops.GoalMet) {
			continue
		}
		if all[i].Mode == string(loops.Shadow) && mode != loops.Shadow {
			continue
		}
		s, _, err := p.Store.Read(all[i].ID)
		if err != nil {
			continue // its journal can not be read: the one before it can
		}
		if _, err := p.Git(ctx, "merge-base", "--is-ancestor", s.Start.Base, "HEAD"); err == nil {
			return span{since: s.Start.Base, how: "the last run", people: true}, true, nil
		}
	}
	return span{}, false, nil
}

func (p *Place) firstCommit(ctx context.Context) (span, error) {
	roots, err := p.Git(ctx, "rev-list", "--max-parents=0", "--first-parent", "HEAD")
	if err != nil {
		return span{}, err
	}
	all := strings.Fields(roots)
	return span{since: all[len(all)-1], how: FirstCommit}, nil
}

// offerDocumentation is a line if something but the wiki changed since the last run
// that documented. Before the first one nothing is offered: a repository may not
// want it.
func (p *Place) offerDocumentation(ctx context.Context, all []schema.RunSummary) ([]string, error) {
	for _, r := range all {
		if r.Loop == loops.DocumentationLoop && !loops.Status(r.Status).Over() {
			return nil, nil // it is offered to go on
		}
	}
	last, ok, err := p.lastDocumented(ctx, loops.DocumentationLoop, loops.Draft)
	if err != nil || !ok {
		return nil, err
	}
	paths := []string{"--", "."}
	if ws, err := compiler.Detect(p.Root, ""); err == nil && ws.RootPath != "." {
		paths = append(paths, ":(exclude,top)"+ws.RootPath)
	}
	count, err := p.Git(ctx, append([]string{"rev-list", "--count", last.since + "..HEAD"}, paths...)...)
	if err != nil || count == "0" {
		return nil, err
	}
	word := "commits"
	if count == "1" {
		word = "commit"
	}
	return []string{fmt.Sprintf("wiki loop run %s   # %s %s since its last run", loops.DocumentationLoop, count, word)}, nil
}
