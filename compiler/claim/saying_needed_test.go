package claim_test

import "testing"

// What is required or optional may be said in other words.
func TestNeededInOtherWords(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string][]bool{
		"Nobody enters the ward without a badge.":                       {true},
		"No parcel leaves the dock without a seal.":                     {true},
		"A guest cannot borrow a book without a library card.":          {true},
		"The second signature can be left out.":                         {false},
		"On a short loan the middle name may be omitted.":               {false},
		"The glaze may be left blank.":                                  {false},
		"A guest borrows a book without a library card.":                nil,
		"Nobody leaves without saying goodbye.":                         nil,
		"Nobody works without delay.":                                   nil,
		"No parcel leaves the dock without a seal, unless it is empty.": nil,
		"The second signature cannot be left out.":                      nil,
		"The second signature can be left out if nobody asks.":          nil,
		"The bench can be left outside.":                                nil,
		"The keys may be left with the porter.":                         nil,
	} {
		got := poles(t, "# Kiln\n\n"+sentence+"\n")
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
			t.Errorf("%s: %v, want %v", sentence, got, want)
		}
	}
}

// A field gives a name and its version, and a number below one may be a share by its name.
func TestVersionsAndSharesOfFields(t *testing.T) {
	t.Parallel()
	field := func(key, value string) string { return "---\n" + key + ": " + value + "\n---\n# Kiln\n\nIt glows.\n" }
	cell := func(key, value, text string) string {
		return "# Kiln\n\n| Key | Value | Description |\n|---|---|---|\n| `" + key + "` | " + value + " | " + text + " |\n"
	}
	reads(t, []reading{
		{"a language", field("runtime", "Java 17"), "version=Java 17", ""},
		{"a database", field("database", "PostgreSQL 15"), "version=PostgreSQL 15", ""},
		{"a system", field("os", "Debian 12"), "version=Debian 12", ""},
		{"no number", field("runtime", "Java"), "class:language=Java", "version="},
		{"another number", field("place", "Hall 17"), "", "version="},
		{"how sure", cell("scan.min_confidence", "0.7", "what a scan needs"), "ratio=0.7", ""},
		{"how full", cell("ward.occupancy", "0.85", "from which beds are short"), "ratio=0.85", ""},
		{"how likely", cell("frost.warn", "0.3", "probability of frost from which growers are told"), "ratio=0.3", ""},
		{"more than all", cell("scan.min_confidence", "7", "what a scan needs"), "", "ratio="},
		{"a factor", cell("kiln.gain", "0.7", "gain of the controller"), "", "ratio="},
	})
}
