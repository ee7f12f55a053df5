package main

import (
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec"
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
	c.AddCommand(newLoopSpecValidate(p))
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

// beside reads the children of a composition, whose references are relative to
// its file.
func (p *program) beside(file string) func(ref string) (*spec.Document, error) {
	return func(ref string) (*spec.Document, error) {
		return p.readSpec(filepath.Join(filepath.Dir(file), filepath.FromSlash(ref)))
	}
}
