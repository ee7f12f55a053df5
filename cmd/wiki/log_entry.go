package main

import (
	"context"
	"errors"
	"path"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/spf13/cobra"
)

type logOptions struct {
	message, today string
	diff           bool
}

func newLog(p *program) *cobra.Command {
	var o logOptions
	c := &cobra.Command{
		Use:   "log KIND TITLE",
		Short: "Add an entry to the wiki's log",
		Long: `Add an entry to the log, log.md: a heading with the day, the kind of work and a
title, in the form and the order of the entries that are there. KIND is a word
such as ingest, query or decision.

Several processes may add entries at once; none is lost.`,
		Example: `  wiki log ingest "Minutes of the March meeting"
  wiki log decision "Retries are bounded" -m "See [[retries]]."`,
		Annotations: exits("0  the entry was added, or can be with --diff", "2  the wiki has no log"),
		GroupID:     groupMake,
		SuggestFor:  []string{"journal", "record"},
		Args:        takes(2, false, "KIND", "TITLE"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runLog(cmd.Context(), p, o, args[0], args[1]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.message, "message", "m", "", "`TEXT` below the heading, in markdown")
	f.StringVar(&o.today, "today", "", "use `DAY` as the entry's date")
	f.BoolVar(&o.diff, "diff", false, "print the change as a diff, without making it")
	return c
}

func runLog(ctx context.Context, p *program, o logOptions, kind, title string) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	return retried(func() error {
		w, err := p.compile(ctx, compiler.Options{})
		if err != nil {
			return err
		}
		changes, file, err := scaffold.LogEntry(w, scaffold.LogSpec{Kind: kind, Title: title, Text: o.message, Day: today})
		switch {
		case err != nil:
			return err
		case o.diff:
			p.printDiff(changes.Diff(prefix(w.Workspace())))
			return nil
		}
		if err := changes.Write(); err != nil {
			return err
		}
		p.say("added an entry to %s", path.Join(relativeRoot(w.Workspace()), file))
		return nil
	})
}

// mostRetries bounds how often a change is made again that others came before.
const mostRetries = 200

// retried makes a change again if a file changed between reading and writing it. Nothing
// is written then.
func retried(change func() error) error {
	for range mostRetries {
		if err := change(); !errors.As(err, new(*edit.StaleError)) {
			return err
		}
	}
	return change()
}
