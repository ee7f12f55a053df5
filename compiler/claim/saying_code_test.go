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

// How long something is there is told from either end, and a setting may stand in the midst of a text.
func TestLifetimesAndSettingsInTexts(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"deleted after", "# Desk\n\nCards are deleted after 90 days.\n", "^card keep after; time=90 days", ""},
		{"valid for", "# Desk\n\nA card is valid for two years.\n", "^card keep; time=two years", ""},
		{"expires", "# Desk\n\nA card expires after 36 months.\n", "^card keep after; time=36 months", ""},
		{"tried again", "# Desk\n\nWe try a delivery again for up to three days.\n", "^retr ^deliver", ""},
		{"tried, and again something else", "# Desk\n\nWe try a card, and again it fails in 3 days.\n", "try", "retr"},
		{"no time", "# Desk\n\nCards of 40 kg are deleted by hand.\n", "delet", "keep"},
		{"an age", "# Desk\n\nMinimum age of guides: 21\n", "time=21", ""},
		{"another number", "# Desk\n\nMinimum of guides: 21\n", "", "time=21"},
		{"so often", "# Desk\n\nGuests may ring 100 times per minute.\n", "rate:=100 times per minute", ""},
		{"an interval", "# Desk\n\nThe bell rings every 5 minutes.\n", "time=5 minutes", "rate:"},
		{"a setting", "# Desk\n\n- `desk.max_size: 8MB`\n", "|desk |max |size; information=8MB", ""},
		{"a setting with what it is for", "# Desk\n\nCards are kept in `card_ttl=90d` on the desk.\n", "|card |ttl; time=90d", ""},
		{"what to set", "# Desk\n\nSet `desk.max_size: 8MB` first.\n", "", "information=8MB"},
		{"an example", "# Desk\n\nFor example `desk.max_size: 8MB`.\n", "", "information=8MB"},
		{"an address", "# Desk\n\nSee `https://desk` there.\n", "", "|http"},
	})
}
