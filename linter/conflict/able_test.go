package conflict

import "testing"

// What a sentence says that a thing supports, a table answers with yes or no.
func TestAbilitiesAreHeldApart(t *testing.T) {
	t.Parallel()
	const table = "| Device | Remote update | Camera |\n|---|---|---|\n| Finch relay | no | yes |\n"
	holdApart(t, []minimal{
		{"The finch relay supports remote updates.", table, true},
		{"The finch relay does not support remote updates.", table, false},
		{"The finch relay does not offer a camera.", table, true},
		{"The finch relay supports two antennas.", table, false},
		{"The finch relay might support remote updates.", table, false},
	})
}

func TestCountsAreHeldApart(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		// What is a unit may be a thing that is counted.
		{"A hub must never have more than 800 meters assigned to it.", "| Limit | Value |\n|---|---|\n| Meters per hub | 1,200 |\n", true},
		{"The hub stands 800 meters from the river.", "| Limit | Value |\n|---|---|\n| Meters per hub | 1,200 |\n", false},
		// The least that is refused is the greatest that is taken.
		{"The loader rejects a file with more than 900 rows.", "The loader reads a file of no more than 500 rows.", true},
		// An article counts nothing.
		{"A clerk files a report for the archive.", "| Limit | Value |\n|---|---|\n| Reports for the archive | 12 |\n", false},
		// A long sentence is found by what stands before its number.
		{"Ask the harvest crew early for their lists and split these when they are long, since the old gate of the loader turns away every file with more than 900 lines.", "One file of the loader has at most 500 lines.", true},
	})
}

func TestInventoriesAreHeldApart(t *testing.T) {
	t.Parallel()
	const kinds = "## Absence types\n\n- annual\n- sick\n- parental\n"
	holdApart(t, []minimal{
		{kinds, "An absence is of one of the four kinds of absence.", true},
		{kinds, "An absence is of one of the three kinds of absence.", false},
		{"## Next steps for absence\n\n- annual\n- sick\n- parental\n", "An absence is of one of the four kinds of absence.", false},
		{"## Absence types\n\nSome of them:\n\n- annual\n- sick\n- parental, which pays less than others do in the first of the years\n", "An absence is of one of the four kinds of absence.", false},
		{"Orders are sorted by state: open, assigned and done.", "An order has one of these states: open, assigned, parked and done.", true},
		{"Orders are sorted by state: open, assigned and done.", "An order has one of these states: open, assigned and done.", false},
		{"The loader takes CSV and XLSX only.", "The loader takes CSV, XLSX and JSON.", true},
		{"The loader takes CSV and XLSX.", "The loader takes CSV, XLSX and other formats.", false},
		// The store of what a page is about.
		{"---\ntitle: Time tracking\n---\n\nPunches are kept in PostgreSQL.", "| Service | Database |\n|---|---|\n| time-tracking | MySQL |\n", true},
		{"---\ntitle: Time tracking\n---\n\nPunches are kept in PostgreSQL.", "| Service | Database |\n|---|---|\n| route-planning | MySQL |\n", false},
	})
}
