package claim_test

import "testing"

// What stands behind a verb and a preposition fills that place, whatever it is.
func TestThings(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a material", "# Desk\n\nIts legs are made of steel.\n", "class:thing:make of=steel", ""},
		{"a number of things", "# Desk\n\nThe desk is powered by two AA cells.\n", "class:thing:power by=two AA cells", ""},
		{"behind an object", "# Desk\n\nThe desk prints labels as ZPL.\n", "class:thing:as=ZPL", ""},
		{"where it comes from", "# Desk\n\nIts maps come from Cartolane.\n", "class:thing:from=Cartolane", ""},
		{"encoded in, encoded as", "# Desk\n\nLabels are encoded in Latin-1.\n", "class:thing:as=Latin-1", ""},
		{"one of several", "# Desk\n\nLabels are printed on paper and on foil.\n", "", "class:thing:print on=paper and"},
		{"a list", "# Desk\n\nLabels are printed on paper, foil or cloth.\n", "", "class:thing"},
		{"a time", "# Desk\n\nLabels are printed in five minutes.\n", "", "class:thing"},
		{"what may be", "# Desk\n\nLabels can be printed on foil.\n", "", "class:thing"},
		{"a variable is compared as such", "# Desk\n\nThe address is read from `DESK_URL`.\n", "code=desk_url", "class:thing"},
		{"a known name is compared as such", "# Desk\n\nThe desk stores its labels in PostgreSQL.\n", "class:database=postgresql", "class:thing"},
	})
}

// Who gets something, and whose it is.
func TestReceivers(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a role", "# Desk\n\nAlarms are sent to the shift lead.\n", "^alarm receiv; class:who:receiv=shift lead", ""},
		{"a person", "# Desk\n\nErrors are reported to Petra Quist.\n", "^error receiv; class:who:receiv=Petra Quist", ""},
		{"a verb in between", "# Desk\n\nAlarms go straight to the shift lead.\n", "class:who:receiv=shift lead", ""},
		{"in the past", "# Desk\n\nAlarms were sent to the shift lead.\n", "", "receiv"},
		{"denied", "# Desk\n\nAlarms are not sent to the shift lead.\n", "", "receiv"},
		{"belongs to", "# Desk\n\nThe desk belongs to Petra Quist.\n", "class:who:own=Petra Quist", ""},
		{"its owner", "# Desk\n\nQuestions on the desk go to its owner, Petra Quist.\n", "class:who:own=Petra Quist", ""},
		{"belongs to a thing", "# Desk\n\nThe desk belongs to the hall.\n", "", "class:who:own"},
	})
}

// A sentence says in which state something is as a field does.
func TestStatesInSentences(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"in beta", "# Desk\n\nThe export is still in beta.\n", "|status ^export; name=beta\n", ""},
		{"a prototype", "# Desk\n\nThe export is a prototype.\n", "|status ^export; name=prototype\n", ""},
		{"generally available", "# Desk\n\nThe export has been generally available since May 2025.\n", "|status ^export; name=generally available\n", ""},
		{"of a term", "# Words\n\n**Export desk:** the desk for exports; its status is beta.\n", "^export ^desk |status ^status; name=beta\n", ""},
		{"what is so in production", "# Desk\n\nThe export is in production twice as fast.\n", "", "|status"},
		{"not", "# Desk\n\nThe export is not in beta.\n", "", "|status"},
		{"the column", "# Desk\n\n| Part | Stage |\n|---|---|\n| Export | pilot |\n", "|status |export pilot; name=pilot\n", ""},
		{"the key", "---\nstage: beta\n---\n# Desk\n", "|status; name=beta\n", ""},
	})
}

// A glossary says more of its terms than the sentence that defines them.
func TestTerms(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"its", "# Words\n\n**Vat:** what cheese is made in. It holds 400 litres.\n", "^vat hold; volume=400 litres\n", ""},
		{"another subject", "# Words\n\n**Vat:** what cheese is made in. A press holds 40 litres.\n", "^press hold; volume=40 litres\n", ""},
		{"a condition", "# Words\n\n**Staging:** a copy of everything. Cheese is kept for 10 days there.\n", "time=10 days", ""},
		{"one of", "# Words\n\n**Alarm class:** minor, major or critical; there are no others.\n", "[critical, major, minor]", ""},
		{"only some", "# Words\n\n**Alarm class:** for example minor, major or critical.\n", "", "[critical"},
	})
}

// A label in bold and a name are a field.
func TestLabelledNames(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"an owner", "# Desk\n\n**Owner:** Garden\n", "|owner; name=Garden; class:who:own=Garden\n", ""},
		{"an item", "# Desk\n\n- **Contact:** Petra Quist\n", "|contact; name=Petra Quist\n", ""},
		{"a sentence", "# Desk\n\n**Owner:** Garden has it.\n", "", "name=Garden"},
		{"a label of several", "# Desk\n\n**Visitor:** Petra Quist\n", "", "name=Petra"},
		{"what is well known", "# Desk\n\n**Database:** PostgreSQL\n", "class:database=postgresql", "name="},
	})
}
