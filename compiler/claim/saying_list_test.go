package claim_test

import "testing"

// Names that are listed, whatever announces them.
func TestListedNames(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"behind a label in the past tense", "# Lobby\n\nVariants offered: Chess960, Crazyhouse, Atomic.\n", "[atomic, chess960, crazyhous]", ""},
		{"at the end of a sentence", "# Silo\n\nWe store wheat, barley, rye and maize.\n", "[barley, maiz, rye, wheat]", ""},
		{"behind a preposition", "# Dogs\n\nEvery dog is vaccinated against distemper, hepatitis and parvovirus.\n", "[distemper, hepatitis, parvovirus]", ""},
		{"what a thing is one of", "# Ticket\n\nA ticket is open, assigned or closed.\n", "[assign, clos, open]", ""},
		{"what is done", "# Ticket\n\nThe desk opens the box, counts the tickets and closes it.\n", "", "["},
		{"written as code, without and", "# Actors\n\nThe type is one of `user`, `service`, `system`.\n", "[service, system, user]", ""},
		{"below a line with a verb", "# Stage\n\nThe separate networks on stage are:\n\n- light\n- sound\n- video\n", "[light, sound, video]", ""},
	})
}

// Who does something, by a line, a field or a second verb.
func TestDoersOfLines(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a second verb", "# Names\n\nThe editorial office checks the spelling and approves the name.\n", "\nname approv; class:who:approv=editorial office", ""},
		{"behind a role", "# Roles\n\n**Head brewer:** plans the week and releases every batch.\n", "class:who:releas=Head brewer", ""},
		{"a field", "---\ndecided_by: community lead\n---\n# Bans\n", "class:who:decid=community lead", ""},
		{"a line below who decides", "# Who decides\n\n**Permanent bans:** fraud team\n", "class:who:decid=fraud team", ""},
		{"a line below another heading", "# Bans\n\n**Permanent bans:** fraud team\n", "", "class:who"},
		{"an owner", "# Ownership\n\n- **Fare engine:** mobility team\n", "class:who:own=mobility team", ""},
		{"what a team runs", "# Fares\n\nThe pricing team runs the fare engine.\n", "class:who:own=pricing team", ""},
		{"what an operator runs", "# Fares\n\nThe night operator runs the fare engine.\n", "", "class:who:own"},
	})
}

// States with more besides, and states that other fields give.
func TestStatesOfFields(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"in brackets", "# Ways\n\n- ParkPal app (active, version 5)\n", "status parkpal app; name=active", ""},
		{"with a place", "---\nstatus: in use at all shelters\n---\n# App\n", "name=in use at all shelters", ""},
		{"of another field", "---\nkew_agreement: in force\n---\n# Deals\n", "|kew |agreement |status; name=in force", ""},
		{"while it is so", "# Hold\n\nWhile the hold is in force, nothing is removed.\n", "", "status"},
	})
}
