package main

import (
	"context"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/linter/merge"
	"github.com/spf13/cobra"
)

func newMergeDriver(p *program) *cobra.Command {
	install := false
	c := &cobra.Command{
		Use:   "merge-driver ANCESTOR OURS THEIRS PATH",
		Short: "Merge the index, the log and state files for git",
		Long: `Merge the versions of the file PATH that two branches have, as a merge driver of
git, and write the result to OURS. An index keeps the entries of both, a log
whole entries in the order of their days. Of wiki.lock, the baseline,
acknowledgements and verdicts, entries are merged one by one; the newer review
counts. Other files are merged as git does.

With --install, register the driver in this clone: in .git/config, and in
.git/info/attributes for the index and the log, which elsewhere git merges by
lines. 'wiki init' does that too, and writes .gitattributes.`,
		Example:     "  wiki merge-driver --install\n  git config merge.wiki.driver 'wiki merge-driver -- %O %A %B %P'",
		Annotations: exits("0  OURS is the merged file", "1  OURS has conflicts between markers"),
		GroupID:     groupMake,
		Args: func(cmd *cobra.Command, args []string) error {
			if install {
				return takes(0, false)(cmd, args)
			}
			return takes(4, false, "ANCESTOR", "OURS", "THEIRS", "PATH")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if install {
				return installMergeDriver(cmd.Context(), p)
			}
			return runMergeDriver(cmd.Context(), p, args)
		},
	}
	c.Flags().BoolVar(&install, "install", false, "register the driver in this clone")
	return c
}

func runMergeDriver(ctx context.Context, p *program, args []string) error {
	var v [3][]byte
	for i := range v {
		dir, name := filepath.Split(p.path(args[i]))
		src, err := files.Read(filepath.Clean(dir), name, files.Text)
		if err != nil {
			return err
		}
		v[i] = src
	}
	joined, conflicts, err := merge.Files(ctx, filepath.ToSlash(args[3]), merge.Versions{Base: v[0], Ours: v[1], Theirs: v[2]})
	if err != nil {
		return err
	}
	if err := files.ReplacePath(p.path(args[1]), joined, 0o666); err != nil {
		return err
	}
	if conflicts > 0 {
		return found()
	}
	return nil
}

func installMergeDriver(ctx context.Context, p *program) error {
	ws, err := p.detect()
	if err != nil {
		return err
	}
	if err := registerMergeDriver(ctx, ws.Dir, ws.RootPath); err != nil {
		return gitFault(err, "")
	}
	p.say("registered the merge driver in this clone")
	return nil
}

// registerMergeDriver makes git use the driver in the clone whose top is dir.
func registerMergeDriver(ctx context.Context, dir, root string) error {
	return history.RegisterDriver(ctx, dir, scaffold.MergeDriver, scaffold.MergeCommand, scaffold.JoinedPages(root))
}
