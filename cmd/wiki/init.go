package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops/docs"
	"github.com/spf13/cobra"
)

type initOptions struct {
	title  string
	today  string
	dryRun bool
	agents bool
	ci     string
}

func newInit(p *program) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Create a wiki, or adopt an existing folder",
		Long: `Create a wiki in DIR, the current folder by default: wiki.yaml, and in wiki/ the
schema, the index, the log and a first page per folder, so that people and
agents know what goes where. Lines in .gitattributes, and a merge driver in the
configuration of the clone, let branches that add to the index, the log and
wiki.lock merge without a conflict.

If there are pages already, init adopts them: it detects the root and the
dialect, writes wiki.yaml, and changes no page. --root sets the folder to create
or adopt. Existing files are never overwritten.

With --agents it also creates the files that agents need: agents/ with context,
goals and terms of the project, a plan template, skills and role definitions
where agent tools look for them, and a section of AGENTS.md between two markers;
the rest of that file is not changed. The skill /wiki-loop starts and shows loops
inside an agent.

With --ci it also creates workflows for GitHub Actions: lint for pull requests
and, off until the repository variable WIKI_AUTOMATION enables them, publishing,
the documentation and execution loops, which open pull requests, and a weekly
audit. --ci=gitea and --ci=gitlab write them for these hosts. A git hook comes
from 'wiki loop schedule documentation --format hook'.`,
		Example: `  wiki init
  wiki init handbook --title "Team handbook"
  wiki init --root docs --dry-run
  wiki init --agents --ci
  wiki init --ci=gitlab`,
		Annotations: exits("0  the wiki is set up, or already was"),
		GroupID:     groupMake,
		SuggestFor:  []string{"create", "adopt", "start"},
		Args:        takes(0, false, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				p.dir = p.path(args[0])
			}
			return runInit(cmd.Context(), p, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.title, "title", "", "name of the wiki; the folder's name by default")
	f.StringVar(&o.today, "today", "", "use `DAY` as the date of the first pages")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "list what would be created, without creating it")
	f.BoolVar(&o.agents, "agents", false, "also create files for agents")
	f.StringVar(&o.ci, "ci", "", "also create workflows for `HOST`: github, gitea or gitlab")
	f.Lookup("ci").NoOptDefVal = scaffold.Hosts[0]
	return c
}

func runInit(ctx context.Context, p *program, o initOptions) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.path("."))
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return misuse("init needs a folder", "not a folder: %s", p.dir)
	}
	l, err := planInit(ctx, p, dir, o.title, today)
	if err == nil {
		err = l.addAttributes(dir)
	}
	if err == nil && o.agents {
		l.files = append(l.files, filesForAgents(dir)...)
	}
	if err == nil && o.ci != "" {
		err = l.addWorkflows(ctx, dir, o.ci)
	}
	switch {
	case err != nil:
		return err
	case len(l.files) == 0 && l.attributes == "":
		p.say("nothing to do: the wiki is already set up in %s. Next: 'wiki lint' checks it.", p.shorten(l.wiki.Workspace().ConfigPath))
		return nil
	case o.dryRun:
		return p.wouldLay(dir, l, o.agents)
	}
	return p.layOut(ctx, dir, l, o)
}

// layout is the set of files that init writes.
type layout struct {
	files []scaffold.File
	wiki  *compiler.Wiki // the one that is there, nil for a new one
	root  string         // of the pages, below the folder, slash-separated
	// attributes is the text of .gitattributes, empty if it stays as it is.
	attributes string
}

// addAttributes lets git merge the index and the log by keeping the lines of both sides.
func (l *layout) addAttributes(dir string) error {
	pages := []string{path.Join(l.root, "index.md"), path.Join(l.root, "log.md")}
	if l.wiki != nil {
		below, err := filepath.Rel(dir, l.wiki.Workspace().Root)
		if err != nil || !filepath.IsLocal(below) {
			return nil // its pages are not of this folder
		}
		pages = nil
		for _, page := range l.wiki.Pages() {
			if docs.Kept(page.Path) && path.Dir(page.Path) == "." {
				pages = append(pages, path.Join(filepath.ToSlash(below), page.Path))
			}
		}
	}
	old, err := files.Read(dir, scaffold.AttributesFile, files.Text)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if text := scaffold.Attributes(string(old), pages); text != string(old) {
		l.attributes = text
	}
	return nil
}

// planInit decides between a new wiki and the one whose pages are there. There is
// nothing to make for one that has its configuration.
func planInit(ctx context.Context, p *program, dir, title string, today time.Time) (*layout, error) {
	if title == "" {
		title = scaffold.Title(dir)
	}
	root := filepath.ToSlash(p.root)
	if root == "" {
		root = "wiki"
	}
	if !fs.ValidPath(root) {
		return nil, misuse("use a path below it, such as docs/wiki", "--root: %q is not below the current folder", p.root)
	}
	fresh := &layout{files: scaffold.New(title, root, today), root: root}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(p.root))); errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	ws, err := p.detect()
	if err != nil {
		return nil, err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{})
	if err != nil || ws.ConfigPath != "" {
		return &layout{wiki: w, root: ws.RootPath}, err
	}
	var paths []string
	for _, page := range w.Pages() {
		paths = append(paths, page.Path)
	}
	if len(paths) == 0 || p.root == "" && ws.RootPath == "." && !scaffold.Adoptable(paths) {
		return fresh, nil
	}
	below, err := filepath.Rel(dir, ws.Root)
	if err != nil || !filepath.IsLocal(below) {
		return nil, misuse("run it in "+ws.Dir, "the wiki of %s is outside that folder, in %s", dir, ws.Root)
	}
	below = filepath.ToSlash(below)
	return &layout{files: scaffold.Adopt(title, below, ws.Dialect.Name), wiki: w, root: below}, nil
}
