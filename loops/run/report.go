package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// ReportFile is the report's name in a run's folder.
const ReportFile = "report.md"

// report writes what became of the run: for people into its folder, and into the
// wiki of its worktree, so that the memory of it comes with the branch.
// It returns the commit of that, "" if there is none.
func (d *Driver) report(ctx context.Context) (commit string, err error) {
	s := &d.state
	if err := d.writeReport(ctx); err != nil {
		return "", err
	}
	if d.Ended != nil {
		if err := d.Ended(ctx, s, d.results); err != nil {
			return "", fmt.Errorf("save the incident: %w", err)
		}
	}
	if d.place == nil || d.Scribe == nil || s.Start.Mode == loops.Shadow || s.Planning() && !s.Auditing() || s.Querying() || s.Reading() {
		return "", nil
	}
	tree, err := d.Scribe(ctx, s, d.place)
	if err != nil || tree == "" || tree == s.Tree {
		return "", err
	}
	spec := loops.CommitSpec{
		Tree: tree, Key: s.Start.Run + "/plan/0/log", Run: s.Start.Run, Plan: s.Start.Plan.Path,
		Subject: fmt.Sprintf("docs(%s): log of the run", s.Start.Plan.Name),
	}
	if s.Documenting() && s.End.Status == loops.GoalMet {
		spec.Base = lookedAt(s) // the next one begins here; one that failed looks again
	}
	return d.place.Commit(ctx, spec)
}

// writeReport writes the report into the run's folder.
func (d *Driver) writeReport(ctx context.Context) error {
	s := &d.state
	diff := ""
	if d.place != nil && s.Tree != "" && s.Start.Base != "" {
		changes, err := d.place.Diff(ctx, s.Start.Base, s.Tree)
		if err != nil {
			return err
		}
		diff = stat(changes)
	}
	level, open := d.Container.Level()
	return replace(filepath.Join(d.folder(), ReportFile), []byte(d.portable(Report(s, diff, level, open))))
}

// stat lists changes as people read them.
func stat(changes []loops.Change) string {
	var b strings.Builder
	for _, c := range changes {
		if c.From != "" {
			text.Fprintf(&b, "%s %s -> %s\n", c.Status, c.From, c.Path)
		} else {
			text.Fprintf(&b, "%s %s\n", c.Status, c.Path)
		}
	}
	return b.String()
}

// Report returns the report of a run in markdown. changed lists the paths that differ
// from the base, level and open say what agents were kept from.
func Report(s *loops.State, changed string, level loops.Level, open []string) string {
	var b strings.Builder
	status := s.Status
	if s.End.Status != "" {
		status = s.End.Status
	}
	text.Fprintf(&b, "# %s: %s\n\n", s.Start.Plan.Title, status)
	if s.End.Why != "" {
		text.Fprintf(&b, "%s\n\n", sentence(s.End.Why))
	}
	text.Fprintf(&b, "- Run: `%s`, loop %s, mode %s\n", s.Start.Run, s.Start.Loop, s.Start.Mode)
	if s.Start.Plan.Path != "" {
		text.Fprintf(&b, "- Plan: `%s`\n", s.Start.Plan.Path)
	}
	if s.Place.Branch != "" {
		text.Fprintf(&b, "- Branch: `%s` at `%.12s`, from `%.12s`\n", s.Place.Branch, s.Head, s.Start.Base)
	}
	text.Fprintf(&b, "- Started %s, ended %s, worked %v\n", stamp(s.First), stamp(s.Last), time.Duration(s.Worked).Round(time.Second))
	text.Fprintf(&b, "- Spent: %s\n", Money(s.Spend))
	text.Fprintf(&b, "- Sandbox: %s\n", level)
	for _, o := range open {
		text.Fprintf(&b, "  - not prevented: %s\n", o)
	}
	if s.Start.Mode == loops.Shadow && !s.Planning() {
		text.Fprintf(&b, "- Shadow mode: its changes are in `%s`; nothing was published\n", ShadowFile)
	}
	if s.PullRequest != "" {
		text.Fprintf(&b, "- Pull request: %s\n", s.PullRequest)
	}
	b.WriteString("\n## Roles\n\n| role | agent | model | spent |\n|---|---|---|---|\n")
	for _, p := range s.Start.Players() {
		text.Fprintf(&b, "| %s | %s | %s | $%.2f |\n", p.Name, p.Agent, orDash(p.Model), s.RoleUSD[loops.Role(p.Name)])
	}
	if d := s.Start.Documentation; d != nil {
		b.WriteString("\n" + WorkList(d))
	}
	if len(s.Proposed) > 0 {
		text.Fprintf(&b, "\n## Proposed\n\n- `%s`\n", text.Block(strings.Join(s.Proposed, "`\n- `")))
	}
	if len(s.Proposals) > 0 {
		text.Fprintf(&b, "\nPeople changed these pages since the last run. The writer's version is in the run's folder: `git apply %s`\n", strings.Join(s.Proposals, " "))
	}
	if len(s.Pages) > 0 {
		text.Fprintf(&b, "\n## Pages written\n\n- `%s`\n", text.Block(strings.Join(s.Pages, "`\n- `")))
	}
	b.WriteString(baseFailures(s))
	b.WriteString(reasons("Findings", s.Findings))
	b.WriteString(reasons("Dropped", s.Dropped))
	if s.Declares() {
		b.WriteString(iterationTable(s))
	} else {
		b.WriteString(chunkTable(s))
	}
	if len(s.Incidents) > 0 {
		b.WriteString("\n## Incidents\n\n")
		for _, i := range s.Incidents {
			text.Fprintf(&b, "- `%s` %s (confidence %.2f): %s\n", i.ID, i.Class, i.Confidence, i.Why)
		}
	}
	b.WriteString(warnings(s))
	if changed != "" {
		text.Fprintf(&b, "\n## Changed\n\n```\n%s```\n", text.Block(changed))
	}
	return b.String()
}

// WorkList returns the work list of a run that documents: the pages, each with its
// reason, and what the linter found on them.
func WorkList(d *loops.DocumentationRequest) string {
	var b strings.Builder
	text.Fprintf(&b, "## Pages\n\nPages about changes since %s, `%.12s`:\n\n%s", d.From, d.Since, text.Block(or(pageList(d, "- `%s`: %s\n"), "- none\n")))
	b.WriteString(reasons("Left to a person", d.Left))
	if d.Found > 0 {
		text.Fprintf(&b, "\n## Findings before\n\n")
		for _, f := range d.Findings {
			text.Fprintf(&b, "- %s\n", quiet(f.String()))
		}
		if more := d.Found - len(d.Findings); more > 0 {
			text.Fprintf(&b, "- and %d more\n", more)
		}
	}
	return b.String()
}

// pageList says of each page of a work list why it is on it.
func pageList(d *loops.DocumentationRequest, format string) string {
	var b strings.Builder
	for _, p := range d.Pages {
		text.Fprintf(&b, format, quiet(p.Path), quiet(p.Reason))
	}
	return b.String()
}

// reasons lists what an auditor found, or what of it was dropped, in its order.
func reasons(title string, all []loops.Reason) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	text.Fprintf(&b, "\n## %s\n\n", title)
	for _, r := range all {
		text.Fprintf(&b, "- %s\n", quiet(r.String()))
	}
	return b.String()
}

// baseFailures lists what the base of a repair had, and what of it a person lets be.
func baseFailures(s *loops.State) string {
	if len(s.Failures) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Red on the base\n\nRecorded before any agent was called; at the end all of it must pass.\n\n| gate | test or command | file | outcome | body |\n|---|---|---|---|---|\n")
	for _, f := range s.Failures {
		text.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.Gate, cell(quiet(f.Name())), cell(orDash(f.File)), f.Outcome, orDash(f.Body))
	}
	for _, c := range s.Start.Plan.SpecChanges {
		if len(c.Tests) > 0 {
			text.Fprintf(&b, "\n%s may fail, as %s allowed on %s: %s\n", quiet(strings.Join(c.Tests, ", ")), quiet(c.By), c.Date, quiet(c.Reason))
		}
	}
	return b.String()
}

// chunkTable lists what became of the chunks of a plan, if there is one.
func chunkTable(s *loops.State) string {
	if len(s.Chunks) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Chunks\n\n| chunk | title | status | attempts | failed | commit |\n|---|---|---|---|---|---|\n")
	for i, c := range s.Chunks {
		text.Fprintf(&b, "| %s | %s | %s | %d | %d | %s |\n", c.ID, cell(s.Start.Plan.Chunks[i].Title), c.Status, c.Attempts, c.Charged, orDash(fmt.Sprintf("%.12s", c.Commit)))
	}
	return b.String()
}

func warnings(s *loops.State) string {
	if len(s.Warnings) == 0 {
		return ""
	}
	return "\n## Warnings\n\n- " + strings.Join(s.Warnings, "\n- ") + "\n"
}

// Money returns what was spent.
func Money(s loops.Spend) string {
	est := ""
	if s.Estimated {
		est = ", partly estimated"
	}
	return fmt.Sprintf("$%.2f, %s, %s%s", s.USD, text.Count(int(s.Tokens), "token"), calls(s), est)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 MST") }

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// sentence begins with a capital and ends with a stop.
func sentence(s string) string {
	s = strings.TrimRight(s, ".\n ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
