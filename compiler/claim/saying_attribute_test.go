package claim_test

import "testing"

// The name that is the value of an attribute is read in whatever way it is given.
func TestAttributesByName(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"is", "# Press\n\nThe font of the press is Roboto.\n", "class:attr:font=Roboto\n", "attr:press"},
		{"uses", "# Press\n\nThe press uses the font Inter.\n", "class:attr:font=Inter\n", ""},
		{"behind a comma", "# Feed\n\nBookings arrive through Quillon, the aggregator behind the feed.\n", "class:attr:aggregator=Quillon\n", ""},
		{"a label", "# Press\n\n**Font:** Roboto\n", "class:attr:font=Roboto\n", ""},
		{"a column", "# Press\n\n| Machine | Font |\n|---|---|\n| Press | Roboto |\n", "class:attr:font=Roboto\n", ""},
		{"the row of a property", "# Press\n\n| Property | Value |\n|---|---|\n| Font | Roboto |\n", "class:attr:font=Roboto\n", ""},
		{"a setting", "# Press\n\n```yaml\npress:\n  default_paper: A5\n```\n", "class:attr:paper=A5\n", ""},
		{"not", "# Press\n\nThe font of the press is not Roboto.\n", "", "attr:"},
		{"a page", "# Press\n\nThe press uses the font [[roboto]].\n", "", "attr:"},
		{"no value", "# Press\n\nThe reason is Roboto.\n", "", "attr:"},
		{"an owner", "# Press\n\nThe owner of the press is the support team.\n", "class:who:own=support team\n", ""},
		{"a dash", "# Words\n\n- Press – region Dublin\n", "class:place=Dublin\n", ""},
		{"is in", "# Press\n\nThe press is in Dublin.\n", "class:place=Dublin\n", ""},
		{"is in a language", "# Press\n\nThe handbook is in German.\n", "", "class:place"},
		{"with a name", "# Scanner\n\nThe scanner reads text with Tesseract.\n", "class:thing:read with=Tesseract\n", ""},
		{"of a role", "# Roles\n\n**Operations manager:** approves the opening of every slope.\n", "class:who:approv=Operations manager\n", ""},
		{"no number of one", "# Queue\n\n- **Mail queue:** batch size 200\n", "; =200\n", ""},
	})
}

// A cell that is a sentence is read as one, and a yes as what its column says.
func TestCellsThatSayMore(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a sentence", "# Rules\n\n| Rule | Text |\n|---|---|\n| 1 | The hall holds 40 guests. |\n", "^hall hold guest; =40 guests\n", ""},
		{"a currency", "# Shop\n\n| Item | USD |\n|---|---|\n| Pass | 12.99 |\n", "money:usd=12.99\n", ""},
		{"an old note", "# Desk\n\n> **Note:** The hall holds 40 guests.\n", "^hall hold guest; =40 guests\n", ""},
		{"a quotation", "# Desk\n\n\"The hall holds 40 guests\", a visitor wrote.\n", "", "40 guests"},
		{"agreed", "# Desk\n\n**Can guests book a room?** No.\n", "not book", ""},
		{"announced", "# Desk\n\nThere is one rule: the doors are shut at noon.\n", "^door shut; clock=noon\n", ""},
		{"how often", "# Desk\n\nThe index is rebuilt every night.\n", "time=every night", ""},
		{"a setting's rate", "# Desk\n\n```yaml\ndesk:\n  limit: 20/s\n```\n", "rate:=20/s\n", ""},
	})
}

// A heading tells of another time only if that is what it is about, and a title sets a condition only if it is no name.
func TestHeadingsThatOnlySeemTo(t *testing.T) {
	t.Parallel()
	const said = "The relay holds 40 lines.\n"
	reads(t, []reading{
		{"background jobs", "# Relay\n\n## Background jobs\n\n" + said, "=40 lines\n", ""},
		{"the audit log", "# Relay\n\n## Audit log\n\n" + said, "=40 lines\n", ""},
		{"incident response", "# Relay\n\n## Incident response\n\n" + said, "=40 lines\n", ""},
		{"how changes arrive", "# Relay\n\n## How changes arrive\n\n" + said, "=40 lines\n", ""},
		{"changes", "# Relay\n\n## Changes\n\n" + said, "", "40 lines"},
		{"decision log", "# Relay\n\n## Decision log\n\n" + said, "", "40 lines"},
		{"background", "# Relay\n\n## Background\n\n" + said, "=40 lines\n", ""},
		{"background of a decision", "---\ntype: adr\n---\n# Relay\n\n## Background\n\n" + said, "", "40 lines"},
		{"a past incident", "# Relay\n\n## Past incidents\n\n" + said, "", "40 lines"},
	})
}
