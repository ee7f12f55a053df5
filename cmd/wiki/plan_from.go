package main

import (
	"bytes"
	"errors"
	"fmt"
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
		Long: `From has a planner turn a specification into plans, or with --as prd into
.loop/prd.json with a contract for each story. What it answers is judged as a
whole, and nothing is written if something in it is refused: what 'wiki plan
lint' refuses; work that is too big for one session; words such as clean or fast
without a question that can be observed; leave that the planner grants itself.

What is refused the planner is asked for again, with the reasons. When the plans
are written the run waits: 'wiki loop approve' carries them out, 'wiki loop
reject' removes those that nobody touched. The planner is who plays that role in
wiki.yaml, or the maker, or --agent; it can read the repository and change
nothing.

With --prompt it prints what a planner is asked, and with --result it takes the
answer from a file, a folder or, for -, from standard input: any agent, or a
person, can be the planner.`,
		Example: `  wiki plan from SPEC.md --agent claude:opus
  wiki plan from SPEC.md --prompt > prompt.md
  wiki plan from SPEC.md --result answer.md
  wiki plan from SPEC.md --as prd --result -`,
		Annotations: exits("0  the prompt was printed", "1  the planner's answer is refused", "3  there is no planner", "4  the planner touched what is not its own",
			"5  the budget is spent", "6  the plans are written, and wait for a person"),
		SuggestFor: []string{"spec", "split", "generate"},
		Args:       takes(1, false, "SPEC.md"),
		RunE:       func(cmd *cobra.Command, args []string) error { return runPlanFrom(cmd, p, o, args[0]) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.as, "as", string(plan.AsPlans), "write `KIND`: "+text.List(plan.Kinds, "or"))
	f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, plan")
	f.BoolVar(&o.prompt, "prompt", false, "print what a planner is asked, and end")
	f.StringVar(&o.result, "result", "", "take the answer from `FILE`, a folder, or - for standard input")
	f.StringVar(&o.today, "today", "", "name the plans by the month of this `DAY`")
	return c
}

func runPlanFrom(cmd *cobra.Command, p *program, o planFromOptions, spec string) error {
	if !slices.Contains(plan.Kinds, o.as) {
		return misuse(oneOf(o.as, plan.Kinds), "--as: unknown kind %q", o.as)
	}
	if o.prompt && o.result != "" {
		return misuse("the prompt comes first, the answer afterwards", "--prompt and --result are given")
	}
	if err := p.outsideOfRuns(cmd.Context(), "plan from", "a person runs it, outside of the loop"); err != nil {
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
		return misuse("write down what is wanted, and why", "%s is empty", spec)
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

// askPlanner has an agent plan, in a run that waits when it has.
func (p *program) askPlanner(cmd *cobra.Command, r plan.Request, o planFromOptions) error {
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	live, done := p.liveView(loopRunOptions{})
	s, err := place.PlanFrom(cmd.Context(), r, o.Flags, live)
	done()
	var nobody *cast.NobodyError
	if errors.As(err, &nobody) {
		return &fault{code: exitEnvironment, err: fmt.Errorf("no agent is set up to plan"), hint: nobody.Hint() + "; --prompt prints what to ask one, and --result takes its answer"}
	}
	if err != nil {
		return err
	}
	p.printProposed(place, &s)
	return p.runEnded(place, s, nil, loopRunOptions{})
}

// printProposed prints the plans that a run wrote, or why it wrote none.
func (p *program) printProposed(place *control.Controller, s *loops.State) {
	if s.End.Status == loops.GoalNotMet && len(s.Feedback) > 0 {
		for _, reason := range s.Feedback[len(s.Feedback)-1].Reasons {
			p.out.Println(reason.String())
		}
		p.say("nothing was written")
	}
	for _, path := range s.Proposed {
		p.out.Println(p.shorten(filepath.Join(place.Root, filepath.FromSlash(path))))
	}
	for _, path := range s.Pages {
		p.out.Printf("%s on %s\n", path, s.Place.Branch)
	}
}

// answered is what a planner left, judged.
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

// takeProposal writes a proposal that nothing is wrong with, and waits.
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
		p.say("nothing was written")
		return found()
	}
	for _, file := range proposal.Files {
		if err := files.Replace(b.Dir, file.Path, file.Src, 0o666); err != nil {
			return err
		}
		p.out.Println(p.shorten(b.Path(file.Path)))
	}
	p.say("read what is written; a plan that is committed may be run")
	return &fault{code: loops.Waiting.Exit()}
}
