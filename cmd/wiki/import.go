package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange/importer"
	"github.com/spf13/cobra"
)

type importOptions struct {
	into         string
	dryRun, json bool
}

func newImport(p *program) *cobra.Command {
	var o importOptions
	c := &cobra.Command{
		Use:   "import FORMAT SRC",
		Short: "Import an OKF bundle, an Obsidian vault, a Logseq graph or a Foam workspace",
		Long: `Import the folder SRC of another tool into the wiki:

  okf       links from the bundle's root become relative; links stay markdown
  obsidian  wikilinks, aliases, callouts and attachments are kept
  logseq    a___b becomes a/b, journals get ISO days, page properties become
            front matter, block references become links to block ids, and links
            to pages that nobody wrote become text
  foam      link definitions that repeat wikilinks are taken out

Links are rewritten where the wiki would resolve them otherwise. The report lists
renamed files, rewritten links, renamed keys, and what could not be said.

Pages go to the wiki's root, to wiki/ if there is no wiki, or to --into DIR. No
existing file is changed: if one with other content is in the way, nothing is
written. A second import of the same folder changes nothing. Symbolic links in
SRC are not followed.`,
		Example: `  wiki import obsidian ~/vault --into wiki --dry-run
  wiki import okf ../bundle --into wiki/10_DOMAIN/acme
  wiki import logseq ~/graph --into wiki --json | jq .notes`,
		Annotations: exits("0  imported, or can be imported with --dry-run", "1  files are in the way; nothing was written"),
		GroupID:     groupMake,
		SuggestFor:  []string{"adopt", "migrate"},
		Args:        takes(2, false, "FORMAT", "SRC"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd.Context(), p, o, args[0], args[1])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return importer.Formats(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.into, "into", "", "import into the folder `DIR`")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "report what would be imported, without writing")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	return c
}

func runImport(ctx context.Context, p *program, o importOptions, format, src string) error {
	if !contains(importer.Formats(), format) {
		return misuse(oneOf(format, importer.Formats()), "unknown import format %q", format)
	}
	if !p.isFolder(src) {
		return misuse("SRC is the folder of the vault, graph, workspace or bundle", "no such folder: %s", src)
	}
	opt := importer.Options{Format: format, Source: p.path(src)}
	if err := p.importTarget(o.into, &opt); err != nil {
		return err
	}
	im, err := importer.Plan(ctx, opt)
	if err != nil {
		return err
	}
	conflicts := im.Conflicts()
	if len(conflicts) == 0 && !o.dryRun {
		if err := im.Write(); err != nil {
			return err
		}
	}
	return p.reportImport(o, opt, im, len(conflicts))
}

// importTarget finds the wiki that pages are imported into, and the folder in it.
func (p *program) importTarget(into string, opt *importer.Options) error {
	dir := p.path(into)
	if into == "" {
		dir = p.path("wiki")
		if ws, err := p.detect(); err == nil && !ws.Guessed {
			dir = ws.Root
		} else if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return misuse("name the folder with --into if it is meant", "wiki is a symbolic link; nothing was imported")
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	opt.Root, opt.Into = dir, "."
	if inside(opt.Source, dir) || inside(dir, opt.Source) {
		return misuse("import into another folder with --into", "the target %s and the source %s are in one another", dir, opt.Source)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			ws, err := compiler.Detect(at, "")
			if err == nil && !ws.Guessed && inside(ws.Root, dir) {
				rel, err := filepath.Rel(ws.Root, dir)
				opt.Target, opt.Root, opt.Into = ws, ws.Root, filepath.ToSlash(rel)
				return err
			}
			break
		} else if filepath.Dir(at) == at {
			break
		}
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		opt.Target, err = compiler.Detect(dir, ".")
		return err
	}
	return nil
}

// inside reports whether a path is at or below a folder, through no link.
func inside(dir, name string) bool {
	rel, err := filepath.Rel(realPath(dir), realPath(name))
	return err == nil && filepath.IsLocal(rel)
}

// realPath resolves the links in the part of a path that exists.
func realPath(name string) string {
	name, _ = filepath.Abs(name)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if parent := filepath.Dir(name); parent != name {
		return filepath.Join(realPath(parent), filepath.Base(name))
	}
	return name
}
