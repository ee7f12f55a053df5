package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// findDeciders adds the files of the run's base whose own exit status decides a verify command
// of the chunk, a check or the goal: who may rewrite such a file decides the verdict. One
// that the plan names by its own name stays open. What such a file imports or runs is
// what it checks.
func (j *judge) findDeciders(ctx context.Context) error {
	plan := j.c.Start.Plan
	var found []string
	for _, command := range slices.Concat(j.chunk.Verify, plan.Checks, []string{plan.Goal}) {
		for _, p := range decidersOf(command) {
			if j.has(p) && kindOf(p) == ordinary && !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	var since []loops.Change // a script that an earlier chunk wrote is the plan's own
	if j.c.Base != "" && j.c.Base != j.ref {
		var err error
		if since, err = j.c.Worktree.Diff(ctx, j.c.Base, j.ref); err != nil {
			return fmt.Errorf("compare %s with %s: %w", j.ref, j.c.Base, err)
		}
	}
	for _, p := range found {
		isNew := slices.ContainsFunc(since, func(c loops.Change) bool { return c.Path == p && c.Status != "M" && c.Status != "T" })
		if !isNew {
			j.deciders[p] = j.names(p)
		}
	}
	return nil
}

// decides reports a file that decides and that the plan does not name.
func (j *judge) decides(p string) bool {
	named, ok := j.deciders[p]
	return ok && !named
}

// names reports whether the chunk's scope names a file by its own name, not by a glob.
func (j *judge) names(p string) bool {
	return slices.ContainsFunc(j.c.Start.Plan.ScopeOf(&j.chunk), func(g string) bool { return path.Clean(strings.TrimSpace(g)) == p })
}

// changedDeciders returns the files that decide and that the chunk changed because the
// plan names them.
func (j *judge) changedDeciders() []loops.Reason {
	var out []loops.Reason
	for i := range j.changes {
		if c := &j.changes[i]; j.deciders[c.path] {
			out = append(out, loops.Reason{Path: c.path, Message: "decides a verify command or the goal by its exit status, and was changed, as the plan names it"})
		}
	}
	return out
}

// decidersOf returns the files that a command for the shell runs and whose exit status
// becomes its own. Where another command reads or compares the output, that one decides.
func decidersOf(command string) []string {
	var out []string
	dir := ""
	for _, c := range loops.ShellVerdict(command) {
		var words []string
		for _, w := range c.Words {
			words = append(words, w.Text)
		}
		if len(words) == 2 && words[0] == "cd" {
			dir = path.Join(dir, words[1])
			continue
		}
		for _, p := range programOf(words) {
			out = append(out, path.Join(dir, p))
		}
	}
	return out
}
