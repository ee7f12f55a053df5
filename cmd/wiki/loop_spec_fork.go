package main

import (
	"github.com/spf13/cobra"
)

type specForkOptions struct {
	from, name, objective string
	out                   specOutput
}

func newLoopSpecFork(p *program) *cobra.Command {
	var o specForkOptions
	c := &cobra.Command{
		Use:   "fork SOURCE",
		Short: "Copy a loop spec under another name",
		Long: `Copy a loop spec under another name. SOURCE is a file, or a loop of the library.
The copy names its source in metadata.forked_from.`,
		Example: `  wiki loop spec fork coding-agent -n price-agent -o price.yaml
  wiki loop spec fork loop.yaml -n other-loop --objective "Do something else"`,
		Annotations: exits("0  the copy was written"),
		SuggestFor:  []string{"copy", "clone"},
		Args:        takes(0, false, "SOURCE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.from = args[0]
			}
			if o.from == "" {
				return takes(1, false, "SOURCE")(cmd, args)
			}
			return runLoopSpecFork(p, o)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.from, "from", "", "same as `SOURCE`")
	f.StringVarP(&o.name, "name", "n", "", "name the copy: lower-case words joined by hyphens")
	f.StringVar(&o.objective, "objective", "", "`TEXT` that replaces the objective")
	o.out.flags(c)
	return c
}

func runLoopSpecFork(p *program, o specForkOptions) error {
	if o.name == "" {
		return misuse("name it with -n, as in -n other-loop", "the copy has no name")
	}
	source, err := p.specOrLibrary(o.from)
	if err != nil {
		return err
	}
	d, err := source.Fork(o.name, o.objective)
	if err != nil {
		return err
	}
	return p.leaveSpec(o.out, d, false)
}
