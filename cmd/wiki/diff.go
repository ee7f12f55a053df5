package main

import (
	"context"
	"os"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/difference"
	"github.com/spf13/cobra"
)

type diffOptions struct {
	format, today       string
	json, exitCode, all bool
}

func newDiff(p *program) *cobra.Command {
	var o diffOptions
	c := &cobra.Command{
		Use:   "diff REV [REV2]",
		Short: "Compare what the wiki says at two revisions",
		Long: `Compare the wiki at revision REV with REV2, or with the files on disk: pages
added, removed, moved and changed with their sections; claims added, removed, and
with another value; links broken and mended; pages gone stale; contradictions
opened and closed.

REV..REV2 is the same as REV REV2; REV...REV2 compares REV2 with the commit where
it left REV, as a pull request does. Revisions are checked out in a temporary
folder, and each is judged as on the day of its commit. Wrapped lines and moved
paragraphs are no changes.`,
		Example: `  wiki diff HEAD~10
  wiki diff v1.0 v1.1 --json | jq '.claims.changed[] | {was: .was.text, now: .now.text}'
  wiki diff origin/main...HEAD --format markdown | gh pr comment --body-file -`,
		Annotations: exits("0  the changes were printed, if any", "1  with --exit-code: something changed", "2  no such revision", "3  git or the history is missing"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"changes", "compare", "changelog"},
		Args:        takes(1, false, "REV", "REV2"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runDiff(cmd.Context(), p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "output `FORMAT`: text, json or markdown")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.BoolVar(&o.all, "all", false, "show all lines of each section, whole")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 if something changed")
	f.StringVar(&o.today, "today", "", "use `DAY` as today's date for the files on disk")
	return c
}

func runDiff(ctx context.Context, p *program, o diffOptions, args []string) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	write, ok := map[string]func(*program, *difference.Document) error{
		"text":     func(p *program, d *difference.Document) error { difference.Text(p.out, d, o.all); return nil },
		"markdown": func(p *program, d *difference.Document) error { difference.Markdown(p.out, d); return nil },
		"json":     func(p *program, d *difference.Document) error { return p.json(d) },
	}[o.format]
	if o.json {
		write, ok = func(p *program, d *difference.Document) error { return p.json(d) }, true
	}
	if !ok {
		return misuse("use text, json or markdown", "--format: unknown format %q", o.format)
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	revisions, err := difference.ReadRange(ctx, ws.Dir, args)
	if err != nil {
		return gitFault(err, "")
	}
	dir, err := os.MkdirTemp("", "wiki-diff-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	temp := func() (string, error) { return os.MkdirTemp(dir, "") }
	r := difference.Reader{Workspace: ws, Today: today, Temp: temp, Compile: p.compileAt, Lint: func(at *compiler.Workspace) (linter.Config, error) {
		acknowledged, err := p.acknowledged(at)
		return linter.Config{Acknowledged: acknowledged}, err
	}}
	d, err := r.Compare(ctx, revisions)
	if err != nil {
		return gitFault(err, "")
	}
	for _, s := range d.Skipped {
		p.say("skipped %s: %s", s.Check, s.Reason)
	}
	if err := write(p, d); err != nil {
		return err
	}
	if o.exitCode && !d.Empty() {
		return found()
	}
	return nil
}
