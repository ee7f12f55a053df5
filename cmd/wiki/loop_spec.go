package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newLoopSpec(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "spec",
		Short: "Write, check and convert loop specifications",
		Long: `Write, check and convert loop specifications (LSS 1.0, and compositions of 1.1):
one YAML or JSON file that declares a loop's workers, evaluators, feedback,
memory, termination, safety and cost.`,
		Example:     `  wiki loop spec validate loop.yaml`,
		Annotations: exits("0  help was printed"),
		SuggestFor:  []string{"specs", "lss", "loopctl", "loopforge"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(
		newLoopSpecNew(p), newLoopSpecIntent(p), newLoopSpecLibrary(p), newLoopSpecFork(p), newLoopSpecCompose(p), newLoopSpecConvert(p),
		newLoopSpecValidate(p), newLoopSpecScore(p), newLoopSpecObserved(p), newLoopSpecLevel(p), newLoopSpecPattern(p), newLoopSpecDiagram(p), newLoopSpecMinify(p), newLoopSpecExplain(p),
	)
	return c
}

// readSpec reads a spec that was named on the command line.
func (p *program) readSpec(file string) (*spec.Document, error) {
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return nil, err
	}
	return spec.Read(file, src)
}

// beside reads the children of a composition: files whose names are relative to its
// file, or below loop-library to the repository, where the library of this program stands
// in for a file that is missing. What a spec refers to is a regular file.
func (p *program) beside(ctx context.Context, file string) func(ref string) (*spec.Document, error) {
	return func(ref string) (*spec.Document, error) {
		name := filepath.Join(filepath.Dir(file), filepath.FromSlash(ref))
		if strings.HasPrefix(ref, spec.LibraryFolder) {
			if top, err := history.Toplevel(ctx, p.path(filepath.Dir(file))); err == nil {
				name = filepath.Join(top, filepath.FromSlash(ref))
			}
		}
		src, err := files.ReadPath(p.path(name), files.Text)
		switch {
		case err == nil:
			return spec.Read(name, src)
		case errors.Is(err, fs.ErrNotExist) && (strings.HasPrefix(ref, spec.LibraryFolder) || strings.HasPrefix(file, spec.LibraryFolder)):
			return spec.FromLibrary(ref)
		}
		return nil, err
	}
}

// specOrLibrary reads a file, or a loop of the library by its name.
func (p *program) specOrLibrary(name string) (*spec.Document, error) {
	d, err := p.readSpec(name)
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == name {
		if d, err := spec.FromLibrary(name); err == nil {
			return d, nil
		}
	}
	return d, err
}

// specOutput is where a command leaves a spec, or what it made of one.
type specOutput struct {
	file      string
	overwrite bool
}

func (o *specOutput) flags(c *cobra.Command) {
	c.Flags().StringVarP(&o.file, "output", "o", "", "write to `FILE` instead of standard output")
	c.Flags().BoolVar(&o.overwrite, "overwrite", false, "replace FILE if it exists")
}

// leave writes what was made, and never over a file unless that was asked for.
func (p *program) leave(o specOutput, content []byte) error {
	if o.file == "" {
		p.out.Printf("%s", text.Block(content))
		return nil
	}
	if _, err := os.Lstat(p.path(o.file)); err == nil && !o.overwrite {
		return misuse("use --overwrite to replace it, or choose another name", "%s already exists", o.file)
	}
	return files.ReplacePath(p.path(o.file), content, 0o666)
}

// completes completes names that are made when they are asked for.
func completes(names func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names(), cobra.ShellCompDirectiveNoFileComp
	}
}
