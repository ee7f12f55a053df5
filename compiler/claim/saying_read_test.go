package claim_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// reads runs a table of pages and what of them is wanted among what is written of them, or not.
func reads(t *testing.T, all []reading) {
	t.Helper()
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := written(t, c.page)
			if c.want != "" && !strings.Contains(got, c.want) {
				t.Error(cmp.Diff(c.want, got))
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%s is read, among\n%s", c.not, got)
			}
		})
	}
}

type reading struct{ name, page, want, not string }

// The paragraph before a list is read but for the sentence that announces the list.
func TestSayingsBeforeAList(t *testing.T) {
	t.Parallel()
	const list = "\n\n1. Open the lid.\n2. Call the warden.\n"
	reads(t, []reading{
		{"a sentence before the one with the colon", "# Kiln\n\nThe kiln rests for 8 hours after a firing. Then:" + list, "^kiln rest ?after ?fire; time=8 hours\n", ""},
		{"two of them", "# Loan\n\nA loan runs for 21 days. It can be renewed twice. To renew it:" + list, "time=21 days", ""},
		{"bullets", "# Ward\n\nVisits last at most 45 minutes, so be brief. Bring:\n\n- a badge\n- a mask\n", "time=at most 45 minutes", ""},
		{"what announces alone", "# Kiln\n\nAfter 8 hours of rest do this:" + list, "time=8 hours; [", "time=8 hours\n"},
		{"what announces, behind another", "# Kiln\n\nThe kiln is old. After 8 hours of rest do this:" + list, "time=8 hours; [", "time=8 hours\n"},
	})
}

// What a sentence before a block of configuration denies is not the block, unless it says so.
func TestDenialBeforeConfiguration(t *testing.T) {
	t.Parallel()
	block := func(intro string) string { return "# Kiln\n\n" + intro + "\n\n```ini\nfan_rest = 90 s\n```\n" }
	reads(t, []reading{
		{"of what is set up", block("Vases are not fired one by one:"), "time=90 s", ""},
		{"never", block("The fan never stands still for long:"), "time=90 s", ""},
		{"no", block("There is no second fan, so the first rests:"), "time=90 s", ""},
		{"what not to do", block("Do not set the fan like this:"), "", "90 s"},
		{"never use", block("Never use the following:"), "", "90 s"},
		{"what does not work", block("The file below is not valid:"), "", "90 s"},
	})
}

// A line of cron says at what time of which days, however its fields are written.
func TestTimesOfCron(t *testing.T) {
	t.Parallel()
	line := func(when string) string {
		return "# Kiln\n\nThe file of the kiln:\n\n```ini\nfiring = \"" + when + "\"\n```\n"
	}
	reads(t, []reading{
		{"on working days", line("30 19 * * 1-5"), "clock=30 19 * * 1-5; weekday=30 19 * * 1-5", ""},
		{"by the names of days", line("5 4 * * MON-FRI"), "clock=5 4 * * MON-FRI; weekday=5 4 * * MON-FRI", ""},
		{"on a day", line("0 6 * * sun"), "clock=0 6 * * sun; weekday=0 6 * * sun", ""},
		{"on the first of the month", line("15 3 1 * *"), "clock=15 3 1 * *", "weekday"},
		{"at several hours", line("0 6,18 * * *"), "", "clock"},
		{"on some days", line("0 6 * * 1,4"), "clock=0 6 * * 1,4", "weekday"},
		{"a product", line("2 * 3 * 4"), "", "clock"},
		{"a table of numbers", line("30 2 4 5 1"), "", "clock"},
	})
	table := "# Kiln\n\n| Key | Value |\n|---|---|\n| `kiln.firing` | `30 19 * * 1-5` |\n"
	reads(t, []reading{{"in a table", table, "clock=30 19 * * 1-5; weekday=30 19 * * 1-5", ""}})
}

// Rows that the first cell does not tell apart are told by the second too.
func TestRowsOfTwoKeys(t *testing.T) {
	t.Parallel()
	table := func(head string, rows ...string) string {
		return "# Rules\n\n" + head + "\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	}
	reads(t, []reading{
		{"what is kept", table("| Place | Stock | Kept for |", "| Cellar | red wine | 8 years |", "| Cellar | cider | 6 months |", "| Loft | apples | 90 days |"), "|keep |cellar |cider; time=6 months\n", ""},
		{"a switch", table("| Ward | Device | State |", "| North | bed lift | enabled |", "| North | door camera | disabled |"), "|status |north |door |camera; yes=disabled", ""},
		{"a version", table("| Product | Version | End of support |", "| Kiln firmware | 7 | 30 September 2026 |", "| Kiln firmware | 8 | 31 March 2027 |"), "|support |kiln |firmwar |7; day=30 September 2026\n", ""},
		{"a row of each", table("| Place | Stock | Kept for |", "| Cellar | red wine | 8 years |", "| Loft | apples | 90 days |"), "|keep |cellar; time=8 years\n", ""},
		{"two rows alike", table("| Place | Stock | Kept for |", "| Cellar | cider | 8 years |", "| Cellar | cider | 6 months |"), "|keep |cellar; time=6 months\n", ""},
		{"a measure between", table("| Ship | Draught | Crew |", "| Tern | 3 m | 40 hands |", "| Tern | 4 m | 60 hands |"), "|crew |tern hand; =40 hands\n", ""},
	})
}

// A denial in another clause denies nothing of this one.
func TestDenialOfAnotherClause(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"The kiln fan is disabled, since nobody needs it.":              false,
		"The kiln fan is disabled because it never worked.":             false,
		"The kiln fan, which nobody likes, is enabled.":                 true,
		"The gallery door is closed while no guard is there.":           false,
		"The kiln fan is not enabled, since it is loud.":                false,
		"Nobody is there, so the kiln fan is not enabled.":              false,
		"Do not hurry: the kiln fan is enabled until the evening.":      true,
		"Do not hurry: the kiln fan is not enabled.":                    false,
		"The kiln fan is never disabled.":                               true,
		"It is loud, but the kiln fan is not disabled, whatever comes.": true,
	} {
		got := poles(t, "# Kiln\n\n"+sentence+"\n")
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %v", sentence, got, want)
		}
	}
}

// poles returns what a page says of opposites.
func poles(t *testing.T, page string) (out []bool) {
	t.Helper()
	for _, s := range claim.English().Sayings(compilertest.Compile(t, compilertest.Write(t, "-- kiln.md --\n"+page)).Pages()[0]) {
		for _, v := range s.Values {
			if strings.HasPrefix(v.Class, "pole:") {
				out = append(out, v.Value.Bool)
			}
		}
	}
	return out
}

// What nothing is less than is the least.
func TestLeastByDenial(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]schema.Bound{
		"Nothing is fired with less than 30 percent humidity.":          schema.AtLeast,
		"No crew goes out with fewer than 3 people.":                    schema.AtLeast,
		"A ward never has fewer than 4 nurses.":                         schema.AtLeast,
		"The crew is never less than 3 people.":                         schema.AtLeast,
		"No parcel of the dock is charged for under 20 kg.":             schema.AtMost,
		"No crew goes out with fewer than 3 people, except by day.":     schema.AtMost,
		"The loan is not granted below 900 EUR.":                        schema.AtLeast,
		"A tip of no less than 5 EUR is paid.":                          schema.AtLeast,
		"A crew goes out with fewer than 3 people.":                     schema.AtMost,
		"Nobody may stay longer than 3 hours.":                          schema.AtMost,
		"The glaze is fired in less than 5 hours, and nobody waits.":    schema.AtMost,
		"The glaze, which nobody likes, is fired in less than 5 hours.": schema.AtMost,
	} {
		got := claim.English().Sayings(compilertest.Compile(t, compilertest.Write(t, "-- kiln.md --\n# Kiln\n\n"+sentence+"\n")).Pages()[0])
		if len(got) != 1 || len(got[0].Values) != 1 || got[0].Values[0].Value.Quantity.Bound != want {
			t.Errorf("%s: %+v, want the bound %d", sentence, got, want)
		}
	}
}
