package worklist

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Span is what a run that documents looks back on.
type Span struct {
	since string // the commit after which changes count
	how   string // it was chosen, for people
	// people is set if what people changed since must be told from what was there:
	// without a run before, all pages are theirs.
	people bool
}

// SinceError is a beginning that nobody can find.
type SinceError struct{ Given string }

func (e *SinceError) Error() string { return fmt.Sprintf("--since: no such commit: %q", e.Given) }

// Hint returns what can be given.
func (e *SinceError) Hint() string {
	return "use a revision (v1.2, origin/main), a date (2026-07-01), or an age (3d, 2w)"
}

// FirstCommit is what a run looks back to before which none documented.
const FirstCommit = "the first commit"

var ago = schema.Expression(`^([1-9]\d{0,3})([hdw])$`)

// Span finds where a run that documents begins, in its mode.
func (l *Lister) Span(ctx context.Context, loop, given string, mode loops.Mode) (Span, error) {
	if shallow, err := l.Git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return Span{}, &run.MissingError{What: "the clone is shallow: earlier history is missing", Hint: "run git fetch --unshallow"}
	}
	if given == "" {
		return l.sinceLast(ctx, loop, mode)
	}
	before, dated := moment(given, l.Now())
	if !dated {
		commit, err := l.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", given+"^{commit}")
		if err != nil || commit == "" {
			return Span{}, &SinceError{given}
		}
		if commit, err = l.Git(ctx, "merge-base", commit, "HEAD"); err != nil {
			return Span{}, &SinceError{given}
		}
		return Span{since: commit, how: given, people: true}, nil
	}
	// A commit's moment is in seconds; that of midnight is the day's own.
	commit, err := l.Git(ctx, "rev-list", "-1", "--first-parent", fmt.Sprintf("--before=@%d", before.Unix()-1), "HEAD")
	if err != nil {
		return Span{}, err
	}
	if commit == "" {
		s, err := l.firstCommit(ctx)
		s.how, s.people = given, true
		return s, err
	}
	return Span{since: commit, how: given, people: true}, nil
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
func (l *Lister) sinceLast(ctx context.Context, loop string, mode loops.Mode) (Span, error) {
	last, ok, err := l.lastDocumented(ctx, loop, mode)
	if err != nil || ok {
		return last, err
	}
	if last, ok, err = l.lastMerged(ctx, loop); err != nil || ok {
		return last, err
	}
	return l.firstCommit(ctx)
}

// lastMerged returns the base of the last run of a loop whose pages were merged, from the
// trailer Loop-Base of its commit: a fresh clone, as in CI, has no journals. The trailer may
// be anywhere in a message, as squashing indents and joins messages, but it must name an
// ancestor of the commit.
func (l *Lister) lastMerged(ctx context.Context, loop string) (Span, bool, error) {
	said, err := l.Git(ctx, "log", "-z", "--extended-regexp", `--grep=^[[:space:]]*`+loops.BaseTrailer+`: [0-9a-f]{40}`, "--format=%H%n%B", "HEAD")
	if err != nil {
		return Span{}, false, err
	}
	for message := range strings.SplitSeq(said, "\x00") {
		id, body, _ := strings.Cut(message, "\n")
		for _, said := range trailers(body, loops.BaseTrailer) {
			base, of, _ := strings.Cut(said, " ")
			if cmp.Or(of, loops.DocumentationLoop) != loop || !commitID().MatchString(base) {
				continue
			}
			if _, err := l.Git(ctx, "merge-base", "--is-ancestor", base, id); err == nil {
				return Span{since: base, how: "the last run", people: true}, true, nil
			}
		}
	}
	return Span{}, false, nil
}

var commitID = schema.Expression(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// trailers returns the values of a trailer in a message, the last one first, wherever it
// stands and however far it is indented.
func trailers(message, name string) []string {
	var out []string
	for line := range strings.Lines(message) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), name+": "); ok {
			out = append(out, strings.TrimSpace(v))
		}
	}
	slices.Reverse(out)
	return out
}

// lastDocumented returns where the last run ended that documented, if there is one and
// the commit is in the present history. A run in shadow left no page: it is the last
// one for runs in shadow alone.
func (l *Lister) lastDocumented(ctx context.Context, loop string, mode loops.Mode) (Span, bool, error) {
	all, err := l.Summaries()
	if err != nil {
		return Span{}, false, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Loop != loop || all[i].Status != string(loops.GoalMet) {
			continue
		}
		if all[i].Mode == string(loops.Shadow) && mode != loops.Shadow {
			continue
		}
		s, _, err := l.Store.Read(all[i].ID)
		if err != nil {
			continue // its journal can't be read: the one before it can
		}
		if _, err := l.Git(ctx, "merge-base", "--is-ancestor", s.Start.Base, "HEAD"); err == nil {
			return Span{since: s.Start.Base, how: "the last run", people: true}, true, nil
		}
	}
	return Span{}, false, nil
}

func (l *Lister) firstCommit(ctx context.Context) (Span, error) {
	roots, err := l.Git(ctx, "rev-list", "--max-parents=0", "--first-parent", "HEAD")
	if err != nil {
		return Span{}, err
	}
	all := strings.Fields(roots)
	return Span{since: all[len(all)-1], how: FirstCommit}, nil
}

// Offer returns a line if something but the wiki changed since the last run
// that documented. Before the first one nothing is offered: a repository may not
// want it.
func (l *Lister) Offer(ctx context.Context, all []schema.RunSummary) ([]string, error) {
	for _, r := range all {
		if r.Loop == loops.DocumentationLoop && !loops.Status(r.Status).Over() {
			return nil, nil // it is offered to go on
		}
	}
	last, ok, err := l.lastDocumented(ctx, loops.DocumentationLoop, loops.Draft)
	if err != nil || !ok {
		return nil, err
	}
	paths := []string{"--", "."}
	if ws, err := compiler.Detect(l.Root, ""); err == nil && ws.RootPath != "." {
		paths = append(paths, ":(exclude,top)"+ws.RootPath)
	}
	count, err := l.Git(ctx, append([]string{"rev-list", "--count", last.since + "..HEAD"}, paths...)...)
	if err != nil || count == "0" {
		return nil, err
	}
	word := "commits"
	if count == "1" {
		word = "commit"
	}
	return []string{fmt.Sprintf("wiki loop run %s   # %s %s since its last run", loops.DocumentationLoop, count, word)}, nil
}
