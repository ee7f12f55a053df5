package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What tables and configuration say meets what sentences say of the same, and may contradict it;
// how likely that is, weights tell.
func TestTablesAndConfigurationMeet(t *testing.T) {
	t.Parallel()
	table := func(head, row string) string {
		return "\n" + head + "\n|---|---|---|\n" + row
	}
	keys := "| Key | Value | Description |"
	config := func(intro, text string) string { return intro + "\n\n```yaml\n" + text + "\n```" }
	for _, c := range []struct {
		name, a, b string
		values     [2]string // that may contradict each other; empty for none
	}{
		{"the description of a key", "Pond guard|The pond guard raises an alarm after 6 hours of steady inflow.", "Settings|" + table(keys, "| `pg.limit` | 8 h | time of steady inflow before [[pond-guard]] raises an alarm |"), [2]string{"6 hours", "8 h"}},
		{"the same", "Pond guard|The pond guard raises an alarm after 8 hours of steady inflow.", "Settings|" + table(keys, "| `pg.limit` | 8 h | time of steady inflow before [[pond-guard]] raises an alarm |"), [2]string{}},
		{"another description", "Pond guard|The pond guard raises an alarm after 6 hours of steady inflow.", "Settings|" + table(keys, "| `pg.pause` | 8 h | rest of the wardens between two tours |"), [2]string{}},
		{"a number in a description", "Pond guard|The pond guard raises an alarm after 6 steady inflows.", "Settings|" + table(keys, "| `pg.mode` | eager | how an alarm is raised, after 9 steady inflows of the pond guard |"), [2]string{}},
		{"a rate by the key", "Pond guard|Each visitor of the pond guard is allowed 10 snapshots a second.", "Settings|" + table(keys, "| `snapshots_per_minute` | 900 | snapshots of one visitor of the [[pond-guard]] |"), [2]string{"10 snapshots a second", "900"}},
		{"the same rate", "Pond guard|Each visitor of the pond guard is allowed 15 snapshots a second.", "Settings|" + table(keys, "| `snapshots_per_minute` | 900 | snapshots of one visitor of the [[pond-guard]] |"), [2]string{}},
		{"a line of cron", "Pond guard|" + config("The pond guard cleans its lens:", "lens_cleaning:\n  schedule: \"30 2 * * *\""), "Tours|Lens cleaning of the pond guard starts at 04:15.", [2]string{"30 2 * * *", "04:15"}},
		{"an example", "Pond guard|" + config("For example:", "lens_cleaning:\n  schedule: \"30 2 * * *\""), "Tours|Lens cleaning of the pond guard starts at 04:15.", [2]string{}},
		{"two set-ups", "Pond guard|" + config("The pond guard reads:", "lens_port: 7455"), "Gate guard|" + config("The gate guard of the pond guard reads:", "lens_port: 7466"), [2]string{}},
		{"a block of the page that a sentence names", "Pond guard|" + config("The file:", "sample_interval: 120s"), "Lens|The [[pond-guard]] looks around once every five minutes.", [2]string{"120s", "five minutes"}},
		{"a block and its title in a sentence", "Kiln fan|" + config("The file:", "rest: 90s"), "Glaze|After each vase the kiln fan stands still for four minutes.", [2]string{"90s", "four minutes"}},
		{"a block and a row", "Loan desk|" + config("The file:", "renewals: 2"), "Rules|\n| What | Number | Where |\n|---|---|---|\n| [[loan-desk]] | 3 | hall |", [2]string{"2", "3"}},
		{"a block of another page", "Pond guard|" + config("The file:", "sample_interval: 120s"), "Lens|The gate keeper looks around once every five minutes.", [2]string{}},
		{"a block with the same value", "Pond guard|" + config("The file:", "sample_interval: 300s"), "Lens|The [[pond-guard]] looks around once every five minutes.", [2]string{}},
		{"production, by a name and in a sentence", "Pond guard|" + config("The pond guard reads:", "production:\n  lens_port: 7455"), "Tours|In production the lens port of the pond guard is 7466.", [2]string{"7455", "7466"}},
		{"a column of production", "Ports|\n| Port | Staging | Production |\n|---|---|---|\n| lens of the [[pond-guard]] | 7455 | 7456 |", "Pond guard|In production the port of the lens of the pond guard is 7466.", [2]string{"7456", "7466"}},
		{"a column of staging", "Ports|\n| Port | Staging | Protocol |\n|---|---|---|\n| lens of the [[pond-guard]] | 7455 | TCP |", "Pond guard|In production the port of the lens of the pond guard is 7466.", [2]string{}},
		{"production, where a sentence says none", "Pond guard|" + config("The pond guard reads:", "production:\n  lens_port: 7455"), "Tours|The lens port of the pond guard is 7466.", [2]string{"7455", "7466"}},
		{"staging, where a sentence says none", "Pond guard|" + config("The pond guard reads:", "staging:\n  lens_port: 7455"), "Tours|The lens port of the pond guard is 7466.", [2]string{}},
		{"staging", "Pond guard|" + config("The pond guard reads:", "staging:\n  lens_port: 7455"), "Tours|In production the lens port of the pond guard is 7466.", [2]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := [2]string{}
			for _, p := range newMatcher(compilertest.Compile(t, compilertest.Write(t, matching(c.a, c.b)))).measured() {
				if pair := [2]string{p.a.Text, p.b.Text}; pair == c.values || found == [2]string{} {
					found = pair
				}
			}
			if found != c.values {
				t.Errorf("%q may contradict each other, want %q", found, c.values)
			}
		})
	}
}
