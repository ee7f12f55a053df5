package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// When it was so stands at the beginning, in however many words.
func TestTimeAtTheBeginning(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"In June 2025 the hall held 412 chairs.":                              "June 2025",
		"At the end of June 2025 the hall held 412 chairs.":                   "June 2025",
		"The hall held 412 chairs at the end of June 2025.":                   "",
		"As the roof of the hall leaked in June 2025, 412 chairs were moved.": "",
	} {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Hall\n\n"+sentence+"\n")))
		got := ""
		for _, x := range m.all {
			if at := asOf(x.said.entire()); at != nil {
				got = at.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", sentence, got, want)
		}
	}
}

// Of which time, of which thing and of which word of it something is said.
func TestOfWhatElseSomethingIsSaid(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		// A time at the beginning says when it was so, in however many words.
		{"At the end of June 2025 the hall held 412 chairs.", "At the end of December 2025 the hall held 537 chairs.", false},
		{"By the end of June 2025 the hall had sold 412 chairs.", "At the end of June 2025 the hall had sold 537 chairs.", false},
		{"In March 2025 the complaint rate of the hall was 0.9 per thousand visits.", "In September 2025 the complaint rate of the hall was 0.4 per thousand visits.", false},
		{"The complaint rate of the hall is 0.9 per thousand visits.", "The complaint rate of the hall is 0.4 per thousand visits.", true},
		// What a thing is called after is not denied of it.
		{"A row of the online counter must not be larger than 64 KB.", "Rows above 0.5 MB are refused by the online counter.", true},
		{"A row of the online counter must not be larger than 64 KB.", "Rows above 64 KB are refused by the online counter.", false},
		// A version is told with its word or with a letter.
		{"The v1 counter will be switched off on 2026-06-30.", "Version 1 of the counter is switched off on 31 March 2026.", true},
		{"The v2 counter will be switched off on 2026-06-30.", "Version 1 of the counter is switched off on 31 March 2026.", false},
		// What a factory does is no environment.
		{"On the production line the lead time of the counter is 9 weeks.", "The lead time of the counter is 12 weeks.", true},
		{"In production the lead time of the counter is 9 weeks.", "The lead time of the counter is 12 weeks.", false},
		// A guide to local work tells of what a program is built on, too.
		{"## Local setup\n\nThe counter keeps its visits in MariaDB, so start that.", "The counter keeps its visits in PostgreSQL.", true},
		{"## Local setup\n\nOn a laptop the counter keeps its visits in MariaDB.", "The counter keeps its visits in PostgreSQL.", false},
		{"## Local setup\n\nThe counter listens on port 18310.", "The counter listens on port 8310.", false},
		// What is denied before a colon is not what follows it.
		{"Never install the counter below a home directory: the counter stores its public paths.", "The counter stores its public paths.", false},
		// What most have is no limit, and who is named before the verb is named by the other as well.
		{"Most counters have fewer than 60 chairs.", "A counter has at most 120 chairs.", false},
		{"Counters have fewer than 60 chairs.", "A counter has at most 120 chairs.", true},
		{"Jenkins will be switched off on 27 February 2026, and its agents are added to the farm one rack at a time.", "The old Jenkins is switched off on 2026-01-30.", true},
		// The state that a thing is left in.
		{"The check valve of the counter is normally closed.", "When idle, the check valve of the counter is normally open.", true},
		{"The check valve of the counter is closed.", "The check valve of the counter is open to everybody.", false},
		// Names of nothing in common.
		{"The lot is read from the bar code.", "The number is read from the manual.", false},
		{"The badge of the counter is read from the bar code.", "The badge of the counter is read from the manual.", true},
	})
}
