package main

import (
	"context"
	"errors"
	"time"

	"github.com/loopwiki/wiki/cmd/wiki/internal/lsp"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/spf13/cobra"
)

func newLSP(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve findings, links and completion to an editor",
		Long: `Run a language server for an editor, on standard input and output: findings as
you type, definition, backlinks, previews, completion of links, headings and
tags, rename with all links, quick fixes, symbols. Editors start it themselves;
wiki/10_DOMAIN/editors.md shows how to set up VS Code, Neovim, Helix, Zed and
Emacs.

It serves the wiki of the folder that the editor has open; of several, the
first that is a wiki. Set it with --root if that guess is wrong. It sees unsaved
text, and changes of files by other programs. Nothing is written: the editor
makes all changes.`,
		Example: `  wiki lsp
  wiki lsp --root docs/wiki`,
		Annotations: exits("0  the editor shut the server down", "1  the editor went away without shutting it down, or sent what is no message"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"language-server", "editor", "server"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runLSP(cmd.Context(), p) },
	}
}

func runLSP(ctx context.Context, p *program) error {
	day, err := p.today("")
	if err != nil {
		return err
	}
	fixed := p.env("SOURCE_DATE_EPOCH") != ""
	root := p.root
	err = lsp.Run(ctx, p.in, p.stdout, lsp.Options{
		Dir:    p.path("."),
		Detect: func(dir string) (*compiler.Workspace, error) { return compiler.Detect(dir, root) },
		Config: func(ws *compiler.Workspace) (linter.Config, []string) { return p.lintConfig(ws) },
		Today: func() time.Time {
			if !fixed { // an editor is open for days
				day = time.Now().UTC().Truncate(24 * time.Hour)
			}
			return day
		},
		Version: buildVersion().Wiki,
		Log:     p.logger(),
	})
	var unclean *lsp.UncleanExitError
	if errors.As(err, &unclean) {
		return &fault{code: exitFindings, err: err, hint: "editors start the server; 'wiki lsp --help' names the guide"}
	}
	return err
}
