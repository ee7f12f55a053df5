package claim_test

import "testing"

// The name of a setting says of which product its number is the version.
func TestReleasesByKey(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"the least version", "---\nmin_android: 11\n---\n# App\n", "|vers; version=11\n", ""},
		{"a column", "# App\n\n| Tool | Version |\n|---|---|\n| PostgreSQL | 15 |\n", "|vers; version=15\n", ""},
		{"or newer", "# App\n\n| System | Value |\n|---|---|\n| iOS | 16 or newer |\n", "version=16\n", ""},
		{"something else of it", "---\nandroid_devices: 11\n---\n# App\n", "=11\n", "version"},
		{"configuration", "# App\n\nThe app runs so:\n\n```yaml\nruntime:\n  python: \"3.12\"\n```\n", "version=3.12", ""},
	})
}

// A bare m is a minute in a setting, unless the setting is of a length.
func TestMinutesInSettings(t *testing.T) {
	t.Parallel()
	block := func(line string) string { return "# App\n\nThe app runs so:\n\n```yaml\n" + line + "\n```\n" }
	reads(t, []reading{
		{"a time", block("validity: 15m"), "time=15m", ""},
		{"a length", block("max_distance: 500m"), "length=500m", ""},
		{"a comment", block("limit: 40m  # width of the belt"), "length=40m", ""},
		{"a unit in a comment", block("limit: 26   # °C"), "temperature=26", ""},
	})
}

// Values that are said in other words than a number and a unit.
func TestSpokenValues(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"cents", "# App\n\nA page costs 4 cents.\n", "money:eur=4 cents; money:usd=4 cents", ""},
		{"for nothing", "# App\n\nA card is free of charge.\n", "^card; money:eur=free of charge", ""},
		{"for free", "# App\n\nDogs travel for free.\n", "money:eur=free", ""},
		{"free of what", "# App\n\nThe file is free of errors.\n", "", "money"},
		{"a price beside it", "# App\n\nThe first card is free, another costs 5 EUR.\n", "", "money:eur=free"},
		{"a status code", "# App\n\nA full queue answers with status 429.\n", "status-code=429", ""},
		{"a status code behind the protocol", "# App\n\nThe app returns HTTP 503.\n", "status-code=503", "version"},
		{"a number of things", "# App\n\nThe app returns 429 hits.\n", "", "status-code"},
		{"every second Friday", "# App\n\nThe review is every second Friday.\n", "time=every second Friday", "weekday"},
		{"every other day", "# App\n\nThe fan is cleaned every other day.\n", "time=every other day", ""},
		{"every Friday", "# App\n\nThe fan is cleaned every Friday.\n", "weekday=Friday; time=Friday", ""},
		{"every day", "# App\n\nThe fan is cleaned every day.\n", "time=every day; weekday=every day", ""},
		{"a spoken hour", "# App\n\nThe fan stops at ten in the evening.\n", "clock=ten in the evening", ""},
		{"a zone by its name", "# App\n\nThe load starts at 03:30 Central European Time.\n", "clock:utc=03:30 Central European Time", ""},
		{"local time", "# App\n\nTimes are shown in local time.\n", "class:timezone=local", ""},
		{"a year", "# App\n\n| Hall | Remark |\n|---|---|\n| Tern | opened 2013 |\n", "day=2013", ""},
		{"the year of a key", "---\nsince: 2021\n---\n# App\n", "day=2021", ""},
		{"by hand", "# App\n\nThe app is restarted by hand.\n", "pole:automatic=by", ""},
		{"must bring", "# App\n\nGuests must bring a badge.\n", "pole:requir=must", ""},
		{"at some times", "# App\n\nIn peak weeks a wave leaves every 20 minutes.\n", "time=20 minutes", ""},
		{"with a script's ending", "# App\n\nThe page is built with Next.js.\n", "class:frontend=", ""},
		{"an example", "# App\n\n*Example:* a job of 90 pages takes 5 minutes.\n", "?time=5 minutes", ""},
		{"turned down", "# App\n\n**Option B (turned down).** The app runs on RabbitMQ.\n", "", "rabbitmq"},
		{"up to a version", "# App\n\nUp to version 2 the relay took one source.\n", "", "; =one source"},
	})
}

// An answer that is a value says what its question asks for.
func TestAnswers(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"in bold", "# Lots\n\n**How long is a lot kept?** Ten years.\n", "^lot ^keep; time=Ten years\n", ""},
		{"with letters", "# Lots\n\nQ: How long is a lot kept?\nA: Ten years.\n", "^lot ^keep; time=Ten years\n", ""},
		{"a heading", "# Lots\n\n## How long is a lot kept?\n\nTen years. It may be longer.\n", "^lot ^keep; time=Ten years\n", ""},
		{"a sentence", "# Lots\n\n## How long is a lot kept?\n\nIt is for ten years.\n", "", "^lot ^keep"},
		{"no question", "# Lots\n\n## A lot is kept\n\nTen years.\n", "", "^lot ^keep"},
	})
}

// Images and environments give versions and settings.
func TestImages(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"of a file", "# App\n\nThe image:\n\n```dockerfile\nFROM debian:11\nRUN make\n```\n", "|imag; version=debian:11; class:system=debian:11\n", ""},
		{"of a setting", "# App\n\nThe stack:\n\n```yaml\ndb:\n  image: docker.io/library/postgres:15.2-alpine\n```\n", "version=docker.io/library/postgres:15.2-alpine", ""},
		{"of no known tool", "# App\n\nThe stack:\n\n```yaml\ndb:\n  image: ours:15\n```\n", "", "version"},
		{"an environment without a language", "# App\n\nThe values:\n\n```\nFAN_REPORT_SECONDS=60\n```\n", "|fan |report; time=60\n", ""},
		{"a listing", "# App\n\nThe values:\n\n```\nFAN_REPORT_SECONDS=60\nand more\n```\n", "", "time=60"},
		{"things that are counted", "# App\n\n| Room | Size |\n|---|---|\n| Hall | 30 seats |\n", "|size |hall seat; =30 seats\n", ""},
	})
}

// Dates, times and amounts are read as people write them.
func TestSpellingsOfValues(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"an ordinal", "# App\n\nThe hall opens on 31st March 2026.\n", "day=31st March 2026", ""},
		{"the ordinal of a month", "# App\n\nThe hall opens on the 31st of March 2026.\n", "day=31st of March 2026", ""},
		{"an ordinal behind the month", "# App\n\nThe hall opens on March 31st, 2026.\n", "day=March 31st, 2026", ""},
		{"a short month", "# App\n\nThe hall opens on 31 Mar 2026.\n", "day=31 Mar 2026", ""},
		{"points", "# App\n\nThe hall opens on 31.03.2026.\n", "day=31.03.2026", ""},
		{"points in a cell", "# App\n\n| Hall | Opens |\n|---|---|\n| Tern | 31.03.2026 |\n", "day=31.03.2026", ""},
		{"strokes", "# App\n\nThe hall opens on 31/03/2026.\n", "day=31/03/2026", ""},
		{"strokes that nobody can tell", "# App\n\nThe hall opens on 04/03/2026.\n", "", "day="},
		{"a day of the week before it", "# App\n\nThe hall opens on Tuesday, 31 March 2026.\n", "day=Tuesday, 31 March 2026", "weekday"},
		{"in words too", "# App\n\nA file is kept for 30 (thirty) days.\n", "time=30 (thirty) days", ""},
		{"calendar days", "# App\n\nA file is kept for 30 calendar days.\n", "time=30 calendar days", ""},
		{"a fixed space", "# App\n\nA file is kept for 30\u00a0days.\n", "time=30\u00a0days", ""},
		{"a number that is no year", "# App\n\nThe app has a cache of 2048 MiB.\n", "information=2048 MiB", "day="},
		{"a decimal comma", "# App\n\nA page costs 0,60 €.\n", "money:eur=0,60 €", ""},
		{"a decimal comma at the end", "# App\n\nThe factor is 0,60\n", "", "money"},
		{"per cent", "# App\n\nThe disk is 90 per cent full.\n", "ratio=90 per cent", ""},
		{"half a dozen", "# App\n\nThe app has half a dozen workers.\n", "=half a dozen workers", ""},
		{"a time with points", "# App\n\nThe fan stops at 4 a.m. and rests.\n", "clock=4 a.m.", ""},
		{"a time with a point", "# App\n\nThe fan stops at 4.45 am.\n", "clock=4.45 am", ""},
	})
}
