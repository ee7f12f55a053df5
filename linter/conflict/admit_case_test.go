package conflict

import "testing"

// What a sentence denies below a limit is done from that limit on.
func TestTheLeastThatIsDenied(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"**Minimum crew of the ferry:** 4", "No ferry leaves with fewer than three crew.", true},
		{"A firing needs a minimum of 12 kg of clay in the kiln.", "The kiln never starts with less than 9 kg of clay.", true},
		{"Minimum pressure of the boiler: 2 bar", "Nobody fires the boiler at less than 3 bar.", true},
		{"**Minimum crew of the ferry:** 4", "No ferry leaves with fewer than four crew.", false},
		{"**Minimum crew of the ferry:** 4", "A ferry leaves with fewer than five crew.", false}, // of another kind
		{"**Minimum crew of the ferry:** 4", "No ferry leaves with fewer than three crew unless it is empty.", false},
		{"**Minimum weight of a letter:** 20 g", "Nothing is charged for letters under 50 g.", false}, // what is charged is another thing
	})
}

// A case that one side names by a value the other may name by a word.
func TestCasesThatAreSaidInWords(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"Automatic watering of the greenhouse is disabled.", "| Setting | Value | Meaning |\n|---|---|---|\n| `greenhouse.watering` | on | the greenhouse is watered automatically |", true},
		{"The first tram to the harbour leaves at 05:10.", "First tram to the harbour: 05:40", true},
		{"Manual dosing of the pool is disabled.", "| Setting | Value | Meaning |\n|---|---|---|\n| `pool.dosing` | on | the pool is dosed manually |", true},
		{"Automatic watering of the greenhouse is disabled.", "| Setting | Value | Meaning |\n|---|---|---|\n| `greenhouse.watering` | on | the greenhouse is watered manually |", false},
		{"The third tram to the harbour leaves at 05:10.", "First tram to the harbour: 05:40", false},
	})
}

// Who says that something is so of all things of a kind says it of those under a condition too.
func TestWhatHoldsForAllIsDeniedOfSome(t *testing.T) {
	t.Parallel()
	admitPairs(t, []minimal{
		{"All backups of the ledger are encrypted.", "In staging, backups of the ledger are unencrypted.", true},
		{"Every greenhouse is public.", "In winter the greenhouse is private.", false}, // a season says when
		{"All doors of the museum are locked by an automatic bolt.", "At night the doors of the museum have a manual lock in a wooden case.", true},
		{"Every letter of the notary is signed.", "In summer a letter of the notary goes out unsigned.", false}, // a word that wavers
		{"Each ledger book is public.", "In production a ledger book is private.", true},
		{"Backups of the ledger are encrypted.", "In staging, backups of the ledger are unencrypted.", false},
		{"All backups of the ledger are encrypted.", "In staging, exports of the ledger are unencrypted.", false},
		{"All backups of the ledger take 30 minutes.", "In staging, backups of the ledger take 5 minutes.", false},
	})
}
