package claim_test

import "testing"

// A list may be put in behind the noun of which it has all.
func TestListsPutIn(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"namely", "# Ward\n\nA ward has four beds, namely north, east, south and west.\n", "; [east, north, south, west]", ""},
		{"which are", "# Loan\n\nThe states of a loan, which are asked, out and back, are on the card.\n", "; [ask, back, out]", ""},
		{"namely, of those that do something", "# Desk\n\nThe desk issues three cards, namely reader, guest and child.\n", "; [child, guest, reader]", ""},
		{"which are like something", "# Desk\n\nThe lamps, which are old and dark, are sold.\n", "", "[dark"},
		{"one", "# Desk\n\nThe desk issues a card, namely the green one.\n", "", "["},
		{"what was", "# Desk\n\nThere were three cards, namely reader, guest and child.\n", "", "["},
	})
}

// That something is over on a day is said in many words.
func TestLastDays(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"until", "# Desk\n\nThe old card is available until 30 June 2027.\n", "^old ^card end; day=30 June 2027", ""},
		{"switched off", "# Desk\n\nThe old card is switched off on 2026-12-15.\n", "^old ^card end; day=2026-12-15", ""},
		{"goes on", "# Kiln\n\nThe gas kiln is maintained through 31 March 2028.\n", "^gas ^kiln end; day=31 March 2028", ""},
		{"to the end", "# Kiln\n\nThe gas kiln is supported to the end of May 2027.\n", "^gas ^kiln end", ""},
		{"from when it is available", "# Desk\n\nThe new card is available from 30 June 2027.\n", "availabl", "card end"},
		{"when it was seen", "# Desk\n\nThe desk was closed, and the visit is on 2026-12-15.\n", "visit", "end;"},
	})
}

// A block may pin the versions of tools.
func TestPinnedVersions(t *testing.T) {
	t.Parallel()
	block := func(lines string) string {
		return "# Loom\n\nThe pinned tools:\n\n```\n# .tool-versions of the loom\n" + lines + "\n```\n"
	}
	reads(t, []reading{
		{"of a runtime", block("nodejs 20.11.1"), "|loom |vers; version=nodejs 20.11.1; class:runtime=nodejs 20.11.1", ""},
		{"of a language", block("golang 1.26.4"), "class:language=golang 1.26.4", ""},
		{"of two", block("python 3.12.1\nruby 3.3.0"), "class:language=ruby 3.3.0", ""},
		{"prose", block("nodejs 20.11.1\nis what you need"), "", "version="},
		{"tools that nobody knows", block("weaver 20.11.1"), "", "version="},
		{"in a step that checks", "# Loom\n\n1. Check that the loom still has the usual values:\n\n   ```yaml\n   fan_rest: 90s\n   ```\n", "time=90s", ""},
		{"in another step", "# Loom\n\n1. Set the value for a test run:\n\n   ```yaml\n   fan_rest: 90s\n   ```\n", "", "time=90s"},
	})
}

// A row of a well-known product says what it is for.
func TestRowsOfProducts(t *testing.T) {
	t.Parallel()
	rows := func(rows string) string {
		return "# Stores\n\n| Store | Release | Holds |\n|---|---|---|\n" + rows + "\n"
	}
	reads(t, []reading{
		{"a database", rows("| PostgreSQL | 15.6 | loans of the desk |"), "loan desk |keep; class:database=PostgreSQL", ""},
		{"a broker", rows("| Kafka | 3.9 | messages between the kilns |"), "messag between kiln |keep; class:broker=Kafka", ""},
		{"a cache", rows("| Redis | 7.2 | sessions of guests, for an hour |"), "sess guest |keep; class:cache=Redis", ""},
		{"an owner", rows("| PostgreSQL | 15.6 | Hugo Antunes |"), "", "|keep; class:database"},
		{"a language", rows("| Python | 3.12 | tools of the desk |"), "", "|keep; class:language"},
		{"a service", rows("| Desk | 3.12 | tools of the desk |"), "", "|keep; class"},
	})
}

// A verb and its particle are the noun that they make.
func TestVerbsWithParticles(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"times out", "# Desk\n\nA session of the desk times out after 45 minutes.\n", "^sess ^desk timeout after; time=45 minutes", ""},
		{"rolled back", "# Loom\n\nA release is rolled back within 5 minutes.\n", "rollback", ""},
		{"backs up", "# Loom\n\nThe loom backs up its patterns at 02:30.\n", "backup", ""},
		{"another verb", "# Loom\n\nThe guests walk out at 02:30.\n", "walk out", ""},
		{"of two words", "# Loom\n\nThe time of the tour is 45 minutes.\n", "", "timeout"},
	})
}

// A row of a calendar says what is on a day.
func TestRowsOfCalendars(t *testing.T) {
	t.Parallel()
	rows := func(rows string) string { return "# Year\n\n| Day | What | Who |\n|---|---|---|\n" + rows + "\n" }
	reads(t, []reading{
		{"a day", rows("| 11 March 2027 | the reading room is painted | all |"), "^read ^room paint; day=11 March 2027", ""},
		{"a day of each year", rows("| 1 May | the old kiln is cleaned | all |"), "^old ^kiln clean; day-of-year=1 May", ""},
		{"what is decided", rows("| 2027-03-11 | ADR 7 on the kiln decided | board |"), "day=2027-03-11", ""},
		{"a measure on a day", rows("| 11 March 2027 | the kiln takes 40 vases | all |"), "=40 vases", "day="},
		{"no day", rows("| Monday | the reading room is painted | all |"), "", "day="},
	})
}

// What a sentence adds behind its values, as a reason or what follows, is taken for granted.
func TestWhatASentenceAdds(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a reason", "# Desk\n\nThe desk keeps a card for 30 days, since readers ask for it.\n", "^desk keep card; time=30 days\n", ""},
		{"what follows", "# Desk\n\nThe desk keeps a card for 30 days, so there is time to ask.\n", "^desk keep card; time=30 days\n", ""},
		{"what it is for", "# Loom\n\nThe loom rests for 8 hours so that the yarn cools.\n", "^loom rest; time=8 hours\n", ""},
		{"behind a colon", "# Loom\n\nThe loom takes 40 spools: above that the yarn breaks.\n", "^loom take spool; =40 spools\n", ""},
		{"another value", "# Loom\n\nThe loom takes 40 spools, so a shift uses 90 spools.\n", "; =90 spools", ""},
		{"a list", "# Loom\n\nThe loom takes 40 spools of wool, linen, and silk.\n", "wool linen silk", ""},
		{"a label", "# Loom\n\nSpools: the loom takes 40 spools.\n", "loom take", ""},
		{"a denial there", "# Loom\n\nThe loom rests for 8 hours, so nobody waits for it.\n", "^loom rest; time=8 hours\n", "not"},
		{"a head of a column that says which kind of value it is", "# Loom\n\n| What | Limit |\n|---|---|\n| spools of the loom | 40 |\n", "|spool |loom ~limit; =40", ""},
		{"a name with a number", "# Loom\n\nLoom 5 shows the pattern as a code.\n", "", "=5"},
		{"a word of a title", "# Loom\n\nSee [[step-up-authentication]] for 40 spools.\n\n-- step-up-authentication.md --\n# Step-up authentication\n\nIt is asked for.\n", "", "pole:authentic"},
	})
}

// Units may be counted by time behind a stroke, and somebody may do something by name.
func TestUnitsByTimeAndPeople(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"mass", "# Loom\n\nThe belt moves 1800 kg/h.\n", "rate:mass=1800 kg/h", ""},
		{"information", "# Loom\n\n| What | Value |\n|---|---|\n| writing of the loom | 100 MB/s |\n", "rate:information=100 MB/s", ""},
		{"volume", "# Loom\n\nThe pump takes 5 l/min.\n", "rate:volume=5 l/min", ""},
		{"speed", "# Loom\n\nThe belt runs at 5 km/h.\n", "speed=5 km/h", "rate:"},
		{"calls", "# Loom\n\nThe desk takes 50 req/s.\n", "rate:=50 req/s", ""},
		{"a person", "# Desk\n\nPetra Quist approves changes of the list.\n", "class:who:approv=Petra Quist", ""},
		{"two people", "# Desk\n\nPetra Quist and Jan Ode approve changes of the list.\n", "", "class:who"},
		{"a thing by name", "# Desk\n\nBlue Desk cards are green.\n", "", "class:who"},
		{"a state of a cell", "# Desk\n\n| Card | Status |\n|---|---|\n| green | in production |\n", "|status |green", ""},
	})
}

// What stands behind instead is not so, what has to be is.
func TestInsteadAndHaveToBe(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"instead of", "# Kiln\n\nThe fan rests for 5 min instead of 20 min.\n", "; time=5 min; ?time=20 min", ""},
		{"at the end", "# Kiln\n\nThe fan gives up after 5 min and then offers a form instead.\n", "; time=5 min", ""},
		{"have to be", "# Desk\n\nLists for the desk have to be CSV files.\n", "; class:format=csv", ""},
		{"is to be", "# Desk\n\nThe list is to be a CSV file next year.\n", "; ?class:format=csv", ""},
		{"a stage", "---\nstage: generally available\n---\n# Desk\n\nA desk.\n", "|status; name=generally available\ndesk\n", ""},
	})
}
