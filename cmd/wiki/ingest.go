package main

import (
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/spf13/cobra"
)

type ingestOptions struct {
	control.Flags
	origin, date, title string
	dryRun, json        bool
}

// noAgent is the value of --agent for no agent.
const noAgent = "none"

func newIngest(p *program) *cobra.Command {
	var o ingestOptions
	c := &cobra.Command{
		Use:   "ingest FILE|FOLDER|pr:NUMBER",
		Short: "Add a source, and let an agent write pages from it",
		Long: `Add a source to the wiki: copy a file, or the files of a folder, to raw/ and
register it in raw/sources.lock with its checksum, origin and date. Lint reports
later changes to it, with or without git. The index and the log get an entry. An
HTML page is kept as it is, with a markdown version and its saved images next to
it.

If an agent is configured for the role "writer" (in wiki.yaml, or with --agent),
it writes pages from the source: a summary, entities and concepts, with
citations. It works on a branch loop/ingest-<name>, where the source is
registered first. Pages with invalid citations or lint errors are returned to
the agent. 'wiki loop show' shows the report.

pr:NUMBER adds a pull request with its reviews, using gh. A source that was
added before is skipped; a different file with the same name is refused.`,
		Example: `  wiki ingest article.md --origin https://example.org/article
  wiki ingest "Saved page.html" --agent claude
  wiki ingest papers --dry-run
  wiki ingest pr:128 --agent none`,
		Annotations: exits("0  the source was registered, and pages, if any, passed the gates", "1  the pages did not pass the gates",
			"3  a program is missing: git, gh, an agent", "4  stopped: the agent changed files it may not", "5  the budget is used up", "6  waiting for an agent's vendor"),
		GroupID:    groupMake,
		SuggestFor: []string{"import", "source", "fetch", "clip"},
		Args:       takes(1, false, "FILE"),
		RunE:       func(cmd *cobra.Command, args []string) error { return runIngest(cmd, p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.origin, "origin", "", "record `ADDRESS` as the origin of the source")
	f.StringVar(&o.date, "date", "", "register the source with this `DAY`")
	f.StringVar(&o.title, "title", "", "use `TITLE` as its title")
	f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, write the pages; none only registers the source")
	f.BoolVar(&o.dryRun, "dry-run", false, "print what would be written, without writing it")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
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
		p.say("skipped: %s", s)
	}
	p.saySecrets(in, b)
	writer, ctl, err := p.cast(cmd, o.Agent, loops.Writer, o.Given)
	if err != nil {
		return err
	}
	switch {
	case o.dryRun:
		return p.previewIntake(in, ws, o)
	case ctl != nil:
		return p.compileSources(cmd, ctl, b, in, ws, day, *writer, o)
	}
	if len(in.Added) > 0 {
		if err := in.Changes.Write(); err != nil {
			return err
		}
	}
	return p.sayIntake(in, ws, o)
}

// dayOf is the day that a flag names, or the current one.
func (p *program) dayOf(flag, text string) (time.Time, error) {
	if text == "" {
		return p.today("")
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, misuse("write it as 2006-01-02", "%s: %q is not a date", flag, text)
	}
	return day, nil
}
