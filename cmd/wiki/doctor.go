package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// diagnosis is the JSON of doctor.
type diagnosis struct {
	Version int              `json:"version" jsonschema:"version of this document, 1"`
	Wiki    string           `json:"wiki" jsonschema:"version of the program"`
	Dir     string           `json:"dir" jsonschema:"the repository, or the folder the wiki lies in"`
	Root    string           `json:"root" jsonschema:"folder of the pages, relative to dir"`
	Config  string           `json:"config,omitempty" jsonschema:"path of wiki.yaml; absent if it does not exist"`
	Dialect string           `json:"dialect" jsonschema:"detected dialect"`
	Git     bool             `json:"git" jsonschema:"whether it is in a git work tree"`
	Reasons []string         `json:"reasons" jsonschema:"what was detected and why"`
	Pages   int              `json:"pages"`
	Sources int              `json:"source_pages" jsonschema:"how many of the pages are raw sources"`
	Files   int              `json:"files" jsonschema:"files that are not pages"`
	Faults  map[string]int   `json:"faults" jsonschema:"faults found while reading pages, with their number"`
	Skipped []schema.Skipped `json:"skipped" jsonschema:"checks that can't run here, and why"`
	Limits  schema.Limits    `json:"limits" jsonschema:"the limits that wiki.yaml can set"`
	Bounds  []schema.Limit   `json:"bounds" jsonschema:"every limit, and what happens beyond it"`
	// Conventions are empty if wiki.yaml sets everything.
	Conventions []linter.Understood `json:"conventions" jsonschema:"conventions read from the wiki's schema page and LANGUAGE.md"`
	Editions    []identity.Edition  `json:"editions" jsonschema:"folders detected as translations or versions of each other"`
	Series      []identity.Group    `json:"series" jsonschema:"pages detected as a series: their paths differ in numbers, dates or versions"`
}

func newDoctor(p *program) *cobra.Command {
	var asJSON, agents, probe bool
	c := &cobra.Command{
		Use:   "doctor [DIR]",
		Short: "Show what was detected, and diagnose problems",
		Long: `Show the detected wiki folder and why, its configuration and dialect, the
conventions read from the wiki's schema page and LANGUAGE.md, files that could
not be read, checks that can't run here, and all limits. Start here if other
commands don't see the pages you expect.

With --agents, show the setup for loops: installed agents and their versions, the
agent of each role, the gate commands and where they come from, outdated role
files, the level of containment, and what is missing. No service is contacted.

With --probe, also let each installed agent run one command, as in a run, and
show what fails. This calls the agents' vendors, and costs a short call each.`,
		Example:     "  wiki doctor\n  wiki doctor --agents\n  wiki doctor --agents --probe\n  wiki doctor --root docs\n  wiki doctor --json | jq .skipped",
		Annotations: exits("0  the report was printed"),
		GroupID:     groupMore,
		SuggestFor:  []string{"status", "env", "check-config", "config"},
		Args:        p.takesFolder,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if agents || probe {
				return runDoctorAgents(cmd.Context(), p, probe, asJSON)
			}
			return runDoctor(cmd.Context(), p, asJSON)
		},
	}
	c.Flags().BoolVar(&agents, "agents", false, "show the setup for loops: agents, roles, gates, containment")
	c.Flags().BoolVar(&probe, "probe", false, "with --agents: let each installed agent run one command")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runDoctor(ctx context.Context, p *program, asJSON bool) error {
	ws, err := p.detect()
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{History: true})
	if err != nil {
		return err
	}
	d := diagnosisOf(w)
	if asJSON {
		return p.json(d)
	}
	p.printDiagnosis(d)
	return nil
}

func diagnosisOf(w *compiler.Wiki) diagnosis {
	ws, stats := w.Workspace(), w.Stats()
	d := diagnosis{
		Version: 1, Wiki: buildVersion().Wiki, Dir: ws.Dir, Root: ws.RootPath, Config: ws.ConfigPath, Dialect: ws.Dialect.Name,
		Git: ws.Git, Reasons: slices.Clone(ws.Reasons), Pages: stats.Pages, Sources: stats.SourcePages, Files: stats.Files,
		Faults: map[string]int{}, Skipped: append([]schema.Skipped{}, w.Skipped()...), Limits: ws.Config.Limits.OrDefault(), Bounds: append(schema.LimitTable(ws.Config.Limits), files.Table()...),
	}
	for _, dir := range w.Vendored() {
		d.Reasons = append(d.Reasons, fmt.Sprintf("markdown in %s/ is skipped: vendored packages (to include it, add %s to sources: in %s)", dir, dir, compiler.ConfigName))
	}
	conventions := linter.ReadConventions(w)
	d.Conventions = append([]linter.Understood{}, conventions.Understood...)
	d.Conventions = append(d.Conventions, linter.ReadTerms(w, conventions).Understood...)
	d.Editions = append([]identity.Edition{}, w.Identity().Folders()...)
	d.Series = append([]identity.Group{}, w.Identity().AllSeries()...)
	for _, page := range w.Pages() {
		for _, f := range page.Faults {
			d.Faults[string(f.Kind)]++
		}
	}
	return d
}

func (p *program) printDiagnosis(d diagnosis) {
	row := func(name, format string, args ...any) {
		p.out.Printf("%-10s%s\n", name, text.Sprintf(format, args...))
	}
	row("wiki", "%s", buildVersion())
	row("folder", "%s", d.Dir)
	row("root", "%s", d.Root)
	config := d.Config
	if config == "" {
		config = "none; using defaults"
	}
	row("config", "%s", config)
	row("dialect", "%s", d.Dialect)
	git := "yes"
	if !d.Git {
		git = "no; page dates come from front matter only"
	}
	row("git", "%s", git)
	row("pages", "%d, including %s; %s", d.Pages, text.Count(d.Sources, "raw source"), text.Count(d.Files, "other file"))
	p.printList("DETECTED", d.Reasons)
	var understood, faults, skipped []string
	for _, u := range d.Conventions {
		understood = append(understood, fmt.Sprintf("%s:%d: %s", u.Path, u.Line, u.What))
	}
	p.printList("CONVENTIONS", understood)
	p.printEditions(d)
	for _, kind := range sortedKeys(d.Faults) {
		faults = append(faults, fmt.Sprintf("%s: %d; see 'wiki lint --rule %s'", kind, d.Faults[kind], kind))
	}
	p.printList("FAULTS", faults)
	for _, s := range d.Skipped {
		skipped = append(skipped, s.Check+": "+s.Reason)
	}
	p.printList("SKIPPED CHECKS", skipped)
	var limits []string
	for _, l := range d.Bounds {
		key := l.Key
		if key == "" {
			key = "fixed"
		}
		limits = append(limits, fmt.Sprintf("%-34s%11d %-13s%-22s%s", l.Name, l.Value, l.Unit, key, l.Beyond))
	}
	p.printList("LIMITS", limits)
	if d.Pages == 0 {
		p.say("no pages found; start a wiki with 'wiki init', or set its folder with --root")
	}
}

// mostEditions is the most folders, and the most series, that are listed.
const mostEditions = 10

// printEditions prints the editions and series, whose pages are not compared with
// each other.
func (p *program) printEditions(d diagnosis) {
	var lines []string
	for _, e := range d.Editions[:min(len(d.Editions), mostEditions)] {
		lines = append(lines, fmt.Sprintf("%s: the %s %s; %d of %s have a counterpart", e.Folder, e.Kind, e.Name, e.Shared, text.Count(e.Pages, "page")))
	}
	if n := len(d.Editions) - mostEditions; n > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", text.Count(n, "folder")))
	}
	for _, g := range d.Series[:min(len(d.Series), mostEditions)] {
		lines = append(lines, fmt.Sprintf("%s: a series of %s, from %s", g.Name, text.Count(g.Pages, "page"), g.First))
	}
	if n := len(d.Series) - mostEditions; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more series", n))
	}
	p.printList("EDITIONS (identity: in wiki.yaml overrides them)", lines)
}

func (p *program) printList(title string, lines []string) {
	if len(lines) > 0 {
		p.out.Printf("\n%s\n", title)
		for _, l := range lines {
			p.out.Printf("  %s\n", l)
		}
	}
}
