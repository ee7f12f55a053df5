package claim_test

import "testing"

// What is said to be in use, or to be no more, has a status as a field gives it.
func TestStatesAreSaidInManyWays(t *testing.T) {
	t.Parallel()
	retired, live := "|status ^importer; name=", "|status ^importer; name="
	reads(t, []reading{
		{"was retired", "# Desk\n\nThe importer was retired in March 2025.\n", retired + "retired\n", ""},
		{"no longer", "# Desk\n\nThe importer is no longer in use.\n", retired + "in use\n", ""},
		{"out of service", "# Desk\n\nThe importer has been out of service since May 2025.\n", retired + "out of service\n", ""},
		{"for good", "# Desk\n\nThe importer was switched off in May 2025.\n", retired + "switched off\n", ""},
		{"for the night", "# Desk\n\nThe importer was switched off at 22:00.\n", "", "|status"},
		{"replaced", "# Desk\n\nThe importer was replaced by the loader in 2024.\n", retired + "replaced by\n", ""},
		{"we switched it off", "# Desk\n\nWe switched off the importer last year.\n", "|status importer; name=switched off\n", ""},
		{"we still use it", "# Desk\n\nWe still use the importer.\n", "|status importer; name=use\n", ""},
		{"in production", "# Desk\n\nThe importer has been in production since 2021.\n", live + "in production\n", ""},
		{"still runs", "# Desk\n\nThe importer still runs.\n", live + "still runs\n", ""},
		{"a label", "# Desk\n\n- Importer: discontinued since release 3.2\n", "|status ^importer; name=discontinued\n", ""},
		{"begins with it", "# Importer\n\nRetired since March 2025.\n", "|status; name=Retired\n", ""},
		{"was live", "# Desk\n\nThe importer was live in March.\n", "", "|status"},
	})
}
