package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/control/fleet"
	"github.com/loopwiki/wiki/loops/plan"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// printFleet prints the table of a fleet.
func (p *program) printFleet(r *schema.FleetReport, asJSON bool) error {
	if asJSON {
		return p.json(r)
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, row := range r.Rows {
		name := "-"
		if row.Plan != "" {
			name = plan.NameOf(row.Plan)
		}
		text.Fprintf(w, "%s\t%s\t%s\t%d/%d\t$%.2f\n", row.Status, p.fit(row.Name, 16), p.fit(name, 34), row.Done, row.Chunks, row.Spend.USD)
	}
	w.Flush()
	lines := strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")
	for i := 0; i < len(r.Rows); {
		row, same := &r.Rows[i], 0
		for ; i < len(r.Rows) && r.Rows[i].Repository == row.Repository && remark(&r.Rows[i]) == remark(row); i++ {
			p.out.Println(lines[i])
			same++
		}
		p.printRemark(row, same)
	}
	p.out.Println(fleetTotals(r))
	return nil
}

// fit makes a text fit into a column, on a terminal.
func (p *program) fit(s string, columns int) string {
	if !p.tty {
		return s
	}
	return runs.Fit(runs.Printable(s), columns)
}

// remark is what a row says beside its numbers. What met its goal is not remarkable.
func remark(row *schema.FleetRow) [2]string {
	if row.Exit == 0 && row.Why == "" {
		return [2]string{}
	}
	return [2]string{row.Why, row.Hint}
}

// printRemark prints what rows of one repository have in common.
func (p *program) printRemark(row *schema.FleetRow, rows int) {
	why := remark(row)
	if rows > 1 && why[0] != "" {
		why[0] = fmt.Sprintf("all %d: %s", rows, why[0])
	}
	for _, line := range why {
		if line != "" {
			p.out.Printf("  %s\n", line)
		}
	}
}

// fleetStatuses are the statuses of rows, in the order of the totals.
var fleetStatuses = []string{"met", "done", "running", "pending", "waiting", "interrupted", "not-met", "rejected", "budget", "environment", "stopped", "blocked"}

// fleetTotals sums up a table in a line.
func fleetTotals(r *schema.FleetReport) string {
	counts, repositories := make(map[string]int), make(map[string]bool)
	plans := 0
	for _, row := range r.Rows {
		counts[row.Status]++
		repositories[row.Repository] = true
		if row.Plan != "" {
			plans++
		}
	}
	var parts []string
	for _, s := range fleetStatuses {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	line := text.Count(plans, "plan") + " in " + text.Count(len(repositories), "repository")
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	line += fmt.Sprintf("; $%.2f spent today", r.SpentUSD)
	if r.DayUSD > 0 {
		line += fmt.Sprintf(" of $%.2f", r.DayUSD)
	}
	return line
}

// watchFleet shows what happens: a line when a run begins or ends, and on a terminal a line for
// each run in work, which change in place.
func (p *program) watchFleet(f *fleet.Fleet) {
	switch {
	case p.quiet:
	case !p.redraws():
		f.Say = func(line string) { p.err.Println(line) }
	default:
		s := &bottomLines{out: p.err, columns: func() int { return columns(p.terminal) }}
		f.Say, f.Now = s.say, s.now
	}
}

// bottomLines are the last lines of the terminal, which change in place.
type bottomLines struct {
	out     *text.Writer
	columns func() int
	lines   []string
}

// up moves to the line above.
var up = text.NewSequence("\x1b[1A")

// mostBottomLines keeps the lines on a small screen.
const mostBottomLines = 16

func (b *bottomLines) say(line string) {
	b.wipe()
	b.out.Println(line)
	b.draw()
}

func (b *bottomLines) now(lines []string) {
	b.wipe()
	b.lines = lines
	if more := len(lines) - mostBottomLines; more > 0 {
		b.lines = append(lines[:mostBottomLines:mostBottomLines], fmt.Sprintf("and %d more", more))
	}
	b.draw()
}

func (b *bottomLines) wipe() {
	for range b.lines {
		b.out.Printf("%s%s", up, wipe)
	}
}

func (b *bottomLines) draw() {
	for _, line := range b.lines {
		// The last column stays empty: some terminals begin a new line when it is full.
		b.out.Println(runs.Fit(runs.Printable(line), b.columns()-1))
	}
}

// shellWord is a word of a shell.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
