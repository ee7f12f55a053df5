package main

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type benchRunOptions struct {
	suites, tasks []string
	seeds         []uint
	by, output    string
}

func newLoopBenchRun(p *program) *cobra.Command {
	var o benchRunOptions
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a spec on tasks in the simulated environment",
		Long: `Run a spec on tasks in the simulated environment, three instances of each task
with every seed, and print a submission with all runs and scores. No model is
called, and the same spec gives the same submission on every machine: it compares
how specs are built, not how well models work.

Without --suite and --task, all tasks are run. A submission that lacks a suite is
marked as partial.`,
		Example: `  wiki loop bench run loop.yaml --suite suite-repair -o submission.json
  wiki loop bench run loop.yaml --task LB-CR-1 --seeds 0,1,2`,
		Annotations: exits("0  the submission was written"),
		Args:        takes(1, false, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopBenchRun(cmd, p, args[0], o)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.suites, "suite", nil, "run the tasks of `SUITE`")
	f.StringSliceVar(&o.tasks, "task", nil, "run `TASK`")
	f.UintSliceVar(&o.seeds, "seeds", []uint{0, 1, 2, 3, 4}, "run each instance with these `SEEDS`")
	f.StringVar(&o.by, "by", "", "submit as `NAME` instead of git's user")
	f.StringVarP(&o.output, "output", "o", "", "write the submission to `FILE`")
	c.RegisterFlagCompletionFunc("suite", cobra.FixedCompletions(bench.SuiteIDs(), cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("task", cobra.FixedCompletions(bench.TaskIDs(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopBenchRun(cmd *cobra.Command, p *program, file string, o benchRunOptions) error {
	tasks, err := chosenTasks(o)
	if err != nil {
		return err
	}
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return err
	}
	d, err := spec.Read(file, src)
	if err != nil {
		return err
	}
	s, err := runnable(d)
	if err != nil {
		return err
	}
	var seeds []uint64
	for _, n := range o.seeds {
		seeds = append(seeds, uint64(n))
	}
	if len(seeds) == 0 {
		return misuse("give at least one, such as --seeds 0", "--seeds is empty")
	}
	out, err := bench.Simulate(s, file, src, tasks, seeds)
	if err != nil {
		return err
	}
	out.Submitter = cmp.Or(p.who(cmd.Context(), o.by), "unnamed")
	if len(o.suites) == 1 {
		out.Suite = o.suites[0]
	}
	if o.output == "" {
		return p.json(out)
	}
	if err := p.writeJSON(o.output, out); err != nil {
		return err
	}
	p.say("%s: LES %.1f over %s", o.output, out.Composite.Display, text.Count(len(out.Results), "task"))
	return nil
}

func chosenTasks(o benchRunOptions) (tasks []bench.Task, err error) {
	for _, id := range o.suites {
		s, ok := bench.FindSuite(id)
		if !ok {
			return nil, misuse(oneOf(id, bench.SuiteIDs()), "unknown suite %q", id)
		}
		tasks = append(tasks, s.Tasks...)
	}
	ids := o.tasks
	if len(o.suites)+len(ids) == 0 {
		ids = bench.TaskIDs()
	}
	for _, id := range ids {
		t, ok := bench.FindTask(id)
		if !ok {
			return nil, misuse(oneOf(id, bench.TaskIDs()), "unknown task %q", id)
		}
		if !slices.ContainsFunc(tasks, func(known bench.Task) bool { return known.ID == id }) {
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// runnable is a spec that is to be run: it must be valid.
func runnable(d *spec.Document) (*spec.Spec, error) {
	s, err := d.Spec()
	if err != nil {
		return nil, misuse("'wiki loop spec validate' lists all faults", "%w", err)
	}
	return s, nil
}

// writeJSON writes a document into a file, as a whole.
func (p *program) writeJSON(file string, v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return files.ReplacePath(p.path(file), append(out, '\n'), 0o666)
}
