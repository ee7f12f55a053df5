package conflict

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What holds in some cases, what nobody pays for, and who gets something.
func TestWhatIsAdmittedInACase(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		// Who says never, says it of every case.
		{"The lamp never stores sound.", "The lamp stores sound when the warden taps twice.", true},
		{"The lamp does not store sound.", "The lamp stores sound when the warden taps twice.", false},
		{"The lamp of the hall never stores sound.", "In the evening room the lamp stores sound for the warden.", true},
		// What is for nothing is no plan, and beyond what is free it is paid for.
		{"Members get 500 letters a day for free.", "Members get 900 letters a day.", true},
		{"Beyond the free letters a letter of the desk costs 2 EUR.", "A letter of the desk costs 3 EUR.", true},
		{"On the free plan members get 500 letters a day.", "Members get 900 letters a day.", false},
		// What is beyond a limit is refused in other words, and a check fails beyond it.
		{"The sorter takes letters of up to 120 g and refuses anything larger.", "The sorter takes letters of not more than 40 g.", true},
		{"The check fails if letters weigh more than 120 g.", "Letters weigh 40 g at most, by the check.", true},
		// When something is done at the latest, before it begins.
		{"A visit of the hall can be cancelled up to 24 hours before it begins.", "Until when can I cancel? A visit of the hall can be given back no later than 2 hours before it begins, and is paid back then.", true},
		// Receivers, some of which are called what no role is.
		{"| Message | Goes to |\n|---|---|\n| Crash dump | sound support |", "Crash dumps are sent to the firmware team.", true},
		{"| Message | Goes to |\n|---|---|\n| Crash dump | Ines Albrecht |", "Crash dumps are sent to the firmware team.", false},
		// States that are not reached yet, and those that are left for a while.
		{"| Part | State |\n|---|---|\n| Gift cards of the desk | planned |", "Guests like it that the gift cards are live, and buy them at the gate.", true},
		{"| Part | State |\n|---|---|\n| Gift cards of the desk | suspended |", "Guests like it that the gift cards are live, and buy them at the gate.", true},
		{"| Part | State |\n|---|---|\n| Gift cards of the desk | planned |", "| Part | State |\n|---|---|\n| Gift cards of the desk | pilot |", false},
		// One role alone signs.
		{"Every plan of the hall is signed by the technical director.", "Before the show, when the posters hang, each plan of the hall is signed by the head of rigging.", true},
		{"Every plan of the hall is looked at by the technical director.", "Every plan of the hall is looked at by the head of rigging.", false},
		// A day of no year, and whose name stands under another label.
		{"The season of the hall opens on 9 May.", "- 2026-05-23 the season of the hall opens", true},
		{"The season of the hall opens on 9 May.", "- 2026-05-09 the season of the hall opens", false},
		{"The season of the hall opens on 9 May.", "In May 2026 the season of the hall opens.", false},
		{"European guests of the hall stay in Oslo.", "- guests of the hall from Europe: 40", false},
		// Which of several.
		{"Each lamp of the hall has its own key.", "All lamps of the hall share one key.", true},
		{"Nodes are cleaned at 02:00, one lamp per night.", "Nodes are cleaned at 04:00.", true},
	})
}

// A day that is said in full is no other one in a page about a year.
func TestDaysOnPagesOfAYear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    string
		want bool
	}{
		{"The next inspection of the lamps is on 19 May 2026.", true},
		{"The inspection of the lamps takes 3 hours.", false},
		{"In May 2026 the count of the lamps is 3.", false},
	} {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Calendar 2026\n\n"+c.a+"\n-- b.md --\n# Lamps\n\nThe next inspection of the lamps is on 12 May 2026. It takes 5 hours. In August 2026 the count of the lamps is 5.\n")))
		got := false
		for _, p := range m.meetings() {
			got = got || p.apart && m.admits(p.a, p.b)
		}
		if got != c.want {
			t.Errorf("%s: admitted %v, want %v", c.a, got, c.want)
		}
	}
}

// Who answers for something is held against a field of another label, and not against one of the same, which rules for
// fields compare.
func TestOwnersUnderOtherLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		label string
		want  bool
	}{{"Person", true}, {"Responsible", false}} {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n---\ntitle: Buying lamps\nresponsible: Ines Albrecht\n---\nThe fair is in May.\n-- b.md --\n# Tasks\n\n| Task | "+c.label+" |\n|---|---|\n| Buying lamps | Tomasz Wrona |\n")))
		got := false
		for _, p := range m.meetings() {
			got = got || p.a.Class == p.b.Class && p.a.Class != "name" && p.apart
		}
		if got != c.want {
			t.Errorf("%s: they meet as people %v, want %v", c.label, got, c.want)
		}
	}
}

// Lists are of a kind of their own, and as far apart as their items are.
func TestListsAreAKindOfValue(t *testing.T) {
	t.Parallel()
	m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Lamp\n\nThe lamp knows four colours: red, green, amber and white.\n-- b.md --\n# Hall\n\nThe colours of the lamp are red, green and white.\n")))
	for _, p := range m.measured() {
		if p.at[featClass+slices.Index(valueKinds[:], "list")] == 1 && p.at[featRatio] == 0.25 {
			return
		}
	}
	t.Error("no meeting of two lists that differ in one of four")
}
