package main

import (
	"errors"
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

// selftestDocument is the JSON of selftest.
type selftestDocument struct {
	Version   int               `json:"version" jsonschema:"version of this document, 1"`
	Held      int               `json:"held"`
	Failed    int               `json:"failed"`
	Skipped   int               `json:"skipped"`
	NotHeld   int               `json:"not_held" jsonschema:"scenarios that nothing stops, as expected"`
	Scenarios []selftest.Result `json:"scenarios" jsonschema:"scenarios and results, in the order of the outcome table"`
}

func newLoopSelftest(p *program) *cobra.Command {
	var o selftestOptions
	c := &cobra.Command{
		Use:   "selftest [SCENARIO...]",
		Short: "Test the containment of loops with cheating agents",
		Long: `Test the containment of loops on this machine: scripted agents cheat, hang, fork,
overspend and lie in temporary repositories, with real git and processes. Each
attempt and its result are printed. Cheats in the code of a language are tried
where its tools are installed; what nothing can hold is listed as such. After
each scenario, the default branch, the index, configuration, hooks, stash and
refs must be unchanged, no process may be left, and no secret on the disk.

Your own repository is not touched, and no vendor's agent is called. With
--no-sandbox the agents may write wherever you may; their changes must then be
detected and undone.`,
		Example:     "  wiki loop selftest\n  wiki loop selftest --no-sandbox moves-main stashes\n  wiki loop selftest edits-expectation --keep",
		Annotations: exits("0  all scenarios held", "1  a scenario failed", "3  loops can't run here"),
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
	f.BoolVar(&o.list, "list", false, "list the scenarios, without running them")
	f.BoolVar(&o.open, "no-sandbox", false, "run without a sandbox, so that changes must be detected and undone")
	f.BoolVar(&o.keep, "keep", false, "keep the temporary repositories")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runSelftest(cmd *cobra.Command, p *program, o selftestOptions, names []string) error {
	if err := p.outsideOfRuns(cmd.Context(), "loop selftest", "loops can't start loops; run it yourself"); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return &fault{code: exitEnvironment, err: errors.New("loops don't run on Windows"), hint: "use WSL"}
	}
	all, err := selftest.Pick(names)
	if err != nil {
		return misuse("'wiki loop selftest --list' lists the scenarios", "%v", err)
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
		p.out.Printf("%d held, %d failed, %d skipped%s\n", doc.Held, doc.Failed, doc.Skipped, doc.gaps())
	}
	if doc.Failed > 0 {
		return found()
	}
	return nil
}

// cacheHome is the user's cache folder, "" if unknown.
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
	case r.NotHeld != "" && len(r.Faults) == 0:
		d.NotHeld++
	default:
		d.Failed++
	}
}

// gaps says how many scenarios went through as expected, "" for none.
func (d *selftestDocument) gaps() string {
	if d.NotHeld == 0 {
		return ""
	}
	return fmt.Sprintf(", %d not held", d.NotHeld)
}

// resultText is one line with the attempt and its result, followed by the faults.
func resultText(r selftest.Result) string {
	var b strings.Builder
	word := "held   "
	switch {
	case r.Skipped != "":
		text.Fprintf(&b, "  skipped  %-24s %s: %s\n", r.Name, r.Tried, r.Skipped)
		return b.String()
	case r.NotHeld != "" && len(r.Faults) == 0:
		text.Fprintf(&b, "  not held %-24s %s: %s\n", r.Name, r.Tried, r.NotHeld)
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

// listScenarios prints the scenarios without running them.
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
