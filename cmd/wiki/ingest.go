package main

import (
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/cmd/wiki/internal/looping"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/spf13/cobra"
)

type ingestOptions struct {
	looping.Flags
	origin, date, title string
	dryRun, json        bool
}

// nobody is the agent that is none.
const nobody = "none"

func newIngest(p *program) *cobra.Command {
	var o ingestOptions
	c := &cobra.Command{
		Use:   "ingest FILE|FOLDER|pr:NUMBER",
		Short: "Take a source in, and have pages written of it",
		Long: `Ingest copies a file, or the files of a folder, to raw/ and registers it with
the sum of its bytes, its origin and the day in raw/sources.lock. From then on it
does not change: lint tells when it did, with or without git. The index and the
log get their entries. A page of HTML stays as it is; beside it lies what one
reads on it, as markdown, and the images that were saved with it.

If an agent plays the writer (in wiki.yaml, or --agent), it makes pages of the
source: a summary, entities, concepts, with citations. It works on a branch
loop/ingest-<name>, where the source is registered first; pages whose citations
do not hold, or that lint refuses, go back to it. The report is shown by
'wiki loop show'.

pr:NUMBER takes a pull request in, with its reviews, through gh. What is taken in
already is said so; another file under its name is refused.`,
		Example: `  wiki ingest article.md --origin https://example.org/article
  wiki ingest "Saved page.html" --agent claude
  wiki ingest papers --dry-run
  wiki ingest pr:128 --agent none`,
		Annotations: exits("0  the source is registered, and its pages, if asked for, passed the gates", "1  the pages did not pass the gates",
			"3  something is missing: git, gh, an agent", "4  the line stopped: the agent touched what is not its own", "5  the budget is spent", "6  it waits for a limit of rate to end"),
		GroupID:    groupMake,
		SuggestFor: []string{"import", "source", "fetch", "clip"},
		Args:       takes(1, false, "FILE"),
		RunE:       func(cmd *cobra.Command, args []string) error { return runIngest(cmd, p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.origin, "origin", "", "the `ADDRESS` that the source is from")
	f.StringVar(&o.date, "date", "", "register it under this `DAY`")
	f.StringVar(&o.title, "title", "", "call it `TITLE`")
	f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, write the pages; none only registers")
	f.BoolVar(&o.dryRun, "dry-run", false, "print what would be written, and write nothing")
	f.BoolVar(&o.json, "json", false, "print what was done as JSON")
	return c
}

func runIngest(cmd *cobra.Command, p *program, o ingestOptions, what string) error {
	if err := p.outsideOfRuns(cmd.Context(), "ingest", "a person decides this, outside of the loop"); err != nil {
		return err
	}
	if err := ingest.CheckOrigin(o.origin); err != nil {
		return misuse(err.Remedy, "--origin: %s", err.What)
	}
	day, err := p.dayOf("--date", o.date)
	if err != nil {
		return err
	}
	w, err := p.compile(cmd.Context(), compiler.Options{})
	if err != nil {
		return err
	}
	ws := w.Workspace()
	b, err := p.batch(cmd.Context(), what, filepath.Join(ws.Root, source.RawFolder))
	if err != nil {
		return err
	}
	b.Call(o.title, o.origin)
	in, err := ingest.Take(w, b, day)
	if err != nil {
		return err
	}
	for _, s := range b.Skipped {
		p.say("left out: %s", s)
	}
	p.saySecrets(in, b)
	writer, place, err := p.cast(cmd, o.Agent, func(place *looping.Place) (loops.Casting, bool, error) { return place.Writer(o.Flags) })
	if err != nil {
		return err
	}
	switch {
	case o.dryRun:
		return p.previewIntake(in, ws, o)
	case place != nil:
		return p.compileSources(cmd, place, b, in, ws, day, *writer, o)
	}
	if len(in.Added) > 0 {
		if err := in.Changes.Write(); err != nil {
			return err
		}
	}
	return p.sayIntake(in, ws, o)
}

// dayOf is the day that a flag names, or the present one.
func (p *program) dayOf(flag, text string) (time.Time, error) {
	if text == "" {
		return p.today("")
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, misuse("write it as 2006-01-02", "%s: %q is not a day", flag, text)
	}
	return day, nil
}
