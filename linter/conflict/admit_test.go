package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What is refused whatever the words are: the value of another case, of another thing, of the rest
// of a whole.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"a version that is one of several", "Release 3.4 of the silo receives fixes.", "Release 3.5 of the silo receives fixes.", false},
		{"a version that is used", "PostgreSQL 16 is used by the silo.", "The silo uses PostgreSQL 15.", true},
		{"two shares of one whole", "Groups pay 85 percent of the silo fare.", "Groups get 15 percent off the silo fare.", false},
		{"two shares", "Groups get 20 percent off the silo fare.", "Groups get 15 percent off the silo fare.", true},
		{"a case", "For tenants with more than 2,000 people the silo run starts at 21:00.", "The silo run starts at 18:30.", false},
		{"no case", "The nightly silo run starts at 21:00.", "The nightly silo run starts at 18:30.", true},
		{"two cases", "For public packages the silo licence field is mandatory.", "For private packages the silo licence field is optional.", false},
		{"two opposites", "The silo licence field is mandatory.", "The silo is private.", false},
		{"one opposite", "The silo licence field is mandatory.", "The silo licence field is optional.", true},
		{"switched and enabled", "The silo mirror is turned off.", "The silo mirror is enabled.", true},
		{"each of itself", "The header is 24 bytes long.", "The header is 64 bytes long.", false},
		{"both of another", "The header of [[silo]] is 24 bytes long.", "The header of [[silo]] is 64 bytes long.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, "-- units/pump.md --\n# Pump\n\n"+c.a+"\n-- units/valve.md --\n# Valve\n\n"+c.b+"\n-- silo.md --\n# Silo\n\nIt is round.\n"))
			all := newMatcher(w).measured()
			if got := len(all) > 0; got != c.want {
				t.Errorf("%d are admitted, want any: %v", len(all), c.want)
				for _, p := range all {
					t.Logf("%s against %s", p.a.Text, p.b.Text)
				}
			}
		})
	}
}
