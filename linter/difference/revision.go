package difference

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter"
)

// WorkingTree is the name of the state that is on disk.
const WorkingTree = "working tree"

// Range are the two revisions to compare.
type Range struct {
	From, To history.Commit // To is zero for the working tree
	Names    [2]string
}

// ReadRange reads what to compare: A and B, A alone for A with the working tree, A..B, or
// A...B for what B changed since it left A. The errors are those of history.Resolve.
func ReadRange(ctx context.Context, dir string, args []string) (Range, error) {
	r := Range{Names: [2]string{args[0], WorkingTree}}
	from, to, rest := args[0], "", args[1:]
	if a, b, ok := strings.Cut(from, ".."); ok && len(rest) == 0 {
		from, to = a, strings.TrimPrefix(b, ".")
		from, to = orHead(from), orHead(to)
		r.Names = [2]string{from, to}
		if strings.HasPrefix(b, ".") {
			base, err := history.CommonBase(ctx, dir, from, to)
			if err != nil {
				return r, err
			}
			from = base
		}
	}
	if len(rest) > 0 {
		to = rest[0]
		r.Names[1] = to
	}
	var err error
	if r.From, err = history.Resolve(ctx, dir, from); err != nil || to == "" {
		return r, err
	}
	r.To, err = history.Resolve(ctx, dir, to)
	return r, err
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

// Reader compiles the states of a wiki's repository.
type Reader struct {
	Workspace *compiler.Workspace
	Compile   func(context.Context, *compiler.Workspace, compiler.Options) (*compiler.Wiki, error)
	Lint      func(*compiler.Workspace) (linter.Config, error)
	Today     time.Time              // on which the working tree is judged; a commit is judged on its own day
	Temp      func() (string, error) // makes an empty folder for the files of a commit
	PagesOnly bool                   // compare pages alone: nothing is linted
}

// Compare compiles both states of a range, those of commits in temporary folders, and
// compares them.
func (r *Reader) Compare(ctx context.Context, g Range) (*Document, error) {
	was, err := r.at(ctx, g.From, g.Names[0])
	if err != nil {
		return nil, err
	}
	now, err := r.at(ctx, g.To, g.Names[1])
	if err != nil {
		return nil, err
	}
	changed, err := history.Changed(ctx, r.Workspace.Dir, g.From.ID, g.To.ID)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for from, to := range changed {
		a, inside := below(was.Wiki.Workspace().RootPath, from)
		b, insideToo := below(now.Wiki.Workspace().RootPath, to)
		if from != to && to != "" && inside && insideToo {
			renamed[a] = b
		}
	}
	if r.PagesOnly {
		d, _ := comparePagesOf(was, now, renamed)
		return d, nil
	}
	return Between(ctx, was, now, renamed)
}

// below returns the path below a folder of a path that is in it.
func below(root, file string) (string, bool) {
	if root == "." {
		return file, true
	}
	return strings.CutPrefix(file, root+"/")
}

// at compiles the wiki at a commit; the zero Commit is the working tree.
func (r *Reader) at(ctx context.Context, c history.Commit, name string) (State, error) {
	ws, s := r.Workspace, State{Revision: Revision{Name: name, Commit: c.ID}}
	day := r.Today
	if c.ID != "" {
		var err error
		if ws, err = r.checkout(ctx, c.ID); err != nil {
			return s, err
		}
		day = c.Time.UTC().Truncate(24 * time.Hour)
	}
	s.Revision.Date = day.Format(time.DateOnly)
	var err error
	if !r.PagesOnly {
		if s.Lint, err = r.Lint(ws); err != nil {
			return s, err
		}
		s.Lint.Today = day
	}
	s.Wiki, err = r.Compile(ctx, ws, compiler.Options{History: true, Today: day})
	return s, err
}

// checkout makes the files of a commit and finds the wiki in them: where it is now, or
// else where it is detected. A commit without one has an empty one.
func (r *Reader) checkout(ctx context.Context, commit string) (*compiler.Workspace, error) {
	dir, err := r.Temp()
	if err != nil {
		return nil, err
	}
	repository, err := history.NewScratch(ctx, r.Workspace.Dir, dir)
	if err != nil {
		return nil, err
	}
	if err := repository.Checkout(ctx, commit); err != nil {
		return nil, err
	}
	ws, err := compiler.Detect(dir, filepath.Join(dir, filepath.FromSlash(r.Workspace.RootPath)))
	if err == nil {
		return ws, nil
	}
	if !errors.As(err, new(*compiler.RootError)) {
		return nil, err
	}
	if ws, err = compiler.Detect(dir, ""); err != nil || !ws.Guessed {
		return ws, err
	}
	if dir, err = r.Temp(); err != nil {
		return nil, err
	}
	return compiler.Detect(dir, dir)
}
