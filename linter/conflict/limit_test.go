package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What is admitted: minimal pairs of which the values can not both hold.
func TestAdmittedPairs(t *testing.T) {
	t.Parallel()
	table := func(head, number string) string {
		return "| " + head + " | Fixes until |\n|---|---|\n| " + number + " | 31 August 2026 |"
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		// What is refused beyond a value is let through up to it.
		{"A parcel is taken when it weighs up to 6 kg.", "A parcel of more than 2 kg is rejected at the counter.", true},
		{"A parcel is taken when it weighs up to 6 kg.", "A parcel of more than 2 kg is turned away at the counter.", true},
		{"A parcel is taken when it weighs up to 6 kg.", "A parcel of more than 2 kg is measured at the counter.", false},
		{"A parcel is taken when it weighs at least 6 kg.", "A parcel of more than 2 kg is rejected at the counter.", false},
		// A row of a release says the case that a sentence names.
		{"Release 3.4 receives fixes until 30 November 2026.", table("Release", "3.4"), true},
		{"Release 3.4 receives fixes until 30 November 2026.", table("Release", "3.5"), false},
		// A price for each piece is no price under a condition.
		{"The parcel licence costs 480 EUR a year.", "The parcel licence costs 540 EUR a year for each production server.", true},
		{"The parcel licence costs 480 EUR a year.", "The parcel licence costs 540 EUR a year in production.", false},
		// The oldest version that will do.
		{"- Go 1.22 or newer on every build agent", "The oldest Go that a build agent may have is 1.20.", true},
		{"- Go 1.22 or newer on every build agent", "The newest Go that a build agent may have is 1.23.", false},
		{"- Go 1.22 or newer on every build agent", "The oldest Go that a build agent may have is 1.22.", false},
		// A denial of what a number tells from others.
		{"The scanner does not support 32-bit cards.", "The scanner supports 32-bit cards of all makers and colours.", true},
		{"The scanner does not support 32-bit cards.", "The scanner supports 64-bit cards of all makers and colours.", false},
		// One of some names.
		{"A parcel has a code. Its code is one of raw, delta, xor and plain.", "There are three of them: raw, delta and plain.", true},
		{"A parcel has a code. Its code is one of raw, delta, xor and plain.", "There are four of them: raw, delta, xor and plain.", false},
		{"The code of the parcel is one of raw, delta, xor and plain.", "The code of the parcel is one of many, such as raw, delta and plain.", false},
		// Checksums.
		{"A parcel record is guarded with CRC32C.", "A parcel record is protected by an xxHash64 checksum.", true},
		{"A parcel record is guarded with CRC32C.", "A parcel record is guarded by a CRC32C checksum.", false},
	} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Parcel rules\n\n"+c.a+"\n-- b.md --\n# Counter\n\n"+c.b+"\n"))
		m := newMatcher(w)
		got := false
		for _, p := range m.meetings() {
			got = got || p.apart && m.admits(p.a, p.b)
		}
		if got != c.want {
			t.Errorf("%s\n%s\nadmitted: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// An item is also looked for by the line above its list, and what begins with it by its title.
func TestItemsMeetByTheLineAbove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    string
		want bool
	}{
		{"A parcel is sealed for one of two reasons:\n\n- it has been open for 15 minutes\n- it is full", true},
		{"A letter is burnt for one of two reasons:\n\n- someone has been waiting for 15 minutes\n- someone is full", false},
	} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Rules\n\n"+c.a+"\n-- b.md --\n# Counter\n\nA parcel of the counter is sealed after 600 s.\n"))
		if got := newMatcher(w).meetings(); (len(got) > 0) != c.want {
			t.Errorf("%s: %d meetings", c.a, len(got))
		}
	}
}
