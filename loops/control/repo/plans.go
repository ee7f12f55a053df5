package repo

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Book opens the plans of the repository.
func (r *Repo) Book(ctx context.Context) (*plan.Book, error) {
	return plan.OpenBook(ctx, r.Root, func(string) (plan.Runs, error) { return r, nil })
}

// FaultyError is a plan that can't be run.
type FaultyError struct {
	File   string
	Faults []plan.Fault
}

func (e *FaultyError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message.
func (e *FaultyError) Lines() []string {
	var lines []string
	for _, f := range e.Faults {
		if f.Severity == schema.Error {
			lines = append(lines, e.File+":"+f.String())
		}
	}
	return lines
}

// Hint returns what to do.
func (e *FaultyError) Hint() string {
	if path.Ext(e.File) == ".json" {
		return "fix the file, and run it again"
	}
	return "check it with 'wiki plan lint " + e.File + "'"
}

// NoPlanError is a name that no plan and no file has.
type NoPlanError struct{ Given string }

func (e *NoPlanError) Error() string {
	return fmt.Sprintf("no such plan, loop or file: %q", e.Given)
}

// Hint returns what to do.
func (e *NoPlanError) Hint() string {
	return "list plans with 'wiki plan list', or create one with 'wiki plan new TITLE'"
}

// CountFiles finds out how many files globs name.
func (r *Repo) CountFiles(items []plan.WorkItem) error {
	if !slices.ContainsFunc(items, func(it plan.WorkItem) bool { return len(it.Files) > 0 && it.Count < 0 }) {
		return nil
	}
	out, err := r.Git(context.Background(), "ls-files", "-z")
	if err != nil {
		return err
	}
	plan.CountFiles(items, strings.Split(strings.Trim(out, "\x00"), "\x00"))
	return nil
}
