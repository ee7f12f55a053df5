package claim_test

import "testing"

// What programs know by a name, texts write as code.
func TestNamesWrittenAsCode(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a bucket", "# Desk\n\nCards are stored in the bucket `desk-cards`.\n", "^card keep bucket; class:named:bucket=desk-cards", ""},
		{"a queue that is called so", "# Desk\n\nThe queue of the desk is called `mail-out`.\n", "class:named:queu=mail-out", ""},
		{"a level", "# Desk\n\nThe log level of the desk is `warn`.\n", "class:named:level=warn", ""},
		{"a cell", "# Desk\n\n| What | Branch |\n|---|---|\n| release of the desk | `stable` |\n", "|branch |releas |desk; class:named:branch=stable", ""},
		{"a row of a bucket", "# Desk\n\n| Bucket | Holds |\n|---|---|\n| `desk-cards` | cards of the readers |\n", "card reader |keep; class:named:bucket=desk-cards", ""},
		{"two of them", "# Desk\n\nCards are read from the topics `a-cards` and `b-cards`.\n", "", "class:named"},
		{"a command", "# Desk\n\nRun the command `desk up --all` first.\n", "", "class:named"},
		{"a number", "# Desk\n\nThe level is `7`.\n", "", "class:named"},
		{"what is not so", "# Desk\n\nThe branch of the desk is not called `main`.\n", "", "class:named"},
		{"a natural language", "# Desk\n\nThe desk answers in Spanish.\n", "class:tongue=spanish", ""},
	})
}

// Days of the week may be a range, and a stage may be one of a theatre.
func TestDaysAndStages(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a range", "# Desk\n\nThe desk opens at 11:00, Monday to Friday.\n", "weekday=Monday to Friday", ""},
		{"weekdays", "# Desk\n\nThe desk opens at 11:00 on weekdays.\n", "weekday=weekdays", ""},
		{"one day", "# Desk\n\nThe desk closes at noon; Friday is short.\n", "weekday=Friday", ""},
		{"weekday as an adjective", "# Desk\n\nThe weekday desk is small.\n", "", "weekday="},
	})
}
