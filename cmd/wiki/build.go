package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/claims"
	"github.com/loopwiki/wiki/loops/control/show"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site"
	"github.com/loopwiki/wiki/site/rebuild"
	"github.com/spf13/cobra"
)

type buildOptions struct {
	output string
	today  string
	since  string
	force  bool
	check  bool
	json   bool
}

func newBuild(p *program) *cobra.Command {
	var o buildOptions
	c := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Build a static site from the wiki",
		Long: `Build a static site from the wiki: a folder of HTML that works on any web
server, under any path, and opened as files. It has pages with backlinks and
mentions, a menu of all folders, lists by tag, type and date, search without a
server, and the markdown source next to each page. Contradictions that were
acknowledged or judged are shown on their pages and in a list; wiki serve shows
those that rules found too. Loop specifications in agents/loops (YAML or JSON,
LSS) are shown with diagram and score, and agents/leaderboard.json as a
leaderboard.

The output folder is _site in the repository, or the one set with site.output in
wiki.yaml or -o. Obsolete files of earlier builds are removed, unchanged files
are not touched. A folder with any other files is refused. If nothing has changed
since the last build, no page is read; -v builds anyway.

Drafts and private pages are not published, nor is a page whose front matter is
invalid but looks private; -v lists each with the reason.

With --since, the list of recent changes begins with the pages that were added,
removed and changed since a revision, and their old and new sentences: text that
was removed since then is shown, too. Pages that are not published are not named.

With --check, read the built site again and follow every link of its pages to
the other files and their anchors. Files and sites that are too large for GitHub
Pages, and names that differ by letter case alone, are problems too.`,
		Example: `  wiki build
  wiki build -o public
  wiki build --check --json | jq .checked.problems
  wiki build --since v1.0         # with what changed in the list of changes
  wiki build --today 2026-03-01   # decides what has expired`,
		Annotations: exits("0  the site was built, and the check found no problem", "1  the check found problems; the site was built"),
		GroupID:     groupMake,
		SuggestFor:  []string{"render", "publish", "export", "generate", "site", "html"},
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runBuild(cmd.Context(), p, o) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write the site to `DIR`")
	f.StringVar(&o.today, "today", "", "use `DAY` as today's date for expiry")
	f.StringVar(&o.since, "since", "", "list what changed since revision `REV`")
	f.BoolVar(&o.check, "check", false, "follow all links of the built site")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.BoolVar(&o.force, "force", false, "build into a folder with other files, and keep those")
	return c
}

func runBuild(ctx context.Context, p *program, o buildOptions) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	dir, within := p.path(o.output), ""
	if o.output == "" {
		if dir, within, err = outputOf(ws); err != nil {
			return err
		}
	}
	check := rebuild.Observe(ctx, ws, dir, today.Format(time.DateOnly), o.since)
	b := &building{program: p, since: o.since, dir: dir, within: within, today: today, force: o.force, report: &site.Report{Files: len(site.Made(dir))}}
	said, same := check.Unchanged(site.Made(dir))
	if same && !p.verbose {
		for _, line := range said {
			p.say("%s", line)
		}
	} else {
		if said, err = b.run(ctx, ws); err != nil {
			return err
		}
		check.Keep(site.Made(dir), said)
	}
	return b.end(ctx, said, o)
}

// building is one build.
type building struct {
	*program
	dir    string // where to
	within string // the folder that links can't lead it out of, empty if a person chose
	today  time.Time
	since  string
	force  bool
	said   []string
	report *site.Report
}

// tell says a line that a build which finds nothing to write says again.
func (p *building) tell(format string, args ...any) {
	p.said = append(p.said, fmt.Sprintf(format, args...))
	p.say("%s", p.said[len(p.said)-1])
}

// run builds the site and says so. It returns what a build that finds nothing to write
// would say.
func (p *building) run(ctx context.Context, ws *compiler.Workspace) ([]string, error) {
	w, err := p.compileAt(ctx, ws, compiler.Options{History: true, Today: p.today})
	if err == nil {
		err = hasPages(w)
	}
	if err != nil {
		return nil, err
	}
	s, err := p.layOut(ctx, w)
	if err != nil {
		return nil, err
	}
	progress, done := p.progress("writing files")
	report, err := s.Build(ctx, p.dir, progress)
	done()
	if err != nil {
		return nil, p.explain(err)
	}
	p.report = report
	p.notes(w, report)
	withheld := s.Withheld()
	if p.verbose {
		for _, page := range withheld {
			p.say("%s", withheldReason(page))
		}
	}
	result := func(written, removed int) string {
		return fmt.Sprintf("built %s in %s: %s, %d written, %d removed%s", text.Count(published(w, s), "page"), p.shorten(p.dir), text.Count(report.Files, "file"), written, removed, withheldCounts(withheld))
	}
	p.say("%s", result(report.Written, report.Removed))
	return append(p.said, result(0, 0)), nil
}

// layOut makes the site of a wiki.
func (p *building) layOut(ctx context.Context, w *compiler.Wiki) (*site.Site, error) {
	watched, err := watchedPages(ctx, w)
	if err != nil {
		return nil, err
	}
	found, err := p.forReaders(ctx, w, linter.Config{Today: p.today})
	if err != nil { // the pages can be read anyway
		p.tell("skipped contradictions and mentions: %v", err)
		found = &linter.Result{}
	}
	since, err := p.changedSince(ctx, w)
	if err != nil {
		return nil, err
	}
	return site.New(w, site.Options{Force: p.force, Since: since, Contradictions: found.Contradictions(), Mentions: found.Mentions, Watched: watched, Within: p.within, Facts: claims.Reader(w), Loops: show.Specs(files.DirFS(w.Workspace().Dir, files.Text))})
}

// explain adds the remedy to an error of a build.
func (p *building) explain(err error) error {
	var outside *files.OutsideError
	if errors.As(err, &outside) && p.within != "" {
		outside.Remedy = "remove the link, or give the folder with -o if it is meant"
	}
	if errors.Is(err, site.ErrForeignFolder) {
		return misuse("use another folder with -o, or --force to build into it", "%s is not empty and was not made by wiki build", p.dir)
	}
	return err
}

// notes tells what people should know of a build.
func (p *building) notes(w *compiler.Wiki, report *site.Report) {
	for _, skipped := range w.Skipped() {
		p.tell("skipped %s: %s", skipped.Check, skipped.Reason)
	}
	for _, note := range report.Notes {
		p.tell("%s", note)
	}
	if u := w.Unread(); len(u) > 0 {
		p.tell("not read: %s, the first is %s: %s", text.Count(len(u), "folder"), u[0].Path, u[0].Why)
	}
}

// watchedPages reports the state of the code that pages cite or were verified against.
func watchedPages(ctx context.Context, w *compiler.Wiki) (map[string]schema.Watched, error) {
	lock, err := source.ReadLock(w.Workspace())
	if err != nil {
		return nil, err
	}
	verdicts, err := source.Judge(ctx, w, source.NewCode(w), lock)
	if err != nil {
		return nil, err
	}
	return source.Watched(ctx, w, verdicts), nil
}

// outputOf is the output folder: site.output relative to wiki.yaml, or _site in the
// repository or the wiki's folder. A wiki.yaml that came with the pages can't choose a
// folder elsewhere; no link on the path leaves within.
func outputOf(ws *compiler.Workspace) (out, within string, err error) {
	if ws.Config.Site.Output == "" {
		return filepath.Join(ws.Dir, "_site"), ws.Dir, nil
	}
	home := filepath.Dir(ws.ConfigPath)
	out = filepath.FromSlash(ws.Config.Site.Output)
	if !filepath.IsAbs(out) {
		out = filepath.Join(home, out)
	}
	for _, dir := range []string{ws.Dir, home} {
		if rel, err := filepath.Rel(dir, out); err == nil && filepath.IsLocal(rel) {
			return out, dir, nil
		}
	}
	return "", "", misuse("to build there anyway, use -o", "%s: site.output: %s is outside the repository", ws.ConfigPath, ws.Config.Site.Output)
}
