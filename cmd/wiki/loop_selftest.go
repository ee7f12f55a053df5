package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/loopwiki/wiki/cmd/wiki/internal/selftest"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type selftestOptions struct{ json, list, keep, open bool }

// selftestDocument is what selftest --json prints.
type selftestDocument struct {
	Version   int               `json:"version" jsonschema:"version of this document, 1"`
	Held      int               `json:"held"`
	Failed    int               `json:"failed"`
	Skipped   int               `json:"skipped"`
	Scenarios []selftest.Result `json:"scenarios" jsonschema:"what was tried, in the order of the outcome table"`
}

func newLoopSelftest(p *program) *cobra.Command {
	var o selftestOptions
	c := &cobra.Command{
		Use:   "selftest [SCENARIO...]",
		Short: "Let scripted agents cheat, and say what held",
		Long: `Selftest runs scripted agents that cheat, hang, fork, overspend and lie against
throw-away repositories, with this program, git and processes as they are here.
It prints what each of them tried and what came of it. After each it looks
whether the default branch, the index, the configuration, hooks, stash and refs
are as before, whether a process is left, and whether a secret lies on the disk.

Nothing of your own repository is touched, and no agent of a vendor is called.
With --no-sandbox the agents may write where you may: what they do there has to
be found and undone afterwards.`,
		Example:     "  wiki loop selftest\n  wiki loop selftest --no-sandbox moves-main stashes\n  wiki loop selftest edits-expectation --keep",
		Annotations: exits("0  all held", "1  something did not", "3  loops can not run here"),
		SuggestFor:  []string{"self-test", "test"},
		RunE:        func(cmd *cobra.Command, args []string) error { return runSelftest(cmd, p, o, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, s := range selftest.Scenarios() {
				names = append(names, s.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.list, "list", false, "list the scenarios and run none")
	f.BoolVar(&o.open, "no-sandbox", false, "use no sandbox, so that what agents do is found and undone afterwards")
	f.BoolVar(&o.keep, "keep", false, "leave the throw-away repositories on the disk")
	f.BoolVar(&o.json, "json", false, "print a JSON document")
	return c
}

func runSelftest(cmd *cobra.Command, p *program, o selftestOptions, names []string) error {
	if err := p.outsideOfRuns(cmd.Context(), "loop selftest", "a loop does not start loops"); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return &fault{code: exitEnvironment, err: fmt.Errorf("loops do not run on Windows"), hint: "use WSL"}
	}
	all, err := selftest.Pick(names)
	if err != nil {
		return misuse("'wiki loop selftest --list' lists them", "%v", err)
	}
	if o.list {
		return p.listScenarios(all, o)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	doc := selftestDocument{Version: 1, Scenarios: []selftest.Result{}}
	row := ""
	err = selftest.RunAll(cmd.Context(), selftest.Options{Self: self, Path: p.env("PATH"), Cache: p.cacheHome(), Keep: o.keep, Open: o.open}, all, func(r selftest.Result) {
		doc.add(r)
		if o.json {
			return
		}
		if r.Row != row {
			p.out.Printf("%s\n", r.Row)
			row = r.Row
		}
		p.out.WriteString(resultText(r))
		_ = p.out.Flush() // a long run shows what happens
	})
	if err != nil {
		return err
	}
	if o.json {
		if err := p.json(doc); err != nil {
			return err
		}
	} else {
		p.out.Printf("%d held, %d did not, %d skipped\n", doc.Held, doc.Failed, doc.Skipped)
	}
	if doc.Failed > 0 {
		return found()
	}
	return nil
}

// cacheHome is where programs keep caches, "" if nobody says.
func (p *program) cacheHome() string {
	if dir := p.env("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home := p.env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache")
	}
	return ""
}

func (d *selftestDocument) add(r selftest.Result) {
	d.Scenarios = append(d.Scenarios, r)
	switch {
	case r.Skipped != "":
		d.Skipped++
	case r.Held:
		d.Held++
	default:
		d.Failed++
	}
}

// resultText says in a line what was tried and what held, and below it what did not.
func resultText(r selftest.Result) string {
	var b strings.Builder
	word := "held   "
	switch {
	case r.Skipped != "":
		text.Fprintf(&b, "  skipped  %-24s %s: %s\n", r.Name, r.Tried, r.Skipped)
		return b.String()
	case !r.Held:
		word = "FAILED "
	}
	text.Fprintf(&b, "  %s  %-24s %s: %s, exit %d", word, r.Name, r.Tried, r.Status, r.Exit)
	if r.Class != "" {
		text.Fprintf(&b, ", %s", r.Class)
	}
	if r.Charged > 0 {
		text.Fprintf(&b, ", %d charged", r.Charged)
	}
	text.Fprintf(&b, ", tree %s\n", r.Tree)
	for _, f := range r.Faults {
		text.Fprintf(&b, "             %s\n", f)
	}
	if r.Dir != "" {
		text.Fprintf(&b, "             kept: %s\n", r.Dir)
	}
	return b.String()
}

// listScenarios prints them without running one.
func (p *program) listScenarios(all []selftest.Scenario, o selftestOptions) error {
	doc := selftestDocument{Version: 1, Scenarios: []selftest.Result{}}
	for _, s := range all {
		doc.add(selftest.Result{Name: s.Name, Row: s.Row, Tried: s.Tried, Skipped: "only listed"})
		if !o.json {
			p.out.Printf("%-24s %s\n", s.Name, s.Tried)
		}
	}
	if o.json {
		return p.json(doc)
	}
	return nil
}
