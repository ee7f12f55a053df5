package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type planFromOptions struct {
	control.Flags
	as, result, today string
	prompt            bool
}

func newPlanFrom(p *program) *cobra.Command {
	var o planFromOptions
	c := &cobra.Command{
		Use:   "from SPEC.md",
		Short: "Turn a specification into plans",
		Long: `Let a planner turn a specification into plans, or with --as prd into
.loop/prd.json with a contract per story. The answer is accepted or rejected as a
whole. It is rejected for errors of 'wiki plan lint', chunks too big for one
session, vague words such as clean or fast without an observable check, and
permissions that the planner grants itself.

A rejected answer is returned to the planner with the reasons. When the plans are
written, the run waits: 'wiki loop approve' carries them out, 'wiki loop reject'
removes those that were not changed. The planner is the agent configured for that
role in wiki.yaml, or for the maker, or --agent; it can read the repository but
not change it.

With --prompt, print the planner's prompt. With --result, read the answer from a
file, a folder or, as -, from standard input: any agent, or a person, can plan.`,
		Example: `  wiki plan from SPEC.md --agent claude:opus
  wiki plan from SPEC.md --prompt > prompt.md
  wiki plan from SPEC.md --result answer.md
  wiki plan from SPEC.md --as prd --result -`,
		Annotations: exits("0  the prompt was printed", "1  the planner's answer was rejected", "3  no planner is configured", "4  stopped: the planner changed files it may not",
			"5  the budget is used up", "6  the plans were written and wait for approval"),
		SuggestFor: []string{"spec", "split", "generate"},
		Args:       takes(1, false, "SPEC.md"),
		RunE:       func(cmd *cobra.Command, args []string) error { return runPlanFrom(cmd, p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.as, "as", string(plan.AsPlans), "write `KIND`: "+text.List(plan.Kinds, "or"))
	f.StringVarP(&o.Agent, "agent", "a", "", "use `AGENT`, or AGENT:MODEL, as the planner")
	f.BoolVar(&o.prompt, "prompt", false, "print the planner's prompt and exit")
	f.StringVar(&o.result, "result", "", "read the answer from `FILE`, a folder, or - for standard input")
	f.StringVar(&o.today, "today", "", "use the month of `DAY` in the plans' names")
	return c
}

func runPlanFrom(cmd *cobra.Command, p *program, o planFromOptions, spec string) error {
	if !slices.Contains(plan.Kinds, o.as) {
		return misuse(oneOf(o.as, plan.Kinds), "--as: unknown kind %q", o.as)
	}
	if o.prompt && o.result != "" {
		return misuse("use --prompt first, then --result with the answer", "--prompt and --result can't be used together")
	}
	if err := p.outsideOfRuns(cmd.Context(), "plan from", "run it yourself, outside of the loop"); err != nil {
		return err
	}
	day, err := p.today(o.today)
	if err != nil {
		return err
	}
	src, err := files.ReadGiven(p.path(spec))
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(src)) == 0 {
		return misuse("describe what you want, and why", "%s is empty", spec)
	}
	r := plan.Request{As: plan.Kind(o.as), Spec: src, Path: p.path(spec), Month: day.Format("2006-01")}
	if o.result == "" && !o.prompt {
		return p.askPlanner(cmd, r, o)
	}
	b, err := p.plans(cmd.Context())
	if err != nil {
		return err
	}
	defer b.Close()
	around := b.Around(p.env("PATH"))
	if o.prompt {
		p.out.WriteString(r.Prompt(around))
		return nil
	}
	proposal, err := p.answered(o.result, r, around)
	if err != nil {
		return err
	}
	return p.takeProposal(b, proposal)
}

// askPlanner lets an agent plan, in a run that waits when the plans are written.
func (p *program) askPlanner(cmd *cobra.Command, r plan.Request, o planFromOptions) error {
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	live, done := p.liveView(loopRunOptions{})
	s, err := ctl.PlanFrom(cmd.Context(), r, o.Flags, live)
	done()
	var nobody *cast.NobodyError
	if errors.As(err, &nobody) {
		return &fault{code: exitEnvironment, err: errors.New("no planner is configured"), hint: nobody.Hint() + "; or pass the output of --prompt to any agent, and its answer to --result"}
	}
	if err != nil {
		return err
	}
	p.printProposed(ctl, &s)
	return p.runEnded(ctl, s, nil, loopRunOptions{})
}

// printProposed prints the plans that a run wrote, or why it wrote none.
func (p *program) printProposed(ctl *control.Controller, s *loops.State) {
	if s.End.Status == loops.GoalNotMet && len(s.Feedback) > 0 {
		for _, reason := range s.Feedback[len(s.Feedback)-1].Reasons {
			p.out.Println(reason.String())
		}
		p.say("no plans written")
	}
	for _, path := range s.Proposed {
		p.out.Println(p.shorten(filepath.Join(ctl.Root, filepath.FromSlash(path))))
	}
	for _, path := range s.Pages {
		p.out.Printf("%s on %s\n", path, s.Place.Branch)
	}
}

// answered reads and judges a planner's answer.
func (p *program) answered(result string, r plan.Request, around plan.Surroundings) (*plan.Proposal, error) {
	switch info, err := os.Stat(p.path(result)); {
	case result == "-":
		src, err := io.ReadAll(p.in)
		return r.Judge(plan.ReadAnswer(src), around), err
	case err != nil:
		return nil, err
	case info.IsDir():
		list, err := plan.ReadFolder(files.DirFS(p.path(result), files.Text))
		return r.Judge(list, around), err
	}
	src, err := files.ReadGiven(p.path(result))
	return r.Judge(plan.ReadAnswer(src), around), err
}

// takeProposal writes a proposal without faults, and waits.
func (p *program) takeProposal(b *plan.Book, proposal *plan.Proposal) error {
	for _, f := range proposal.Faults {
		p.out.Printf("%s: %s; %s [%s]\n", f.Severity, f.Message, f.Hint, f.Code)
	}
	for _, file := range proposal.Files {
		for _, f := range file.Faults {
			p.out.Printf("%s:%s\n", file.Path, f)
		}
	}
	if proposal.Refused() {
		p.say("no plans written")
		return found()
	}
	for _, file := range proposal.Files {
		if err := files.Replace(b.Dir, file.Path, file.Src, 0o666); err != nil {
			return err
		}
		p.out.Println(p.shorten(b.Path(file.Path)))
	}
	p.say("review the plans and commit them; then they can be run")
	return &fault{code: loops.Waiting.Exit()}
}
