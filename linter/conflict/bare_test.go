package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// A number of a setting that brings no unit is another amount only if it is so in all units.
func TestBareNumbersAreHeldApart(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) string { return "```yaml\nvault:\n  " + key + ": " + value + "\n```" }
	holdApart(t, []minimal{
		{"The vault keeps entries for 90 days.", setting("retention", "30"), true},
		{"The vault keeps entries for 90 days.", setting("retention", "90"), false},
		{"The vault keeps entries for 90 days.", setting("retention", "2160"), false}, // hours
		{"The vault is kept at 4 °C.", setting("temperature", "7"), true},
		{"The vault is kept at 4 °C.", setting("temperature", "4"), false},
		{"A visit to the vault costs 12 €.", setting("price", "15.00"), true},
		{"A visit to the vault costs 12 €.", setting("price", "12.00"), false},
		{"The vault takes 20 visitors per minute.", setting("visitors", "30"), true},
		{"The vault takes 20 visitors per minute.", setting("visitors", "20"), false},
		{"Of the vault 30 % are full.", "The vault is full.\n\n```yaml\nvault:\n  full: 0.3\n```", false},
	})
}

// What stands in numbered steps has their order.
func TestStepsAreHeldApart(t *testing.T) {
	t.Parallel()
	const steps = "1. Print the labels.\n2. Seal the crates.\n3. Call the driver."
	holdApart(t, []minimal{
		{steps, "Seal the crates before you print the labels.", true},
		{steps, "The crates are sealed after the labels are printed.", false},
		{steps, "Labels are printed once the crates have been sealed.", true},
		{steps, "Seal the crates, then print the labels.", true},
		{steps, "1. Print the labels.\n2. Call the driver.", false},
		{"- Print the labels.\n- Seal the crates.", "Seal the crates before you print the labels.", false},
		{"The high zooms are built before the low zooms.", "A rebuild builds the low zooms before the high zooms.", true},
	})
}

// An exception is none of the rule, and a page whose title differs by its number is about something else.
func TestExceptionsAreAdmittedNowhere(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"Values expire after 48 hours, with the exception of the fraud values.", "Fraud values expire after 10 days.", false},
		{"Values expire after 48 hours, with the exception of the fraud values.", "Values expire after 10 days.", true},
		{"In storm mode the antenna turns five times per minute.", "The antenna turns three times per minute.", false},
		{"The web platform team signs a plan for 3 days.", "The platform team signs a plan for 5 days.", true},
	})
	for title, want := range map[string]bool{"Echo 45": false, "Storm echo": true} {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Echo 18\n\nThe echo is updated every 5 minutes.\n-- b.md --\n# "+title+"\n\nUpdates of the echo take place every 15 minutes.\n")))
		admitted := false
		for _, p := range m.meetings() {
			admitted = admitted || p.apart && m.admits(p.a, p.b)
		}
		if admitted != want {
			t.Errorf("%s: admitted %v", title, admitted)
		}
	}
}
