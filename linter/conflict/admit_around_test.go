package conflict

import "testing"

// What stands around a statement neither hides it nor changes what it is of: headings, a reason, a remark, the block below.
func TestWhatStandsAround(t *testing.T) {
	t.Parallel()
	settings := func(key, value, text string) string {
		return "| Key | Value | Description |\n|---|---|---|\n| `" + key + "` | " + value + " | " + text + " |"
	}
	admitPairs(t, []minimal{
		// Headings that only seem to tell of another time, or of one condition.
		{"The library card of a guest is valid for 3 years.", "## Changes and refunds\n\nThe library card of a guest is valid for 2 years.", true},
		{"The library card of a guest is valid for 3 years.", "## A week before\n\nThe library card of a guest is valid for 2 years.", true},
		{"The library card of a guest is valid for 3 years.", "## Changes in 2.0\n\nThe library card of a guest is valid for 2 years.", false},
		{"The burner of the large kiln is lit at 600 °C.", "## A night at the kiln\n\nThe burner of the large kiln is lit at 640 °C.", true},
		{"The burner of the large kiln is lit at 600 °C.", "## Night\n\nThe burner of the large kiln is lit at 640 °C.", false},
		{"The kiln hall opened on 2024-11-04.", "## Production\n\nThe kiln hall opened on 18 November 2024.", true},
		{"The v1 parcel interface ends on 2026-03-31.", "## Moving to v2\n\nThe v1 parcel interface ends on 2026-06-30.", true},
		{"The parcel interface takes 40 calls.", "## Moving to v2\n\nThe parcel interface takes 60 calls.", false},
		// Reasons and what follows are said on their own.
		{"The parcel sorter in the cellar refuses crates of more than 6 kg.", "Crates are opened first, since the parcel sorter in the cellar refuses crates of more than 9 kg.", true},
		{"The sorter stores parcels in steel crates.", "Since the sorter stores parcels in oak crates, they are easy to carry.", true},
		{"Guests can return a book to the desk after the hall has closed.", "Guests cannot return a book to the desk after the hall has closed, so the desk is empty by then.", true},
		{"Since 2019 the sorter takes parcels of up to 6 kg.", "The sorter takes parcels of up to 6 kg.", false},
		{"The loan desk of the library works without third-party cards.", "Ask the warden, too: the loan desk of the library does not work without third-party cards.", true},
		// Times: each says of which it is.
		{"In January 2025 the library catalogue of the town listed 3,100 books.", "In September 2025 the library catalogue of the town listed 5,600 books.", false},
		{"In April 2025 the carts of both halls together drove 9,200 km per week.", "In October 2025 the carts of both halls together drove 11,400 km per week.", false},
		{"The library catalogue of the town lists 3,100 books.", "The library catalogue of the town lists 5,600 books.", true},
		{"The summer season begins on 13 June 2026.", "The first day of the summer season is 20 June 2026.", true},
		// Values.
		{"The gate lets 250 guests through every minute.", "The gate admits 400 guests per minute.", true},
		{"The gate lets 250 guests through every minute.", "The gate admits 250 guests per minute.", false},
		{"A library code is 16 characters long.", "Type the 12-character library code.", true},
		{"The loan desk calls a failed number 3 times.", "The loan desk calls a failed number 5 times.", true},
		// Roles and remarks.
		{"The default length of a tour is 15 minutes.", settings("tour.slot_max", "40 min", "maximum length of a tour"), false},
		{"The longest tour takes 30 minutes.", settings("tour.slot_max", "40 min", "maximum length of a tour"), true},
		{"| Limit | Value | Remark |\n|---|---|---|\n| Library books per guest | 20 | seldom reached |", "| Property | Value |\n|---|---|\n| Library books per guest | 15 |", true},
		// A night is when something holds, or what is spoken of.
		{"The gate of the parcel hall is checked every 10 minutes.", "The gate of the parcel hall is checked every 30 minutes, which saves the guard the night.", true},
		{"The gate of the parcel hall is checked every 10 minutes.", "At night the gate of the parcel hall is checked every 30 minutes.", false},
		{"The hauler lifts up to 600 kg.", "In service mode the hauler lifts no more than 200 kg.", false},
		{"In Belgium the library cards of the town are free.", "In the Netherlands the library cards of the town cost 5 EUR.", false},
		{"A warning is sent when the store is 75 percent full.", "Loans are stopped when the store is 92 percent full.", false},
		{"A warning is sent when the store is 75 percent full.", "The warning of the warden is sent when the store is 85 percent full.", true},
		{"The call desk of the town hall runs on Asterisk.", "The call desk of the town hall runs on FreeSWITCH and exists in one place.", true},
		{"| Promise | Target |\n|---|---|\n| Decision on a complete loan | 5 working days |", "A complete loan is decided within 8 working days.", true},
		// A block is of what announces it.
		{"The parcel server listens on port 7410.", "The package comes with this default configuration:\n\n```toml\n[parcel_server]\nlisten_port = 7420\n```", true},
		{"The parcel server listens on port 7410.", "A request may look so:\n\n```toml\n[parcel_server]\nlisten_port = 7420\n```", false},
		{"A loan of the library desk lasts 12 hours at most.", "A nightly export goes to the warden.\n\n```yaml\nlibrary_desk:\n  max_loan_hours: 24\n```", true},
		{"A loan of the library desk lasts 12 hours at most.", "For the nightly run:\n\n```yaml\nlibrary_desk:\n  max_loan_hours: 24\n```", false},
		{"The outer shell of the kiln burner is made of fired clay and survives a fall.", "The outer shell of the kiln burner is made of aluminium.", true},
	})
}
