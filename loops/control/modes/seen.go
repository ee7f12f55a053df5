package modes

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/mode"
	"github.com/loopwiki/wiki/loops/run"
)

// How much of a history is compared with what a run made: commits, and bytes of
// a patch.
const (
	mostLater = 50
	mostPatch = 4 << 20
)

// seen compares what a run made with what came to the default branch since: the
// share of it that is the same, and, if that is enough or its branch was merged,
// the judgement that follows.
func (m *Modes) seen(ctx context.Context, r *mode.Run) (*run.Judgement, float64, error) {
	s, _, err := m.Store.Read(r.ID)
	if err != nil {
		return nil, 0, err
	}
	repo := m.Checkout()
	if r.Mode != loops.Shadow && s.Head != "" && s.Head != s.Start.Base {
		if merged, err := contain.IsMerged(ctx, repo, s.Head); err == nil && merged {
			return &run.Judgement{Accept: true, Seen: true, By: "git", Reason: "its branch was merged", At: m.Now().UTC()}, 1, nil
		}
	}
	would, err := m.made(ctx, &s)
	if err != nil || len(would) == 0 {
		return nil, 0, err
	}
	branch, err := contain.DefaultBranch(ctx, repo)
	if err != nil || branch == "" {
		return nil, 0, err
	}
	best, by, err := m.nearest(ctx, would, s.Start.Base+"..refs/heads/"+branch)
	if err != nil || best < mode.Same {
		return nil, best, err
	}
	return &run.Judgement{Accept: true, Seen: true, By: by, Reason: fmt.Sprintf("%.0f %% of it matches later commits", 100*best), At: m.Now().UTC()}, best, nil
}

// made returns what a run made.
func (m *Modes) made(ctx context.Context, s *loops.State) (mode.Change, error) {
	if s.Start.Mode == loops.Shadow {
		text, err := m.Store.Patch(s.Start.Run, mostPatch)
		return mode.ReadPatch(text), err
	}
	text, err := m.Git(ctx, "diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", s.Start.Base, s.Tree)
	if err != nil || len(text) > mostPatch {
		return nil, nil // its commits are gone
	}
	return mode.ReadPatch(text), nil
}

// nearest finds the commit of a range that does most of what a change would, and
// whose it is. All of them together count as one, too.
func (m *Modes) nearest(ctx context.Context, would mode.Change, commits string) (best float64, by string, err error) {
	files := []string{"--"}
	for name := range would {
		files = append(files, ":(literal,top)"+name)
	}
	const mark = "\x01commit "
	args := append([]string{
		"log", "-p", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", fmt.Sprint("-n", mostLater), "--format=%x01commit %an", commits,
	}, files...)
	text, err := m.Git(ctx, args...)
	if err != nil {
		return 0, "", nil // the base is not here anymore
	}
	for _, commit := range strings.Split(text, mark)[1:] {
		name, patch, _ := strings.Cut(commit, "\n")
		if a := mode.Agreement(would, mode.ReadPatch(patch)); a > best {
			best, by = a, name
		}
	}
	if base, tip, ok := strings.Cut(commits, ".."); ok && best > 0 && best < mode.Same {
		args := append([]string{"diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", base, tip}, files...)
		if text, err = m.Git(ctx, args...); err == nil {
			best = max(best, mode.Agreement(would, mode.ReadPatch(text)))
		}
	}
	return best, by, nil
}
