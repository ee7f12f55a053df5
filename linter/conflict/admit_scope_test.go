package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What stands on one side only is a condition, or none.
func TestConditionsOfOneSide(t *testing.T) {
	t.Parallel()
	settings := func(key, value, text string) string {
		return "| Key | Value | Description |\n|---|---|---|\n| `" + key + "` | " + value + " | " + text + " |"
	}
	admitPairs(t, []minimal{
		// A time of day says each night already; what else holds at night does not.
		{"The bakery oven starts at 02:30 each night.", settings("oven.cron", "`15 4 * * *`", "start of the bakery oven"), true},
		{"The tower lamp starts to turn at 01:00 every night.", "At the harbour people see how the tower lamp starts to turn at 03:00, and clap.", true},
		{"The nightly count of loans starts at 02:30.", "The count of the loans, which starts every night at 04:00, is heard in the hall.", true},
		{"The library roof closes each night at 22:00.", "The library roof closes at 21:00.", true},
		{"The tower lamp holds 40 litres each night.", "The tower lamp holds 60 litres.", false},
		{"The night lamp is switched off at 01:00.", "The tower lamp is switched off at 03:00.", false},
		// What a program is written in and what its variables are called, it takes along.
		{"The kiln driver reads its address from `KILN_ADDRESS`.", "## Local development\n\nThe kiln driver reads its address from `OVEN_URL`.", true},
		{"The loan desk runs on Java 17.", "## In staging\n\n- Java 21, on which the loan desk runs", true},
		{"The key of the scale is taken from `SCALE_TOKEN`.", "In production the key of the scale is taken from `SCALE_SECRET`.", true},
		{"The kiln driver listens on port 7410.", "## Local development\n\nThe kiln driver listens on port 7420.", false},
		{"The loan desk answers within 4 s.", "In staging the loan desk answers within 9 s.", false},
		{"The kiln driver reads its address from `KILN_ADDRESS`.", "## On Windows\n\nThe kiln driver reads its address from `OVEN_URL`.", false},
		{"The loan desk runs on Node.js 20.", "## In staging\n\n- Node.js 22, on which the loan desk runs", true},
		// What is beyond a limit is refused, what is within it accepted.
		{"Parcels larger than 8 kg are rejected by the sorter in the cellar of the old mill of the town.", "| Limit | Value |\n|---|---|\n| parcels accepted by the sorter | 6 kg |", true},
		{"Loans above 40 EUR are refused by the desk.", "The desk accepts loans up to 60 EUR, whatever the warden of the hall thinks.", true},
		{"The sorter rejects 8 kg of parcels in a day.", "The sorter accepts 6 kg of parcels in a day.", false},
		// What comes first is said of what is named.
		{"Loans are counted before the rollout of the cards.", "Loans are counted after the rollout of the cards.", true},
		{"Crates are cleaned before the tour of the vans.", "Crates are cleaned after the tour of the vans.", true},
		{"Crates are cleaned before the tour of the vans.", "Vans are cleaned after the tour of the crates.", false},
		// One more is beyond the limit.
		{"A guest can save at most 12 favourite walks.", "The list of favourite walks takes up to 20 walks and refuses one more.", true},
		{"A bus takes no more than 40 riders.", "A bus takes up to 52 riders and turns away any more riders.", true},
		{"A basket holds at most 8 jars.", "Up to 6 jars go into a basket, and another jar is rejected.", true},
		{"A guest can save at most 12 favourite walks.", "Favourite walks of more than 20 km are refused.", false},
		{"A basket holds at most 8 jars.", "A basket of less than 6 jars is rejected.", false},
		// What is done says of nothing which it is, and a label says that nothing is done.
		{"Entries up to 25 EUR are paid out automatically.", "**Automatic payout limit of the desk:** 40 EUR for entries", true},
		{"Parcels up to 2 kg are sorted automatically.", "**Limit of automatic sorting:** 5 kg for parcels", true},
		{"The warden accepts boats that have an engine of 40 kW.", "Boats have an engine of 60 kW.", true},
		{"| Key | Value | Description |\n|---|---|---|\n| `door.sync` | on | lists of guests are copied automatically |", "Automatic copying of the lists of guests is disabled.", true},
		{"The card office refuses guests that bring anything heavier than 6 kg.", "Guests bring up to 9 kg to the card office.", true},
		{"Visits of the manual gate are limited to 40 EUR.", "Visits of the automatic gate are limited to 50 EUR.", false},
		{"Private visits cost 40 EUR.", "Visits cost 50 EUR.", false},
	})
}

// admitPairs runs minimal pairs of which the values may contradict each other, or may not.
func admitPairs(t *testing.T, pairs []minimal) {
	t.Helper()
	for _, c := range pairs {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Rules of the house\n\n"+c.a+"\n-- b.md --\n# Counter\n\n"+c.b+"\n")))
		got := ""
		for _, p := range m.meetings() {
			if p.apart && m.admits(p.a, p.b) {
				got += p.a.Text + "/" + p.b.Text + "; "
			}
		}
		if (got != "") != c.want {
			t.Errorf("%s\n%s\nadmitted: %q, want %v", c.a, c.b, got, c.want)
		}
	}
}

// What one page requires in other words, another says may be left out; what a field and a cell give
// as a number, others give with its unit or its product.
func TestSaidInOtherWords(t *testing.T) {
	t.Parallel()
	field := func(label string) string { return "| Field | Form |\n|---|---|\n| " + label + " | optional |" }
	admitPairs(t, []minimal{
		{"Nobody gets a library card without a postal address.", field("postal address"), true},
		{"No parcel of the dock is sent without a seal number.", field("seal number"), true},
		{"A loan above the limit requires a second signature.", "The second signature of a loan can be left out.", true},
		{"A library card is sent to a postal address.", field("postal address"), false},
		{"A postal address may be omitted from the card.", field("postal address"), false},
		{"A frost is announced when its probability is 40 % or higher.", "| Key | Value | Description |\n|---|---|---|\n| `frost.warn` | 0.3 | probability from which a frost is announced |", true},
		{"A frost is announced when its probability is 30 % or higher.", "| Key | Value | Description |\n|---|---|---|\n| `frost.warn` | 0.3 | probability from which a frost is announced |", false},
	})
}
